/** A block of Markdown while lines are added to it. */

/** @import { Alignment } from "./nodes.js" */

/**
 * A block while lines are added to it; only an open one takes more.
 * @typedef {{
 *     kind: "document" | "quote" | "list" | "item" | "paragraph" | "heading" | "fenced" | "indented" | "table" | "rule",
 *     parent: Draft | null, parts: Draft[], lines: Line[], isOpen: boolean, depth: number, endsBlank: boolean,
 *     level: number, marker: string, start: number | null, width: number, began: number, info: string,
 *     columns: Alignment[] }} Draft
 */

/** @typedef {{ text: string, offset: number }} Line what a block has of a line, and where that is in the whole text */

/**
 * @param {Draft["kind"]} kind
 * @param {Draft | null} parent
 * @returns {Draft}
 */
export function draft(kind, parent) {
    return {
        kind,
        parent,
        parts: [],
        lines: [],
        isOpen: true,
        depth: parent ? parent.depth + 1 : 0,
        endsBlank: false,
        level: 0,
        marker: "",
        start: null,
        width: 0,
        began: 0,
        info: "",
        columns: [],
    };
}

/**
 * A heading without the marks that may end it. (A pattern would be slow for one of spaces.)
 * @param {string} text
 */
export function withoutMarks(text) {
    const trimmed = text.trim();
    let end = trimmed.length;
    while (end > 0 && trimmed[end - 1] === "#") end -= 1;
    return end === 0 || trimmed[end - 1] === " " || trimmed[end - 1] === "\t"
        ? trimmed.slice(0, end).trimEnd()
        : trimmed;
}

/** @param {Draft} block */
export const last = (block) => block.parts[block.parts.length - 1];
