/** The commands that set or remove marks of Markdown around words and at the beginning of lines. */
import { EditorSelection, syntaxTree } from "codemirror";

/** @import { ChangeSpec, Command, EditorState, EditorView, SelectionRange, SyntaxNode } from "codemirror" */

/** The nodes and signs of marks around words. */
export const wordMarks = {
    strong: { node: "StrongEmphasis", sign: "**" },
    emphasis: { node: "Emphasis", sign: "*" },
    strike: { node: "Strikethrough", sign: "~~" },
    code: { node: "InlineCode", sign: "`" },
};

/** The nodes, patterns and signs of marks at the beginning of lines. */
export const lineMarks = {
    bullets: { node: "BulletList", has: /^[-*+] (?!\[[ xX]\] )/, sign: () => "- " },
    numbers: { node: "OrderedList", has: /^\d{1,9}[.)] /, sign: (/** @type {number} */ index) => `${index + 1}. ` },
    quote: { node: "Blockquote", has: /^> ?/, sign: () => "> " },
};

/** The marks that a list or a heading begins with. */
const beginning = /^(?:#{1,6} +|[-*+] (?:\[[ xX]\] )?|\d{1,9}[.)] )/;
/** The level of the lowest heading that the bar makes. */
const lowestHeading = 3;

/**
 * Returns the innermost node of a name around a range.
 * @param {EditorState} state
 * @param {string} name
 * @param {{ from: number, to: number }} range
 */
function around(state, name, { from, to }) {
    /** @type {SyntaxNode | null} */
    let found = null;
    syntaxTree(state).iterate({
        from,
        to,
        enter(each) {
            if (each.name === name && each.from <= from && each.to >= to) found = each.node;
        },
    });
    return /** @type {SyntaxNode | null} */ (found);
}

/** Returns the names of the nodes at the caret. @param {EditorState} state */
export function namesAt(state) {
    const { from } = state.selection.main;
    /** @type {Set<string>} */
    const names = new Set();
    syntaxTree(state).iterate({ from, to: from, enter: ({ name }) => void names.add(name) });
    return names;
}

/**
 * Applies changes to each selection.
 * @param {EditorView} view
 * @param {(range: SelectionRange) => { changes: ChangeSpec, range: SelectionRange }} change
 */
function apply(view, change) {
    if (view.state.readOnly) return true;
    view.dispatch(view.state.update(view.state.changeByRange(change), { scrollIntoView: true, userEvent: "input" }));
    return true;
}

/**
 * Puts a mark around the selected words or the word at the caret, or removes it.
 * @param {keyof typeof wordMarks} kind
 * @returns {Command}
 */
export const toggleWordMark = (kind) => (view) =>
    apply(view, (range) => {
        const { node, sign } = wordMarks[kind];
        const { state } = view;
        const wide = sign.length;
        const { from, to } = range.empty ? (state.wordAt(range.head) ?? range) : range;
        const marked = around(state, node, range);
        const [first, last] = [marked?.firstChild, marked?.lastChild];
        const isInside = state.sliceDoc(from - wide, from) === sign && state.sliceDoc(to, to + wide) === sign;
        if (marked && first && last) {
            const changes = state.changes([
                { from: first.from, to: first.to },
                { from: last.from, to: last.to },
            ]);
            return { changes, range: range.map(changes) };
        }
        if (isInside && range.empty && from === to) {
            const changes = [{ from: from - wide, to: from + wide }];
            return { changes, range: EditorSelection.cursor(from - wide) };
        }
        const changes = [
            { from, insert: sign },
            { from: to, insert: sign },
        ];
        return { changes, range: EditorSelection.range(range.anchor + wide, range.head + wide) };
    });

/** Makes the selected words a link and moves the caret to its address, or removes the link. @type {Command} */
export const toggleLink = (view) =>
    apply(view, (range) => {
        const { state } = view;
        const link = around(state, "Link", range);
        const [open, close] = link?.getChildren("LinkMark") ?? [];
        if (link && open && close) {
            const changes = state.changes([
                { from: open.from, to: open.to },
                { from: close.from, to: link.to },
            ]);
            return { changes, range: range.map(changes) };
        }
        const { from, to } = range.empty ? (state.wordAt(range.head) ?? range) : range;
        const changes = [
            { from, insert: "[" },
            { from: to, insert: "]()" },
        ];
        return { changes, range: EditorSelection.cursor(from === to ? from + 1 : to + 3) };
    });

/**
 * Changes the beginning of each selected line, after its indentation.
 * @param {EditorView} view
 * @param {(lines: string[]) => (text: string, index: number) => { length: number, insert: string }} choose returns the
 *     number of characters to remove and the text to insert
 */
function changeLines(view, choose) {
    const { doc, readOnly, selection } = view.state;
    if (readOnly) return true;
    const [first, last] = [doc.lineAt(selection.main.from).number, doc.lineAt(selection.main.to).number];
    const lines = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index))
        .filter(({ text }) => first === last || text.trim() !== "")
        .map(({ from, text }) => ({ from: from + text.length - text.trimStart().length, text: text.trimStart() }));
    const change = choose(lines.map(({ text }) => text));
    const changes = view.state.changes(
        lines.map(({ from, text }, index) => {
            const { length, insert } = change(text, index);
            return { from, to: from + length, insert };
        }),
    );
    const { anchor, head } = selection.main;
    view.dispatch({
        changes,
        selection: { anchor: changes.mapPos(anchor, 1), head: changes.mapPos(head, 1) },
        scrollIntoView: true,
        userEvent: "input",
    });
    return true;
}

/**
 * Turns the selected lines into items of a list or into a quote, or removes the marks.
 * @param {keyof typeof lineMarks} kind
 * @returns {Command}
 */
export const toggleLineMark = (kind) => (view) =>
    changeLines(view, (lines) => {
        const { has, sign } = lineMarks[kind];
        const isSet = lines.every((text) => has.test(text));
        const other = kind === "quote" ? /^/ : beginning;
        return (text, index) =>
            isSet
                ? { length: has.exec(text)?.[0].length ?? 0, insert: "" }
                : { length: other.exec(text)?.[0].length ?? 0, insert: sign(index) };
    });

/** Makes the selected lines headings of the next lower level, or text after the lowest. @type {Command} */
export const cycleHeading = (view) =>
    changeLines(view, ([first = ""]) => {
        const level = /^#{1,6}(?= )/.exec(first)?.[0].length ?? 0;
        const insert = level >= lowestHeading ? "" : `${"#".repeat(level + 1)} `;
        return (text) => ({ length: beginning.exec(text)?.[0].length ?? 0, insert });
    });
