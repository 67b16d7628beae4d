/** List items in the editor: the continuation by Enter, moves by Tab, and making and ticking tasks. */

import { ensureSyntaxTree, syntaxTree } from "codemirror";

/** @import { ChangeSet, EditorState, Line, SyntaxNode, Tree } from "codemirror" */
/** @typedef {{ from: number, to: number, insert: string }} Change */

/** The time limit for parsing, in milliseconds. Text that is not yet parsed counts as no list. */
const parsingTime = 100;
/** The length of text that is parsed beyond the lines in question, for the lines and items that belong to them. */
const parsedAhead = 5000;

/**
 * Returns the innermost list item that begins in a line, with offsets in the whole text.
 * @param {EditorState} state
 * @param {Line} line
 * @param {Tree} [tree]
 */
export function itemIn(state, line, tree = syntaxTree(state)) {
    /** @type {Record<string, { from: number, to: number }>} */
    const { ListMark: mark, TaskMarker: task } = marksIn(tree, line);
    if (!mark) return null;
    const text = state.sliceDoc(mark.from, mark.to);
    const number = Number.parseInt(text, 10);
    const [space] = /** @type {RegExpExecArray} */ (/^\s*/.exec(line.text.slice(mark.to - line.from)));
    const start = task ? Math.min(task.to + 1, line.to) : mark.to + space.length;
    return {
        mark: mark.from,
        /** The offset of the item's text. */
        start,
        /** The beginning of the next item. */
        next:
            line.text.slice(0, mark.from - line.from).replace(/[^\s>]/g, " ") +
            (Number.isNaN(number) ? text : `${number + 1}${text.slice(-1)}`) +
            (space || " ") +
            (task ? "[ ] " : ""),
        /** The offset of the character within the task's brackets. */
        box: task ? task.from + 1 : null,
        isTicked: task !== undefined && state.sliceDoc(task.from + 1, task.from + 2) !== " ",
    };
}

/** The marks at the beginning of a line, before its text. */
const leading = new Set(["HeaderMark", "ListMark", "QuoteMark", "TaskMarker"]);

/**
 * Returns the offset of a line's text, and that of the last mark before it, or of the line if there is no mark. The
 * marks of a task count as one.
 * @param {EditorState} state
 * @param {Line} line
 */
export function textStart(state, line) {
    const skipped = (/** @type {number} */ at) =>
        at + (/^[ \t]*/.exec(line.text.slice(at - line.from))?.[0].length ?? 0);
    let start = skipped(line.from);
    let mark = line.from;
    syntaxTree(state).iterate({
        from: line.from,
        to: line.to,
        enter({ name, from, to, node }) {
            if (from !== start || !leading.has(name) || node.parent?.name.startsWith("Setext")) return;
            if (name !== "TaskMarker") mark = from;
            start = skipped(to);
        },
    });
    return { start, mark };
}

/** Returns the offset of the mark before the caret at the beginning of a line's text, or null. @param {EditorState} state */
export function markBefore(state) {
    const { main, ranges } = state.selection;
    const { start, mark } = textStart(state, state.doc.lineAt(main.head));
    const isAtStart = main.empty && ranges.length === 1 && main.head === start;
    return isAtStart && /\S/.test(state.sliceDoc(mark, start)) ? mark : null;
}

/** Returns the last node of each name that begins in a line. @param {Tree} tree @param {Line} line */
function marksIn(tree, line) {
    /** @type {Record<string, { from: number, to: number }>} */
    const found = {};
    tree.iterate({
        from: line.from,
        to: line.to,
        enter({ name, from, to }) {
            if (from >= line.from) found[name] = { from, to };
        },
    });
    return found;
}

/**
 * Returns the tree of a text up to an offset, and of some text after it.
 * @param {EditorState} state
 * @param {number} to
 */
export const parsed = (state, to) =>
    ensureSyntaxTree(state, Math.min(to + parsedAhead, state.doc.length), parsingTime) ?? syntaxTree(state);

/** Returns the mark of a list item. @param {SyntaxNode} item */
const markOf = (item) => /** @type {SyntaxNode} */ (item.getChild("ListMark"));

/** Returns the number of an item in a numbered list. @param {EditorState} state @param {SyntaxNode} item */
const numberOf = (state, item) => Number.parseInt(state.sliceDoc(markOf(item).from, markOf(item).to), 10);

/**
 * Returns the changes that give an item a number.
 * @param {EditorState} state
 * @param {SyntaxNode} item
 * @param {number} number
 * @returns {Change[]}
 */
function numbered(state, item, number) {
    const { from, to } = markOf(item);
    const insert = String(number);
    if (state.sliceDoc(from, to - 1) === insert) return [];
    const width = insert.length - (to - 1 - from);
    // The other lines stay below the text.
    const lines = width > 0 ? shifted(state, item, width).filter((change) => change.from > to) : [];
    return [{ from, to: to - 1, insert }, ...lines];
}

/**
 * Returns the changes that number the items after a new one, as long as their numbers follow each other.
 * @param {EditorState} state
 * @param {SyntaxNode} item the item before the new one
 */
function renumbered(state, item) {
    /** @type {Change[]} */
    const changes = [];
    let number = numberOf(state, item);
    for (let next = item.nextSibling; next; next = next.nextSibling) {
        // The marks of a quote are between its items.
        if (next.name === "QuoteMark") continue;
        if (numberOf(state, next) !== number + 1) break;
        number += 1;
        changes.push(...numbered(state, next, number + 1));
    }
    return changes;
}

/**
 * Returns the changes that Enter makes, the new line first, or null if Enter only breaks the line.
 * @param {EditorState} state
 * @param {number} place
 * @returns {Change[] | null}
 */
export function enter(state, place) {
    const line = state.doc.lineAt(place);
    const tree = parsed(state, line.to);
    const item = itemIn(state, line, tree);
    if (!item || place < item.start) return null;
    const node = tree.resolve(item.mark, 1).parent;
    if (item.start === line.to) {
        // Without an empty line, the next text would belong to the item before.
        const isLater = node?.prevSibling?.name === "ListItem" && state.doc.lineAt(line.from - 1).text.trim() !== "";
        return [{ from: line.from, to: line.to, insert: isLater ? "\n" : "" }];
    }
    return [{ from: place, to: place, insert: `\n${item.next}` }, ...(node ? renumbered(state, node) : [])];
}

/** The quotes, the indentation and the mark of a heading at the beginning of a line. */
const beginning = /^(?: {0,3}> ?)*\s*((?:#{1,6} +)?)/;

/**
 * Returns true if an offset is in a block of code.
 * @param {EditorState} state
 * @param {number} at
 */
export function isCode(state, at) {
    /** @type {SyntaxNode | null} */
    let node = parsed(state, at).resolve(at, 1);
    for (; node; node = node.parent) {
        if (node.name === "FencedCode" || node.name === "CodeBlock") return true;
    }
    return false;
}

/** Returns the lines of the selection. @param {EditorState} state */
export function selectedLines({ doc, selection }) {
    const [first, last] = [doc.lineAt(selection.main.from).number, doc.lineAt(selection.main.to).number];
    return Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index));
}

/** Returns the lines of the selection that have a text, or its only line. @param {EditorState} state */
export function writtenLines(state) {
    const lines = selectedLines(state);
    return lines.filter(({ text }) => lines.length === 1 || text.trim() !== "");
}

/**
 * Turns the selected lines into tasks, except in code. If all are tasks, ticks them; if all are ticked, unticks them.
 * @param {EditorState} state
 */
export function toggleTasks(state) {
    const written = writtenLines(state).filter(({ from, text }) => !isCode(state, from + text.search(/\S|$/)));
    const tree = parsed(state, state.doc.lineAt(state.selection.main.to).to);
    const items = written.map((line) => itemIn(state, line, tree));
    const isMade = items.every((item) => item !== null && item.box !== null);
    const isTicked = items.every((item) => item?.isTicked);
    return items.flatMap((item, index) => {
        const box = item?.box ?? null;
        if (item && box !== null) {
            const isChanged = isMade && item.isTicked === isTicked;
            return isChanged ? [{ from: box, to: box + 1, insert: isTicked ? " " : "x" }] : [];
        }
        const { from, text } = written[index];
        const [before, heading] = /** @type {RegExpExecArray} */ (beginning.exec(text));
        const place = item?.start ?? from + before.length - heading.length;
        return [{ from: place, to: item ? place : from + before.length, insert: item ? "[ ] " : "- [ ] " }];
    });
}

/** Returns the outermost list item that begins in a line. @param {Tree} tree @param {Line} line */
export function itemOf(tree, line) {
    /** @type {SyntaxNode | null} */
    let found = null;
    tree.iterate({
        from: line.from,
        to: line.to,
        enter({ name, from, node }) {
            if (name === "ListItem" && from >= line.from) found ??= node;
        },
    });
    return /** @type {SyntaxNode | null} */ (found);
}

/** Returns the column of a list item's mark, or of its text. @param {EditorState} state @param {SyntaxNode} item */
export function columns({ doc }, item) {
    const mark = markOf(item);
    const line = doc.lineAt(mark.from);
    const until = (/** @type {number} */ offset) => columnsOf(line.text.slice(0, offset - line.from));
    const [spaces] = /** @type {RegExpExecArray} */ (/^[ \t]*/.exec(line.text.slice(mark.to - line.from)));
    return { mark: until(mark.from), text: Math.max(until(mark.to + spaces.length), until(mark.to) + 1) };
}

/** Returns the width of a line's beginning in columns. Tabs end at multiples of four. @param {string} text */
function columnsOf(text) {
    let width = 0;
    for (const one of text) width += one === "\t" ? 4 - (width % 4) : 1;
    return width;
}

/** The beginning of a line before its indentation: the marks of quotes. */
export const quotes = /^(?: {0,3}> ?)*/;

/**
 * Returns the changes that move the selected list items a level inwards or outwards with all their lines, and number
 * the lists that they leave and join. Returns null if no item is selected. There are no changes if the items cannot move.
 * @param {EditorState} state
 * @param {boolean} isOut
 */
export function moveItems(state, isOut) {
    const { doc, selection } = state;
    const { from, to } = selection.main;
    const tree = parsed(state, doc.lineAt(to).to);
    /** @type {Change[]} */
    const changes = [];
    /** @type {SyntaxNode[]} */
    const moved = [];
    let isFound = false;
    for (let at = doc.lineAt(from).from; at <= to; ) {
        const line = doc.lineAt(at);
        const item = itemOf(tree, line);
        at = line.to + 1;
        if (!item) continue;
        isFound = true;
        let neighbor = isOut ? item.parent?.parent : item.prevSibling;
        // The marks of a quote are between its items.
        while (neighbor?.name === "QuoteMark") neighbor = neighbor.prevSibling;
        if (neighbor?.name !== "ListItem") continue;
        const own = columns(state, item).mark;
        const wanted = isOut ? columns(state, neighbor).mark : columns(state, neighbor).text;
        changes.push(...shifted(state, item, wanted - own));
        moved.push(item, neighbor);
        at = Math.max(at, doc.lineAt(item.to).to + 1);
    }
    if (!isFound) return null;
    const made = state.changes(changes);
    return made.empty ? made : made.compose(renumberedLists(state, made, moved));
}

/**
 * Returns the changes that number the lists around moved items, as far as the numbers followed each other before.
 * @param {EditorState} state the state before the move
 * @param {ChangeSet} made the changes of the move
 * @param {SyntaxNode[]} items the moved items and their neighbors before
 */
function renumberedLists(state, made, items) {
    const { state: changed } = state.update({ changes: made });
    const end = Math.max(...items.map(({ to, parent }) => parent?.to ?? to));
    const [before, tree] = [parsed(state, end), parsed(changed, made.mapPos(end, 1))];
    const itemAt = (/** @type {Tree} */ tree, /** @type {number} */ at) => tree.resolve(at, 1).parent;
    /** @type {Map<number, SyntaxNode>} */
    const lists = new Map();
    for (const { from } of items) {
        const item = itemAt(tree, made.mapPos(from, 1));
        for (const list of [item?.parent, item?.lastChild])
            if (list?.name === "OrderedList") lists.set(list.from, list);
    }
    const back = made.invert(state.doc);
    const changes = [...lists.values()].flatMap((list) => {
        const now = list.getChildren("ListItem");
        const sources = now.map(({ from }) => itemAt(before, back.mapPos(from, 1))?.parent);
        if (!sources.every((source) => source && isCounted(state, source))) return [];
        // A list whose first item comes from within another one begins anew.
        const isNew = sources[0]?.firstChild?.from !== back.mapPos(now[0].from, 1);
        const first = isNew ? 1 : numberOf(changed, now[0]);
        return now.flatMap((item, index) => numbered(changed, item, first + index));
    });
    return changed.changes(changes);
}

/** Returns true if the numbers of a list follow each other. @param {EditorState} state @param {SyntaxNode} list */
function isCounted(state, list) {
    const numbers = list.getChildren("ListItem").map((item) => numberOf(state, item));
    return numbers.every((number, index) => number === numbers[0] + index);
}

/**
 * Returns the changes that indent an item's lines by a number of columns.
 * @param {EditorState} state
 * @param {SyntaxNode} item
 * @param {number} width
 * @returns {Change[]}
 */
function shifted({ doc }, item, width) {
    /** @type {Change[]} */
    const changes = [];
    for (let at = item.from; at <= item.to; ) {
        const line = doc.lineAt(at);
        changes.push(...shiftedLine(line, width));
        at = line.to + 1;
    }
    return changes;
}

/**
 * Returns the changes that indent a line by a number of columns, after the marks of quotes.
 * @param {Line} line
 * @param {number} width
 * @returns {Change[]}
 */
export function shiftedLine(line, width) {
    const quote = quotes.exec(line.text)?.[0] ?? "";
    const from = line.from + quote.length;
    const [spaces] = /** @type {RegExpExecArray} */ (/^[ \t]*/.exec(line.text.slice(quote.length)));
    if (spaces.includes("\t")) {
        const length = columnsOf(quote + spaces) - columnsOf(quote) + width;
        return [{ from, to: from + spaces.length, insert: " ".repeat(Math.max(length, 0)) }];
    }
    if (width < 0) return [{ from, to: from + Math.min(spaces.length, -width), insert: "" }];
    return width > 0 && from < line.to ? [{ from, to: from, insert: " ".repeat(width) }] : [];
}
