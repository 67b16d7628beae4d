/** The list of all keys. */
import { openDialog } from "../shared/dialog.js";
import { h } from "../shared/dom.js";

/** @typedef {{ keys: string, label: string, group?: string }} Listed */

/** Those that rows and texts have themselves, and those of a note while none is open. @type {Listed[]} */
const others = [
    { keys: "Enter", label: "help.open", group: "list" },
    { keys: "Space", label: "help.choose", group: "list" },
    { keys: "Alt+↑", label: "help.up", group: "list" },
    { keys: "Alt+↓", label: "help.down", group: "list" },
    { keys: "Mod+Shift+p", label: "editor.preview", group: "note" },
    { keys: "Mod+Shift+c", label: "editor.checklist", group: "note" },
    { keys: "Mod+f", label: "editor.find", group: "note" },
    { keys: "Mod+b", label: "help.bold", group: "note" },
    { keys: "Mod+i", label: "help.italic", group: "note" },
    { keys: "Mod+z", label: "help.undo", group: "note" },
];

/** @param {import("./frame.js").Frame} frame */
export function openHelp({ texts, keys }) {
    const here = [...keys.all];
    /** @type {Listed[]} */
    const all = [...here, ...others.filter((each) => !here.some((key) => key.keys === each.keys))];
    const groups = ["", "list", "note"].map((group) => all.filter((key) => (key.group ?? "") === group));
    const { body } = openDialog({
        title: texts.say("frame.help"),
        body: groups.flatMap((group, at) => [
            group.length > 0 ? h("h3", {}, texts.say(["help.everywhere", "help.list", "help.note"][at])) : null,
            h(
                "dl",
                { class: "keys" },
                group.map(({ keys: stroke, label }) =>
                    h("div", {}, h("dt", {}, strokes(keys.shown(stroke))), h("dd", {}, texts.say(label))),
                ),
            ),
        ]),
        close: texts.say("close"),
        kind: "help",
    });
    // There is more than fits, and nothing else in it that takes the focus.
    body.tabIndex = 0;
}

/** @param {string} stroke */
function strokes(stroke) {
    return stroke.split(" ").map((one) => h("kbd", {}, one.length === 1 ? one.toUpperCase() : one));
}
