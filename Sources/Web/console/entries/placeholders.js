/** Placeholders for the list of entries: loading, failed, no matches, no entries. */
import { h, icon } from "../../shared/dom.js";
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
    return h(
        "div",
        { class: "empty stack" },
        words,
        h("button", { type: "button", onclick: retry }, texts.say("retry")),
    );
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
        h("button", { type: "button", onclick: clear }, texts.say("empty.filter.clear")),
    );
}

/**
 * @param {Texts} texts
 * @param {string} name the environment's name
 * @param {(() => void) | null} add
 */
export function noEntries(texts, name, add) {
    const button =
        add && h("button", { type: "button", class: "primary", onclick: add }, icon("add"), texts.say("key.button"));
    const title = h("h2", {}, texts.say("empty.none", { name }));
    return h("div", { class: "empty stack" }, title, h("p", {}, texts.say("empty.none.hint")), button);
}
