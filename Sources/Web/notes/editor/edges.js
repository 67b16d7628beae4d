/**
 * The keys to the beginning and the end of a line in which both directions meet: CodeMirror looks for the character at
 * the edge of the window, and would stop one before it, in the middle of a word.
 */

/** @import { Command, KeyBinding } from "codemirror" */

/**
 * Goes to the edge of the line, where that is in the row of the caret; else it is the edge of the row that is meant.
 * @param {boolean} isEnd
 * @param {boolean} isExtending the selection
 * @returns {Command}
 */
const toEdge = (isEnd, isExtending) => (view) => {
    const { doc, selection } = view.state;
    const { anchor, head, assoc } = selection.main;
    const line = doc.lineAt(head);
    // Before what is written, a second press goes on to the edge.
    if (selection.ranges.length > 1 || (!isEnd && /^\s/u.test(line.text))) return false;
    const edge = isEnd ? line.to : line.from;
    const here = view.coordsAtPos(head, assoc || 1);
    const there = view.coordsAtPos(edge, isEnd ? -1 : 1);
    if (!here || !there || Math.abs(here.top - there.top) > (here.bottom - here.top) / 2) return false;
    view.dispatch({
        selection: { anchor: isExtending ? anchor : edge, head: edge },
        scrollIntoView: true,
        userEvent: "select",
    });
    return true;
};

/** @type {KeyBinding[]} */
export const edgeKeys = [
    { key: "End", run: toEdge(true, false), shift: toEdge(true, true) },
    { key: "Home", run: toEdge(false, false), shift: toEdge(false, true) },
];
