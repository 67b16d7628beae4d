/** Signs in with a one-time link. Anybody can send one, so the user is asked before it ends somebody else's session. */
import { Problem } from "./api.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";

/** @typedef {{ name: string, kind: string, token_id?: string }} Owner of a session */

/**
 * @param {import("./api.js").API} api
 * @param {import("./texts.js").Texts} texts
 * @param {{ environment: string, code: string }} link
 * @returns {Promise<import("./api.js").Answer | null>} null where the user stays signed in; the code is good still
 */
export async function signInByLink(api, texts, { environment, code }) {
    try {
        return await api.signIn(environment, { code });
    } catch (failure) {
        if (!(failure instanceof Problem) || failure.kind !== "session-would-end") throw failure;
        const { signed_in: present, would_be: next } = failure.document;
        // Tokens may have the same label.
        const isAlike = present.name === next.name;
        const nameOf = (/** @type {Owner} */ { name, kind, token_id: id }) => (isAlike ? `${name} (${id ?? kind})` : name);
        const isAgreed = await agrees(texts, { environment, present: nameOf(present), next: nameOf(next) });
        return isAgreed ? api.signIn(environment, { code, replaces: true }) : null;
    }
}

/**
 * Asks whether to sign in as somebody else; whoever closes the question stays signed in.
 * @param {import("./texts.js").Texts} texts
 * @param {Record<string, string>} names
 * @returns {Promise<boolean>}
 */
const agrees = (texts, names) =>
    new Promise((answer) => {
        const button = (/** @type {string} */ text, /** @type {string} */ kind, /** @type {boolean} */ isAgreed) => {
            const onclick = () => {
                answer(isAgreed);
                dialog.close();
            };
            return h("button", { type: "button", class: kind, onclick }, h("span", {}, texts.parts(text, names)));
        };
        const dialog = openDialog({
            title: texts.parts("link.title", names),
            body: h("p", {}, texts.parts("link.lead", names)),
            actions: [button("link.stay", "", false), button("link.agree", "primary", true)],
            close: texts.say("close"),
            closed: () => answer(false),
        });
    });
