/** A dialog that lists the keyboard shortcuts. */
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";

/**
 * @param {import("./texts.js").Texts} texts
 * @param {string} title a key of the texts, like each heading
 * @param {[heading: string, keys: (readonly [stroke: string, label: string])[]][]} groups
 */
export function openKeyList(texts, title, groups) {
    const body = groups.flatMap(([heading, keys]) => [
        h("h3", {}, texts.say(heading)),
        h(
            "dl",
            { class: "keys" },
            keys.map(([stroke, label]) => h("div", {}, h("dt", {}, strokes(stroke)), h("dd", {}, label))),
        ),
    ]);
    const dialog = openDialog(texts, { title: texts.say(title), body });
    // The list may scroll, and no button of the dialog is to be pressed first.
    dialog.body.tabIndex = 0;
    dialog.body.focus();
}

/** @param {string} stroke */
function strokes(stroke) {
    return stroke.split(" ").map((one) => h("kbd", {}, one.length === 1 ? one.toUpperCase() : one));
}
