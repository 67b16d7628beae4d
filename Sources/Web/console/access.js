/** Sessions: sign-in by links, signing in again in a dialog, and the draft when the user signs out. */
import { Problem } from "../shared/api.js";
import { confirm } from "../shared/confirm.js";
import { openDialog } from "../shared/dialog.js";
import { h } from "../shared/dom.js";
import { signInByLink } from "../shared/link.js";
import { signInForm } from "./sign-in.js";
import { readLink, routeFragment } from "./state/route.js";

/**
 * Signs in with the codes of one-time links, and removes the codes from the address at once.
 * @param {Pick<import("./frame.js").Frame, "api" | "texts" | "notices" | "showError">} frame
 */
export async function openLinks({ api, texts, notices, showError }) {
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

/**
 * @param {import("../shared/api.js").API} api
 * @param {import("../shared/texts.js").Texts} texts
 * @param {import("./frame.js").Environment} environment
 * @param {number} n the number of changes in the draft
 * @param {boolean} fresh true if the session is still valid, but too old for the request
 * @returns {Promise<boolean>} true if the user has signed in
 */
export function requestSignIn(api, texts, environment, n, fresh) {
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
export function confirmSignOut(texts, draft, signOut) {
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
