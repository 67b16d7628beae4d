/** The list of notes that opens after `[[`, filters as the user types, and writes a link to the chosen note. */
import { EditorView } from "codemirror";
import { fill, h, userText } from "../../shared/dom.js";
import { noteLink } from "../markdown/note-links.js";
import { namesAt } from "./mark-commands.js";

/** @import { EditorState, KeyBinding, ViewUpdate } from "codemirror" */

/** @typedef {{ id: string, title: string }} Choice */

const code = ["CodeBlock", "FencedCode", "InlineCode"];
/** The maximum length of a typed name, in UTF-16 units. */
const maxName = 100;
/** The width of the list, in pixels. */
const width = 288;

/**
 * Returns the words after `[[` before the caret, and the offset of the brackets, or null.
 * @param {EditorState} state
 */
export function typedName(state) {
    const { head, empty } = state.selection.main;
    const from = Math.max(state.doc.lineAt(head).from, head - maxName - 2);
    const [whole, words] = /\[\[([^[\]]*)$/.exec(state.sliceDoc(from, head)) ?? [];
    if (!empty || state.readOnly || whole === undefined) return null;
    const names = namesAt(state);
    return code.some((name) => names.has(name)) ? null : { from: head - whole.length, to: head, words };
}

/**
 * Returns the change that writes a link instead of the typed name and the brackets around it.
 * @param {EditorState} state
 * @param {Choice} note
 */
export function linkTo(state, { id, title }) {
    const typed = typedName(state);
    if (!typed) return null;
    const { from, to } = typed;
    const insert = noteLink(id, title);
    const changes = { from, to: to + (state.sliceDoc(to, to + 2) === "]]" ? 2 : 0), insert };
    return { changes, selection: { anchor: from + insert.length }, scrollIntoView: true, userEvent: "input" };
}

const look = EditorView.theme({
    ".note-choices": {
        position: "absolute",
        zIndex: "30",
        boxSizing: "border-box",
        width: `min(${width}px, 100%)`,
        maxHeight: "16rem",
        overflow: "auto",
        border: "1px solid var(--line)",
        borderRadius: "var(--round)",
        background: "var(--raised)",
        boxShadow: "0 0.75rem 2.5rem var(--shadow)",
        padding: "var(--hair)",
        fontSize: "var(--body)",
    },
    ".note-choices > div": {
        overflow: "hidden",
        textOverflow: "ellipsis",
        whiteSpace: "nowrap",
        borderRadius: "var(--round)",
        cursor: "pointer",
        padding: "var(--hair) var(--gap)",
    },
    ".note-choices > :hover": { background: "var(--hover)" },
    ".note-choices > [aria-selected=true]": { background: "var(--accent-wash)", color: "var(--accent)" },
    "@media (pointer: coarse)": { ".note-choices > div": { lineHeight: "calc(var(--control) - 2 * var(--hair))" } },
});

export class NoteChoices {
    /** @type {EditorView | null} */
    #view = null;
    #find;
    #fail;
    /** @type {Choice[]} */
    #notes = [];
    #active = 0;
    /** The number of the latest search, to drop the results of earlier ones. */
    #count = 0;
    /** True after Escape, until the caret leaves the name. */
    #isDismissed = false;
    /** The latest search. */
    #reading = Promise.resolve();

    /**
     * @param {string} label
     * @param {(words: string) => Promise<Choice[]>} find
     * @param {(failure: unknown) => void} fail
     */
    constructor(label, find, fail) {
        this.#find = find;
        this.#fail = fail;
        this.list = h("div", { class: "note-choices", role: "listbox", id: "choices", "aria-label": label });
        // A press leaves the focus in the text.
        this.list.addEventListener("pointerdown", (event) => event.preventDefault());
        this.list.addEventListener("mousedown", (event) => event.preventDefault());
        this.list.addEventListener("click", (event) => {
            const choice = event.target instanceof Element ? event.target.closest("[role=option]") : null;
            if (choice instanceof HTMLElement) this.#choose(Number(choice.dataset.at));
        });
    }

    get extension() {
        return [
            EditorView.updateListener.of((update) => this.#follow(update)),
            EditorView.domEventHandlers({ blur: () => this.#close() }),
            look,
        ];
    }

    /** @type {readonly KeyBinding[]} */
    keys = [
        { key: "ArrowDown", run: () => this.#move(1) },
        { key: "ArrowUp", run: () => this.#move(-1) },
        { key: "Enter", run: () => this.#isOpen && this.#choose(null) },
        { key: "Tab", run: () => this.#isOpen && this.#choose(null) },
        { key: "Escape", run: () => this.#dismiss() },
    ];

    get #isOpen() {
        return this.list.isConnected;
    }

    /** @param {ViewUpdate} update */
    #follow({ view, state, docChanged, selectionSet, transactions }) {
        if (!docChanged && !selectionSet) return;
        this.#view = view;
        const typed = typedName(state);
        if (!typed) {
            this.#isDismissed = false;
            return this.#close();
        }
        const isTyped = transactions.some((each) => each.isUserEvent("input") || each.isUserEvent("delete"));
        if (this.#isDismissed || !(isTyped || this.#isOpen)) return;
        this.#reading = this.#read(view, typed.words).catch(this.#fail);
    }

    /** @param {EditorView} view @param {string} words */
    async #read(view, words) {
        this.#count += 1;
        const mine = this.#count;
        const notes = await this.#find(words);
        if (mine !== this.#count) return;
        if (notes.length === 0) return this.#close();
        this.#notes = notes;
        this.#active = 0;
        if (!this.#isOpen) view.dom.append(this.list);
        this.#render(view);
        this.#place(view);
    }

    /** @param {EditorView} view */
    #render(view) {
        fill(
            this.list,
            this.#notes.map(({ title }, at) => {
                const selected = String(at === this.#active);
                const form = {
                    role: "option",
                    id: `choice-${at}`,
                    "data-at": at,
                    "aria-selected": selected,
                    dir: "auto",
                };
                return h("div", form, userText(title));
            }),
        );
        this.list.children[this.#active].scrollIntoView({ block: "nearest" });
        view.contentDOM.setAttribute("aria-controls", this.list.id);
        view.contentDOM.setAttribute("aria-activedescendant", `choice-${this.#active}`);
    }

    /** Places the list below the brackets, or above them if there is more room. @param {EditorView} view */
    #place(view) {
        const from = typedName(view.state)?.from;
        const at = from === undefined ? null : view.coordsAtPos(from, 1);
        if (!at) return this.#close();
        const field = view.dom.getBoundingClientRect();
        const { style, offsetHeight, offsetWidth } = this.list;
        const height = globalThis.visualViewport?.height ?? innerHeight;
        const isAbove = at.bottom + offsetHeight > height && at.top > height - at.bottom;
        style.top = `${(isAbove ? at.top - offsetHeight : at.bottom) - field.top}px`;
        style.left = `${Math.max(0, Math.min(at.left - field.left, field.width - offsetWidth))}px`;
    }

    #close() {
        this.#count += 1;
        this.list.remove();
        this.#view?.contentDOM.removeAttribute("aria-controls");
        this.#view?.contentDOM.removeAttribute("aria-activedescendant");
    }

    #dismiss() {
        if (!this.#isOpen) return false;
        this.#isDismissed = true;
        this.#close();
        return true;
    }

    /** Moves the choice after the search for the last letter, which begins at the first note. @param {number} step */
    #move(step) {
        if (!this.#isOpen) return false;
        this.#reading.then(() => {
            if (!this.#isOpen || !this.#view) return;
            this.#active = (this.#active + step + this.#notes.length) % this.#notes.length;
            this.#render(this.#view);
        });
        return true;
    }

    /** @param {number | null} at null for the active choice, after the search for the last letter */
    #choose(at) {
        const choose = () => {
            const note = this.#notes[at ?? this.#active];
            const change = this.#isOpen && this.#view && linkTo(this.#view.state, note);
            if (change) this.#view?.dispatch(change);
        };
        if (at === null) this.#reading.then(choose);
        else choose();
        return true;
    }
}
