/** A conflict of two users in one entry: the old content, theirs and mine. */
import { button, h, icon, userText } from "../../shared/dom.js";
import { valueDifference } from "../changes/difference.js";

/** @typedef {import("../state/draft.js").Content} Content */

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {import("../state/draft.js").Change} change a change with `theirs`
 * @param {(after: Content | null) => void} resolve
 */
export function conflictView(texts, change, resolve) {
    const base = change.before;
    const theirs = change.theirs ?? null;
    const by = change.by || texts.say("conflict.somebody");
    /**
     * @param {string} title
     * @param {Content | null} content
     */
    const side = (title, content) => {
        const described = content !== null && content.description !== (base?.description ?? "");
        return h(
            "div",
            { class: "side-view" },
            h("h3", {}, title),
            content
                ? valueDifference(texts, base?.value ?? null, content.value)
                : h("p", { class: "badge removed" }, texts.say("state.removed")),
            described ? h("p", { class: "hint" }, userText(content.description)) : null,
        );
    };
    /**
     * @param {string} label
     * @param {Content | null} after
     */
    const choice = (label, after) => button(texts.say(label), () => resolve(after));
    const title = texts.say("conflict.title");
    return h(
        "section",
        { class: "contradiction", "aria-label": title },
        h("p", {}, icon("alert"), " ", h("strong", {}, title), " ", texts.parts("conflict.lead", { name: by })),
        side(texts.say("conflict.theirs", { name: by }), theirs),
        choice("conflict.take", theirs),
        side(texts.say("conflict.mine"), change.after),
        choice("conflict.keep", change.after),
        h("p", { class: "hint" }, texts.say("conflict.hint")),
    );
}
