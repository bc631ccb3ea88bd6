// What browsers with File System Access have beyond lib.dom.

interface Window {
  showOpenFilePicker?(o?: { multiple?: boolean }): Promise<FileSystemFileHandle[]>;
  showSaveFilePicker?(o: { suggestedName: string }): Promise<FileSystemFileHandle>;
  showDirectoryPicker?(o: { mode: "readwrite" }): Promise<FileSystemDirectoryHandle>;
}

interface FileSystemHandle {
  queryPermission?(o: { mode: "read" | "readwrite" }): Promise<PermissionState>;
  requestPermission?(o: { mode: "read" | "readwrite" }): Promise<PermissionState>;
}

interface DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}
