/** Placeholders for the list of entries: loading, failed, no matches, no entries. */
import { button, h } from "../../shared/dom.js";
import { errorMessage } from "../controls/controls.js";

/** @typedef {import("../../shared/texts.js").Texts} Texts */

/** @param {Texts} texts */
export function skeleton(texts) {
    const rows = Array.from({ length: 12 }, () => h("div", { class: "skeleton" }));
    return h(
        "div",
        { class: "skeletons", role: "status", "aria-busy": "true", "aria-label": texts.say("loading") },
        rows,
    );
}

/**
 * @param {Texts} texts
 * @param {string} reason
 * @param {() => void} retry
 */
export function notRead(texts, reason, retry) {
    const words = errorMessage(reason, "alert");
    return h("div", { class: "empty stack" }, words, button(texts.say("retry"), retry));
}

/**
 * @param {Texts} texts
 * @param {() => void} clear
 */
export function nothingFits(texts, clear) {
    const examples = {
        type: h("code", {}, "type:number"),
        key: h("code", {}, "key:app."),
        desc: h("code", {}, "desc:"),
    };
    return h(
        "div",
        { class: "empty stack" },
        h("h2", {}, texts.say("empty.filter")),
        h("p", {}, texts.parts("empty.filter.hint", examples)),
        button(texts.say("empty.filter.clear"), clear),
    );
}

/**
 * @param {Texts} texts
 * @param {string} name the environment's name
 * @param {(() => void) | null} add
 */
export function noEntries(texts, name, add) {
    const title = h("h2", {}, texts.say("empty.none", { name }));
    const addButton = add && button(texts.say("key.button"), add, "primary", "add");
    return h("div", { class: "empty stack" }, title, h("p", {}, texts.say("empty.none.hint")), addButton);
}
