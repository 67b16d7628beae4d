/**
 * Home and End. Home moves before the text of a list item, a heading or a quote, and in front of its marks at a second
 * press. In a line of mixed direction, CodeMirror would stop one character before the edge, within a word.
 */

import { textStart } from "./lists.js";

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
    const { start } = textStart(view.state, line);
    const edge = isEnd ? line.to : head > start ? start : line.from;
    if (selection.ranges.length > 1) return false;
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
