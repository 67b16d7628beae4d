/** Who is signed in: by a link, and anew over what is open when a session has ended. */
import { Problem } from "../shared/api.js";
import { openDialog } from "../shared/dialog.js";
import { h } from "../shared/dom.js";
import { signInByLink } from "../shared/link.js";
import { signInForm } from "./sign-in.js";
import { routeFragment } from "./state/route.js";

/** @typedef {import("./frame.js").Environment} Environment */

/**
 * Signs in with the codes of a one-time link, which leaves the address at once.
 * @param {Pick<import("./frame.js").Context, "api" | "texts" | "notify" | "fail">} page
 * @param {{ environment: string, code: string }[]} links
 */
export async function openLinks({ api, texts, notify, fail }, links) {
    history.replaceState(null, "", routeFragment({ environment: links[0].environment }));
    for (const link of links) {
        try {
            await signInByLink(api, texts, link);
        } catch (failure) {
            const { environment } = link;
            if (failure instanceof Problem) notify(texts.say("sign-in.link", { environment, detail: failure.message }));
            else fail(failure);
        }
    }
}

/**
 * Asks for a sign-in in a dialog.
 * @param {Pick<import("./frame.js").Context, "api" | "texts">} page
 * @param {Environment} environment
 * @param {number} n how many changes the draft has
 * @param {boolean} fresh whether the session goes on, and is too old
 * @returns {Promise<boolean>} whether somebody has signed in
 */
export function askToSignIn({ api, texts }, environment, n, fresh) {
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
