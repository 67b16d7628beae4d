/** Lines over all panes that stay until what they say is over. */
import { fill, h } from "../shared/dom.js";
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
        this.all = new Map();
    }

    /**
     * Shows a line, in the place of the one that had its name, or with null takes that away.
     * @param {string} name
     * @param {Bar | null} bar
     */
    set = (name, bar) => {
        const before = this.all.get(name);
        if (!bar) {
            before?.remove();
            this.all.delete(name);
            return;
        }
        const line = before ?? h("div", { class: "bar-line", role: bar.urgent ? "alert" : "status" });
        this.all.set(name, line);
        // First in the page and then filled: else screen readers do not hear of it.
        if (!before) this.element.append(line);
        const actions = (bar.actions ?? []).map(({ label, run }) =>
            h("button", { type: "button", onclick: run }, label),
        );
        fill(line, icon("alert"), h("span", {}, bar.text), actions);
    };

    clear() {
        for (const name of [...this.all.keys()]) this.set(name, null);
    }
}
