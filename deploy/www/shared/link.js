/** Signs in with a one-time link. Anybody can send one, so the user is asked before it ends somebody else's session. */
import { Problem } from "./api.js";

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
        // Few links ask, so that the pages are smaller without the question.
        const { agrees } = await import("./link-question.js");
        if (!(await agrees(texts, environment, present, next))) return null;
        return api.signIn(environment, { code, replaces: true });
    }
}
