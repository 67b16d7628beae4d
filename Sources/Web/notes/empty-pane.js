/** The view of main while no note is open. */
import { h } from "../shared/dom.js";

/** @type {import("./panes.js").Module["open"]} */
export function open({ texts, keys, route }) {
    const unknown = route.place === "unknown";
    const text = texts.say(unknown ? "frame.unknown" : "frame.nothing");
    const hint = h("p", { class: "hint" }, texts.parts("frame.nothing.keys", { new: key("n"), help: key("?") }));
    return { element: h("section", { class: "nothing" }, h("p", {}, text), unknown ? null : hint) };

    /** @param {string} stroke */
    function key(stroke) {
        return h("kbd", {}, keys.format(stroke).toUpperCase());
    }
}
