/** Sessions: sign-in by links, tokens and providers, signing in again over an open screen, and signing out. */
import { Problem } from "../shared/api.js";
import { confirm } from "../shared/confirm.js";
import { openDialog } from "../shared/dialog.js";
import { h } from "../shared/dom.js";
import { signInByLink } from "../shared/link.js";
import { signInView } from "./entrance.js";
import { signInForm } from "./sign-in.js";
import { readLink, routeFragment } from "./state/route.js";

export class Access {
    /** True while a dialog asks for a sign-in over the open screen. */
    isSigningIn = false;
    #frame;

    /** @param {import("./frame.js").Frame} frame */
    constructor(frame) {
        this.#frame = frame;
    }

    /** Signs in with the codes of one-time links, and removes the codes from the address at once. */
    async openLinks() {
        const { api, texts, notices, showError } = this.#frame;
        const links = readLink(location.hash);
        if (links.length > 0) history.replaceState(null, "", routeFragment(links[0]));
        for (const link of links) {
            try {
                await signInByLink(api, texts, link);
            } catch (failure) {
                if (!(failure instanceof Problem)) showError(failure);
                else notices.notify(texts.say("sign-in.link", { ...link, detail: failure.message }));
            }
        }
    }

    /** @param {import("./frame.js").Environment} environment */
    showSignIn(environment) {
        const frame = this.#frame;
        const { api, texts, route } = frame;
        const returnPath = route.screen === "sign-in" ? `/${environment.name}/entries` : location.hash.slice(1);
        const done = async () => {
            await frame.loadEnvironments();
            if (frame.route.screen === "sign-in") frame.visit(`#${frame.route.query.return ?? returnPath}`);
            else await frame.showRoute();
        };
        frame.show(signInView({ api, texts, environment, returnPath, problem: route.query.problem, done }));
        /** @type {HTMLElement | null} */ (frame.main.querySelector("#token"))?.focus();
    }

    /**
     * Asks for a sign-in in a dialog over the screen, so that no input is lost.
     * @param {string} name
     * @param {boolean} fresh true if the session is still valid, but too old for the request
     * @returns {Promise<boolean>} true if the user has signed in
     */
    async signInAgain(name, fresh) {
        const frame = this.#frame;
        const environment = frame.environments.find((one) => one.name === name);
        if (this.isSigningIn || !environment?.session || name !== frame.route.environment) return false;
        this.isSigningIn = true;
        frame.workspace?.pause();
        const isIn = await requestSignIn(frame.api, frame.texts, environment, frame.workspace?.draft.size ?? 0, fresh);
        this.isSigningIn = false;
        frame.workspace?.resume();
        if (isIn) {
            await frame.loadEnvironments();
            frame.renderBar();
        }
        return isIn;
    }

    /** Signs out; if there is a draft, asks first whether to save it. */
    requestSignOut() {
        const { texts, workspace } = this.#frame;
        return workspace?.draft.size ? confirmSignOut(texts, workspace.draft, this.signOut) : this.signOut();
    }

    signOut = async () => {
        const frame = this.#frame;
        const name = frame.route.environment;
        try {
            await frame.api.send("DELETE", `/${encodeURIComponent(name)}/session`);
        } catch (failure) {
            if (!(failure instanceof Problem)) return frame.showError(failure);
        }
        frame.closeWorkspace();
        await frame.loadEnvironments();
        await frame.showRoute();
        frame.notices.notify(frame.texts.say("session.over", { name }));
    };
}

/**
 * Asks for a sign-in in a dialog.
 * @param {import("../shared/api.js").API} api
 * @param {import("../shared/texts.js").Texts} texts
 * @param {import("./frame.js").Environment} environment
 * @param {number} n the number of changes in the draft
 * @param {boolean} fresh true if the session is still valid, but too old for the request
 * @returns {Promise<boolean>} true if the user has signed in
 */
function requestSignIn(api, texts, environment, n, fresh) {
    const lead = fresh ? "sign-in.fresh" : n > 0 ? "sign-in.ended.draft" : "sign-in.ended";
    return new Promise((resolve) => {
        const done = () => {
            resolve(true);
            dialog.close();
        };
        const form = signInForm({ api, texts, environment, returnPath: location.hash.slice(1), fresh, done });
        const dialog = openDialog(texts, {
            title: texts.say(fresh ? "sign-in.fresh.title" : "sign-in.ended.title"),
            body: [h("p", {}, texts.say(lead, { n })), form],
            onClose: () => resolve(false),
        });
        /** @type {HTMLElement | null} */ (dialog.element.querySelector("#token"))?.focus();
    });
}

/**
 * Asks whether to save the draft, then signs out.
 * @param {import("../shared/texts.js").Texts} texts
 * @param {import("./workspace.js").Workspace["draft"]} draft
 * @param {() => void} signOut
 */
function confirmSignOut(texts, draft, signOut) {
    const discard = () => {
        draft.clear();
        signOut();
    };
    confirm(texts, {
        title: texts.say("sign-out"),
        body: h("p", {}, texts.say("sign-out.draft", { n: draft.size })),
        answers: [
            { label: texts.say("sign-out.drop"), kind: "danger", run: discard },
            { label: texts.say("sign-out.keep"), kind: "primary", run: signOut },
        ],
    });
}
