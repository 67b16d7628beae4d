/**
 * Home and End in a line of mixed direction: CodeMirror looks for the character at the window's edge and would stop one
 * character early, within a word.
 */

/** @import { Command, KeyBinding } from "codemirror" */

/**
 * Moves the caret to the edge of the line if the edge is in the caret's row. CodeMirror handles other rows.
 * @param {boolean} isEnd
 * @param {boolean} isExtending true to extend the selection
 * @returns {Command}
 */
const toEdge = (isEnd, isExtending) => (view) => {
    const { doc, selection } = view.state;
    const { anchor, head, assoc } = selection.main;
    const line = doc.lineAt(head);
    // CodeMirror stops at the first character after the indent, and a second press moves to the edge.
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
