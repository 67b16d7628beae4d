/** A note's text as its reader sees it, in which tasks are ticked while it is written elsewhere. */
import { ChangeSet, EditorView } from "codemirror";
import { fill, h } from "../../shared/dom.js";
import { render } from "../markdown/render.js";

/** @import { Field } from "./field.js" */

/** What a task has between its brackets. */
const mark = /^[ xX]$/;

export class Preview {
    #closing = new AbortController();
    #frame = 0;
    /** The key and the pointers that are held down in it: what they are pressed on stays until they are let go. */
    #held = /** @type {Set<string | number>} */ (new Set());
    /** What is shown, and how the text has changed since. */
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

    /** Belongs to the field whose text it shows. */
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

    /** Its text is not followed any more, which would cost more with everything that is typed. */
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
     * @param {number} offset of the mark in the text that is shown
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
