/** Placeholders for the list of entries: loading, failed, no matches. */
import { button, fill, h } from "../../shared/dom.js";
import { errorMessage } from "../controls/controls.js";

/** @typedef {import("../../shared/texts.js").Texts} Texts */

/** @param {Texts} texts */
function skeleton(texts) {
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
function notRead(texts, reason, retry) {
    const words = errorMessage(reason, "alert");
    return h("div", { class: "empty stack" }, words, button(texts.say("retry"), retry));
}

/**
 * Shows that the entries are loading, or why they are missing.
 * @param {import("../frame.js").Context} context
 * @param {HTMLElement} place
 */
export function showWait({ texts, workspace, messageOf }, place) {
    const { failure } = workspace;
    if (failure)
        fill(
            place,
            notRead(texts, messageOf(failure), () => workspace.refresh()),
        );
    else if (!place.querySelector(".skeletons")) fill(place, skeleton(texts));
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
