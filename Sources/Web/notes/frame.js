/** What stands around the notes: panes, bars, status, sign-in, and which account is open. */
import { Problem } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { PageFrame } from "../shared/page-frame.js";
import { Access } from "./account/access.js";
import { failureBar, failureView } from "./account/failure.js";
import { persist } from "./account/health.js";
import { Bars } from "./bars.js";
import { Unsaved } from "./editor/unsaved.js";
import { openHelp } from "./help.js";
import { Layout } from "./layout.js";
import { makeAsked, makeNote } from "./offline/arrival.js";
import { PageStatus } from "./page-status.js";
import { readLink, readRoute, routeFragment } from "./route.js";
import { StorageFailure } from "./sync/store.js";
import { en } from "./texts/en.js";

/** @import { Engine } from "./engine/client.js" */
/** @import { State } from "./engine/types.js" */
/** @import { Route, Wish } from "./route.js" */

/** @typedef {import("../shared/page-frame.js").Session} Session */

/**
 * @typedef {object} Context what a part gets
 * @property {Engine} engine
 * @property {import("../shared/api.js").API} api
 * @property {import("../shared/texts.js").Texts} texts
 * @property {string} environment
 * @property {string} account the subject of the user whose notes these are
 * @property {Session | null} session
 * @property {Route} route the present one
 * @property {(to: string | Wish, replace?: boolean) => void} navigate
 * @property {(text: string, action?: { label: string, run: () => void }) => void} notify
 * @property {(failure: unknown) => void} fail shows what went wrong, in human words
 * @property {Bars["set"]} bar
 * @property {import("../shared/keys.js").Keys} keys
 * @property {import("../shared/settings.js").Settings} settings
 * @property {Unsaved} unsaved
 * @property {Frame} frame
 * @property {AbortSignal} signal aborted when the part closes
 */

/**
 * @typedef {object} Account that is open
 * @property {string} environment
 * @property {string} name
 * @property {Engine} engine
 * @property {Session | null} session
 * @property {boolean} isOpen whether its notes can be read
 * @property {State | null} state as the engine told it last
 * @property {AbortController} closing
 */

/** Languages beside English, loaded for who reads them. */
const languages = /** @type {Record<string, () => Promise<import("../shared/texts.js").Table>>} */ ({
    de: async () => (await import("./texts/de.js")).de,
});

/** Events: `state` (detail: the engine's state), `account` when another is open or its session is another, `texts`. */
export class Frame extends PageFrame {
    /**
     * @param {object} parts
     * @param {import("../shared/api.js").API} parts.api
     * @param {import("../shared/settings.js").Settings} parts.settings
     * @param {import("./account/accounts.js").DeviceAccounts} parts.device
     * @param {(environment: string, account: string) => Engine} parts.openEngine
     * @param {() => number} parts.now
     */
    constructor({ api, settings, device, openEngine, now }) {
        super({ api, settings, now }, en, languages);
        this.device = device;
        this.openEngine = openEngine;
        this.now = now;
        this.bars = new Bars();
        this.title = h("h1", {});
        this.layout = new Layout(this);
        this.element = h(
            "div",
            { class: "frame" },
            this.skip,
            this.bars.element,
            h("header", { class: "spoken" }, this.title),
            this.layout.top,
            this.layout.panes,
            this.notices.element,
        );
        this.unsaved = new Unsaved();
        this.status = new PageStatus(this);
        this.access = new Access(this);
        this.route = readRoute("");
        /** @type {Account | null} */
        this.account = null;
        /** Whether this tab is removing the notes from this device. */
        this.leaving = false;
        /** The browser's offer to install the page, once it has made one. @type {any} */
        this.installing = null;
    }

    async start() {
        await this.begin();
        this.listen();
        await this.go();
    }

    listen() {
        document.addEventListener("visibilitychange", () => document.hidden || this.access.look());
        addEventListener("beforeinstallprompt", (event) => {
            event.preventDefault();
            this.installing = event;
        });
        addEventListener("appinstalled", () => {
            this.installing = null;
        });
        this.api.addEventListener("ended", () => this.access.check());
        this.unsaved.addEventListener("changed", () => this.tellStorage());
        this.keys.add({ keys: "?", label: "frame.help", run: () => openHelp(this.texts, this.keys) });
        this.keys.add({
            keys: "g s",
            label: "frame.settings",
            run: () => this.account && this.navigate({ place: "settings" }),
        });
    }

    /** @override */
    async retell() {
        await this.chooseTexts();
        await this.layout.close();
        this.bars.clear();
        this.access.tell();
        await this.go();
        this.dispatchEvent(new Event("texts"));
    }

    /** @override */
    async go() {
        const link = readLink(location.hash);
        if (link) {
            history.replaceState(null, "", routeFragment({ environment: link.environment }));
            await this.access.openLink(link);
        }
        this.route = readRoute(location.hash);
        const { environment, place } = this.route;
        fill(this.skip, this.texts.say("skip"));
        fill(this.title, this.texts.say("title"));
        const known = this.device.current(environment);
        if (!known) return place === "sign-in" ? this.access.signIn(environment) : this.access.enter(environment);
        const { problem } = this.route.query;
        if (!environment || place === "sign-in") {
            history.replaceState(null, "", routeFragment({ environment: known.environment }));
            this.route = readRoute(location.hash);
        }
        await this.open(known.environment, known.name);
        // Whoever comes back from a sign-in that failed has their notes at hand while they try again.
        if (place === "sign-in") await this.access.askAgain(problem);
    }

    /**
     * Opens somebody's notes, which are on this device or will be, and shows what the route says of them.
     * @param {string} environment
     * @param {string} name
     */
    async open(environment, name) {
        const before = this.account;
        if (before?.environment === environment && before.name === name) return this.arrange();
        await this.closeAccount();
        const engine = this.openEngine(environment, name);
        /** @type {Account} */
        const account = {
            ...{ environment, name, engine, session: null, isOpen: false, state: null },
            closing: new AbortController(),
        };
        this.account = account;
        const { signal } = account.closing;
        engine.addEventListener("state", (event) => this.take(/** @type {CustomEvent} */ (event).detail), { signal });
        engine.addEventListener("failure", (event) => this.warn(/** @type {CustomEvent} */ (event).detail), { signal });
        engine.addEventListener("wiped", () => this.leave(account), { signal });
        engine.addEventListener("changed", () => this.keep(), { signal, once: true });
        engine.addEventListener(
            "changed",
            () => {
                this.unsaved.retry();
                this.tellStorage();
            },
            { signal },
        );
        try {
            // The parts wait for what they ask for, and show what they know without.
            if (this.route.place !== "new") this.arrange();
            await engine.opened;
        } catch (failure) {
            if (!signal.aborted) await this.stop(failure);
            return;
        }
        await this.openAgain(account);
    }

    /**
     * Shows the notes of an account, which can be read now.
     * @param {Account} account
     */
    async openAgain(account) {
        if (account.closing.signal.aborted) return;
        account.isOpen = true;
        this.device.use(account.environment, account.name);
        await this.arrange();
        if (account.closing.signal.aborted) return;
        this.dispatchEvent(new Event("account"));
        this.take(account.engine.state());
        this.access.check();
    }

    /** Something is worth being kept here: asks the browser once to do so. */
    async keep() {
        if (!(await navigator.storage?.persisted?.().catch(() => true))) await persist();
    }

    /**
     * The notes have been removed from this device, by this tab or another.
     * @param {Account} account
     */
    async leave(account) {
        if (this.leaving || this.account !== account) return;
        this.device.forget(account.environment, account.name);
        await this.closeAccount();
        await this.go();
    }

    /** @param {State} state */
    take(state) {
        if (!this.account) return;
        const before = this.account.state;
        this.account.state = state;
        this.dispatchEvent(new CustomEvent("state", { detail: state }));
        if (state.phase === "signInNeeded" && before?.phase !== "signInNeeded") this.access.check();
        this.access.decide(state.decision, before?.decision ?? null);
    }

    /**
     * The notes cannot be opened: says why, and what can be done.
     * @param {unknown} failure
     */
    async stop(failure) {
        await this.layout.close();
        this.alone(failureView(this, failure));
    }

    /**
     * The storage fails while notes are open: they stay, with what was typed, which may be in this tab alone.
     * @param {any} failure a StorageFailure
     */
    warn(failure) {
        // Where nothing is open yet, `opened` tells it.
        if (this.account?.isOpen) this.bars.set("storage", failureBar(this, failure));
    }

    /** What could be written shows that the storage works again, unless it refuses something still. */
    tellStorage() {
        if (this.unsaved.refused.length === 0) this.bars.set("storage", null);
    }

    async closeAccount() {
        await this.layout.close();
        const account = this.account;
        this.account = null;
        this.access.standing = "unknown";
        this.bars.clear();
        account?.closing.abort();
        account?.engine.close();
        this.unsaved.clear();
    }

    /** Puts the parts of the route into the panes. */
    async arrange() {
        if (!this.account) return;
        if (this.route.place === "new") await makeAsked(this, this.account);
        else await this.layout.arrange(this.account);
    }

    /** What main shows. */
    get part() {
        return this.layout.part;
    }

    /** Brings to the disk what was typed, or fails. */
    async flush() {
        await this.part?.flush?.();
        await this.unsaved.flush();
    }

    /**
     * Shows one thing instead of the panes.
     * @param {HTMLElement} element
     */
    alone(element) {
        this.layout.alone(element);
    }

    /**
     * @param {string | Wish} to
     * @param {boolean} [replace] whether the way back skips where one is now
     */
    navigate(to, replace = false) {
        // What the page itself asks for needs no question, and no address.
        if (typeof to !== "string" && to.place === "new" && this.account) {
            makeNote(this, this.account, to.query ?? {}, replace).catch((failure) => this.fail(failure));
            return;
        }
        const environment = this.account?.environment ?? this.route.environment;
        this.visit(typeof to === "string" ? to : routeFragment({ environment, ...to }), replace);
    }

    /**
     * @param {Account} account
     * @param {AbortSignal} signal
     * @returns {Context}
     */
    context(account, signal) {
        const frame = this;
        return {
            engine: account.engine,
            api: this.api,
            texts: this.texts,
            environment: account.environment,
            account: account.name,
            get session() {
                return account.session;
            },
            get route() {
                return frame.route;
            },
            navigate: (to, replace) => this.navigate(to, replace),
            notify: this.notices.notify,
            fail: this.fail,
            bar: (name, bar) => this.bars.set(name, bar),
            keys: this.keys,
            settings: this.settings,
            unsaved: this.unsaved,
            frame: this,
            signal,
        };
    }

    /** @override @param {unknown} failure */
    tells(failure) {
        if (failure instanceof StorageFailure) this.warn(failure);
        // A sign-in is asked for already.
        return failure instanceof StorageFailure || (failure instanceof Problem && failure.status === 401);
    }
}
