/** The commands that set or remove marks of Markdown around words and at the beginning of lines. */
import { EditorSelection, syntaxTree } from "codemirror";
import { columns, isCode, itemOf, parsed, quotes, shiftedLine, textStart, writtenLines } from "./lists.js";

/** @import { ChangeSet, ChangeSpec, Command, EditorState, EditorView, SelectionRange, SyntaxNode } from "codemirror" */

/** The nodes and signs of marks around words. */
export const wordMarks = {
    strong: { node: "StrongEmphasis", sign: "**" },
    emphasis: { node: "Emphasis", sign: "*" },
    strike: { node: "Strikethrough", sign: "~~" },
    code: { node: "InlineCode", sign: "`" },
};

/** The nodes and signs of marks at the beginning of lines. */
export const lineMarks = {
    bullets: { node: "BulletList", sign: () => "- " },
    numbers: { node: "OrderedList", sign: (/** @type {number} */ index) => `${index + 1}. ` },
    quote: { node: "Blockquote", sign: () => "> " },
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

/** The nodes of which a line has only the innermost kind. */
const listNodes = ["BulletList", "OrderedList", "Task"];

/** Returns the names of the nodes at the caret; of lists, only the kind of its line. @param {EditorState} state */
export function namesAt(state) {
    const { from } = state.selection.main;
    /** @type {Set<string>} */
    const names = new Set();
    syntaxTree(state).iterate({
        from,
        to: from,
        enter({ name }) {
            if (listNodes.includes(name)) for (const each of listNodes) names.delete(each);
            names.add(name);
        },
    });
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

/** The nodes of code, in which marks are text. */
const codeNodes = ["InlineCode", "FencedCode", "CodeBlock"];

/**
 * Returns the words of each selected line, without the marks and spaces around them, or the word at the caret.
 * @param {EditorState} state
 * @param {SelectionRange} range
 * @returns {{ from: number, to: number }[]}
 */
function wordsIn(state, range) {
    if (range.empty) return [state.wordAt(range.head) ?? range];
    const { doc } = state;
    const words = [];
    for (let at = range.from; at <= range.to; ) {
        const line = doc.lineAt(at);
        const from = Math.max(range.from, textStart(state, line).start);
        const text = state.sliceDoc(from, Math.min(range.to, line.to));
        const start = from + text.length - text.trimStart().length;
        if (text.trim() !== "") words.push({ from: start, to: start + text.trim().length });
        at = line.to + 1;
    }
    return words;
}

/**
 * Returns the nodes of a name that touch a range.
 * @param {EditorState} state
 * @param {string} name
 * @param {{ from: number, to: number }} range
 */
function within(state, name, { from, to }) {
    /** @type {SyntaxNode[]} */
    const found = [];
    syntaxTree(state).iterate({
        from,
        to,
        enter(each) {
            if (each.name === name && each.from < to && each.to > from) found.push(each.node);
        },
    });
    return found;
}

/** Returns the ranges of a node's marks. @param {SyntaxNode} node */
function marksOf({ firstChild, lastChild }) {
    return firstChild && lastChild ? [firstChild, lastChild].map(({ from, to }) => ({ from, to })) : [];
}

/**
 * Returns true if a sign stands directly before and after an offset.
 * @param {EditorState} state
 * @param {number} at
 * @param {string} sign
 */
function isBetween(state, at, sign) {
    const length = (/** @type {string} */ text) => {
        const count = [...text].findIndex((one) => one !== sign[0]);
        return count < 0 ? text.length : count;
    };
    const before = length([...state.sliceDoc(Math.max(0, at - 3), at)].reverse().join(""));
    const next = length(state.sliceDoc(at, at + 3));
    return before === next && (sign === "*" ? before % 2 === 1 : before >= sign.length);
}

/**
 * Puts a mark around the selected words of each line or the word at the caret, or removes it. In code, marks are text.
 * @param {keyof typeof wordMarks} kind
 * @returns {Command}
 */
export const toggleWordMark = (kind) => (view) =>
    apply(view, (range) => {
        const { node, sign } = wordMarks[kind];
        const { state } = view;
        const wide = sign.length;
        const words = wordsIn(state, range).filter((each) =>
            codeNodes.every((name) => name === node || !around(state, name, each)),
        );
        const [first] = words;
        if (range.empty && first && first.from === first.to && !around(state, node, first)) {
            const { from } = first;
            if (isBetween(state, from, sign)) {
                return { changes: { from: from - wide, to: from + wide }, range: EditorSelection.cursor(from - wide) };
            }
            return { changes: { from, insert: sign + sign }, range: EditorSelection.cursor(from + wide) };
        }
        const isMarked = words.every((each) => around(state, node, each));
        /** The marks to remove by offset. @type {Map<number, { from: number, to: number }>} */
        const removed = new Map();
        const added = words.flatMap((each) => {
            const marked = isMarked ? [around(state, node, each)] : within(state, node, each);
            let { from, to } = each;
            for (const one of marked) {
                if (!one) continue;
                for (const mark of marksOf(one)) removed.set(mark.from, mark);
                from = Math.min(from, one.from);
                to = Math.max(to, one.to);
            }
            return isMarked ? [] : [from, to].map((at) => ({ from: at, insert: sign }));
        });
        const changes = state.changes([...removed.values(), ...added]);
        const { anchor, head, empty } = range;
        const isAtEnd = empty && head === first?.to;
        return {
            changes,
            range: EditorSelection.range(
                changes.mapPos(anchor, isAtEnd || anchor > head ? -1 : 1),
                changes.mapPos(head, isAtEnd || anchor < head ? -1 : 1),
            ),
        };
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
        const [words, ...others] = wordsIn(state, range);
        // A link is part of one line, and text in code.
        if (!words || others.length > 0 || codeNodes.some((name) => around(state, name, words))) {
            return { changes: [], range };
        }
        const { from, to } = words;
        const changes = [
            { from, insert: "[" },
            { from: to, insert: "]()" },
        ];
        return { changes, range: EditorSelection.cursor(from === to ? from + 1 : to + 3) };
    });

/**
 * Changes the beginning of each selected line.
 * @param {EditorView} view
 * @param {{ skipped: RegExp, isInCode?: boolean }} where the characters before the beginning; true to change code too
 * @param {(lines: string[]) => (text: string, index: number) => { length: number, insert: string }} choose returns the
 *     number of characters to remove and the text to insert
 */
function changeLines(view, { skipped, isInCode = false }, choose) {
    if (view.state.readOnly) return true;
    const lines = writtenLines(view.state)
        .filter(({ from, text }) => isInCode || !isCode(view.state, from + text.search(/\S|$/)))
        .map(({ from, text }) => {
            const { length } = skipped.exec(text)?.[0] ?? "";
            return { from: from + length, text: text.slice(length) };
        });
    const change = choose(lines.map(({ text }) => text));
    const changes = view.state.changes(
        lines.map(({ from, text }, index) => {
            const { length, insert } = change(text, index);
            return { from, to: from + length, insert };
        }),
    );
    return dispatchLines(view, changes);
}

/** Applies changes at the beginning of lines. @param {EditorView} view @param {ChangeSet} changes */
function dispatchLines(view, changes) {
    const { anchor, head } = view.state.selection.main;
    view.dispatch({
        changes,
        selection: { anchor: changes.mapPos(anchor, 1), head: changes.mapPos(head, 1) },
        scrollIntoView: true,
        userEvent: "input",
    });
    return true;
}

/** The marks of quotes and the indentation at the beginning of a line. */
const inQuotes = { skipped: new RegExp(`${quotes.source}\\s*`) };

/** Matches the indentation that all selected lines have. @param {EditorState} state */
function indentation(state) {
    return new RegExp(`^\\s{0,${Math.min(...writtenLines(state).map(({ text }) => text.search(/\S|$/)))}}`);
}

/** Turns the selected lines into a quote, or removes the marks. @type {Command} */
export const toggleQuote = (view) =>
    changeLines(view, { skipped: indentation(view.state), isInCode: true }, (lines) => {
        const mark = /^> ?/;
        const isSet = lines.every((text) => mark.test(text));
        return (text) =>
            isSet
                ? { length: mark.exec(text)?.[0].length ?? 0, insert: "" }
                : { length: 0, insert: lineMarks.quote.sign() };
    });

/**
 * Turns the selected lines into items of a list, or removes the marks. The other lines of an item stay below its text,
 * and each nested list has numbers of its own.
 * @param {"bullets" | "numbers"} kind
 * @returns {Command}
 */
export const toggleItems = (kind) => (view) => {
    const { state } = view;
    const { doc, readOnly } = state;
    if (readOnly) return true;
    const tree = parsed(state, doc.lineAt(state.selection.main.to).to);
    let end = -1;
    const lines = writtenLines(state).flatMap((line) => {
        const item = itemOf(tree, line);
        const isWithin = !item && line.from <= end;
        if (item) end = Math.max(end, item.to);
        return isWithin || isCode(state, line.from + line.text.search(/\S|$/)) ? [] : [{ line, item }];
    });
    const { node, sign } = lineMarks[kind];
    const isTask = (/** @type {SyntaxNode} */ item) => kind === "bullets" && item.getChild("Task");
    const isSet = lines.every(({ item }) => item?.parent?.name === node && !isTask(item));
    /** The number of items by the offset of their list; nested lists are separate. @type {Map<number, number>} */
    const counts = new Map();
    /** The columns by which lines move. @type {Map<number, number>} */
    const widths = new Map();
    const marks = lines.map(({ line, item }) => {
        const from = item?.from ?? line.from + (inQuotes.skipped.exec(line.text)?.[0].length ?? 0);
        const list = item?.parent?.parent?.name === "ListItem" ? item.parent.from : -1;
        const count = counts.get(list) ?? 0;
        counts.set(list, count + 1);
        const insert = isSet ? "" : sign(count);
        if (item) {
            const { mark, text } = columns(state, item);
            const last = doc.lineAt(item.to).number;
            for (let number = line.number + 1; number <= last; number += 1) {
                widths.set(number, (widths.get(number) ?? 0) + insert.length - (text - mark));
            }
        }
        const { length } = beginning.exec(line.text.slice(from - line.from))?.[0] ?? "";
        return { from, to: from + length, insert };
    });
    const shifts = [...widths].flatMap(([number, width]) => shiftedLine(doc.line(number), width));
    return dispatchLines(view, state.changes([...marks, ...shifts]));
};

/** Makes the selected lines headings of the next lower level, or text after the lowest. @type {Command} */
export const cycleHeading = (view) =>
    changeLines(view, inQuotes, ([first = ""]) => {
        const level = /^#{1,6}(?= )/.exec(first)?.[0].length ?? 0;
        const insert = level >= lowestHeading ? "" : `${"#".repeat(level + 1)} `;
        return (text) => ({ length: beginning.exec(text)?.[0].length ?? 0, insert });
    });
