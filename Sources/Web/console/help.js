// The dialog with the shortcuts that work on the present screen.

import { openKeyList } from "../shared/key-list.js";

/** Shortcuts of lists and fields, which are not registered. */
const always = [
    ["↑ ↓", "key.move"],
    ["Enter", "value.link.open"],
    ["Esc", "close"],
];

/**
 * @param {import("../shared/texts.js").Texts} texts
 * @param {import("../shared/keys.js").Keys} keys
 */
export function openHelp(texts, keys) {
    const all = [...keys.all].map(
        ({ keys: stroke, label }) => /** @type {const} */ ([keys.format(stroke), texts.say(label)]),
    );
    openKeyList(texts, "help.title", [
        ["help.here", all.filter(([stroke]) => !stroke.startsWith("g "))],
        ["help.go", all.filter(([stroke]) => stroke.startsWith("g "))],
        ["help.lists", always.map(([stroke, label]) => [stroke, texts.say(label)])],
    ]);
}
