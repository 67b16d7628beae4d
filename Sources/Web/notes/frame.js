/** The frame around the notes: panes, bars, status, sign-in, and the open account. */
import { Problem } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { PageFrame } from "../shared/page-frame.js";
import { restoreTexts } from "./account/closing-texts.js";
import { Decision } from "./account/decision.js";
import { failureBar, failureView } from "./account/failure.js";
import { Installing, persist } from "./account/health.js";
import { SessionWatch } from "./account/session.js";
import { SignInScreens } from "./account/sign-in-screens.js";
import { SignOut } from "./account/sign-out.js";
import { openStatusDialog } from "./account/status-dialog.js";
import { Bars } from "./bars.js";
import { DroppedFiles } from "./dropping.js";
import { Unsaved } from "./editor/unsaved.js";
import { openHelp } from "./help.js";
import { Layout } from "./layout.js";
import { createNote, createRequestedNote } from "./offline/arrival.js";
import { PageStatus } from "./page-status.js";
import { readLink, readRoute, routeFragment } from "./route.js";
import { StorageFailure } from "./sync/store.js";
import { en } from "./texts/en.js";

/** @import { Engine } from "./engine/client.js" */
/** @import { State } from "./engine/types.js" */
/** @import { Route, Wish } from "./route.js" */
/** @typedef {import("../shared/page-frame.js").Session} Session */

/**
 * @typedef {object} Context the context of a part
 * @property {Engine} engine
 * @property {import("../shared/api.js").API} api
 * @property {import("../shared/texts.js").Texts} texts
 * @property {string} environment
 * @property {string} account the subject of the notes' owner
 * @property {Session | null} session
 * @property {Route} route the current route
 * @property {(to: string | Wish, replace?: boolean) => void} navigate
 * @property {import("../shared/notices.js").Notices["notify"]} notify
 * @property {(text: string) => void} say announces a text to screen readers
 * @property {(failure: unknown) => void} fail reports a failure in words for users
 * @property {Bars["set"]} bar
 * @property {import("../shared/keys.js").Keys} keys
 * @property {import("../shared/settings.js").Settings} settings
 * @property {Unsaved} unsaved
 * @property {import("./account/accounts.js").DeviceAccounts} device
 * @property {Installing} installing
 * @property {() => Promise<File[]> | null} takeFiles returns dropped files to import, once
 * @property {EventTarget} events `account` when the session changes
 * @property {() => Node[]} looks creates the fields for theme and language
 * @property {() => void} signInAgain
 * @property {() => void} signOut
 * @property {AbortSignal} signal aborted when the part closes
 */

/**
 * @typedef {object} Account an open account
 * @property {string} environment
 * @property {string} name
 * @property {Engine} engine
 * @property {Session | null} session
 * @property {boolean} isOpen true if the notes can be read
 * @property {State | null} state the engine's last state
 * @property {AbortController} closing
 */

/** The languages besides English, loaded on demand. */
const languages = /** @type {Record<string, () => Promise<import("../shared/texts.js").Table>>} */ ({
    de: async () => (await import("./texts/de.js")).de,
});

/** Events: `state` (detail: the engine's state), `account` when the account or its session changes, `texts`. */
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
        this.dropped = new DroppedFiles({
            isReady: () => this.account?.isOpen === true,
            showImport: () => (this.route.place === "move" ? this.arrange() : this.navigate({ place: "move" })),
            refuse: () => this.notices.notify(this.texts.say("move.drop.refused"), undefined, "failure"),
        });
        this.bars = new Bars();
        this.title = h("h1", {});
        this.unsaved = new Unsaved();
        this.installing = new Installing();
        const { texts, keys, showError: fail, messageOf: wording, unsaved } = this;
        const { say, notify } = this.notices;
        const bar = this.bars.set;
        /** @type {() => Promise<void>} */
        const showRoute = () => this.showRoute();
        const close = () => this.closeAccount();
        const account = () => this.account;
        this.status = new PageStatus({ texts, unsaved, say }, () => {
            if (this.account) openStatusDialog(this.context(this.account, this.account.closing.signal));
        });
        const context = (/** @type {Account} */ account, /** @type {AbortSignal} */ signal) =>
            this.context(account, signal);
        this.layout = new Layout({ texts, keys, status: this.status, context, fail, wording, showRoute });
        this.element = this.layout.element;
        this.element.append(
            this.skip,
            this.bars.element,
            h("header", { class: "spoken" }, this.title),
            this.layout.top,
            this.layout.panes,
            this.notices.element,
        );
        const show = (/** @type {HTMLElement} */ element) => this.layout.showAlone(element);
        this.signInScreens = new SignInScreens({
            api,
            texts,
            device,
            wording,
            show,
            route: () => this.route,
            showRoute,
        });
        const changed = () => this.dispatchEvent(new Event("account"));
        const open = (/** @type {string} */ environment, /** @type {string} */ name) => this.open(environment, name);
        this.session = new SessionWatch({ api, texts, device, bar, notify, fail, account, changed, open, showRoute });
        this.decision = new Decision({ texts, bar, fail });
        const { flush, layout, session } = this;
        this.signOut = new SignOut({ texts, device, session, unsaved, notify, fail, flush, layout, close, showRoute });
    }

    async start() {
        await this.begin();
        this.listen();
        await this.showRoute();
    }

    listen() {
        document.addEventListener("visibilitychange", () => document.hidden || this.session.recheckIfEnded());
        this.api.addEventListener("ended", () => this.session.check());
        this.unsaved.addEventListener("changed", () => this.clearStorageWarning());
        const renderStatus = () => this.account && this.status.render(this.account.engine.state());
        this.unsaved.addEventListener("changed", renderStatus);
        for (const event of ["state", "account", "texts"]) this.addEventListener(event, renderStatus);
        this.keys.add({ keys: "?", label: "help.title", run: () => openHelp(this.texts, this.keys) });
    }

    /** @override */
    closeTopLayer() {
        return super.closeTopLayer() || this.layout.closeSide();
    }

    /** @override */
    async renderTexts() {
        await this.chooseTexts();
        await this.layout.close();
        this.bars.clear();
        this.session.renderBar();
        await this.showRoute();
        this.dispatchEvent(new Event("texts"));
    }

    /** @override @returns {Promise<void>} */
    async showRoute() {
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
            return place === "sign-in" ? this.signInScreens.signIn(environment) : this.signInScreens.enter(environment);
        }
        const { problem } = this.route.query;
        if (!environment || place === "sign-in") {
            history.replaceState(null, "", routeFragment({ environment: known.environment }));
            this.route = readRoute(location.hash);
        }
        await this.open(known.environment, known.name);
        // After a failed sign-in, users keep access to the local notes while they try again.
        if (place === "sign-in") await this.session.openSignInDialog(problem);
    }

    /**
     * Opens an account's notes, which need not be on this device yet, and shows the route.
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
        engine.addEventListener("state", (event) => this.applyState(/** @type {CustomEvent} */ (event).detail), {
            signal,
        });
        engine.addEventListener(
            "failure",
            (event) => this.showStorageWarning(/** @type {CustomEvent} */ (event).detail),
            { signal },
        );
        engine.addEventListener("wiped", () => this.closeWipedAccount(account), { signal });
        engine.addEventListener("changed", () => this.requestPersistence(), { signal, once: true });
        engine.addEventListener(
            "changed",
            () => {
                this.unsaved.retry();
                this.clearStorageWarning();
            },
            { signal },
        );
        try {
            // The parts wait for the engine, and show cached data meanwhile.
            if (this.route.place !== "new") this.arrange();
            await engine.opened;
        } catch (failure) {
            if (!signal.aborted) await this.showOpenFailure(failure);
            return;
        }
        await this.showOpenAccount(account);
    }

    /** Shows an account whose notes can be read now. @param {Account} account */
    async showOpenAccount(account) {
        if (account.closing.signal.aborted) return;
        account.isOpen = true;
        await restoreTexts(this.device.storage, navigator.locks, account).catch(this.showError);
        if (account.closing.signal.aborted) return;
        this.device.use(account.environment, account.name);
        await this.arrange();
        if (account.closing.signal.aborted) return;
        this.dispatchEvent(new Event("account"));
        this.applyState(account.engine.state());
        this.session.check();
    }

    /** Requests persistent storage once, because there are notes to protect. */
    async requestPersistence() {
        if (!(await navigator.storage?.persisted?.().catch(() => true))) await persist();
    }

    /** Closes an account whose notes were removed from this device, in this tab or another. @param {Account} account */
    async closeWipedAccount(account) {
        if (this.signOut.isRemoving || this.account !== account) return;
        this.device.forget(account.environment, account.name);
        await this.closeAccount();
        await this.showRoute();
    }

    /** @param {State} state */
    applyState(state) {
        if (!this.account) return;
        const before = this.account.state;
        this.account.state = state;
        this.dispatchEvent(new CustomEvent("state", { detail: state }));
        if (state.phase === "signInNeeded" && before?.phase !== "signInNeeded") this.session.check();
        this.decision.update(this.account.engine, state.decision, before?.decision ?? null);
    }

    /** Shows why the notes cannot be opened, with the possible actions. @param {unknown} failure */
    async showOpenFailure(failure) {
        await this.layout.close();
        const { texts, account } = this;
        if (!account) return;
        const page = {
            texts,
            account,
            show: (/** @type {HTMLElement} */ view) => this.layout.showAlone(view),
            opened: () => this.showOpenAccount(account),
            openAnew: async () => {
                await this.closeAccount();
                await this.showRoute();
            },
            wipe: () => this.signOut.askToWipe(account),
        };
        page.show(failureView(page, failure));
    }

    /**
     * Warns about a storage failure. Open notes stay, with text that may exist only in this tab.
     * @param {any} failure a StorageFailure
     */
    showStorageWarning(failure) {
        // Before the notes are open, the rejection of `opened` reports the failure.
        const { texts, account, notices } = this;
        if (account?.isOpen) this.bars.set("storage", failureBar({ texts, account, notify: notices.notify }, failure));
    }

    /** Removes the warning after a successful write, unless the storage still refuses a note. */
    clearStorageWarning() {
        if (this.unsaved.refused.length === 0) this.bars.set("storage", null);
    }

    async closeAccount() {
        await this.layout.close();
        const account = this.account;
        if (account) this.signInScreens.waitForUser();
        this.account = null;
        this.session.forget();
        this.bars.clear();
        account?.closing.abort();
        account?.engine.close();
        this.unsaved.clear();
    }

    /** Shows the parts of the route in the panes. */
    async arrange() {
        if (!this.account) return;
        if (this.route.place !== "new") return this.layout.arrange(this.account, this.route);
        const { texts, navigate, showError: fail, account } = this;
        const { query } = this.route;
        // Replace the address first, so that the same address does not create a second note.
        history.replaceState(null, "", routeFragment({ environment: account.environment }));
        this.route = readRoute(location.hash);
        await createRequestedNote({ texts, navigate, fail }, account, query, () => this.arrange());
    }

    /** Saves the user's text to disk; rejected on failure. */
    flush = async () => {
        await this.layout.part?.flush?.();
        await this.unsaved.flush();
    };

    /**
     * @param {string | Wish} to
     * @param {boolean} [replace] true to replace the current entry of the browser history
     */
    navigate = (to, replace = false) => {
        // A request by the page itself needs no consent and no address.
        if (typeof to !== "string" && to.place === "new" && this.account) {
            createNote(this.navigate, this.account, to.query ?? {}, replace).catch(this.showError);
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
            fail: this.showError,
            bar: this.bars.set,
            keys: this.keys,
            settings: this.settings,
            unsaved: this.unsaved,
            device: this.device,
            installing: this.installing,
            takeFiles: this.dropped.take,
            events: this,
            looks: this.preferences,
            signInAgain: () => this.session.openSignInDialog(),
            signOut: () => this.signOut.askToSignOut(account),
            signal,
        };
    }

    /** @override @param {unknown} failure */
    reports(failure) {
        if (failure instanceof StorageFailure) this.showStorageWarning(failure);
        // The missing sign-in is already reported.
        return failure instanceof StorageFailure || (failure instanceof Problem && failure.status === 401);
    }
}
