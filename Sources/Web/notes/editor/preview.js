/** A rendered note whose tasks can be ticked while the text changes elsewhere. */
import { ChangeSet, EditorView } from "codemirror";
import { fill, h } from "../../shared/dom.js";
import { render } from "../markdown/render.js";

/** @import { Field } from "./field.js" */

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

    constructor() {
        this.element = h("div", { class: "note-preview markdown", tabindex: "-1", hidden: true });
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
    }

    /** @param {Field} body */
    show(body) {
        this.#body = body;
        this.element.hidden = false;
        this.#showSoon();
    }

    /** Hides the preview and stops following the text, because following costs time per keystroke. */
    hide() {
        this.element.hidden = true;
        this.#shown.text = null;
    }

    /** @param {(string | number)[]} held */
    #release(...held) {
        for (const each of held) if (this.#held.delete(each)) this.#showSoon();
    }

    #showSoon() {
        cancelAnimationFrame(this.#frame);
        this.#frame = requestAnimationFrame(() => this.#show());
    }

    #show() {
        if (!this.#body || this.element.hidden || this.#held.size > 0) return;
        const { isFrozen, view } = this.#body;
        const text = view.state.doc.toString();
        if (text === this.#shown.text && isFrozen === this.#shown.isFrozen) return;
        const boxes = () => /** @type {HTMLInputElement[]} */ ([...this.element.querySelectorAll("input")]);
        const focused = boxes().indexOf(/** @type {HTMLInputElement} */ (document.activeElement));
        const ontick = isFrozen ? undefined : this.#tick.bind(this, view);
        fill(this.element, render(text, { level: 2, ontick }));
        boxes()[focused]?.focus();
        this.#shown = { text, isFrozen, since: ChangeSet.empty(text.length) };
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
