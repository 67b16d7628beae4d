/** The screens before notes are open: the environments, and signing in to one. */

import { Unreachable } from "../../shared/api.js";
import { brandMark, button, h } from "../../shared/dom.js";
import { providerAddress } from "../../shared/sign-in-methods.js";
import { icon } from "../icons.js";
import { routeFragment } from "../route.js";
import { acceptedPath, signInForm } from "./sign-in.js";

/** @import { Environment } from "./sign-in.js" */
/** @import { Session } from "../frame.js" */
/** @typedef {import("../../shared/texts.js").Texts} Texts */

/** The time between two attempts to reach the server, in milliseconds. */
const retryPause = 4000;
/** The key in the session storage of a tab that waits for the user before it goes to the provider. */
const waitsForUser = "almanac.notes.sign-in-waits";

export class SignInScreens {
    #page;

    /**
     * @param {object} page
     * @param {import("../../shared/api.js").API} page.api
     * @param {Texts} page.texts
     * @param {import("./accounts.js").DeviceAccounts} page.device
     * @param {(failure: unknown) => string} page.wording
     * @param {(element: HTMLElement) => void} page.show shows one view instead of the panes
     * @param {() => import("../route.js").Route} page.route returns the current route
     * @param {() => Promise<void>} page.showRoute shows the view of the address
     */
    constructor(page) {
        this.#page = page;
    }

    /**
     * Enters without notes on this device: uses the browser's session, or shows a way to sign in.
     * @param {string} name an environment, or empty
     */
    async enter(name) {
        const environments = await this.#environments();
        if (!environments) return;
        const matching = environments.filter((one) => !name || one.name === name);
        const open = matching.filter(({ session }) => session?.kind === "user");
        if (open.length === 1 && open[0].session) return this.#open(open[0].name, open[0].session.name);
        if (!name && environments.length !== 1) {
            this.#show(environments);
            return;
        }
        const [environment] = matching;
        this.#showSignIn(environment, environment?.name ?? name, environments);
        if (!environment || !this.#isProviderTheOnlyWay(environment)) return;
        // A provider whose sign-in begins no session must not be asked again and again.
        this.waitForUser();
        location.replace(providerAddress(environment.name, this.#returnPath(environment.name)));
    }

    /** Lets the user begin all further sign-ins in this tab, because a sign-out must not lead to the provider and back. */
    waitForUser() {
        sessionStorage.setItem(waitsForUser, "true");
    }

    /** Returns true if nothing but the provider can show notes. @param {Environment} environment */
    #isProviderTheOnlyWay({ name, sign_in, session }) {
        const hasLocalNotes = this.#page.device.accounts().some((one) => one.environment === name);
        const isFirst = sessionStorage.getItem(waitsForUser) === null;
        return isFirst && sign_in.includes("provider") && session === null && !hasLocalNotes;
    }

    /** Returns the path of the current route, to return to after the sign-in. @param {string} environment */
    #returnPath(environment) {
        const { place } = this.#page.route();
        return acceptedPath(place === "sign-in" ? "" : location.hash.slice(1), environment);
    }

    /** Shows the sign-in screen even if there is a session. @param {string} name */
    async signIn(name) {
        const environments = await this.#environments();
        if (!environments) return;
        this.#showSignIn(
            environments.find((one) => one.name === name),
            name,
            environments,
        );
    }

    /**
     * @param {Environment | undefined} environment
     * @param {string} name
     * @param {Environment[]} all
     */
    #showSignIn(environment, name, all) {
        if (!environment && !/^[a-z][a-z0-9-]{0,31}$/.test(name)) {
            this.#show(all, name);
            return;
        }
        const { api, texts } = this.#page;
        const route = this.#page.route();
        const form = {
            api,
            texts,
            // Only signed-in users see some environments, and the server does not reveal whether one exists.
            environment: environment ?? { name, sign_in: ["provider", "token"], session: null },
            returnPath: this.#returnPath(name),
            problem: route.query.problem,
            done: (/** @type {Session} */ session) => this.#open(form.environment.name, session.name),
        };
        const view = this.#show(all, name, form);
        /** @type {HTMLElement | null} */ (view.querySelector(".sign-in-ways input, .sign-in-ways a"))?.focus();
    }

    /** Opens a user's notes at the route of the address. @param {string} environment @param {string} account */
    async #open(environment, account) {
        const { device, showRoute } = this.#page;
        const route = this.#page.route();
        device.use(environment, account);
        if (route.place === "sign-in" || route.environment !== environment)
            history.replaceState(null, "", routeFragment({ environment }));
        await showRoute();
    }

    /**
     * Returns the server's environments, or null if the user left the page meanwhile.
     * @returns {Promise<Environment[] | null>}
     */
    async #environments() {
        const { api, texts, wording, show } = this.#page;
        const { hash } = location;
        for (;;) {
            try {
                const answer = await api.get("/environments");
                return location.hash === hash ? answer.document : null;
            } catch (failure) {
                if (location.hash !== hash) return null;
                const why = failure instanceof Unreachable ? texts.say("access.away") : wording(failure);
                show(waitingView(texts, why));
                await new Promise((done) => {
                    setTimeout(() => done(undefined), retryPause);
                    addEventListener("online", () => done(undefined), { once: true });
                });
                if (location.hash !== hash) return null;
            }
        }
    }

    /**
     * @param {Environment[]} environments to choose from
     * @param {string} [name] the environment in the address
     * @param {Parameters<typeof signInForm>[0]} [form] the sign-in to the named environment, or none if unknown
     */
    #show(environments, name = "", form) {
        const { texts } = this.#page;
        const others = environments.filter((one) => one.name !== name || !form);
        const isListed = environments.some((one) => one.name === name);
        const missing = form ? "access.unlisted" : "access.missing";
        const title = form ? texts.parts("access.title", { name }) : [texts.say("access.choose")];
        const view = h(
            "section",
            { class: "entrance" },
            brandMark(),
            h("h1", {}, title),
            name && !isListed ? h("p", { role: "alert" }, texts.parts(missing, { name })) : null,
            form ? h("p", { class: "lead" }, texts.say("access.lead")) : null,
            form?.environment.session
                ? h("p", { class: "hint" }, texts.parts("sign-in.replaces", { name: form.environment.session.name }))
                : null,
            form ? signInForm(form) : null,
            form ? this.#localAccounts(name) : null,
            others.length > 0 && form ? h("h2", { class: "other" }, texts.say("access.others")) : null,
            h(
                "ul",
                { class: "cards" },
                others.map((one) => card(texts, one)),
            ),
            environments.length === 0 && !form ? h("p", {}, texts.say("access.none")) : null,
        );
        this.#page.show(view);
        return view;
    }

    /** Lists the notes that stayed on this device after signing out. @param {string} environment */
    #localAccounts(environment) {
        const { texts, device } = this.#page;
        const accounts = device.accounts().filter((one) => one.environment === environment);
        if (accounts.length === 0) return null;
        return h(
            "div",
            { class: "here" },
            h("h2", { class: "other" }, texts.say("access.here")),
            h("p", { class: "hint" }, texts.say("access.here.hint")),
            accounts.map(({ name }) =>
                button(texts.parts("access.open.name", { name }), () => this.#open(environment, name)),
            ),
        );
    }
}

/**
 * @param {Texts} texts
 * @param {Environment} one
 */
function card(texts, one) {
    const state = one.session ? texts.say("session.as", { name: one.session.name }) : texts.say("session.none");
    const href = routeFragment({ environment: one.name });
    return h("li", {}, h("a", { class: "card", href }, h("strong", {}, one.name), h("span", {}, state), icon("right")));
}

/**
 * @param {Texts} texts
 * @param {string} text the reason for waiting
 */
function waitingView(texts, text) {
    return h(
        "section",
        { class: "entrance", role: "status" },
        brandMark(),
        h("h1", {}, texts.say("access.waiting")),
        h("p", {}, text),
        h("p", { class: "hint" }, texts.say("access.waiting.hint")),
    );
}
