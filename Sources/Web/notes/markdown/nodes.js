/** The nodes of a Markdown text, as plain values. Only `render.js` converts them to elements. */

/** Blocks; those of a parsed text have the offsets of their beginnings. @typedef {(Block & { from?: number })[]} Blocks */
/** @typedef {Inline[]} Inlines */

/**
 * @typedef {{ kind: "paragraph", content: Inlines }
 *     | { kind: "heading", level: number, content: Inlines }
 *     | { kind: "code", language: string, text: string }
 *     | { kind: "quote", blocks: Blocks }
 *     | { kind: "list", start: number | null, tight: boolean, items: Item[] }
 *     | { kind: "table", columns: Alignment[], head: Inlines[], rows: Inlines[][] }
 *     | { kind: "rule" }} Block
 */

/** @typedef {"left" | "right" | "center" | null} Alignment */

/**
 * A list item. The offset of a task is that of the character within its brackets, in UTF-16 units of the text, so that
 * ticking the task changes only this character.
 * @typedef {{ from?: number, task: { checked: boolean, offset: number } | null, blocks: Blocks }} Item
 */

/**
 * @typedef {{ kind: "text", text: string }
 *     | { kind: "break", hard: boolean }
 *     | { kind: "code", text: string }
 *     | { kind: "emphasis" | "strong" | "strike", content: Inlines }
 *     | { kind: "link", target: string, title: string, content: Inlines }
 *     | { kind: "image", target: string, title: string, description: string }} Inline
 */

export {};
