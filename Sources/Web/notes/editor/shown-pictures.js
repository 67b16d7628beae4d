/** Pictures under the lines that refer to them. */
import { Decoration, EditorView, StateEffect, StateField, syntaxTree, WidgetType } from "codemirror";
import { attachmentOf, withAltText } from "../attachments/references.js";
import { decoded } from "../markdown/decoding.js";
import { targetOf } from "../markdown/inlines.js";

/** @import { DecorationSet, EditorState, SyntaxNode, Text, Transaction } from "codemirror" */
/** @import { NoteFiles } from "./note-files.js" */

/** A picture's reference in a text. @typedef {{ id: string, words: string, from: number, to: number }} Reference */

/** The height of a picture that is not measured yet, in pixels. */
const estimatedHeight = 240;
const sign = "](attachments/";

/** Returns the pictures that the lines of a range refer to. @param {EditorState} state @param {number} from @param {number} to */
function referencesIn(state, from, to) {
    /** @type {Reference[]} */
    const found = [];
    syntaxTree(state).iterate({
        from,
        to,
        enter({ name, node }) {
            if (name !== "Image") return;
            const reference = referenceAt(state, node);
            if (reference) found.push(reference);
        },
    });
    return found;
}

/** Returns the pictures of a text in their order. @param {EditorState} state */
export const picturesIn = (state) => referencesIn(state, 0, state.doc.length);

/** Returns the reference of an image to a picture, or null. @param {EditorState} state @param {SyntaxNode} image @returns {Reference | null} */
export function referenceAt(state, image) {
    const id = attachmentOf(targetOf({ slice: (from, to) => state.sliceDoc(from, to) }, image));
    const [open, close] = image.getChildren("LinkMark");
    if (id === null || !open || !close) return null;
    return { id, words: decoded(state.sliceDoc(open.to, close.from)), from: image.from, to: image.to };
}

/** The shown pictures and their elements by their places in editors. @type {WeakMap<HTMLElement, { picture: Picture, element: HTMLElement }>} */
const shownPictures = new WeakMap();

/** Tells the editor that a picture has another height. CodeMirror measures again only what changes. */
const resized = StateEffect.define();

/** The picture of a reference. */
class Picture extends WidgetType {
    /**
     * @param {Reference} reference
     * @param {object} form
     * @param {boolean} form.isFrozen
     * @param {number} form.version the number of changed heights before
     * @param {NoteFiles} form.files
     */
    constructor({ id, words }, { isFrozen, version, files }) {
        super();
        this.version = version;
        this.id = id;
        this.words = words;
        this.isFrozen = isFrozen;
        this.files = files;
    }

    /** @override */
    get estimatedHeight() {
        return estimatedHeight;
    }

    /** @override @param {Picture} other */
    eq(other) {
        return this.isSame(other) && other.version === this.version;
    }

    /** @param {Picture} other */
    isSame({ id, words, isFrozen }) {
        return id === this.id && words === this.words && isFrozen === this.isFrozen;
    }

    /** @override @param {HTMLElement} box */
    updateDOM(box) {
        const shown = shownPictures.get(box);
        return shown !== undefined && this.isSame(shown.picture);
    }

    /** @override @param {EditorView} view */
    toDOM(view) {
        // Outside of the shadow tree, the page's style sheets apply.
        const place = document.createElement("slot");
        place.name = crypto.randomUUID();
        const box = document.createElement("div");
        box.append(place);
        const element = this.files.picture(this.id, this.words, {
            onsize: () => view.dispatch({ effects: resized.of(null) }),
            onwords: this.isFrozen ? undefined : (words) => this.#rename(view, box, words),
        });
        element.slot = place.name;
        /** @type {ShadowRoot} */ (view.root).host.append(element);
        shownPictures.set(box, { picture: this, element });
        return box;
    }

    /** @override @param {HTMLElement} box */
    destroy(box) {
        shownPictures.get(box)?.element.remove();
    }

    /** @override @param {Event} event */
    ignoreEvent(event) {
        return event.type !== "drop" && event.type !== "dragover";
    }

    /** Writes another alternative text. @param {EditorView} view @param {HTMLElement} box @param {string} words */
    #rename(view, box, words) {
        const line = view.state.doc.lineAt(view.posAtDOM(box));
        const found = referencesIn(view.state, line.from, line.to).find(({ id }) => id === this.id);
        if (!found || view.state.readOnly) return;
        const { from, to } = found;
        const insert = withAltText(view.state.sliceDoc(from, to), words);
        view.dispatch({ changes: { from, to, insert }, userEvent: "input" });
    }
}

/**
 * The beginnings of lines that may refer to pictures, with the pictures and the number of their changed heights.
 * @typedef {{ lines: number[], shown: DecorationSet, version: number }} Found
 */

/** Returns the beginnings of such lines in a range. @param {Text} doc @param {number} from @param {number} to */
function linesIn(doc, from, to) {
    /** @type {number[]} */
    const found = [];
    let at = doc.lineAt(from).from;
    for (const text of doc.iterLines(doc.lineAt(from).number, doc.lineAt(to).number + 1)) {
        if (text.includes(sign)) found.push(at);
        at += text.length + 1;
    }
    return found;
}

/** Returns the lines after a change. @param {number[]} lines @param {Transaction} transaction */
function changedLines(lines, { changes, newDoc }) {
    /** @type {Set<number>} */
    const found = new Set();
    for (const at of lines) {
        const line = newDoc.lineAt(changes.mapPos(at, -1));
        if (line.text.includes(sign)) found.add(line.from);
    }
    changes.iterChangedRanges((_fromA, _toA, from, to) => {
        for (const at of linesIn(newDoc, from, to)) found.add(at);
    });
    return [...found].sort((one, other) => one - other);
}

/** Shows the pictures of a text. @param {NoteFiles} files */
export function picturesOf(files) {
    /** @param {EditorState} state @param {number[]} lines @param {number} version @returns {Found} */
    const shown = (state, lines, version) => {
        const widgets = lines.flatMap((at) => {
            const { from, to } = state.doc.lineAt(at);
            return referencesIn(state, from, to).map((reference) =>
                Decoration.widget({
                    widget: new Picture(reference, { isFrozen: state.readOnly, version, files }),
                    side: 1,
                    block: true,
                }).range(state.doc.lineAt(reference.to).to),
            );
        });
        return { lines, shown: lines.length > 0 ? Decoration.set(widgets, true) : Decoration.none, version };
    };
    return StateField.define({
        create: (state) => shown(state, linesIn(state.doc, 0, state.doc.length), 0),
        update(found, transaction) {
            const { startState, state, docChanged } = transaction;
            const lines = docChanged ? changedLines(found.lines, transaction) : found.lines;
            if (lines.length === 0 && found.lines.length === 0) return found;
            const isParsed = syntaxTree(startState) !== syntaxTree(state);
            const isResized = transaction.effects.some((effect) => effect.is(resized));
            const isOther = docChanged || isParsed || isResized || startState.readOnly !== state.readOnly;
            return isOther ? shown(state, lines, found.version + Number(isResized)) : found;
        },
        provide: (field) => EditorView.decorations.from(field, ({ shown }) => shown),
    });
}
