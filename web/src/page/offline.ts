// The service worker: the page opens without a network after the first visit, and, where a static host does not send the headers that
// give threads, it can add them. Both are left out where the browser has none.

const key = "straw.isolate";

/** Registers the worker. Nothing waits for it. */
export function keepForOffline(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(isolates() ? "sw.js?isolate" : "sw.js").catch(() => {
    // a private window, or files opened from a folder: the page works as it did
  });
}

function isolates(): boolean {
  try {
    return localStorage.getItem(key) === "1";
  } catch {
    return false;
  }
}

/** Whether the headers are missing here, and the worker could add them. */
export const canIsolate = (): boolean => !crossOriginIsolated && isSecureContext && "serviceWorker" in navigator;

/** Adds them from now on. The page is loaded again, and an open file has to be chosen again. */
export async function isolate(): Promise<void> {
  localStorage.setItem(key, "1");
  const registration = await navigator.serviceWorker.register("sw.js?isolate");
  const worker = registration.installing ?? registration.waiting;
  if (worker && worker.state !== "activated") {
    await new Promise<void>((resolve) => worker.addEventListener("statechange", () => worker.state === "activated" && resolve()));
  }
  location.reload();
}
