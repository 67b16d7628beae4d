// The list of keys that work here and now.

import { openDialog } from "../shared/dialog.js";
import { h } from "../shared/dom.js";

/** Keys of lists and fields, which no registration tells of. */
const always = [
    ["↑ ↓", "key.move"],
    ["Enter", "value.link.open"],
    ["Esc", "close"],
];

/** @param {import("./frame.js").Frame} frame */
export function openHelp(frame) {
    const { texts, keys } = frame;
    const all = [...keys.all].map(
        ({ keys: stroke, label }) => /** @type {const} */ ([keys.shown(stroke), texts.say(label)]),
    );
    const groups = [
        ["help.here", all.filter(([stroke]) => !stroke.startsWith("g "))],
        ["help.go", all.filter(([stroke]) => stroke.startsWith("g "))],
        ["help.lists", always.map(([stroke, label]) => [stroke, texts.say(label)])],
    ];
    openDialog({
        title: texts.say("help.title"),
        body: groups.flatMap(([title, list]) => [
            h("h3", {}, texts.say(String(title))),
            h(
                "dl",
                { class: "keys" },
                /** @type {string[][]} */ (list).map(([stroke, label]) =>
                    h("div", {}, h("dt", {}, strokes(stroke)), h("dd", {}, label)),
                ),
            ),
        ]),
        close: texts.say("close"),
        kind: "help",
    });
}

/** @param {string} stroke */
function strokes(stroke) {
    return stroke.split(" ").map((one) => h("kbd", {}, one.length === 1 ? one.toUpperCase() : one));
}
