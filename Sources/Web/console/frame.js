/** The frame of every screen: environment, tabs, account and notices. */
import { Problem, Unreachable } from "../shared/api.js";
import { fill, h } from "../shared/dom.js";
import { PageFrame } from "../shared/page-frame.js";
import { Access, accessPart } from "./access.js";
import { Bar } from "./bar.js";
import { frameColors } from "./colors.js";
import { documentTitle, environmentsView, errorPage, undisclosedEnvironment } from "./entrance.js";
import { openHelp } from "./help.js";
import { administration, load, PartMissing, prefetch, screens } from "./screens/index.js";
import { isEntrance, readRoute, routeFragment } from "./state/route.js";
import { allows } from "./state/scopes.js";
import { en } from "./texts/en.js";
import { watchWaiting } from "./waiting.js";
import { Workspace } from "./workspace.js";

/** @typedef {import("./state/route.js").Route} Route */
/** @typedef {import("../shared/page-frame.js").Session} Session */

/**
 * @typedef {object} Environment an element of `/environments`
 * @property {string} name
 * @property {"public" | "token"} config_read
 * @property {string | null} color
 * @property {boolean} caution
 * @property {("passkey" | "provider" | "token")[]} sign_in
 * @property {Session | null} session
 */

/**
 * @typedef {object} FrameState the open environment and its route
 * @property {Environment[]} environments
 * @property {Environment | null} environment the open environment
 * @property {Route} route
 * @property {Workspace | null} workspace
 */

/**
 * @typedef {object} Context the parameters of a screen
 * @property {import("../shared/api.js").API} api
 * @property {import("../shared/texts.js").Texts} texts
 * @property {import("../shared/settings.js").Settings} settings
 * @property {Environment & { session: Session }} environment
 * @property {Environment[]} environments
 * @property {Workspace} workspace
 * @property {Route} route
 * @property {(fragment: string, replace?: boolean) => void} navigate
 * @property {(text: string, action?: { label: string, run: () => void }) => void} notify
 * @property {(text: string) => void} say announces a text to screen readers
 * @property {(failure: unknown) => void} showError shows a failure's message
 * @property {(failure: unknown) => string} messageOf returns a failure's message
 * @property {(done: () => void) => void} signInAgain asks for a fresh sign-in, then calls `done`
 * @property {() => Promise<void>} signOut
 * @property {import("../shared/keys.js").Keys} keys
 * @property {AbortSignal} signal
 */

/** Loaders of the languages other than English. */
const languages = /** @type {Record<string, () => Promise<typeof en>>} */ ({
    de: async () => (await import("./texts/de.js")).de,
});
/** The palette, once it is loaded. @type {typeof import("./command-palette.js") | undefined} */
let loadedPalette;
/** @type {() => Promise<import("./screens/index.js").Part & typeof import("./command-palette.js")>} */
const loadPalette = async () => {
    loadedPalette = await import("./command-palette.js");
    return loadedPalette;
};
/** The interval between retries while the server is unavailable, in milliseconds. */
const retryInterval = 4000;

export class Frame extends PageFrame {
    /**
     * @param {object} parts
     * @param {import("../shared/api.js").API} parts.api
     * @param {import("../shared/settings.js").Settings} parts.settings
     * @param {() => number} parts.now
     */
    constructor({ api, settings, now }) {
        super({ api, settings, now }, en, languages);
        this.now = now;
        this.main = h("main", { id: "main", tabindex: "-1" });
        this.access = new Access(this);
        const { texts, keys, preferences, visit, setTheme } = this;
        const state = () => this.state();
        /** @param {typeof import("./command-palette.js")} loaded */
        const open = ({ openPalette }) => openPalette({ texts, keys, visit, setTheme }, state());
        // Letters that are typed right after the shortcut must reach the palette.
        const palette = () =>
            loadedPalette
                ? open(loadedPalette)
                : load(loadPalette, texts).then(open, () => {
                      const again = { label: texts.say("retry"), run: this.reload };
                      this.notices.notify(texts.say("screen.missing"), again, "failure outage");
                  });
        const help = () => openHelp(texts, keys);
        keys.add({ keys: "Mod+k", label: "palette.title", run: palette });
        keys.add({ keys: "?", label: "help.title", run: help });
        this.bar = new Bar({
            texts,
            keys,
            state,
            preferences,
            palette,
            help,
            changeAppearance: () => this.changeAppearance(),
            openPasskeys: () => this.access.openPasskeys(),
            signOut: () => this.access.requestSignOut(),
        });
        this.element = h(
            "div",
            { class: "frame" },
            this.skip,
            this.bar.element,
            this.notices.bar,
            this.main,
            this.notices.element,
        );
        /** @type {Environment[]} */
        this.environments = [];
        /** True if the environments are loaded. */
        this.isLoaded = false;
        /** @type {Workspace | null} */
        this.workspace = null;
        /** @type {import("./screens/index.js").View | null} */
        this.view = null;
        this.viewName = "";
        this.closing = new AbortController();
        /** True while a screen that could not reach the server is replaced by an error page. */
        this.isCutOff = false;
        this.route = readRoute("");
        api.addEventListener("ended", async (event) => {
            if (await this.access.signInAgain(/** @type {CustomEvent} */ (event).detail, false)) this.retry();
        });
        api.addEventListener("removed", (event) => this.access.showRemoval(/** @type {CustomEvent} */ (event).detail));
        api.addEventListener("away", () => this.notices.away(retryInterval, () => this.retry()));
        api.addEventListener("back", () => this.endOutage());
        for (const screen of screens) {
            const run = () => visit(routeFragment({ environment: this.route.environment, screen: screen.name }));
            keys.add({ keys: `g ${screen.key}`, label: `screen.${screen.name}`, run });
        }
    }

    async start() {
        this.access.takeInvitation();
        const loadScreen = () =>
            screens.find(({ name }) => name === readRoute(location.hash).screen)?.begin?.(this.texts);
        // The screen's module loads while the browser reads the settings, and its texts once the language is known.
        loadScreen();
        await this.begin();
        await this.access.openLinks();
        // Load the screen and the config in parallel with the session; without a session, the sign-in repeats the request.
        loadScreen();
        const { environment, screen } = readRoute(location.hash);
        if (environment && !isEntrance(screen)) this.openWorkspace(environment).refresh();
        // The first formatter takes long to create, so it is created while the server responds.
        this.texts.number(0);
        await this.load();
    }

    async load() {
        await this.loadEnvironments();
        if (this.isLoaded) await this.showRoute();
    }

    /**
     * Loads the language and renders every text again. Drafts stay.
     * @override
     */
    async renderTexts() {
        await this.chooseTexts();
        this.viewName = "";
        // Blurring closes the language menu, so that the bar can be rendered again.
        /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
        await this.showRoute();
        document.getElementById("account")?.focus();
    }

    async loadEnvironments() {
        for (;;) {
            try {
                const answer = await this.api.get("/environments");
                this.environments = answer.document;
                this.isLoaded = true;
                return;
            } catch (failure) {
                if (this.isLoaded) return this.showError(failure);
                if (failure instanceof Problem)
                    return this.showErrorPage("error.title", failure.message, () => this.load());
                this.showErrorPage("away.title", this.texts.say("away.first"));
                await new Promise((done) => setTimeout(done, retryInterval));
            }
        }
    }

    /** @override */
    async showRoute() {
        this.access.takeInvitation();
        if (/^#\/open\//.test(location.hash)) {
            await this.access.openLinks();
            await this.loadEnvironments();
        }
        const route = readRoute(location.hash);
        const before = this.route;
        this.route = route;
        const { environment } = this.state();
        frameColors(environment);
        this.renderBar();
        document.title = documentTitle(this.texts, environment, route.screen);
        if (!environment?.session) this.closeWorkspace();
        if (route.screen === "invitation") return this.closeView(() => this.access.showInvitation(route.environment));
        const hidden = environment ? null : undisclosedEnvironment(route.environment);
        if (hidden) return this.closeView(() => this.access.showSignIn(hidden));
        if (!environment) return this.closeView(() => this.showEnvironments(route.environment));
        if (!environment.session || route.screen === "sign-in")
            return this.closeView(() => this.access.showSignIn(environment));
        const name = `${environment.name}/${route.screen}`;
        if (name === this.viewName && this.view?.show) return this.view.show(route);
        await this.closeView(() => this.openScreen(environment, name, before.environment !== route.environment));
    }

    /**
     * @param {() => void | Promise<void>} then
     */
    async closeView(then) {
        this.closing.abort();
        this.closing = new AbortController();
        this.view?.close?.();
        this.view = null;
        this.viewName = "";
        this.isCutOff = false;
        await then();
    }

    /**
     * @param {Environment} environment
     * @param {string} name
     * @param {boolean} isArriving true if the environment has changed
     */
    async openScreen(environment, name, isArriving) {
        const screen = screens.find((one) => one.name === this.route.screen);
        if (!screen)
            return this.showErrorPage("screen.none", this.texts.say("screen.none.detail", { name: this.route.screen }));
        if (!allows(environment.session?.scopes ?? [], screen.scope)) {
            return this.showErrorPage("screen.closed", this.texts.say("screen.closed.detail", { scope: screen.scope }));
        }
        this.viewName = name;
        // The previous screen stays until this one is loaded.
        this.main.setAttribute("aria-busy", "true");
        const workspace =
            this.workspace?.name === environment.name ? this.workspace : this.openWorkspace(environment.name);
        workspace.open();
        const signal = this.closing.signal;
        try {
            const view = await screen.open(this.context(environment, signal));
            if (signal.aborted) return view.close?.();
            this.view = view;
            this.show(view.element);
            if (isArriving) this.notices.say(this.texts.say("environment.now", { name: environment.name }));
        } catch (failure) {
            if (signal.aborted) return;
            this.viewName = "";
            this.isCutOff = failure instanceof Unreachable;
            this.showFailure(failure);
        }
    }

    /** Shows the failure to open a page instead of it. @param {unknown} failure */
    showFailure(failure) {
        const isMissing = failure instanceof PartMissing;
        const message = isMissing ? this.texts.say("screen.missing") : this.messageOf(failure);
        this.showErrorPage("error.title", message, isMissing ? this.reload : () => this.showRoute());
    }

    /** Loads the present version of the page if the server answers; otherwise a reload would leave no page. */
    reload = () =>
        fetch("/", { method: "HEAD", cache: "no-store" }).then(
            () => location.reload(),
            () => this.showRoute(),
        );

    closeWorkspace() {
        this.workspace?.close();
        this.workspace = null;
    }

    /** @param {string} name */
    openWorkspace(name) {
        this.closeWorkspace();
        const workspace = new Workspace(name, {
            api: this.api,
            storage: localStorage,
            tabStorage: sessionStorage,
            now: this.now,
        });
        this.workspace = workspace;
        workspace.addEventListener("lost", (event) =>
            this.notices.away(/** @type {CustomEvent} */ (event).detail, () => this.retry()),
        );
        watchWaiting(
            workspace,
            () => this.state().environment?.session,
            () => this.renderBar(),
        );
        workspace.addEventListener("open", () => {
            this.endOutage();
            prefetch(this.texts, loadPalette, accessPart);
        });
        return workspace;
    }

    /**
     * @param {Environment} environment
     * @param {AbortSignal} signal
     * @returns {Context}
     */
    context(environment, signal) {
        if (!this.workspace || !environment.session) throw new Error("a screen needs an open environment");
        return {
            api: this.api,
            texts: this.texts,
            settings: this.settings,
            environment: /** @type {Environment & { session: Session }} */ (environment),
            environments: this.environments,
            workspace: this.workspace,
            route: this.route,
            navigate: this.visit,
            notify: this.notices.notify,
            say: this.notices.say,
            showError: this.showError,
            messageOf: this.messageOf,
            signInAgain: async (done) => (await this.access.signInAgain(this.route.environment, true)) && done(),
            signOut: this.access.signOut,
            keys: this.keys,
            signal,
        };
    }

    async changeAppearance() {
        const { environment } = this.state();
        if (!environment) return;
        try {
            const { openAppearance } = await load(administration, this.texts);
            openAppearance(this.context(environment, this.closing.signal), () => this.load());
        } catch (failure) {
            this.showError(failure);
        }
    }

    /** @param {HTMLElement} element */
    show(element) {
        fill(this.main, element);
        this.main.removeAttribute("aria-busy");
    }

    /** @type {(title: string, detail: string, retry?: () => void) => void} */
    showErrorPage = (...words) => this.show(errorPage(this.texts, ...words));

    renderBar() {
        fill(this.skip, this.texts.say("skip"));
        this.bar.show();
    }

    /** @returns {FrameState} */
    state() {
        const { environments, route, workspace } = this;
        const environment = environments.find((one) => one.name === route.environment) ?? null;
        return { environments, environment, route, workspace };
    }

    /** @param {string} missing the unknown name in the address, or an empty string */
    showEnvironments(missing) {
        const only = this.environments.length === 1 && !missing;
        if (only) this.visit(routeFragment({ environment: this.environments[0].name }), true);
        else this.show(environmentsView(this.texts, this.environments, missing));
    }

    endOutage() {
        this.notices.back();
        if (this.isCutOff) this.showRoute();
    }

    async retry() {
        if (!this.isLoaded) return;
        await this.workspace?.reopen();
        if (!this.view) await this.showRoute();
    }

    /** @override @param {unknown} failure */
    reports(failure) {
        // The sign-in dialog is already open, or the page already says that the person was removed.
        if (!(failure instanceof Problem)) return false;
        return (failure.status === 401 && this.access.isSigningIn) || failure.kind === "person-removed";
    }
}
