/** Questions about sessions: a sign-in anew over what is open, and what becomes of a draft when its user signs out. */
import { openDialog } from "../shared/dialog.js";
import { h } from "../shared/dom.js";
import { signInForm } from "./sign-in.js";

/** @typedef {import("./frame.js").Environment} Environment */

/**
 * Asks for a sign-in in a dialog.
 * @param {import("../shared/api.js").API} api
 * @param {import("../shared/texts.js").Texts} texts
 * @param {Environment} environment
 * @param {number} n how many changes the draft has
 * @param {boolean} fresh whether the session goes on, and is too old
 * @returns {Promise<boolean>} whether somebody has signed in
 */
export function askToSignIn(api, texts, environment, n, fresh) {
    const lead = fresh ? "sign-in.fresh" : n > 0 ? "sign-in.ended.draft" : "sign-in.ended";
    return new Promise((answer) => {
        const done = () => {
            answer(true);
            dialog.close();
        };
        const form = signInForm({ api, texts, environment, back: location.hash.slice(1), fresh, done });
        const dialog = openDialog({
            title: texts.say(fresh ? "sign-in.fresh.title" : "sign-in.ended.title"),
            body: [h("p", {}, texts.say(lead, { n })), form],
            close: texts.say("close"),
            kind: "sign-in-again",
            closed: () => answer(false),
        });
        /** @type {HTMLElement | null} */ (dialog.element.querySelector("#token"))?.focus();
    });
}

/**
 * Asks whether a draft is kept when its user signs out.
 * @param {import("../shared/texts.js").Texts} texts
 * @param {import("./workspace.js").Workspace["draft"]} draft
 * @param {() => void} signOut
 */
export function askAboutDraft(texts, draft, signOut) {
    /** @param {boolean} forget */
    const finish = (forget) => {
        dialog.close();
        if (forget) draft.clear();
        signOut();
    };
    const keep = h(
        "button",
        { type: "button", class: "primary", onclick: () => finish(false) },
        texts.say("sign-out.keep"),
    );
    const drop = h(
        "button",
        { type: "button", class: "danger", onclick: () => finish(true) },
        texts.say("sign-out.drop"),
    );
    const dialog = openDialog({
        title: texts.say("sign-out"),
        body: h("p", {}, texts.say("sign-out.draft", { n: draft.size })),
        actions: [drop, keep],
        close: texts.say("close"),
    });
}
