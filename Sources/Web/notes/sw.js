/**
 * The service worker: keeps the files of one version of the page, all of them or none, and answers with them. It never
 * touches the API, nor a stream: whatever isn't one of its files is the network's.
 *
 * deploy/lib/pages.sh fills in the version, and each file with what its bytes come to.
 */

const version = "@version@";
/** By address. @type {Map<string, string>} */
const files = new Map(["@files@"].map((each) => /** @type {[string, string]} */ (each.split(" "))));
const caching = "notes-files ";
const own = caching + version;
/** Texts that other apps or sites have shared, until their user makes notes of them or discards them. */
const shared = "notes-shared";
/** How long an open page may take to say of which version it is, in milliseconds. */
const patience = 5000;
/** @param {string} version */
const page = (version) => `/assets/${version}/notes/index.html`;

/** @type {any} */
const worker = self;

worker.addEventListener("install", (/** @type {any} */ event) => {
    event.waitUntil(keepFiles());
    // https://www.w3.org/TR/service-workers/#service-worker-concept-route: a browser that can answers with the files by
    // itself, and waits for no service worker to be started.
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
    // A page wants the version that waits.
    if (event.data === "skipWaiting") event.waitUntil(worker.skipWaiting());
    if (event.data === "version") event.ports[0]?.postMessage(version);
    // A page has been loaded.
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
        // A browser that has just been started opens its databases when somebody asks for one, and the page will.
        indexedDB.databases?.().catch(() => {});
    } else if (pathname.startsWith("/assets/")) {
        // Also of another version, whose page is still open.
        event.respondWith(answer(request, request));
    }
});

/** Keeps all files at once, as the browser has them or the network; or none, and this version is not installed. */
async function keepFiles() {
    const cache = await caches.open(own);
    const requests = (/** @type {RequestCache} */ way) =>
        [...files].map(([address, integrity]) => new Request(address, { integrity, cache: way }));
    try {
        // What the browser has kept damaged is asked for anew.
        await cache.addAll(requests("default")).catch(() => cache.addAll(requests("reload")));
        await cache.put("/", /** @type {Response} */ (await cache.match(page(version), { ignoreVary: true })));
    } catch (failure) {
        if ((await cache.keys()).length === 0) await caches.delete(own);
        throw failure;
    }
}

/**
 * The page, of the next version where one is asked for that has come, or of this one.
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
    // Nearly all that is asked for is of this version.
    const found = (await caches.match(wanted, { ...how, cacheName: own })) ?? (await caches.match(wanted, how));
    return found ?? fetch(request);
}

/** Fetches again what a browser has lost, and removes the files of versions that no page is of any more. */
async function tidy() {
    const names = (await caches.keys()).filter((name) => name.startsWith(caching) && name !== own);
    // One of these may be that of a version to come.
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
 * The version of an open page; null if it doesn't say, such as one that is being loaded or that sleeps.
 * @param {any} client
 * @returns {Promise<string | null>}
 */
function versionOf(client) {
    const { port1, port2 } = new MessageChannel();
    return new Promise((answer) => {
        setTimeout(answer, patience, null);
        port1.onmessage = ({ data }) => answer(String(data));
        client.postMessage("version", [port2]);
    });
}

/**
 * Keeps what another app shares. It came in the body of a form, so no address, history or log of a server has it.
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
