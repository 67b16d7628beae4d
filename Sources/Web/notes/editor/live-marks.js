/**
 * Live marks of Markdown: a mark is hidden until the caret touches what it belongs to, bullets and rules are drawn,
 * tasks have checkboxes, and wrapped lines of lists hang under their text.
 *
 * Hidden marks stay in the page, because selections in browsers are wrong around text that is replaced.
 */
import { Decoration, WidgetType } from "codemirror";
import { referenceAt } from "./shown-pictures.js";

/** @import { EditorState, EditorView, Range, SelectionRange, SyntaxNode } from "codemirror" */

/** @typedef {{ from: number, to: number }} Span */
/** The first characters of a line in a list, and the indentation of its text. @typedef {Span & { indentation: number }} Beginning */

/** The nodes that are hidden with the node around them. */
const inlineMarks = new Set(["CodeMark", "EmphasisMark", "StrikethroughMark"]);

/** The widths of a list's marks and the maximum indentation of its text, in em. */
const [bulletWidth, boxWidth, digitWidth, maxIndentation] = [1.4, 1.75, 0.62, 14];

const hidden = Decoration.mark({ class: "cm-md-hidden" });
const bullet = Decoration.mark({ class: "cm-md-bullet" });
const prefix = Decoration.mark({ class: "cm-md-prefix" });

/** Ticks the task whose box is at an offset, or unticks it. @param {EditorView} view @param {number} place */
export function tickAt(view, place) {
    if (view.state.readOnly) return false;
    const from = place + 1;
    const insert = view.state.sliceDoc(from, from + 1) === " " ? "x" : " ";
    view.dispatch({ changes: { from, to: from + 1, insert }, userEvent: "input" });
    return true;
}

/** The checkbox of a task. */
class Box extends WidgetType {
    /**
     * @param {string} label the task's text
     * @param {boolean} isTicked
     * @param {boolean} isFrozen
     */
    constructor(label, isTicked, isFrozen) {
        super();
        this.label = label;
        this.isTicked = isTicked;
        this.isFrozen = isFrozen;
    }

    /** @override @param {Box} other */
    eq(other) {
        return other.label === this.label && other.isTicked === this.isTicked && other.isFrozen === this.isFrozen;
    }

    /** @override @param {EditorView} view */
    toDOM(view) {
        const box = document.createElement("input");
        box.type = "checkbox";
        box.className = "cm-md-box";
        // Tab indents the line instead.
        box.tabIndex = -1;
        // A press leaves the focus where it is, so that a phone shows no keyboard.
        box.addEventListener("mousedown", (event) => event.preventDefault());
        box.addEventListener("change", () => tickAt(view, view.posAtDOM(box)));
        this.updateDOM(box);
        return box;
    }

    /** @override @param {HTMLElement} element */
    updateDOM(element) {
        const box = /** @type {HTMLInputElement} */ (element);
        box.checked = this.isTicked;
        box.disabled = this.isFrozen;
        box.ariaLabel = this.label;
        return true;
    }

    /** @override */
    ignoreEvent() {
        return true;
    }
}

/** Collects what is hidden and drawn in a text. */
export class LiveMarks {
    /** @type {Range<Decoration>[]} */
    found = [];
    /** The beginnings of lines in lists, by the offset of the line. @type {Map<number, Beginning>} */
    #beginnings = new Map();
    /** The indentations of the text of list items by the item's offset, in em. @type {Map<number, number>} */
    #indentations = new Map();

    /**
     * @param {EditorState} state
     * @param {readonly SelectionRange[]} carets
     */
    constructor(state, carets) {
        this.state = state;
        this.carets = carets;
    }

    /** Returns true if a caret or a selection touches a range. @param {Span} range */
    isNear({ from, to }) {
        return this.carets.some((caret) => caret.from <= to && caret.to >= from);
    }

    /** @param {Span} range */
    #hide({ from, to }) {
        if (from < to) this.found.push(hidden.range(from, to));
    }

    /**
     * @param {SyntaxNode} node
     * @param {Span} range
     */
    add(node, range) {
        const { name, from, to, parent } = node;
        const { doc } = this.state;
        if (name === "ListItem") this.#addItem(node, range);
        else if (name === "ListMark") this.#addListMark(node);
        else if (name === "TaskMarker") this.#addBox(node);
        else if (name === "Link" || name === "Image") this.#addLink(node);
        else if (name === "Autolink") {
            if (!this.isNear(node)) for (const mark of node.getChildren("LinkMark")) this.#hide(mark);
        } else if (name === "Escape") {
            if (!this.isNear(node)) this.#hide({ from, to: from + 1 });
        } else if (inlineMarks.has(name)) {
            if (parent && !this.isNear(parent)) this.#hide(node);
        } else if (name === "HeaderMark") this.#addHeaderMark(node);
        else if (name === "QuoteMark") {
            if (!this.isNear(doc.lineAt(from))) this.#hide({ from, to: to + this.#spacesAt(to) });
        } else if (name === "HorizontalRule" && !this.isNear(doc.lineAt(from))) {
            this.found.push(Decoration.line({ class: "cm-md-drawn" }).range(doc.lineAt(from).from));
            this.#hide(node);
        }
    }

    /** Returns the number of spaces at an offset, at most one line's. @param {number} at */
    #spacesAt(at) {
        const line = this.state.doc.lineAt(at);
        return /^[ \t]*/.exec(line.text.slice(at - line.from))?.[0].length ?? 0;
    }

    /** @param {SyntaxNode} node */
    #addHeaderMark({ from, to, parent }) {
        const line = this.state.doc.lineAt(from);
        // The underline of a heading has a line of its own, and stays.
        if (this.isNear(line) || !parent?.name.startsWith("ATX")) return;
        if (from === parent.from) {
            const end = to + this.#spacesAt(to);
            if (end < line.to) this.#hide({ from, to: end });
        } else {
            const before = this.state.sliceDoc(parent.from, from);
            this.#hide({ from: from - (before.length - before.trimEnd().length), to });
        }
    }

    /** @param {SyntaxNode} link */
    #addLink(link) {
        const [open, close] = link.getChildren("LinkMark");
        if (!open || !close || this.isNear(link)) return;
        if (link.name === "Image" && referenceAt(this.state, link)) return this.#hidePicture(link);
        if (open.to >= close.from) return;
        this.#hide(open);
        this.#hide({ from: close.from, to: link.to });
    }

    /** Hides the reference to a picture, which is shown under its line. @param {SyntaxNode} image */
    #hidePicture(image) {
        const line = this.state.doc.lineAt(image.from);
        this.#hide(image);
        if (line.text.trim() === this.state.sliceDoc(image.from, image.to))
            this.found.push(Decoration.line({ class: "cm-md-pictured" }).range(line.from));
    }

    /** @param {SyntaxNode} mark */
    #addListMark(mark) {
        if (mark.parent?.parent?.name !== "BulletList" || this.isNear(mark)) return;
        const task = mark.nextSibling?.name === "Task" ? mark.nextSibling : null;
        if (task) this.#hide({ from: mark.from, to: task.from });
        else this.found.push(bullet.range(mark.from, mark.to));
    }

    /** @param {SyntaxNode} mark */
    #addBox(mark) {
        if (this.isNear(mark)) return;
        const line = this.state.doc.lineAt(mark.from);
        const isTicked = this.state.sliceDoc(mark.from + 1, mark.from + 2) !== " ";
        const widget = new Box(this.state.sliceDoc(mark.to, line.to).trim(), isTicked, this.state.readOnly);
        this.found.push(Decoration.widget({ widget, side: 1 }).range(mark.from));
        this.#hide(mark);
    }

    /**
     * @param {SyntaxNode} item
     * @param {Span} range
     */
    #addItem(item, range) {
        const { doc } = this.state;
        const mark = item.getChild("ListMark");
        if (!mark) return;
        const parent = item.parent?.parent;
        const around = parent?.name === "ListItem" ? (this.#indentations.get(parent.from) ?? 0) : 0;
        const task = mark.nextSibling?.name === "Task" ? mark.nextSibling.firstChild : null;
        // The last number of a list is the widest.
        const last = item.parent?.lastChild?.getChild("ListMark") ?? mark;
        const length = Math.max(mark.to - mark.from, last.to - last.from);
        const own = length > 1 ? length * digitWidth + 0.4 : 0;
        const indentation = Math.min(around + Math.max(own, task ? boxWidth : bulletWidth), maxIndentation);
        this.#indentations.set(item.from, indentation);
        const first = doc.lineAt(mark.from);
        const start = mark.to + this.#spacesAt(mark.to);
        for (let at = Math.max(item.from, range.from); at <= Math.min(item.to, range.to); ) {
            const line = doc.lineAt(at);
            const quote = /^(?: {0,3}>)+ ?/.exec(line.text)?.[0].length ?? 0;
            const from = line.from + quote;
            const to =
                line.from === first.from
                    ? (task?.to ?? start - 1) + 1
                    : from + Math.min(this.#spacesAt(from), start - first.from - quote);
            this.#beginnings.set(line.from, { from, to: Math.min(to, line.to), indentation });
            at = line.to + 1;
        }
    }

    /** Returns the decorations. */
    end() {
        for (const [at, { from, to, indentation }] of this.#beginnings) {
            const style = `--indentation: ${indentation.toFixed(2)}em`;
            this.found.push(
                Decoration.line({ class: from < to ? "cm-md-item" : "cm-md-rest", attributes: { style } }).range(at),
            );
            if (from < to) this.found.push(prefix.range(from, to));
        }
        return this.found;
    }
}
