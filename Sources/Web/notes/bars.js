/** Bars above all panes, each shown while its reason lasts. */
import { button, fill, h } from "../shared/dom.js";
import { icon } from "./icons.js";

/**
 * @typedef {object} Bar
 * @property {string | (Node | string)[]} text
 * @property {{ label: string, run: () => void }[]} [actions]
 * @property {boolean} [urgent]
 */

export class Bars {
    constructor() {
        this.element = h("div", { class: "bars" });
        /** @type {Map<string, HTMLElement>} */
        this.byName = new Map();
    }

    /**
     * Shows a bar in place of the previous one of the same name, or removes it if `bar` is null.
     * @param {string} name
     * @param {Bar | null} bar
     */
    set = (name, bar) => {
        const before = this.byName.get(name);
        if (!bar) {
            before?.remove();
            this.byName.delete(name);
            return;
        }
        const line = before ?? h("div", { class: "bar-line", role: bar.urgent ? "alert" : "status" });
        this.byName.set(name, line);
        // Screen readers only announce an element that is in the page before it is filled.
        if (!before) this.element.append(line);
        const actions = (bar.actions ?? []).map(({ label, run }) => button(label, run));
        fill(line, icon("alert"), h("span", {}, bar.text), actions);
    };

    clear() {
        for (const name of [...this.byName.keys()]) this.set(name, null);
    }
}
