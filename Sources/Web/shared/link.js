/** Signs in with a one-time link. Anybody can send one, so the user must agree before it ends another session. */
import { Problem } from "./api.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";

/** @typedef {{ name: string, kind: string, token_id?: string }} Owner the owner of a session */

/**
 * @param {import("./api.js").API} api
 * @param {import("./texts.js").Texts} texts
 * @param {{ environment: string, code: string }} link
 * @returns {Promise<import("./api.js").APIResponse | null>} null if the user keeps the present session; the code then stays
 * valid
 */
export async function signInByLink(api, texts, { environment, code }) {
    try {
        return await api.signIn(environment, { code });
    } catch (failure) {
        if (!(failure instanceof Problem) || failure.kind !== "session-would-end") throw failure;
        const { signed_in: present, would_be: next } = failure.document;
        // Two tokens may have the same label.
        const isAlike = present.name === next.name;
        const nameOf = (/** @type {Owner} */ { name, kind, token_id: id }) =>
            isAlike ? `${name} (${id ?? kind})` : name;
        // Few links ask this question, so the page loads it on demand.
        const { confirmSwitch } = await import("./link-confirmation.js");
        const isAgreed = await confirmSwitch(
            { openDialog, h, texts },
            { environment, present: nameOf(present), next: nameOf(next) },
        );
        return isAgreed ? api.signIn(environment, { code, replaces: true }) : null;
    }
}
