/** Stands where a part will be. */
import { h } from "../shared/dom.js";

/** @type {import("./panes.js").Module["open"]} */
export function open() {
    return { element: h("div", {}) };
}
