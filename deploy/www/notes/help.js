/** The list of keys that work here and now. */
import { openDialog } from "../shared/dialog.js";
import { h } from "../shared/dom.js";

/** @param {import("./frame.js").Frame} frame */
export function openHelp({ texts, keys }) {
    const all = [...keys.all];
    const groups = ["", "list", "note"].map((group) => all.filter((key) => (key.group ?? "") === group));
    openDialog({
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
}

/** @param {string} stroke */
function strokes(stroke) {
    return stroke.split(" ").map((one) => h("kbd", {}, one.length === 1 ? one.toUpperCase() : one));
}
