/** The search within a note: marks, counts and steps through the matches. */
import { Decoration, EditorView, StateEffect, StateField, ViewPlugin } from "codemirror";
import { fill, h } from "../../shared/dom.js";
import { matches } from "../engine/excerpt.js";
import { fold, foldWithPlaces } from "../engine/fold.js";
import { readQuery, termsOf } from "../engine/query.js";
import { iconButton } from "../icons.js";

/** @import { Range, Text, ViewUpdate } from "codemirror" */
/** @typedef {(line: string) => [from: number, to: number][]} Finder */

/** The maximum length of a selection that becomes the search text, in UTF-16 units. */
const maxSelectionLength = 200;

/** @type {Finder} */
const noFinder = () => [];
/** @type {import("codemirror").StateEffectType<Finder>} */
const setFinder = StateEffect.define();
const finder = StateField.define({
    create: () => noFinder,
    update: (known, { effects }) =>
        /** @type {any} */ (effects.findLast((effect) => effect.is(setFinder)))?.value ?? known,
});
const mark = Decoration.mark({ class: "cm-found" });
const currentMark = Decoration.mark({ class: "cm-found cm-found-here" });

const marks = ViewPlugin.fromClass(
    class {
        /** @param {EditorView} view */
        constructor(view) {
            this.decorations = this.of(view);
        }

        /** @param {ViewUpdate} update */
        update({ view, docChanged, viewportChanged, selectionSet, startState }) {
            const isOther = startState.field(finder) !== view.state.field(finder);
            if (isOther || docChanged || viewportChanged || selectionSet) this.decorations = this.of(view);
        }

        /** @param {EditorView} view */
        of({ state, visibleRanges }) {
            const find = state.field(finder);
            if (find === noFinder) return Decoration.none;
            const { from: start, to: end } = state.selection.main;
            /** @type {Range<Decoration>[]} */
            const found = [];
            for (const range of visibleRanges) {
                for (let at = range.from; at <= range.to; ) {
                    const line = state.doc.lineAt(at);
                    for (const place of find(line.text)) {
                        const [from, to] = [line.from + place[0], line.from + place[1]];
                        found.push((from === start && to === end ? currentMark : mark).range(from, to));
                    }
                    at = line.to + 1;
                }
            }
            return Decoration.set(found);
        }
    },
    { decorations: (plugin) => plugin.decorations },
);

const theme = EditorView.theme({
    ".cm-found": { borderRadius: "0.2em", backgroundColor: "var(--warn-wash)", color: "var(--warn)" },
    ".cm-found-here": { outline: "2px solid var(--accent)" },
});

export const findExtension = [finder, marks, theme];

/**
 * Returns the ranges of a text that match another text, ignoring case and accents.
 * @param {string} text
 * @param {string} sought the folded search text
 * @returns {[from: number, to: number][]}
 */
export function occurrences(text, sought) {
    if (sought === "" || !fold(text).includes(sought)) return [];
    const { text: folded, places } = foldWithPlaces(text);
    /** @type {[number, number][]} */
    const found = [];
    for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + sought.length)) {
        // Combining marks that were folded away belong to the letter before them.
        let end = at + sought.length;
        while (places[end] === places[end - 1]) end += 1;
        found.push([places[at], places[end]]);
    }
    return found;
}

/**
 * @param {Text} text
 * @param {Finder} find
 */
function placesIn(text, find) {
    /** @type {[number, number][]} */
    const found = [];
    let start = 0;
    for (const line of text.iterLines()) {
        for (const [from, to] of find(line)) found.push([start + from, start + to]);
        start += line.length + 1;
    }
    return found;
}

/** The search bar. */
export class FindBar {
    #view;
    #texts;
    /** The search words of the list, and their finder. */
    #listWords = "";
    /** @type {Finder} */
    #listFinder = noFinder;

    /**
     * @param {EditorView} view
     * @param {import("../../shared/texts.js").Texts} texts
     */
    constructor(view, texts) {
        this.#view = view;
        this.#texts = texts;
        const words = texts.say("editor.find");
        this.input = h("input", {
            type: "search",
            "aria-label": words,
            placeholder: words,
            autocomplete: "off",
            dir: "auto",
            oninput: () => this.#search(),
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.#press(event),
        });
        this.count = h("span", { class: "note-find-count", role: "status" });
        this.element = h(
            "div",
            { class: "note-find", role: "search", hidden: true },
            this.input,
            this.count,
            iconButton(this.#texts, "up", "editor.find.previous", () => this.#selectMatch(-1)),
            iconButton(this.#texts, "down", "editor.find.next", () => this.#selectMatch(1)),
            iconButton(this.#texts, "close", "close", () => this.close()),
        );
    }

    /** Shows the search bar, filled with the selected text. */
    open() {
        const { state } = this.#view;
        const { from, to, empty } = state.selection.main;
        const selected = empty || to - from > maxSelectionLength ? "" : state.sliceDoc(from, to);
        if (selected !== "" && !selected.includes("\n")) this.input.value = selected;
        this.element.hidden = false;
        this.input.focus();
        this.input.select();
        this.#search();
    }

    /** Closes the search bar. @returns {boolean} `true` if the search bar was open */
    close() {
        if (this.element.hidden) return false;
        this.element.hidden = true;
        this.#setFinder(this.#listFinder);
        this.#view.focus();
        return true;
    }

    /** Marks the list's search words and scrolls to the first match. @param {string} words the words as typed */
    showListMatches(words) {
        if (words === this.#listWords) return;
        this.#listWords = words;
        const sought = termsOf(readQuery(words));
        this.#listFinder = sought.length === 0 ? noFinder : (line) => matches(line, sought);
        if (!this.element.hidden) return;
        this.#setFinder(this.#listFinder);
        const [first] = sought.length === 0 ? [] : placesIn(this.#view.state.doc, this.#listFinder);
        if (first && !this.#view.hasFocus) this.#view.dispatch({ effects: EditorView.scrollIntoView(first[0]) });
    }

    /** @param {Finder} find */
    #setFinder(find) {
        if (this.#view.state.field(finder) !== find) this.#view.dispatch({ effects: setFinder.of(find) });
    }

    #search() {
        const sought = fold(this.input.value);
        this.#setFinder(sought === "" ? noFinder : (line) => occurrences(line, sought));
        this.#selectMatch(0);
    }

    /** Selects another match. @param {number} step 1 for the next match, -1 for the previous, 0 for the current */
    #selectMatch(step) {
        const { state } = this.#view;
        const places = placesIn(state.doc, state.field(finder));
        const n = places.length;
        if (n === 0) {
            fill(this.count, this.input.value === "" ? null : this.#texts.say("editor.find.none"));
            return;
        }
        const { from, to } = state.selection.main;
        const here = places.findIndex((place) => place[0] === from && place[1] === to);
        const after = places.findIndex((place) => place[0] >= from);
        const first = step < 0 ? (after < 0 ? n : after) - 1 : Math.max(after, 0);
        const at = ((here < 0 ? first : here + step) + n) % n;
        const [anchor, head] = places[at];
        this.#view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor) });
        fill(this.count, this.#texts.say("editor.find.count", { at: at + 1, n }));
    }

    /** @param {KeyboardEvent} event */
    #press(event) {
        if (event.isComposing) return;
        if (event.key === "Enter") this.#selectMatch(event.shiftKey ? -1 : 1);
        else if (event.key === "Escape") this.close();
        else return;
        event.preventDefault();
    }
}
