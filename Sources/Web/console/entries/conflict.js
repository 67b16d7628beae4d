/** A conflict of two users in one entry: the old content, theirs and mine. */
import { button, h, icon } from "../../shared/dom.js";
import { contentDifference } from "../changes/difference.js";

/** @typedef {import("../state/draft.js").Content} Content */

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string} key
 * @param {import("../state/draft.js").Change} change a change with `theirs`
 * @param {(after: Content | null) => void} resolve
 * @param {import("../changes/difference.js").FlagReview} [flagReview] shows flags in words
 */
export function conflictView(texts, key, change, resolve, flagReview) {
    const base = change.before;
    const theirs = change.theirs ?? null;
    const by = change.by || texts.say("conflict.somebody");
    /**
     * @param {string} title
     * @param {Content | null} content
     */
    const side = (title, content) =>
        h("div", { class: "side-view" }, h("h2", {}, title), contentDifference(texts, key, base, content, flagReview));
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
