// The service worker of the page. What the server says counts; where there is none, what it said last. Nothing of a model is kept
// but the demo: an address outside the page's own folder, or a part of a file, goes by untouched.

declare const self: ServiceWorkerGlobalScope;

const cacheName = "straw";
const first = ["./", "page.js", "page.css", "straw.js", "worker.js", "viewer.wasm", "icon.svg"];
/** "sw.js?isolate" gives the page the headers for threads, for hosts that cannot. */
const isolate = self.location.search === "?isolate";

self.addEventListener("install", (e) => {
  e.waitUntil(caches.open(cacheName).then((c) => c.addAll(first)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (e) => e.waitUntil(self.clients.claim()));

/** Files that the page writes, by the address under which the browser fetches and saves them. */
const downloads = new Map<string, Response>();

self.addEventListener("message", (e) => {
  if (typeof e.data !== "object") return; // only to keep this worker awake
  const { url, name, size, body } = e.data as { url: string; name: string; size?: number; body: ReadableStream };
  const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
  const headers = new Headers({ "Content-Type": "application/octet-stream", "Content-Disposition": disposition });
  if (size !== undefined) headers.set("Content-Length", String(size));
  downloads.set(url, new Response(body, { headers }));
  e.ports[0]?.postMessage("ready");
});

self.addEventListener("fetch", (e) => {
  const r = e.request;
  const saved = downloads.get(r.url);
  if (saved) {
    downloads.delete(r.url);
    e.respondWith(saved);
    return;
  }
  if (r.method !== "GET" || r.headers.has("Range") || !r.url.startsWith(self.registration.scope) || new URL(r.url).search.length > 1 && r.mode !== "navigate") return;
  e.respondWith(answer(r));
});

async function answer(r: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  let response: Response | undefined;
  try {
    response = await fetch(r);
    if (response.ok && response.type === "basic" && !response.redirected) void cache.put(keyOf(r), response.clone()).catch(() => {});
  } catch (e) {
    response = await cache.match(keyOf(r));
    if (!response) throw e;
  }
  return isolate && response.type === "basic" ? isolated(response) : response;
}

/** The page is one file, whatever its address asks it to open. */
const keyOf = (r: Request): string => r.url.split(/[?#]/, 1)[0] as string;

function isolated(r: Response): Response {
  const headers = new Headers(r.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(r.body, { status: r.status, statusText: r.statusText, headers });
}

export {};
