// A long list whose rows contain controls.

import { h } from "../../shared/dom.js";
import { RowWindow } from "../../shared/row-window.js";

/**
 * Rows of one height. Arrows, Page Up, Page Down, Home and End move between rows; only one control per row takes the
 * focus.
 * @typedef {object} RowsForm
 * @property {string} label
 * @property {number} height the height of a row, in pixels
 * @property {(index: number) => HTMLElement} make creates a row, with a control of the class `primary-control`
 * @property {() => void} [nearEnd] called when the last row is rendered
 * @property {(index: number, event: KeyboardEvent) => boolean} [press] returns true if the key was handled
 */
export class ControlRows extends RowWindow {
    /** @param {RowsForm} form */
    constructor(form) {
        const space = h("ul", { class: "window-space", "aria-label": form.label });
        super(h("div", { class: "window" }, space), space, 0);
        this.form = form;
        this.rowHeight = form.height;
        space.style.setProperty("--row-height", `${form.height}px`);
        this.element.addEventListener("focusin", (event) => {
            for (const [at, row] of this.shown) if (row.contains(/** @type {Node} */ (event.target))) this.activate(at);
        });
    }

    /**
     * Renders the rows again after their content has changed.
     * @param {number} count
     */
    update(count) {
        this.count = count;
        this.active = Math.max(0, Math.min(this.active, count - 1));
        this.render(true);
    }

    /** @override @param {boolean} anew */
    render(anew) {
        const focused = anew && this.element.contains(document.activeElement);
        super.render(anew);
        if (focused && this.count > 0) {
            // A row that stays keeps the focus on the same control.
            const kept = [...this.shown].find(([, row]) => row.contains(document.activeElement));
            if (kept) this.activate(kept[0]);
            else this.focus(this.active);
        }
        if (this.shown.has(this.count - 1)) this.form.nearEnd?.();
    }

    /** @override @param {number} at */
    row(at) {
        const row = h(
            "li",
            { class: "window-row", "aria-setsize": this.count, "aria-posinset": at + 1 },
            this.form.make(at),
        );
        this.rove(at, row);
        return row;
    }

    /** @param {number} at @param {HTMLElement | undefined} row */
    rove(at, row) {
        for (const control of row?.querySelectorAll("a, button, input") ?? []) {
            /** @type {HTMLElement} */ (control).tabIndex = at === this.active ? 0 : -1;
        }
    }

    /** @param {number} at */
    activate(at) {
        const before = this.active;
        this.active = at;
        this.rove(before, this.shown.get(before));
        this.rove(at, this.shown.get(at));
    }

    /** @override @param {number} at */
    reveal(at) {
        this.activate(at);
        this.measure();
        this.render(false);
        super.reveal(at);
    }

    /** @param {number} at */
    focus(at) {
        this.reveal(at);
        /** @type {HTMLElement | null | undefined} */ (this.shown.get(at)?.querySelector(".primary-control"))?.focus({
            preventScroll: true,
        });
    }

    /** @override @param {KeyboardEvent} event */
    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || this.count === 0) return;
        if (this.form.press?.(this.active, event)) return event.preventDefault();
        const target = this.target(event.key);
        if (target === undefined) return;
        event.preventDefault();
        this.focus(target);
    }
}
