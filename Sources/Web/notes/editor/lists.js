/** List items in the editor: the continuation by Enter, and making and ticking tasks. */

import { ensureSyntaxTree, syntaxTree } from "codemirror";

/** @import { EditorState, Line, Tree } from "codemirror" */
/** @typedef {{ from: number, to: number, insert: string }} Change */

/** The time limit for parsing, in milliseconds. Text that is not yet parsed counts as no list. */
const parsingTime = 100;

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
 * @param {EditorState} state
 * @param {number} to
 */
const parsed = (state, to) => ensureSyntaxTree(state, to, parsingTime) ?? syntaxTree(state);

/**
 * Returns the change that Enter makes, or null if Enter only breaks the line.
 * @param {EditorState} state
 * @param {number} place
 * @returns {Change | null}
 */
export function enter(state, place) {
    const line = state.doc.lineAt(place);
    const item = itemIn(state, line, parsed(state, line.to));
    if (!item || place < item.start) return null;
    // Enter in an empty item ends the list.
    if (item.start === line.to) return { from: line.from, to: line.to, insert: "" };
    return { from: place, to: place, insert: `\n${item.next}` };
}

/**
 * Turns the selected lines into tasks. If all are tasks, ticks them; if all are ticked, unticks them.
 * @param {EditorState} state
 */
export function toggleTasks(state) {
    const { doc, selection } = state;
    const [first, last] = [doc.lineAt(selection.main.from).number, doc.lineAt(selection.main.to).number];
    const lines = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index));
    const written = lines.filter(({ text }) => lines.length === 1 || text.trim() !== "");
    const tree = parsed(state, doc.line(last).to);
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
        const place = item?.start ?? from + text.length - text.trimStart().length;
        return [{ from: place, to: place, insert: item ? "[ ] " : "- [ ] " }];
    });
}
