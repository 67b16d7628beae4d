/** Sessions: sign-in by links, passkeys, tokens and providers, signing in again over an open screen, and signing out. */
import { Problem } from "../shared/api.js";
import { confirm } from "../shared/confirm.js";
import { h } from "../shared/dom.js";
import { signInByLink } from "../shared/link.js";
import { load } from "./screens/index.js";
import { isEntrance, readInvitation, readLink, routeFragment } from "./state/route.js";

/** @typedef {import("./frame.js").Environment} Environment */

/** The part with the forms, which most visits do not need. */
export const accessPart = () => import("./access/access-part.js");

export class Access {
    /** True while a dialog asks for a sign-in over the open screen. */
    isSigningIn = false;
    #frame;
    /** The secret of the open invitation, which the address no longer has. */
    #secret = "";

    /** @param {import("./frame.js").Frame} frame */
    constructor(frame) {
        this.#frame = frame;
    }

    #load() {
        return load(accessPart, this.#frame.texts);
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

    /** Removes the secret of an invitation from the address. */
    takeInvitation() {
        const invitation = readInvitation(location.hash);
        if (!invitation) return;
        this.#secret = invitation.secret;
        history.replaceState(null, "", routeFragment({ environment: invitation.environment, screen: "invitation" }));
    }

    /** @param {string} name */
    async showInvitation(name) {
        const frame = this.#frame;
        const { api, texts } = frame;
        const session = frame.state().environment?.session ?? null;
        const leave = () => frame.visit(routeFragment({ environment: name }));
        const accepted = async () => {
            this.#secret = "";
            await frame.loadEnvironments();
            frame.renderBar();
        };
        await this.#show(async ({ invitationView }) =>
            invitationView({ api, texts, environment: name, session, secret: this.#secret, accepted, leave }),
        );
    }

    /** @param {Environment} environment */
    async showSignIn(environment) {
        const frame = this.#frame;
        const { api, texts, route } = frame;
        const returnPath = isEntrance(route.screen) ? `/${environment.name}/entries` : location.hash.slice(1);
        const done = async () => {
            await frame.loadEnvironments();
            if (frame.route.screen === "sign-in") frame.visit(`#${frame.route.query.return ?? returnPath}`);
            else await frame.showRoute();
        };
        await this.#show(async ({ signInView }) =>
            signInView({ api, texts, environment, returnPath, problem: route.query.problem, done }),
        );
    }

    /**
     * Shows a page of the part, unless the address has changed before the part is loaded.
     * @param {(part: Awaited<ReturnType<typeof accessPart>>) => Promise<HTMLElement>} make
     */
    async #show(make) {
        const frame = this.#frame;
        const { signal } = frame.closing;
        try {
            const part = await this.#load();
            const element = await make(part);
            if (signal.aborted) return;
            frame.show(element);
            part.focusFirst(element);
        } catch (failure) {
            if (!signal.aborted) frame.showFailure(failure);
        }
    }

    /** Shows that the signed-in person was removed from an environment. @param {string} name */
    async showRemoval(name) {
        const frame = this.#frame;
        const { environment } = frame.state();
        if (environment?.name !== name || !environment.session) return;
        frame.closeWorkspace();
        // A refused request must not ask for a sign-in.
        environment.session = null;
        await frame.loadEnvironments();
        frame.renderBar();
        const detail = frame.texts.say("removal.detail", { name });
        await frame.closeView(() => frame.showErrorPage("removal.title", detail, () => frame.showRoute()));
    }

    /** Opens the list of the person's own passkeys. */
    async openPasskeys() {
        const { api, texts, notices, showError } = this.#frame;
        const { environment } = this.#frame.state();
        if (!environment) return;
        // A passkey is added in every environment in which the person is signed in.
        const isFresh = () =>
            this.#frame.environments
                .filter((one) => one.session?.person?.subject === environment.session?.person?.subject)
                .every(({ session }) => Date.parse(session?.session?.fresh_until ?? "") > this.#frame.now());
        /** @param {() => void} done */
        const signInAgain = async (done) => (await this.signInAgain(environment.name, true)) && done();
        try {
            const { openOwnPasskeys } = await this.#load();
            const { notify } = notices;
            await openOwnPasskeys({
                api,
                texts,
                notify,
                showError,
                signInAgain,
                isFresh,
                environment: environment.name,
            });
        } catch (failure) {
            showError(failure);
        }
    }

    /**
     * Asks for a sign-in in a dialog over the screen, so that no input is lost.
     * @param {string} name
     * @param {boolean} fresh true if the session is still valid, but too old for the request
     * @returns {Promise<boolean>} true if the user has signed in
     */
    async signInAgain(name, fresh) {
        const frame = this.#frame;
        const { api, texts } = frame;
        const environment = frame.environments.find((one) => one.name === name);
        if (this.isSigningIn || !environment?.session || name !== frame.route.environment) return false;
        this.isSigningIn = true;
        frame.workspace?.pause();
        const form = { api, texts, environment, returnPath: location.hash.slice(1), fresh };
        const isIn = await this.#load().then(
            ({ requestSignIn }) => requestSignIn(form, frame.workspace?.draft.size ?? 0),
            (failure) => {
                frame.showError(failure);
                return false;
            },
        );
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
