/** What stands around the notes: panes, bars, status, sign-in, and which account is open. */
import { Problem } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { PageFrame } from "../shared/page-frame.js";
import { openStatus } from "./account/attention.js";
import { Decision } from "./account/decision.js";
import { Entrance } from "./account/entrance.js";
import { failureBar, failureView } from "./account/failure.js";
import { Installing, persist } from "./account/health.js";
import { SessionWatch } from "./account/session.js";
import { Leaving } from "./account/sign-out.js";
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
 * @property {import("../shared/notices.js").Notices["notify"]} notify
 * @property {(text: string) => void} say tells screen readers
 * @property {(failure: unknown) => void} fail shows what went wrong, in human words
 * @property {Bars["set"]} bar
 * @property {import("../shared/keys.js").Keys} keys
 * @property {import("../shared/settings.js").Settings} settings
 * @property {Unsaved} unsaved
 * @property {import("./account/accounts.js").DeviceAccounts} device
 * @property {Installing} installing
 * @property {EventTarget} events `account` when the session is another
 * @property {() => Node[]} looks makes the fields for theme and language
 * @property {() => void} signInAgain
 * @property {() => void} signOut
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
        this.route = readRoute("");
        /** @type {Account | null} */
        this.account = null;
        this.bars = new Bars();
        this.title = h("h1", {});
        this.unsaved = new Unsaved();
        this.installing = new Installing();
        const { texts, keys, fail, wording, unsaved } = this;
        const { say, notify } = this.notices;
        const bar = this.bars.set;
        /** @type {() => Promise<void>} */
        const go = () => this.go();
        const close = () => this.closeAccount();
        const account = () => this.account;
        this.status = new PageStatus({ texts, unsaved, say }, () => {
            if (this.account) openStatus(this.context(this.account, this.account.closing.signal));
        });
        const context = (/** @type {Account} */ account, /** @type {AbortSignal} */ signal) =>
            this.context(account, signal);
        this.layout = new Layout({ texts, keys, status: this.status, context, fail, wording, go });
        this.element = this.layout.element;
        this.element.append(
            this.skip,
            this.bars.element,
            h("header", { class: "spoken" }, this.title),
            this.layout.top,
            this.layout.panes,
            this.notices.element,
        );
        const show = (/** @type {HTMLElement} */ element) => this.layout.alone(element);
        this.entrance = new Entrance({ api, texts, device, wording, show, route: () => this.route, go });
        const changed = () => this.dispatchEvent(new Event("account"));
        const open = (/** @type {string} */ environment, /** @type {string} */ name) => this.open(environment, name);
        this.session = new SessionWatch({ api, texts, device, bar, notify, fail, account, changed, open, go });
        this.decision = new Decision({ texts, bar, fail });
        const { flush, layout, session } = this;
        this.leaving = new Leaving({ texts, device, session, unsaved, notify, fail, flush, layout, close, go });
    }

    async start() {
        await this.begin();
        this.listen();
        await this.go();
    }

    listen() {
        document.addEventListener("visibilitychange", () => document.hidden || this.session.look());
        this.api.addEventListener("ended", () => this.session.check());
        this.unsaved.addEventListener("changed", () => this.tellStorage());
        const tell = () => this.account && this.status.tell(this.account.engine.state());
        this.unsaved.addEventListener("changed", tell);
        for (const event of ["state", "account", "texts"]) this.addEventListener(event, tell);
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
        this.session.tell();
        await this.go();
        this.dispatchEvent(new Event("texts"));
    }

    /** @override @returns {Promise<void>} */
    async go() {
        const link = readLink(location.hash);
        if (link) {
            history.replaceState(null, "", routeFragment({ environment: link.environment }));
            await this.session.openLink(link);
        }
        this.route = readRoute(location.hash);
        const { environment, place } = this.route;
        fill(this.skip, this.texts.say("skip"));
        fill(this.title, this.texts.say("title"));
        const known = this.device.current(environment);
        if (!known) {
            await this.closeAccount();
            return place === "sign-in" ? this.entrance.signIn(environment) : this.entrance.enter(environment);
        }
        const { problem } = this.route.query;
        if (!environment || place === "sign-in") {
            history.replaceState(null, "", routeFragment({ environment: known.environment }));
            this.route = readRoute(location.hash);
        }
        await this.open(known.environment, known.name);
        // Whoever comes back from a sign-in that failed has their notes at hand while they try again.
        if (place === "sign-in") await this.session.askAgain(problem);
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
        this.session.check();
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
        if (this.leaving.isRemoving || this.account !== account) return;
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
        if (state.phase === "signInNeeded" && before?.phase !== "signInNeeded") this.session.check();
        this.decision.tell(this.account.engine, state.decision, before?.decision ?? null);
    }

    /**
     * The notes cannot be opened: says why, and what can be done.
     * @param {unknown} failure
     */
    async stop(failure) {
        await this.layout.close();
        const { texts, account } = this;
        if (!account) return;
        const page = {
            texts,
            account,
            show: (/** @type {HTMLElement} */ view) => this.layout.alone(view),
            opened: () => this.openAgain(account),
            openAnew: async () => {
                await this.closeAccount();
                await this.go();
            },
            wipe: () => this.leaving.askToWipe(account),
        };
        page.show(failureView(page, failure));
    }

    /**
     * The storage fails while notes are open: they stay, with what was typed, which may be in this tab alone.
     * @param {any} failure a StorageFailure
     */
    warn(failure) {
        // Where nothing is open yet, `opened` tells it.
        const { texts, account, notices } = this;
        if (account?.isOpen) this.bars.set("storage", failureBar({ texts, account, notify: notices.notify }, failure));
    }

    /** What could be written shows that the storage works again, unless it refuses something still. */
    tellStorage() {
        if (this.unsaved.refused.length === 0) this.bars.set("storage", null);
    }

    async closeAccount() {
        await this.layout.close();
        const account = this.account;
        this.account = null;
        this.session.forget();
        this.bars.clear();
        account?.closing.abort();
        account?.engine.close();
        this.unsaved.clear();
    }

    /** Puts the parts of the route into the panes. */
    async arrange() {
        if (!this.account) return;
        if (this.route.place !== "new") return this.layout.arrange(this.account, this.route);
        const { texts, navigate, fail, account } = this;
        const { query } = this.route;
        // At once, so that the same address does not make a second one.
        history.replaceState(null, "", routeFragment({ environment: account.environment }));
        this.route = readRoute(location.hash);
        await makeAsked({ texts, navigate, fail }, account, query, () => this.arrange());
    }

    /** Brings to the disk what was typed, or fails. */
    flush = async () => {
        await this.layout.part?.flush?.();
        await this.unsaved.flush();
    };

    /**
     * @param {string | Wish} to
     * @param {boolean} [replace] whether the way back skips where one is now
     */
    navigate = (to, replace = false) => {
        // What the page itself asks for needs no question, and no address.
        if (typeof to !== "string" && to.place === "new" && this.account) {
            makeNote(this.navigate, this.account, to.query ?? {}, replace).catch(this.fail);
            return;
        }
        const environment = this.account?.environment ?? this.route.environment;
        this.visit(typeof to === "string" ? to : routeFragment({ environment, ...to }), replace);
    };

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
            navigate: this.navigate,
            notify: this.notices.notify,
            say: this.notices.say,
            fail: this.fail,
            bar: this.bars.set,
            keys: this.keys,
            settings: this.settings,
            unsaved: this.unsaved,
            device: this.device,
            installing: this.installing,
            events: this,
            looks: this.looks,
            signInAgain: () => this.session.askAgain(),
            signOut: () => this.leaving.askToSignOut(account),
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
