/** What stands around every screen: environment, tabs, account, sign-in, and what the page has to say. */
import { Problem, Unreachable } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { Keys } from "../shared/keys.js";
import { Notices } from "../shared/notices.js";
import { Texts } from "../shared/texts.js";
import { chooseTheme } from "../shared/theme.js";
import { Access } from "./access.js";
import { accountMenu, brand, environmentMenu, tabs } from "./bar.js";
import { frameColors } from "./colors.js";
import { environmentsView } from "./entrance.js";
import { screens } from "./screens/index.js";
import { readLink, readRoute, routeFragment } from "./state/route.js";
import { allows } from "./state/scopes.js";
import { en } from "./texts/en.js";
import { Workspace } from "./workspace.js";

/** @typedef {import("./state/route.js").Route} Route */
/** @typedef {{ id: string, signed_in_at: string, fresh_until: string, expires_at: string }} BrowserSession */
/** @typedef {{ name: string, kind: string, scopes: string[], session?: BrowserSession }} Session */

/**
 * @typedef {object} Environment as `/environments` lists it
 * @property {string} name
 * @property {"public" | "token"} config_read
 * @property {string | null} color
 * @property {boolean} caution
 * @property {("provider" | "token")[]} sign_in
 * @property {Session | null} session
 */

/**
 * @typedef {object} Context what a screen gets
 * @property {import("../shared/api.js").API} api
 * @property {Texts} texts
 * @property {import("../shared/settings.js").Settings} settings
 * @property {Environment & { session: Session }} environment
 * @property {Environment[]} environments
 * @property {Workspace} workspace
 * @property {Route} route
 * @property {(fragment: string, replace?: boolean) => void} navigate
 * @property {(text: string, action?: { label: string, run: () => void }) => void} notify
 * @property {(failure: unknown) => void} fail shows what went wrong, in human words
 * @property {(done: () => void) => void} freshen asks for a fresh sign-in, then goes on
 * @property {Keys} keys
 * @property {Frame} frame
 * @property {AbortSignal} signal
 */

/** Languages beside English, loaded for who reads them. */
const languages = /** @type {Record<string, () => Promise<typeof en>>} */ ({
    de: async () => (await import("./texts/de.js")).de,
});
/** How often the page asks for what it could not get, in milliseconds. */
const retryPause = 4000;

/** Events: `curl` (detail: a call to show as a curl line); whoever shows it listens here. */
export class Frame extends EventTarget {
    /**
     * @param {object} parts
     * @param {import("../shared/api.js").API} parts.api
     * @param {import("../shared/settings.js").Settings} parts.settings
     * @param {() => number} parts.now
     * @param {(from: number, to: number) => number} parts.random
     */
    constructor({ api, settings, now, random }) {
        super();
        this.api = api;
        this.settings = settings;
        this.now = now;
        this.random = random;
        this.keys = new Keys(document, /Mac|iPhone|iPad/.test(navigator.userAgent));
        this.main = h("main", { id: "main", tabindex: "-1" });
        this.header = h("header", { class: "bar" });
        this.texts = new Texts("en", en, now);
        this.notices = new Notices(() => this.texts);
        this.skip = h("a", {
            class: "skip",
            href: "#main",
            onclick: (/** @type {Event} */ event) => this.skipTo(event),
        });
        this.element = h(
            "div",
            { class: "frame" },
            this.skip,
            this.header,
            this.notices.bar,
            this.main,
            this.notices.element,
        );
        /** @type {Environment[]} */
        this.environments = [];
        /** Whether the server has said which there are. */
        this.known = false;
        /** @type {Workspace | null} */
        this.workspace = null;
        /** @type {import("./screens/index.js").View | null} */
        this.view = null;
        this.viewName = "";
        this.closing = new AbortController();
        this.route = readRoute("");
        this.access = new Access(this);
    }

    async start() {
        chooseTheme(this.settings.get("theme"));
        await this.chooseTexts();
        this.listen();
        const links = readLink(location.hash);
        if (links.length > 0) await this.access.openLink(links);
        const { environment, screen } = readRoute(location.hash);
        // Read while the page learns whether one is signed in; where not, it is asked again after the sign-in.
        if (environment && screen !== "sign-in") this.takeWorkspace(environment).refresh();
        await this.enter();
    }

    async enter() {
        await this.loadEnvironments();
        if (this.known) await this.go();
    }

    listen() {
        addEventListener("hashchange", () => this.go());
        this.api.addEventListener("ended", (event) => this.access.askAgain(/** @type {CustomEvent} */ (event).detail));
        this.api.addEventListener("away", () => this.notices.away(retryPause, () => this.tryAgain()));
        this.api.addEventListener("back", () => this.notices.back());
        for (const screen of screens) {
            const run = () =>
                this.navigate(routeFragment({ environment: this.route.environment, screen: screen.name }));
            this.keys.add({ keys: `g ${screen.key}`, label: `screen.${screen.name}`, run });
        }
        // Light and dark follow the system; languages follow the person.
        addEventListener("languagechange", () => this.retell());
    }

    async chooseTexts() {
        const chosen = [this.settings.get("language") ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2));
        const language = chosen.find((tag) => tag === "en" || tag in languages) ?? "en";
        const table = language in languages ? { ...en, ...(await languages[language]()) } : en;
        document.documentElement.lang = language;
        this.texts = new Texts(language, table, this.now, navigator.languages);
    }

    /**
     * Takes another language, which says everything anew; drafts are kept.
     */
    async retell() {
        await this.chooseTexts();
        this.viewName = "";
        // The menu that the language was chosen in closes with this, and the bar is made anew.
        /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
        await this.go();
        document.getElementById("account")?.focus();
    }

    /** @param {string | null} theme */
    takeTheme(theme) {
        this.settings.set("theme", theme);
        chooseTheme(theme);
    }

    async loadEnvironments() {
        for (;;) {
            try {
                const answer = await this.api.get("/environments");
                this.environments = answer.document;
                this.known = true;
                return;
            } catch (failure) {
                if (this.known) return this.fail(failure);
                if (failure instanceof Problem)
                    return this.show(this.notice("error.title", failure.message, () => this.enter()));
                this.show(this.notice("away.title", this.texts.say("away.first")));
                await new Promise((done) => setTimeout(done, retryPause));
            }
        }
    }

    /** Shows what the address says. */
    async go() {
        if (/^#\/open\//.test(location.hash)) {
            await this.access.openLink(readLink(location.hash));
            await this.loadEnvironments();
        }
        const route = readRoute(location.hash);
        const before = this.route;
        this.route = route;
        const environment = this.environments.find((one) => one.name === route.environment);
        frameColors(environment ?? null);
        this.tellBar();
        document.title = [this.texts.say("title"), environment?.name].filter(Boolean).reverse().join(" · ");
        if (!environment?.session) {
            this.workspace?.close();
            this.workspace = null;
        }
        const hidden = environment ? null : hiddenEnvironment(route.environment);
        if (hidden) return this.leave(() => this.access.show(hidden));
        if (!environment) return this.leave(() => this.showEnvironments(route.environment));
        if (!environment.session || route.screen === "sign-in") return this.leave(() => this.access.show(environment));
        const name = `${environment.name}/${route.screen}`;
        if (name === this.viewName && this.view?.show) return this.view.show(route);
        await this.leave(() => this.openScreen(environment, name, before.environment !== route.environment));
    }

    /**
     * @param {() => void | Promise<void>} then
     */
    async leave(then) {
        this.closing.abort();
        this.closing = new AbortController();
        this.view?.close?.();
        this.view = null;
        this.viewName = "";
        await then();
    }

    /**
     * @param {Environment} environment
     * @param {string} name
     * @param {boolean} arriving in another environment
     */
    async openScreen(environment, name, arriving) {
        const screen = screens.find((one) => one.name === this.route.screen);
        if (!screen)
            return this.show(
                this.notice("screen.none", this.texts.say("screen.none.detail", { name: this.route.screen })),
            );
        if (!allows(environment.session?.scopes ?? [], screen.scope)) {
            return this.show(
                this.notice("screen.closed", this.texts.say("screen.closed.detail", { scope: screen.scope })),
            );
        }
        this.viewName = name;
        const workspace =
            this.workspace?.name === environment.name ? this.workspace : this.takeWorkspace(environment.name);
        workspace.open();
        const signal = this.closing.signal;
        try {
            const view = await screen.open(this.context(environment, signal));
            if (signal.aborted) return view.close?.();
            this.view = view;
            this.show(view.element);
            if (arriving) this.notices.say(this.texts.say("environment.now", { name: environment.name }));
        } catch (failure) {
            if (signal.aborted) return;
            this.viewName = "";
            this.show(this.notice("error.title", this.wording(failure), () => this.go()));
        }
    }

    /** @param {string} name */
    takeWorkspace(name) {
        this.workspace?.close();
        const workspace = new Workspace(name, {
            api: this.api,
            storage: localStorage,
            random: this.random,
            now: this.now,
        });
        this.workspace = workspace;
        workspace.addEventListener("change", () => this.tellBar());
        workspace.addEventListener("lost", (event) =>
            this.notices.away(/** @type {CustomEvent} */ (event).detail, () => this.tryAgain()),
        );
        workspace.addEventListener("open", () => this.notices.back());
        return workspace;
    }

    /**
     * @param {Environment} environment
     * @param {AbortSignal} signal
     * @returns {Context}
     */
    context(environment, signal) {
        if (!this.workspace || !environment.session) throw new Error("a screen is opened in an environment");
        return {
            api: this.api,
            texts: this.texts,
            settings: this.settings,
            environment: /** @type {Environment & { session: Session }} */ (environment),
            environments: this.environments,
            workspace: this.workspace,
            route: this.route,
            navigate: (fragment, replace) => this.navigate(fragment, replace),
            notify: (text, action) => this.notices.notify(text, action),
            fail: (failure) => this.fail(failure),
            freshen: (done) => this.access.freshen(done),
            keys: this.keys,
            frame: this,
            signal,
        };
    }

    /**
     * @param {string} fragment
     * @param {boolean} [replace] whether the way back skips where one is now
     */
    navigate(fragment, replace = false) {
        if (fragment === location.hash) return;
        if (!replace) location.hash = fragment;
        else {
            history.replaceState(null, "", fragment);
            this.go();
        }
    }

    /** @param {HTMLElement} element */
    show(element) {
        fill(this.main, element);
    }

    /**
     * @param {string} title a key of the texts
     * @param {string} detail
     * @param {() => void} [retry]
     */
    notice(title, detail, retry) {
        const again = retry ? h("button", { type: "button", onclick: retry }, this.texts.say("retry")) : null;
        return h(
            "section",
            { class: "notice", role: "alert" },
            h("h1", {}, this.texts.say(title)),
            h("p", {}, detail),
            again,
        );
    }

    tellBar() {
        const environment = this.environments.find((one) => one.name === this.route.environment) ?? null;
        fill(this.skip, this.texts.say("skip"));
        // Focus inside the bar would be lost with what it holds.
        if (this.header.contains(document.activeElement) && this.header.querySelector(".menu:not([hidden])")) return;
        const focused = document.activeElement?.id;
        fill(
            this.header,
            brand(this),
            environment ? environmentMenu(this, environment) : null,
            environment?.session ? tabs(this, screens, environment) : h("span", { class: "space" }),
            h("div", { class: "tools", id: "tools" }),
            accountMenu(this, environment),
        );
        this.dispatchEvent(new CustomEvent("bar", { detail: this.header.querySelector("#tools") }));
        if (focused && this.header.querySelector(`#${CSS.escape(focused)}`)) document.getElementById(focused)?.focus();
    }

    /** @param {string} missing the name that the address had */
    showEnvironments(missing) {
        const only = this.environments.length === 1 && !missing;
        if (only) this.navigate(routeFragment({ environment: this.environments[0].name }), true);
        else this.show(environmentsView(this.texts, this.environments, missing));
    }

    async tryAgain() {
        if (!this.known) return;
        await this.workspace?.reopen();
        if (!this.view) await this.go();
    }

    signOut() {
        return this.access.signOut();
    }

    /** @param {unknown} failure */
    wording(failure) {
        if (failure instanceof Problem) {
            const known = `problem.${failure.kind}`;
            return this.texts.has(known) ? this.texts.say(known, { detail: failure.message }) : failure.message;
        }
        if (failure instanceof Unreachable) return this.texts.say("away.short");
        return this.texts.say("error.unknown", {
            detail: failure instanceof Error ? failure.message : String(failure),
        });
    }

    /** @param {unknown} failure */
    fail(failure) {
        if (failure instanceof DOMException && failure.name === "AbortError") return;
        // Sign-in is asked for already.
        if (failure instanceof Problem && failure.status === 401 && this.access.asking) return;
        this.notices.notify(this.wording(failure), undefined, true);
        if (!(failure instanceof Problem || failure instanceof Unreachable)) console.error(failure);
    }

    /** @param {Event} event */
    skipTo(event) {
        event.preventDefault();
        this.main.focus();
    }
}

/**
 * An environment that only those may see who are signed in to it; the server does not say whether it is there.
 * @param {string} name
 * @returns {Environment | null}
 */
function hiddenEnvironment(name) {
    if (!/^[a-z][a-z0-9-]{0,31}$/.test(name)) return null;
    return { name, config_read: "token", color: null, caution: false, sign_in: ["provider", "token"], session: null };
}
