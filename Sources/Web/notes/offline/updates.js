/**
 * The service worker as a page sees it: registers it, says when the page works without a network, and offers a new
 * version, which waits until somebody takes it. Before a page is loaded again, what was typed in it is brought to the
 * disk.
 */
import { serviceWorkerAddress } from "../addresses.js";

/** How often a page that stays open looks for a new version, in milliseconds. */
const period = 3_600_000;
/** How long what was typed may take to the disk before the page stays as it is, in milliseconds. */
const patience = 10_000;
/** How long the version before may take to give way, in milliseconds. */
const handover = 3000;

export class Updates {
    #page;
    #workers;
    /** Of this page: a part of the address that its modules come from. */
    #version = /\/assets\/(\w+)\//.exec(import.meta.url)?.[1] ?? "";
    /** @type {ServiceWorkerRegistration | undefined} */
    #registration;
    /** Whether somebody asked for the new version here. */
    #isWanted = false;
    /** Whether another tab has taken the new version. */
    #isBehind = false;
    #isLeaving = false;
    /** @type {WeakSet<ServiceWorker>} */
    #followed = new WeakSet();
    #lookedAt = 0;

    /**
     * @param {object} page
     * @param {import("../../shared/texts.js").Texts} page.texts
     * @param {import("../../shared/notices.js").Notices["notify"]} page.notify
     * @param {import("../bars.js").Bars["set"]} page.bar
     * @param {() => Promise<void>} page.flush brings to the disk what was typed, or fails
     * @param {EventTarget} page.events `account` and `texts` of the frame
     * @param {ServiceWorkerContainer | undefined} workers
     */
    constructor(page, workers) {
        this.#page = page;
        this.#workers = workers;
    }

    /** Begins; where the browser has no service workers, as in some private windows, the page goes on without. */
    async start() {
        const workers = this.#workers;
        if (!workers) return;
        workers.addEventListener("message", ({ data, ports }) => {
            if (data === "version") ports[0]?.postMessage(this.#version);
        });
        workers.startMessages();
        workers.addEventListener("controllerchange", () => this.#change());
        document.addEventListener("visibilitychange", () => this.#turn());
        for (const told of ["account", "texts"]) this.#page.events.addEventListener(told, () => this.#tell());
        try {
            this.#registration = await workers.register(serviceWorkerAddress(), { updateViaCache: "none" });
        } catch (failure) {
            console.info("The page will not work without a network:", failure);
            return;
        }
        this.#lookedAt = this.#page.texts.now();
        const registration = this.#registration;
        if (!registration) return;
        this.#follow(registration.installing);
        // The page may be of that one already.
        this.#follow(registration.waiting);
        registration.addEventListener("updatefound", () => this.#follow(registration.installing));
        registration.active?.postMessage("started");
        setInterval(() => this.#look(), period);
        this.#tell();
    }

    /** Brings what was typed to the disk, and changes to the version that waits; then the page is loaded again. */
    async reload() {
        this.#isWanted = true;
        if (!(await this.#flush())) return;
        const waiting = this.#registration?.waiting;
        if (!waiting) return this.#leave();
        // In the place of one that waits, a newer one may come.
        waiting.addEventListener("statechange", () => waiting.state === "redundant" && this.#isWanted && this.reload());
        waiting.postMessage("skipWaiting");
        // Chromium starts one again that is asked for something while it ends, and then waits until nobody has asked for
        // half a minute. It has the files of the next one too, and answers with these.
        const version = await versionOf(waiting);
        setTimeout(() => this.#isWanted && this.#leave(`/?version=${version}${location.hash}`), handover);
    }

    /** @param {ServiceWorker | null} worker that is being installed */
    #follow(worker) {
        // One that is there already may be told of once more.
        if (!worker || this.#followed.has(worker)) return;
        this.#followed.add(worker);
        const isFirst = !this.#registration?.active;
        worker.addEventListener("statechange", () => {
            if (worker.state === "installed") this.#tell();
            if (worker.state !== "activated") return;
            worker.postMessage("started");
            if (isFirst) this.#page.notify(this.#page.texts.say("offline.ready"));
        });
    }

    /** Offers to load the page again while there is a reason to. */
    async #tell() {
        const { bar, texts } = this.#page;
        const { waiting, active } = this.#registration ?? {};
        const isOther = waiting && active && (await versionOf(waiting)) !== this.#version;
        const isOffered = this.#isBehind || (isOther && this.#registration?.waiting === waiting);
        const text = texts.say(this.#isBehind ? "offline.behind" : "offline.waiting");
        const actions = [{ label: texts.say("offline.reload"), run: () => this.reload() }];
        bar("version", isOffered ? { text, actions } : null);
    }

    /** Another version controls this page now, or the first one does. */
    async #change() {
        const controller = this.#workers?.controller;
        if (!controller) return;
        this.#isBehind = (await versionOf(controller)) !== this.#version;
        if (this.#isBehind && (this.#isWanted || document.hidden)) return this.#leave();
        this.#tell();
    }

    #turn() {
        if (!document.hidden) this.#look();
        else if (this.#isBehind) this.#leave();
    }

    #look() {
        if (this.#page.texts.now() - this.#lookedAt < period / 2) return;
        this.#lookedAt = this.#page.texts.now();
        // Without a network there is nothing to be found.
        this.#registration?.update().catch(() => {});
    }

    /**
     * Loads the page again. From now on nothing can be typed that would not be on the disk.
     * @param {string} [address] of another version
     */
    async #leave(address) {
        if (this.#isLeaving) return;
        this.#isLeaving = true;
        document.documentElement.inert = true;
        if (await this.#flush()) {
            // Chromium loses a load that it leaves to a service worker which ends in that moment; the next one succeeds.
            for (let load = 0; load < 2; load++) {
                if (address) location.replace(address);
                else location.reload();
                // Whoever is asked whether to leave, and stays, goes on.
                await new Promise((done) => setTimeout(done, patience / 2));
            }
        }
        document.documentElement.inert = false;
        this.#isLeaving = false;
        this.#isWanted = false;
        this.#tell();
    }

    /** Whether all that was typed is on the disk; if not, the page says so, and stays. */
    async #flush() {
        const late = new Promise((_, fail) => setTimeout(fail, patience));
        try {
            await Promise.race([this.#page.flush(), late]);
            return true;
        } catch {
            this.#page.notify(this.#page.texts.say("offline.unsaved"), undefined, true);
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
