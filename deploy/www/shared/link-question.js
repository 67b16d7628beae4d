/** The question that a link of somebody else asks. */
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";

/** @typedef {{ name: string, kind: string, token_id?: string }} Owner of a session */

/**
 * Asks whether to sign in as somebody else; whoever closes the question stays signed in.
 * @param {import("./texts.js").Texts} texts
 * @param {string} environment
 * @param {Owner} present who is signed in
 * @param {Owner} next who would be
 * @returns {Promise<boolean>}
 */
export function agrees(texts, environment, present, next) {
    // Tokens may have the same label.
    const isAlike = present.name === next.name;
    /** @param {Owner} owner */
    const named = ({ name, kind, token_id: id }) => (isAlike ? `${name} (${id ?? kind})` : name);
    const names = { present: named(present), next: named(next) };
    return new Promise((answer) => {
        let isAgreed = false;
        const agree = () => {
            isAgreed = true;
            dialog.close();
        };
        const dialog = openDialog({
            title: texts.parts("link.title", names),
            body: h("p", {}, texts.parts("link.lead", { ...names, environment })),
            actions: [
                h(
                    "button",
                    { type: "button", onclick: () => dialog.close() },
                    h("span", {}, texts.parts("link.stay", names)),
                ),
                h(
                    "button",
                    { type: "button", class: "primary", onclick: agree },
                    h("span", {}, texts.parts("link.agree", names)),
                ),
            ],
            close: texts.say("close"),
            closed: () => answer(isAgreed),
        });
    });
}
