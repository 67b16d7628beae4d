// A long list of which only what is seen stands in the page.

import { h } from "../../shared/dom.js";

/** How many rows are kept above and below what is seen. */
const margin = 8;

/**
 * Rows of one height. Arrows, Page, Home and End move from row to row; each row has one control that takes the focus.
 * @typedef {object} RowsForm
 * @property {string} label
 * @property {number} height of a row, in pixels
 * @property {(index: number) => HTMLElement} make with a control that has the class `primary-control`
 * @property {() => void} [nearEnd] called when the last rows are seen
 * @property {(index: number, event: KeyboardEvent) => boolean} [press] whether it took the key
 */
export class Rows {
    /** @param {RowsForm} form */
    constructor(form) {
        this.form = form;
        this.count = 0;
        this.active = 0;
        /** @type {Map<number, HTMLElement>} */
        this.shown = new Map();
        this.space = h("ul", { class: "window-space", "aria-label": form.label });
        this.element = h("div", {
            class: "window",
            onscroll: () => this.draw(),
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
        });
        this.element.append(this.space);
        this.element.addEventListener("focusin", (event) => this.take(/** @type {Element} */ (event.target)));
        this.space.style.setProperty("--row-height", `${form.height}px`);
        new ResizeObserver(() => this.draw()).observe(this.element);
    }

    /**
     * Says that what the rows show has changed.
     * @param {number} count
     */
    renew(count) {
        const focused = this.element.contains(document.activeElement);
        this.count = count;
        this.active = Math.max(0, Math.min(this.active, count - 1));
        for (const row of this.shown.values()) row.remove();
        this.shown.clear();
        this.space.style.setProperty("block-size", `${count * this.form.height}px`);
        this.draw();
        if (focused && count > 0) this.focus(this.active);
    }

    draw() {
        const { height, make, nearEnd } = this.form;
        const first = Math.max(0, Math.floor(this.element.scrollTop / height) - margin);
        const seen = Math.ceil((this.element.clientHeight || 800) / height);
        const end = Math.min(this.count, first + seen + 2 * margin);
        for (const [index, row] of this.shown) {
            if ((index < first || index >= end) && index !== this.active) {
                row.remove();
                this.shown.delete(index);
            }
        }
        for (let index = first; index < end; index++) this.put(index, make);
        if (this.active < this.count) this.put(this.active, make);
        if (end === this.count && this.count > 0) nearEnd?.();
    }

    /** @param {number} index @param {(index: number) => HTMLElement} make */
    put(index, make) {
        if (this.shown.has(index)) return;
        const row = h(
            "li",
            { class: "window-row", "aria-setsize": this.count, "aria-posinset": index + 1 },
            make(index),
        );
        row.style.setProperty("inset-block-start", `${index * this.form.height}px`);
        const after = [...this.shown.keys()].filter((other) => other > index).sort((one, other) => one - other)[0];
        this.space.insertBefore(row, this.shown.get(after) ?? null);
        this.shown.set(index, row);
        this.rove(index, row);
    }

    /** @param {number} index @param {HTMLElement} row */
    rove(index, row) {
        for (const control of row.querySelectorAll("a, button, input")) {
            /** @type {HTMLElement} */ (control).tabIndex = index === this.active ? 0 : -1;
        }
    }

    /** @param {Element} target */
    take(target) {
        for (const [index, row] of this.shown) if (row.contains(target)) this.activate(index);
    }

    /** @param {number} index */
    activate(index) {
        const before = this.shown.get(this.active);
        const old = this.active;
        this.active = index;
        if (before) this.rove(old, before);
        const row = this.shown.get(index);
        if (row) this.rove(index, row);
    }

    /**
     * Scrolls to a row.
     * @param {number} index
     */
    reveal(index) {
        this.activate(index);
        const { height } = this.form;
        const { scrollTop, clientHeight } = this.element;
        if (index * height < scrollTop) this.element.scrollTop = index * height;
        else if ((index + 1) * height > scrollTop + clientHeight)
            this.element.scrollTop = (index + 1) * height - clientHeight;
        this.draw();
    }

    /** @param {number} index */
    focus(index) {
        this.reveal(index);
        /** @type {HTMLElement | null | undefined} */ (this.shown.get(index)?.querySelector(".primary-control"))?.focus(
            { preventScroll: true },
        );
    }

    /** @param {KeyboardEvent} event */
    press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || this.count === 0) return;
        const page = Math.max(1, Math.floor(this.element.clientHeight / this.form.height) - 1);
        /** @type {Record<string, number>} */
        const steps = {
            ArrowDown: 1,
            ArrowUp: -1,
            PageDown: page,
            PageUp: -page,
            Home: -this.count,
            End: this.count,
        };
        if (this.form.press?.(this.active, event)) return event.preventDefault();
        if (!(event.key in steps)) return;
        event.preventDefault();
        this.focus(Math.max(0, Math.min(this.count - 1, this.active + steps[event.key])));
    }
}
