/** A rendered note whose tasks can be ticked while the text changes elsewhere. */
import { ChangeSet, EditorView } from "codemirror";
import { fill, h } from "../../shared/dom.js";
import { render } from "../markdown/render.js";
import { colorCode } from "./code-languages.js";
import { across, markAt } from "./reading-place.js";

/** @import { Files } from "../markdown/render.js" */
/** @import { Field } from "./field.js" */
/** @import { Mark } from "./reading-place.js" */

/** The length of a text whose rendering takes so long that a sign announces it, in UTF-16 units. */
const longText = 1 << 17;

/** The content of a task's brackets. */
const mark = /^[ xX]$/;

export class Preview {
    #closing = new AbortController();
    #frame = 0;
    /** The pressed key and pointers. The preview is not rerendered while any is pressed, so that its target stays. */
    #held = /** @type {Set<string | number>} */ (new Set());
    /** The rendered text, and the changes since. */
    #shown = { text: /** @type {string | null} */ (null), isFrozen: false, since: ChangeSet.empty(0) };
    /** @type {Field | null} */
    #body = null;
    /** The rendered blocks, with the offsets of their beginnings. @type {[Element, number][]} */
    #blocks = [];
    /** The offset of the text to show first, once. */
    #wanted = 0;

    /**
     * @param {object} targets
     * @param {(id: string) => string} targets.addressOf returns the address of a note
     * @param {Files} targets.files
     * @param {string} waiting the sign for a text that takes long
     */
    constructor(targets, waiting) {
        this.targets = targets;
        this.element = h("div", { class: "note-preview markdown", tabindex: "-1", hidden: true });
        this.sign = h("p", { class: "note-preview-sign", role: "status" }, h("span", { class: "hint" }, waiting));
        this.element.addEventListener("keydown", ({ key }) => key === " " && this.#held.add(key));
        this.element.addEventListener("pointerdown", ({ pointerId }) => this.#held.add(pointerId));
        const { signal } = this.#closing;
        addEventListener("keyup", ({ key }) => this.#release(key), { signal });
        for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
            addEventListener(end, ({ pointerId }) => this.#release(pointerId), { signal });
        }
        addEventListener("blur", () => this.#release(...this.#held), { signal });
    }

    /** The extension for the field whose text is shown. */
    get extension() {
        return EditorView.updateListener.of(({ docChanged, changes }) => {
            if (!docChanged || this.#shown.text === null) return;
            this.#shown.since = this.#shown.since.compose(changes);
            this.#showSoon();
        });
    }

    close() {
        this.#closing.abort();
        cancelAnimationFrame(this.#frame);
        this.sign.remove();
    }

    /**
     * Shows the text of a field, which the preview replaces.
     * @param {Field} body
     */
    show(body) {
        if (this.element.hidden) this.#wanted = body.place;
        this.#body = body;
        body.element.hidden = true;
        this.element.hidden = false;
        this.#showSoon();
    }

    /**
     * Shows the field instead, and stops following the text, because following costs time per keystroke.
     * @param {Field} body
     */
    hide(body) {
        body.element.hidden = false;
        if (this.element.hidden) return;
        this.sign.remove();
        const isShown = this.#shown.text !== null;
        const place = isShown ? Math.floor(across(this.#marks(), 1, this.element.scrollTop)) : this.#wanted;
        this.element.hidden = true;
        this.#shown.text = null;
        body.place = place;
    }

    /** Shows a place of the text. @param {number} offset */
    jump(offset) {
        this.element.scrollTop = across(this.#marks(), 0, offset);
        this.element.focus();
    }

    /** Returns the tops of the rendered blocks. @returns {Mark[]} */
    #marks() {
        const { element } = this;
        const start = element.getBoundingClientRect().top - element.scrollTop;
        /** @type {Mark[]} */
        const marks = this.#blocks.map(([block, from]) => [from, block.getBoundingClientRect().top - start]);
        return [...marks, [this.#shown.text?.length ?? 0, element.scrollHeight]];
    }

    /** @param {(string | number)[]} held */
    #release(...held) {
        for (const each of held) if (this.#held.delete(each)) this.#showSoon();
    }

    #showSoon() {
        cancelAnimationFrame(this.#frame);
        this.#frame = requestAnimationFrame(() => {
            if (!this.#isOutdated) return;
            if ((this.#body?.view.state.doc.length ?? 0) < longText) return this.#show();
            // A sign that is inserted again would be announced again.
            if (!this.sign.isConnected) this.element.before(this.sign);
            // The browser paints the sign before the next frame.
            this.#frame = requestAnimationFrame(() => this.#show());
        });
    }

    /** True if the field has another text than is shown, and nothing prevents showing it. */
    get #isOutdated() {
        if (!this.#body || this.element.hidden || this.#held.size > 0) return false;
        const { isFrozen, view } = this.#body;
        return isFrozen !== this.#shown.isFrozen || view.state.doc.toString() !== this.#shown.text;
    }

    #show() {
        this.sign.remove();
        if (!this.#body || !this.#isOutdated) return;
        const { isFrozen, view } = this.#body;
        const text = view.state.doc.toString();
        const boxes = () => /** @type {HTMLInputElement[]} */ ([...this.element.querySelectorAll("input")]);
        const focused = boxes().indexOf(/** @type {HTMLInputElement} */ (document.activeElement));
        const ontick = isFrozen ? undefined : this.#tick.bind(this, view);
        const { since, text: before } = this.#shown;
        const { scrollTop } = this.element;
        const { mark } = markAt(before === null ? [] : this.#marks(), 1, scrollTop);
        this.#blocks = [];
        const onplace = (/** @type {Element} */ block, /** @type {number} */ from) => this.#blocks.push([block, from]);
        fill(this.element, render(text, { level: 2, ontick, onplace, ...this.targets }));
        colorCode(this.element);
        this.#blocks.sort(([, one], [, other]) => one - other);
        boxes()[focused]?.focus({ preventScroll: true });
        this.#shown = { text, isFrozen, since: ChangeSet.empty(text.length) };
        // The same block stays at the upper edge, and the beginning of the text at the top.
        if (before === null) this.element.scrollTop = across(this.#marks(), 0, this.#wanted);
        else if (scrollTop > 0)
            this.element.scrollTop = across(this.#marks(), 0, since.mapPos(mark[0], 1)) + scrollTop - mark[1];
    }

    /**
     * @param {EditorView} view
     * @param {number} offset the offset of the mark in the rendered text
     * @param {boolean} isTicked
     */
    #tick(view, offset, isTicked) {
        const { since } = this.#shown;
        const from = since.mapPos(offset, 1);
        const to = since.mapPos(offset + 1, -1);
        // The task may be gone meanwhile.
        if (!mark.test(view.state.doc.sliceString(from, to))) return;
        view.dispatch({ changes: { from, to, insert: isTicked ? "x" : " " }, userEvent: "input" });
    }
}
