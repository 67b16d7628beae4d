/** The search within a note: marks, counts, steps through the matches, and replaces them. */
import { Decoration, EditorView, StateEffect, StateField, ViewPlugin } from "codemirror";
import { button, fill, h } from "../../shared/dom.js";
import { matches } from "../engine/excerpt.js";
import { readQuery, termsOf } from "../engine/query.js";
import { iconButton } from "../icons.js";
import { finderOf, noFinder, placesIn, replacements } from "./matching.js";

/** @import { Range, ViewUpdate } from "codemirror" */
/** @import { Keys } from "../../shared/keys.js" */
/** @import { Finder } from "./matching.js" */

/** The maximum length of a selection that becomes the search text, in UTF-16 units. */
const maxSelectionLength = 200;

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

/** The search bar. */
export class FindBar {
    #view;
    #texts;
    /** The search words of the list, and their finder. */
    #listWords = "";
    /** @type {Finder} */
    #listFinder = noFinder;

    #isFrozen = false;

    /**
     * @param {EditorView} view
     * @param {import("../../shared/texts.js").Texts} texts
     * @param {Keys} keys
     */
    constructor(view, texts, keys) {
        this.#view = view;
        this.#texts = texts;
        const field = (/** @type {string} */ label, /** @type {object} */ attributes) =>
            h("input", {
                "aria-label": texts.say(label),
                placeholder: texts.say(label),
                autocomplete: "off",
                dir: "auto",
                ...attributes,
            });
        this.input = field("editor.find", {
            type: "search",
            oninput: () => this.#search(),
            onkeydown: (/** @type {KeyboardEvent} */ event) =>
                this.#press(event, "Enter", () => this.#selectMatch(event.shiftKey ? -1 : 1)),
        });
        this.replacement = field("editor.find.replacement", {
            type: "text",
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.#press(event, "Enter", () => this.#replace()),
        });
        this.count = h("span", { class: "note-find-count", role: "status" });
        this.exact = this.#option("case", "editor.find.case");
        this.whole = this.#option("word", "editor.find.word");
        this.replacing = iconButton(texts, "replace", "editor.find.replace", () => {
            this.#showReplacing(this.replacements.hidden === true);
            (this.replacements.hidden ? this.input : this.replacement).focus();
        });
        this.replacing.title += ` (${keys.format(keys.replaceKeys)})`;
        this.replacing.setAttribute("aria-keyshortcuts", keys.ariaFormat(keys.replaceKeys));
        this.replacements = h(
            "div",
            { class: "note-find-line" },
            this.replacement,
            button(texts.say("editor.find.replace"), () => this.#replace()),
            button(texts.say("editor.find.replace.all"), () => this.#replaceAll()),
        );
        this.#showReplacing(false);
        this.element = h(
            "div",
            {
                class: "note-find",
                role: "search",
                hidden: true,
                onkeydown: (/** @type {KeyboardEvent} */ event) => this.#press(event, "Escape", () => this.close()),
            },
            h(
                "div",
                { class: "note-find-line" },
                this.input,
                this.count,
                h(
                    "div",
                    { class: "note-find-tools" },
                    this.exact,
                    this.whole,
                    iconButton(texts, "up", "editor.find.previous", () => this.#selectMatch(-1)),
                    iconButton(texts, "down", "editor.find.next", () => this.#selectMatch(1)),
                    this.replacing,
                    iconButton(texts, "close", "close", () => this.close()),
                ),
            ),
            this.replacements,
        );
    }

    /** True if the text is read-only; then it is only searched. @param {boolean} isFrozen */
    set isFrozen(isFrozen) {
        this.#isFrozen = isFrozen;
        this.replacing.hidden = isFrozen;
        if (isFrozen) this.#showReplacing(false);
    }

    /** Shows the search bar, filled with the selected text. @param {boolean} [isReplacing] */
    open(isReplacing = !this.replacements.hidden) {
        const { state } = this.#view;
        const { from, to, empty } = state.selection.main;
        const selected = empty || to - from > maxSelectionLength ? "" : state.sliceDoc(from, to);
        if (selected !== "" && !selected.includes("\n")) this.input.value = selected;
        this.element.hidden = false;
        this.#showReplacing(isReplacing && !this.#isFrozen);
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
        const [isExact, isWhole] = [this.exact, this.whole].map((option) => option.ariaPressed === "true");
        this.#setFinder(finderOf(this.input.value, { isExact, isWhole }));
        this.#selectMatch(0);
    }

    /**
     * Returns a button that switches an option of the search.
     * @param {"case" | "word"} picture
     * @param {string} label
     */
    #option(picture, label) {
        const option = iconButton(this.#texts, picture, label, () => {
            option.ariaPressed = String(option.ariaPressed !== "true");
            this.#search();
        });
        option.ariaPressed = "false";
        return option;
    }

    /** @param {boolean} isShown */
    #showReplacing(isShown) {
        this.replacements.hidden = !isShown;
        this.replacing.setAttribute("aria-expanded", String(isShown));
    }

    /** Replaces the selected match and selects the next one; selects a match if none is selected. */
    #replace() {
        const { state } = this.#view;
        const { from, to } = state.selection.main;
        const isMatch = placesIn(state.doc, state.field(finder)).some(([start, end]) => start === from && end === to);
        if (!isMatch) return this.#selectMatch(0);
        this.#change([[from, to]]);
        this.#selectMatch(0);
    }

    /** Replaces all matches in one step of undo. */
    #replaceAll() {
        const { state } = this.#view;
        const places = placesIn(state.doc, state.field(finder));
        if (places.length === 0) return this.#selectMatch(0);
        this.#change(places);
        fill(this.count, this.#texts.say("editor.find.replaced", { n: places.length }));
    }

    /** @param {import("./matching.js").Place[]} places */
    #change(places) {
        if (this.#view.state.readOnly) return;
        const { state } = this.#view;
        const changes = state.changes(replacements(state.doc, places, this.replacement.value));
        // The caret stands behind the last replaced text, so that the next match is one further on.
        const anchor = changes.mapPos(places[places.length - 1][1], 1);
        this.#view.dispatch({ changes, selection: { anchor }, userEvent: "input.replace" });
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

    /**
     * Runs an action if the event is a press of its key, and not part of a composition.
     * @param {KeyboardEvent} event
     * @param {string} key
     * @param {() => void} run
     */
    #press(event, key, run) {
        if (event.isComposing || event.key !== key) return;
        event.preventDefault();
        run();
    }
}
