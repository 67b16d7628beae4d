/**
 * The service worker: caches the files of one version of the page, all or none, and serves them. The network handles
 * all other requests, including the API and streams.
 *
 * deploy/lib/pages.sh inserts the version and each file with its hash.
 */

const version = "@version@";
/** The hashes by address. @type {Map<string, string>} */
const files = new Map(["@files@"].map((each) => /** @type {[string, string]} */ (each.split(" "))));
const caching = "notes-files ";
const own = caching + version;
/** The cache of texts shared by other apps or sites, until the user saves or discards them. */
const shared = "notes-shared";
/** The time in which an open page must report its version, in milliseconds. */
const versionTimeout = 5000;
/** @param {string} version */
const page = (version) => `/assets/${version}/notes/index.html`;

/** @type {any} */
const worker = self;

worker.addEventListener("install", (/** @type {any} */ event) => {
    event.waitUntil(keepFiles());
    // https://www.w3.org/TR/service-workers/#service-worker-concept-route: a browser with static routing serves the
    // files itself, without starting the service worker.
    const [pathname, search, baseURL] = ["/", "", location.origin];
    event.addRoutes?.([
        {
            condition: { requestMode: "navigate", urlPattern: new URLPattern({ pathname, search, baseURL }) },
            source: { cacheName: own },
        },
        { condition: { urlPattern: new URLPattern("/assets/*", baseURL) }, source: "cache" },
    ]);
});

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("message", (/** @type {any} */ event) => {
    // A page requests the switch to the waiting version.
    if (event.data === "skipWaiting") event.waitUntil(worker.skipWaiting());
    if (event.data === "version") event.ports[0]?.postMessage(version);
    // A page has loaded.
    if (event.data === "started") event.waitUntil(tidy());
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { request } = event;
    const { origin, pathname, searchParams } = new URL(request.url);
    if (origin !== location.origin) return;
    if (request.method === "POST" && pathname === "/share.html") return event.respondWith(keepShared(request));
    if (request.method !== "GET") return;
    if (request.mode === "navigate") {
        if (pathname !== "/" && pathname !== "/index.html") return;
        event.respondWith(answerPage(searchParams.get("version"), request));
        // Start the database now, because the page will need it.
        indexedDB.databases?.().catch(() => {});
    } else if (pathname.startsWith("/assets/")) {
        // The file may belong to another version whose page is still open.
        event.respondWith(answer(request, request));
    }
});

/** Caches all files, from the browser's cache or the network; if one fails, this version is not installed. */
async function keepFiles() {
    const cache = await caches.open(own);
    const requests = (/** @type {RequestCache} */ way) =>
        [...files].map(([address, integrity]) => new Request(address, { integrity, cache: way }));
    try {
        // The browser's own cached copy may be damaged, so fetch the files again.
        await cache.addAll(requests("default")).catch(() => cache.addAll(requests("reload")));
        await cache.put("/", /** @type {Response} */ (await cache.match(page(version), { ignoreVary: true })));
    } catch (failure) {
        if ((await cache.keys()).length === 0) await caches.delete(own);
        throw failure;
    }
}

/**
 * Returns the page of the next version if requested and cached; otherwise of this version.
 * @param {string | null} next
 * @param {Request} request
 */
async function answerPage(next, request) {
    const isKept = next && (await caches.has(caching + next));
    return answer(page(isKept ? next : version), request);
}

/**
 * @param {RequestInfo} wanted
 * @param {Request} request
 */
async function answer(wanted, request) {
    const how = { ignoreVary: true };
    // Nearly all requests are for this version.
    const found = (await caches.match(wanted, { ...how, cacheName: own })) ?? (await caches.match(wanted, how));
    return found ?? fetch(request);
}

/** Refetches files that the browser has evicted, and deletes versions that no page uses. */
async function tidy() {
    const names = (await caches.keys()).filter((name) => name.startsWith(caching) && name !== own);
    // A version that is being installed may own one of these caches.
    if (worker.registration.installing || worker.registration.waiting) return;
    const cache = await caches.open(own);
    const kept = [...files.keys(), "/"];
    const found = await Promise.all(kept.map((address) => cache.match(address, { ignoreVary: true })));
    if (found.includes(undefined)) await keepFiles();
    const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const used = await Promise.all(pages.map(versionOf));
    if (used.includes(null)) return;
    for (const name of names) if (!used.includes(name.slice(caching.length))) await caches.delete(name);
}

/**
 * Returns the version of an open page, or null for a page that does not answer because it is loading or frozen.
 * @param {any} client
 * @returns {Promise<string | null>}
 */
function versionOf(client) {
    const { port1, port2 } = new MessageChannel();
    return new Promise((answer) => {
        setTimeout(answer, versionTimeout, null);
        port1.onmessage = ({ data }) => answer(String(data));
        client.postMessage("version", [port2]);
    });
}

/**
 * Stores a text that another app shares in a form's body, so no address, history or server log contains it.
 * @param {Request} request
 */
async function keepShared(request) {
    try {
        const form = await request.formData();
        const texts = ["title", "text", "url"].map((name) => [name, String(form.get(name) ?? "")]);
        const cache = await caches.open(shared);
        const body = JSON.stringify(Object.fromEntries(texts));
        await cache.put(`/shared/${Date.now()}-${crypto.randomUUID()}`, new Response(body));
        return Response.redirect("/?shared=here", 303);
    } catch {
        return Response.redirect("/?shared=lost", 303);
    }
}
