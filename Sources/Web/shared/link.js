/** Signs in with a one-time link. Anybody can send one, so the user must agree before it ends another session. */
import { Problem } from "./api.js";
import { confirm } from "./confirm.js";
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
        const names = { environment, present: nameOf(present), next: nameOf(next) };
        const isAgreed = await new Promise((answer) =>
            confirm(texts, {
                title: texts.parts("link.title", names),
                body: h("p", {}, texts.parts("link.lead", names)),
                cancel: texts.parts("link.stay", names),
                answers: [{ label: texts.parts("link.agree", names), kind: "primary", run: () => answer(true) }],
                onClose: () => answer(false),
            }),
        );
        return isAgreed ? api.signIn(environment, { code, replaces: true }) : null;
    }
}
