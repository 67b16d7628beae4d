/** A text of a note in CodeMirror. Changes by other devices keep the caret in place and are not undoable here. */
import {
    ChangeSet,
    Compartment,
    Decoration,
    defaultKeymap,
    drawSelection,
    EditorState,
    EditorView,
    highlightSpecialChars,
    history,
    historyField,
    historyKeymap,
    keymap,
    placeholder,
    syntaxTree,
    Transaction,
    ViewPlugin,
} from "codemirror";
import { invisible, invisibleMark } from "../../shared/dom.js";
import { changesOf, Draft, fit } from "./draft.js";
import { edgeKeys } from "./line-edge-keys.js";
import { itemIn } from "./lists.js";
import { handleNativeEdits } from "./native-edits.js";

/** @import { Extensions, KeyBinding, Line, Range, Text, ViewUpdate } from "codemirror" */

/** Shortcuts that the page uses for other actions. */
const foreign = new Set(["Shift-Mod-k", "Mod-i", "Mod-Enter", "Ctrl-Alt-\\"]);

/** The pause after which the caret blinks, in milliseconds. */
const restingPause = 500;

/** The maximum length of an emoji, in UTF-16 units, with ample room. */
const maxEmojiLength = 64;

/** Excludes others' changes from the undo history, so that undo restores only the user's own text. */
const remoteAnnotations = [Transaction.remote.of(true), Transaction.addToHistory.of(false)];

/** Replaces U+0000 and unpaired surrogates in typed or pasted text by U+FFFD, so that the text can be saved. */
const fitting = (/** @type {() => void} */ replaced) =>
    EditorState.transactionFilter.of((transaction) => {
        if (!transaction.docChanged || transaction.annotation(Transaction.remote)) return transaction;
        /** @type {{ from: number, to: number, insert: string }[]} */
        const unfit = [];
        const isTyped = transaction.isUserEvent("input.type");
        transaction.changes.iterChanges((_fromA, _toA, from, to) => {
            // Firefox types an emoji as two surrogates, one after the other.
            const start = Math.max(0, from - 1);
            const text = transaction.newDoc.sliceString(start, to);
            const fitted = fit(isTyped ? text.replace(/[\ud800-\udbff]$/, "") : text);
            for (let at = from - start; at < fitted.length; at += 1) {
                if (text[at] !== fitted[at]) unfit.push({ from: start + at, to: start + at + 1, insert: "\ufffd" });
            }
        });
        if (unfit.length === 0) return transaction;
        replaced();
        return [transaction, { changes: unfit, sequential: true }];
    });

/** Hands over pasted or dropped files that are not text. CodeMirror inserts the contents of text files. */
const takeFiles = (/** @type {Form["files"]} */ take) => {
    const look = (/** @type {DataTransfer | null} */ given, /** @type {number} */ at) => {
        const files = [...(given?.files ?? [])];
        const isText = files.every(({ type }) => type.startsWith("text/")) || given?.types.includes("text/plain");
        if (!isText) take(files, at);
        return !isText;
    };
    return EditorView.domEventHandlers({
        paste: ({ clipboardData }, { state }) => look(clipboardData, state.selection.main.to),
        drop: ({ dataTransfer, clientX: x, clientY: y }, view) =>
            look(dataTransfer, view.posAtCoords({ x, y }) ?? view.state.selection.main.to),
    });
};

/**
 * Moves the caret behind typed text. Chromium may report a fast second letter in a new line with the caret still before
 * the letter, so all further text would be inserted in front.
 */
const behind = EditorState.transactionFilter.of((transaction) => {
    const { main } = transaction.startState.selection;
    if (!transaction.docChanged || !transaction.isUserEvent("input.type") || !main.empty) return transaction;
    if (!transaction.newSelection.main.empty || transaction.newSelection.main.head !== main.head) return transaction;
    let length = 0;
    let isPlain = true;
    transaction.changes.iterChanges((from, to, _fromB, _toB, inserted) => {
        isPlain &&= from === main.head && to === main.head && length === 0;
        length += inserted.length;
    });
    return isPlain ? [transaction, { selection: { anchor: main.head + length }, sequential: true }] : transaction;
});

/** Keeps a field to one line by replacing inserted line breaks with spaces. */
const oneLine = EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged || transaction.annotation(Transaction.remote)) return transaction;
    /** @type {{ from: number, to: number, insert: string }[]} */
    const breaks = [];
    transaction.changes.iterChanges((_fromA, _toA, from, _to, inserted) => {
        const text = inserted.toString();
        for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
            breaks.push({ from: from + at, to: from + at + 1, insert: " " });
        }
    });
    return breaks.length === 0 ? transaction : [transaction, { changes: breaks, sequential: true }];
});

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Deletes a whole emoji, whatever its code points. @type {import("codemirror").Command} */
function deleteEmoji(view) {
    const { doc, selection, readOnly } = view.state;
    const { head, empty } = selection.main;
    if (readOnly || !empty || selection.ranges.length > 1) return false;
    const line = doc.lineAt(head);
    const before = doc.sliceString(Math.max(line.from, head - maxEmojiLength), head);
    const last = [...characters.segment(before)].at(-1)?.segment ?? "";
    if (!/[\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(last)) return false;
    view.dispatch({
        changes: { from: head - last.length, to: head },
        scrollIntoView: true,
        userEvent: "delete.backward",
    });
    return true;
}

const own = (/** @type {string} */ dir) => Decoration.line({ attributes: { dir } });
const directed = { auto: own("auto"), ltr: own("ltr"), rtl: own("rtl") };
const strong = /\p{L}/u;
const ticked = /\[[xX]\]/;
const fromRight =
    /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Returns the text direction of a line. The x of a ticked task does not count.
 * @param {EditorState} state
 * @param {Line} line
 */
function directionOf(state, line) {
    const item = ticked.test(line.text) ? itemIn(state, line) : null;
    const letter = item?.isTicked ? strong.exec(state.sliceDoc(item.start, line.to))?.[0] : undefined;
    if (letter === undefined) return directed.auto;
    return fromRight.test(letter) ? directed.rtl : directed.ltr;
}

/** Gives each line the direction of its text. */
const directions = ViewPlugin.fromClass(
    class {
        /** @param {EditorView} view */
        constructor(view) {
            this.decorations = this.of(view);
        }

        /** @param {ViewUpdate} update */
        update({ view, startState, state, docChanged, viewportChanged }) {
            const isParsed = syntaxTree(startState) !== syntaxTree(state);
            if (docChanged || viewportChanged || isParsed) this.decorations = this.of(view);
        }

        /** @param {EditorView} view */
        of({ state, visibleRanges }) {
            /** @type {Range<Decoration>[]} */
            const lines = [];
            for (const { from, to } of visibleRanges) {
                for (let at = from; at <= to; ) {
                    const line = state.doc.lineAt(at);
                    lines.push(directionOf(state, line).range(line.from));
                    at = line.to + 1;
                }
            }
            return Decoration.set(lines);
        }
    },
    { decorations: (plugin) => plugin.decorations },
);

/** Marks what hides or reorders text. Joiners and soft hyphens belong to words, and a line may end as on Windows. */
const marks = highlightSpecialChars({
    specialChars: new RegExp(`(?!\\r$)${invisible.source}`, "g"),
    render: invisibleMark,
});

/** Lets the caret blink only after a pause, because each letter would start the animation again, which takes long. */
const blinking = ViewPlugin.fromClass(
    class {
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        #timer;

        /** @param {EditorView} view */
        constructor(view) {
            this.#rest(view);
        }

        /** @param {ViewUpdate} update */
        update({ view, docChanged, selectionSet }) {
            if (!docChanged && !selectionSet) return;
            view.dom.removeAttribute("data-resting");
            this.#rest(view);
        }

        destroy() {
            clearTimeout(this.#timer);
        }

        /** @param {EditorView} view */
        #rest(view) {
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => view.dom.setAttribute("data-resting", ""), restingPause);
        }
    },
);

const look = EditorView.theme({
    "&": { color: "var(--ink)", backgroundColor: "transparent", height: "100%" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "auto" },
    ".cm-content": { caretColor: "var(--ink)", padding: "0" },
    ".cm-line": { padding: "0" },
    "&:not([data-resting]) .cm-cursorLayer": { animationName: "none !important" },
    ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
    ".unseen": { background: "var(--warn-wash)", color: "var(--warn)", fontFamily: "var(--mono)", fontSize: "0.8em" },
    ".cm-placeholder": { color: "var(--soft)" },
    "& .cm-selectionBackground, &.cm-focused .cm-selectionBackground, ::selection": {
        backgroundColor: "var(--note-selection, Highlight) !important",
    },
});

/**
 * @typedef {object} Form
 * @property {string} label
 * @property {string} placeholder
 * @property {boolean} [isLine] true for a field of one line
 * @property {Extensions} [extensions]
 * @property {readonly KeyBinding[]} [keys]
 * @property {() => void} changed runs after a change by the user
 * @property {() => void} composed runs when the text contains the input of an input method
 * @property {() => void} replaced runs after characters were replaced by U+FFFD
 * @property {(files: File[], at: number) => void} files receives pasted or dropped files that are not text, and their
 *     offset
 * @property {Edits | null} [edits] the state of this text at its last visit
 */

/**
 * The state of a field at the end of a visit, and the changes by other devices since.
 * @typedef {{ state: EditorState, delta: import("./draft.js").Delta }} Edits
 */

export class Field {
    #form;
    #frozen = new Compartment();
    #isFrozen = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #settling;

    /**
     * @param {string} text
     * @param {Form} form
     */
    constructor(text, form) {
        this.#form = form;
        this.element = document.createElement("div");
        this.element.className = form.isLine ? "note-title" : "note-body";
        // In a shadow tree CodeMirror adopts style sheets, which the policy allows; elsewhere it inserts elements.
        const root = this.element.attachShadow({ mode: "open" });
        this.draft = new Draft(
            {
                text: () => this.view.state.doc,
                isComposing: () => this.view.composing || this.view.compositionStarted,
                show: (changes) => this.view.dispatch({ changes, annotations: remoteAnnotations }),
            },
            ChangeSet,
        );
        const { edits } = form;
        this.view = new EditorView({ state: this.#state(edits?.state.doc ?? text), parent: root, root });
        if (edits) this.view.dispatch({ changes: changesOf(edits.delta), annotations: remoteAnnotations });
        handleNativeEdits(this.view);
        // CodeMirror reads the composed text only after the event.
        this.view.contentDOM.addEventListener("compositionend", () => {
            clearTimeout(this.#settling);
            this.#settling = setTimeout(() => this.#settle(), 50);
        });
    }

    /** True if the text is read-only. */
    get isFrozen() {
        return this.#isFrozen;
    }

    set isFrozen(frozen) {
        if (frozen === this.#isFrozen) return;
        this.#isFrozen = frozen;
        this.view.dispatch({ effects: this.#frozen.reconfigure(this.#freeze()) });
    }

    /** The offset of the text at the upper edge. */
    get place() {
        const { scrollTop } = this.view.scrollDOM;
        const { from, length, top, height } = this.view.lineBlockAtHeight(scrollTop);
        return scrollTop === 0 ? 0 : from + (length * (scrollTop - top)) / height;
    }

    set place(offset) {
        this.view.dispatch({ effects: EditorView.scrollIntoView(offset, { y: "start" }) });
    }

    close() {
        clearTimeout(this.#settling);
        this.view.destroy();
    }

    #settle() {
        if (this.view.composing || this.view.compositionStarted) this.#settling = setTimeout(() => this.#settle(), 50);
        else this.#form.composed();
    }

    #freeze() {
        return [EditorState.readOnly.of(this.#isFrozen)];
    }

    /** @param {string | Text} text */
    #state(text) {
        const { label, placeholder: hint, isLine = false, extensions = [], keys = [], replaced, files } = this.#form;
        const past = this.#form.edits?.state;
        const bindings = [
            { key: "Backspace", run: deleteEmoji },
            ...keys,
            ...edgeKeys,
            ...historyKeymap,
            ...defaultKeymap.filter(({ key }) => !foreign.has(key ?? "")),
        ];
        return EditorState.create({
            doc: text,
            selection: past?.selection,
            extensions: [
                // A line ends with a line feed alone, so that offsets equal those of the text.
                EditorState.lineSeparator.of("\n"),
                history(),
                past ? historyField.init(() => past.field(historyField)) : [],
                drawSelection(),
                blinking,
                marks,
                EditorView.lineWrapping,
                EditorView.perLineTextDirection.of(true),
                directions,
                keymap.of(bindings),
                placeholder(hint),
                EditorView.contentAttributes.of({
                    "aria-label": label,
                    "aria-multiline": String(!isLine),
                    spellcheck: "true",
                    autocapitalize: "sentences",
                    tabindex: "0",
                }),
                EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?/g, "\n")),
                this.#frozen.of(this.#freeze()),
                fitting(replaced),
                takeFiles(files),
                behind,
                isLine ? oneLine : [],
                EditorView.updateListener.of((update) => this.#updated(update)),
                extensions,
                look,
            ],
        });
    }

    /** @param {ViewUpdate} update */
    #updated({ docChanged, transactions }) {
        if (!docChanged) return;
        let isOwn = false;
        for (const transaction of transactions) {
            if (!transaction.docChanged || transaction.annotation(Transaction.remote)) continue;
            this.draft.recordTyping(transaction.changes);
            isOwn = true;
        }
        if (isOwn) this.#form.changed();
    }
}
