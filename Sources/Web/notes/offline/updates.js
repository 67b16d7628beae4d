/**
 * The page's side of the service worker: registers it, and offers a new version, which waits until the user accepts it.
 * Saves the user's text before a reload.
 */
import { serviceWorkerAddress } from "../addresses.js";

/** The time between two checks for a new version, in milliseconds. */
const checkInterval = 3_600_000;
/** The time limit for saving text before a reload is cancelled, in milliseconds. */
const saveTimeout = 10_000;
/** The time limit for the handover from the old version, in milliseconds. */
const handoverTimeout = 3000;

export class Updates {
    #page;
    #workers;
    /** The page's version, which is part of the address of its modules. */
    #version = /\/assets\/(\w+)\//.exec(import.meta.url)?.[1] ?? "";
    /** @type {ServiceWorkerRegistration | undefined} */
    #registration;
    /** True if the user requested the new version in this tab. */
    #isWanted = false;
    /** True if another tab has switched to the new version. */
    #isBehind = false;
    #isLeaving = false;
    /** @type {WeakSet<ServiceWorker>} */
    #followed = new WeakSet();
    #checkedAt = 0;

    /**
     * @param {object} page
     * @param {import("../../shared/texts.js").Texts} page.texts
     * @param {import("../../shared/notices.js").Notices["notify"]} page.notify
     * @param {import("../bars.js").Bars["set"]} page.bar
     * @param {() => Promise<void>} page.flush saves the user's text to disk; rejected on failure
     * @param {EventTarget} page.events `account` and `texts` of the frame
     * @param {ServiceWorkerContainer | undefined} workers
     */
    constructor(page, workers) {
        this.#page = page;
        this.#workers = workers;
    }

    /** Registers the service worker. Without one, as in some private windows, the page works only online. */
    async start() {
        const workers = this.#workers;
        if (!workers) return;
        workers.addEventListener("message", ({ data, ports }) => {
            if (data === "version") ports[0]?.postMessage(this.#version);
        });
        workers.startMessages();
        workers.addEventListener("controllerchange", () => this.#change());
        document.addEventListener("visibilitychange", () => this.#onVisibilityChange());
        for (const type of ["account", "texts"]) this.#page.events.addEventListener(type, () => this.#renderBar());
        try {
            this.#registration = await workers.register(serviceWorkerAddress(), { updateViaCache: "none" });
        } catch (failure) {
            console.info("The page will not work without a network:", failure);
            return;
        }
        this.#checkedAt = this.#page.texts.now();
        const registration = this.#registration;
        if (!registration) return;
        this.#follow(registration.installing);
        // The page may already belong to the waiting version.
        this.#follow(registration.waiting);
        registration.addEventListener("updatefound", () => this.#follow(registration.installing));
        registration.active?.postMessage("started");
        setInterval(() => this.#checkForVersion(), checkInterval);
        this.#renderBar();
    }

    /** Saves the user's text, switches to the waiting version and reloads the page. */
    async reload() {
        this.#isWanted = true;
        if (!(await this.#flush())) return;
        const waiting = this.#registration?.waiting;
        if (!waiting) return this.#leave();
        // A newer version may replace the waiting one.
        waiting.addEventListener("statechange", () => waiting.state === "redundant" && this.#isWanted && this.reload());
        waiting.postMessage("skipWaiting");
        // Chromium restarts an ending worker for any event, and then waits until the worker is idle for half a minute.
        // The old worker also has the new version's files, so load them by version.
        const version = await versionOf(waiting);
        setTimeout(() => this.#isWanted && this.#leave(`/?version=${version}${location.hash}`), handoverTimeout);
    }

    /** @param {ServiceWorker | null} worker a worker that is being installed */
    #follow(worker) {
        // `updatefound` may repeat for a known worker.
        if (!worker || this.#followed.has(worker)) return;
        this.#followed.add(worker);
        worker.addEventListener("statechange", () => {
            if (worker.state === "installed") this.#renderBar();
            if (worker.state === "activated") worker.postMessage("started");
        });
    }

    /** Offers a reload while there is a reason. */
    async #renderBar() {
        const { bar, texts } = this.#page;
        const { waiting, active } = this.#registration ?? {};
        const isOther = waiting && active && (await versionOf(waiting)) !== this.#version;
        const isOffered = this.#isBehind || (isOther && this.#registration?.waiting === waiting);
        const text = texts.say(this.#isBehind ? "offline.behind" : "offline.waiting");
        const actions = [{ label: texts.say("reload"), run: () => this.reload() }];
        bar("version", isOffered ? { text, actions } : null);
    }

    /** Handles a change of the controlling version, or the first one. */
    async #change() {
        const controller = this.#workers?.controller;
        if (!controller) return;
        this.#isBehind = (await versionOf(controller)) !== this.#version;
        if (this.#isBehind && (this.#isWanted || document.hidden)) return this.#leave();
        this.#renderBar();
    }

    #onVisibilityChange() {
        if (!document.hidden) this.#checkForVersion();
        else if (this.#isBehind) this.#leave();
    }

    #checkForVersion() {
        if (this.#page.texts.now() - this.#checkedAt < checkInterval / 2) return;
        this.#checkedAt = this.#page.texts.now();
        // The check fails without a network.
        this.#registration?.update().catch(() => {});
    }

    /**
     * Reloads the page. Makes the page inert first, because later input would not be saved.
     * @param {string} [address] the address of another version
     */
    async #leave(address) {
        if (this.#isLeaving) return;
        this.#isLeaving = true;
        document.documentElement.inert = true;
        if (await this.#flush()) {
            // Chromium loses a load that it passes to a service worker which is just ending; the next load succeeds.
            for (let load = 0; load < 2; load++) {
                if (address) location.replace(address);
                else location.reload();
                // The user may choose to stay in the browser's confirmation, so continue.
                await new Promise((done) => setTimeout(done, saveTimeout / 2));
            }
        }
        document.documentElement.inert = false;
        this.#isLeaving = false;
        this.#isWanted = false;
        this.#renderBar();
    }

    /** Returns true if the user's text is on disk; otherwise reports the failure. */
    async #flush() {
        const late = new Promise((_, fail) => setTimeout(fail, saveTimeout));
        try {
            await Promise.race([this.#page.flush(), late]);
            return true;
        } catch {
            this.#page.notify(this.#page.texts.say("offline.unsaved"), undefined, "failure");
            return false;
        }
    }
}

/**
 * @param {ServiceWorker} worker
 * @returns {Promise<string>}
 */
function versionOf(worker) {
    const { port1, port2 } = new MessageChannel();
    return new Promise((answer) => {
        port1.onmessage = ({ data }) => answer(data);
        worker.postMessage("version", [port2]);
    });
}
