/** A text of a note in CodeMirror: what others change moves under the caret, and is nobody's to undo here. */
import {
    ChangeSet,
    Compartment,
    Decoration,
    defaultKeymap,
    drawSelection,
    EditorState,
    EditorView,
    history,
    historyKeymap,
    keymap,
    placeholder,
    syntaxTree,
    Transaction,
    ViewPlugin,
} from "codemirror";
import { Draft, fit } from "./draft.js";
import { edgeKeys } from "./edges.js";
import { itemIn } from "./lists.js";

/** @import { Extensions, KeyBinding, Line, Range, ViewUpdate } from "codemirror" */

/** Of these the page makes other things. */
const foreign = new Set(["Shift-Mod-k", "Mod-i", "Ctrl-Alt-\\"]);

/** In UTF-16 units, and more than enough. */
const longestEmoji = 64;

/** Others' insertion where somebody's undone words stood is not theirs to bring back: only one's own is kept. */
const others = [Transaction.remote.of(true), Transaction.addToHistory.of(false)];

/** What is typed or pasted can always be kept: what is no character becomes U+FFFD. */
const fitting = (/** @type {() => void} */ replaced) =>
    EditorState.transactionFilter.of((transaction) => {
        if (!transaction.docChanged || transaction.annotation(Transaction.remote)) return transaction;
        /** @type {{ from: number, to: number, insert: string }[]} */
        const unfit = [];
        transaction.changes.iterChanges((_fromA, _toA, from, _to, inserted) => {
            const text = inserted.toString();
            const fitted = fit(text);
            for (let at = 0; fitted !== text && at < text.length; at += 1) {
                if (text[at] !== fitted[at]) unfit.push({ from: from + at, to: from + at + 1, insert: "\ufffd" });
            }
        });
        if (unfit.length === 0) return transaction;
        replaced();
        return [transaction, { changes: unfit, sequential: true }];
    });

/** Says so where files are pasted or dropped that are no text; the text of others is taken in. */
const noFiles = (/** @type {() => void} */ refused) => {
    const look = (/** @type {DataTransfer | null} */ given) => {
        const files = [...(given?.files ?? [])];
        if (files.some(({ type }) => !type.startsWith("text/")) && !given?.types.includes("text/plain")) refused();
        return false;
    };
    return EditorView.domEventHandlers({
        paste: ({ clipboardData }) => look(clipboardData),
        drop: ({ dataTransfer }) => look(dataTransfer),
    });
};

/**
 * The caret stands behind what was typed. Chromium may tell of a quick second letter in a new line with the caret still
 * before it, and all that followed would be written in front of it.
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

/** In one line: Enter goes on, and breaks that are pasted become spaces. */
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

/**
 * Takes a whole emoji away, whatever it is made of.
 * @type {import("codemirror").Command}
 */
function deleteEmoji(view) {
    const { doc, selection, readOnly } = view.state;
    const { head, empty } = selection.main;
    if (readOnly || !empty || selection.ranges.length > 1) return false;
    const line = doc.lineAt(head);
    const before = doc.sliceString(Math.max(line.from, head - longestEmoji), head);
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
const fromRight =
    /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * The direction of a line: that of its text, which the x of a ticked task does not belong to.
 * @param {EditorState} state
 * @param {Line} line
 */
function directionOf(state, line) {
    const item = itemIn(state, line);
    const letter = item?.isTicked ? strong.exec(state.sliceDoc(item.start, line.to))?.[0] : undefined;
    if (letter === undefined) return directed.auto;
    return fromRight.test(letter) ? directed.rtl : directed.ltr;
}

/** Each line goes in the direction of what is written in it. */
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

const look = EditorView.theme({
    "&": { color: "var(--ink)", backgroundColor: "transparent", height: "100%" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "auto" },
    ".cm-content": { caretColor: "var(--ink)", padding: "0" },
    ".cm-line": { padding: "0" },
    ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
    ".cm-placeholder": { color: "var(--soft)" },
    "& .cm-selectionBackground, &.cm-focused .cm-selectionBackground, ::selection": {
        backgroundColor: "var(--note-selection, Highlight) !important",
    },
});

/**
 * @typedef {object} Form
 * @property {string} label
 * @property {string} placeholder
 * @property {boolean} [isLine] one line
 * @property {Extensions} [extensions]
 * @property {readonly KeyBinding[]} [keys]
 * @property {() => void} changed its user has changed it
 * @property {() => void} composed what an input method has composed is in its text
 * @property {() => void} replaced something could not be kept, and is U+FFFD
 * @property {() => void} refused files were pasted or dropped that are no text
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
        // In a shadow tree CodeMirror adopts its style sheets, which the policy allows; elsewhere it would write them.
        const root = this.element.attachShadow({ mode: "open" });
        this.draft = new Draft(
            {
                text: () => this.view.state.doc,
                isComposing: () => this.view.composing || this.view.compositionStarted,
                show: (changes) => this.view.dispatch({ changes, annotations: others }),
            },
            ChangeSet,
        );
        this.view = new EditorView({ state: this.#state(text), parent: root, root });
        // CodeMirror takes the composed text in after the event.
        this.view.contentDOM.addEventListener("compositionend", () => {
            clearTimeout(this.#settling);
            this.#settling = setTimeout(() => this.#settle(), 50);
        });
    }

    /** Whether it only shows its text. */
    get isFrozen() {
        return this.#isFrozen;
    }

    set isFrozen(frozen) {
        if (frozen === this.#isFrozen) return;
        this.#isFrozen = frozen;
        this.view.dispatch({ effects: this.#frozen.reconfigure(this.#freeze()) });
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

    /** @param {string} text */
    #state(text) {
        const { label, placeholder: hint, isLine = false, extensions = [], keys = [], replaced, refused } = this.#form;
        const bindings = [
            { key: "Backspace", run: deleteEmoji },
            ...keys,
            ...edgeKeys,
            ...historyKeymap,
            ...defaultKeymap.filter(({ key }) => !foreign.has(key ?? "")),
        ];
        return EditorState.create({
            doc: text,
            extensions: [
                // A line ends with a line feed alone, so that lengths are those of the text.
                EditorState.lineSeparator.of("\n"),
                history(),
                drawSelection(),
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
                noFiles(refused),
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
            this.draft.typed(transaction.changes);
            isOwn = true;
        }
        if (isOwn) this.#form.changed();
    }
}
