/** Converts the syntax tree of a Markdown text to nodes. */

import { decoded, normalized } from "./decoding.js";
import { content, linkTarget } from "./inlines.js";
import { parserOf } from "./parser.js";

/** @import { SyntaxNode } from "codemirror" */
/** @import { Source } from "./inlines.js" */
/** @import { Alignment, Block, Blocks, Inlines, Item } from "./nodes.js" */

/** The maximum number of cells that a table gets for those that its rows lack. GitHub's parser has such a limit too. */
const maxAddedCells = 1 << 16;

/**
 * Parses a Markdown text.
 * @param {string} text
 * @param {{ bareLinks?: boolean }} [options] `bareLinks`: addresses in the text become links too
 * @returns {Blocks}
 */
export function parse(text, { bareLinks = false } = {}) {
    // Replacements keep the length, so that offsets in the tree are those of the text.
    const lines = text.replace(/\r(?!\n)/g, "\n");
    const read = lines.replace(/\r?\n$/, "").replace(/^( {0,3}#{1,6})\t/gm, "$1 ");
    const tree = parserOf(read).parse(read);
    /** @type {Source} */
    const source = { text: lines, references: new Map(), bareLinks };
    if (read.includes("]:")) {
        tree.iterate({ enter: ({ name, node }) => (name === "LinkReference" ? define(source, node) : undefined) });
    }
    return blocks(source, tree.topNode);
}

/** Records a definition unless its label already has one. @param {Source} source @param {SyntaxNode} node */
function define({ text, references }, node) {
    const { to = node.from } = node.getChild("LinkLabel") ?? {};
    const key = normalized(text.slice(node.from + 1, to - 1));
    if (!references.has(key)) references.set(key, linkTarget(text, node, to));
}

/**
 * @param {Source} source
 * @param {SyntaxNode} container
 * @returns {Blocks}
 */
function blocks(source, container) {
    return children(container).flatMap((child) => {
        const found = block(source, child);
        return found ? [{ ...found, from: child.from }] : [];
    });
}

/** @param {SyntaxNode} node */
function children(node) {
    const all = [];
    for (let child = node.firstChild; child; child = child.nextSibling) all.push(child);
    return all;
}

/**
 * @param {Source} source
 * @param {SyntaxNode} node
 * @returns {Block | null}
 */
function block(source, node) {
    const { name } = node;
    switch (name) {
        case "Paragraph":
        case "Task": {
            const found = content(source, node);
            // A box without text is not a task.
            if (found.length === 0) found.push({ kind: "text", text: source.text.slice(node.from, node.to).trim() });
            return { kind: "paragraph", content: found };
        }
        case "Blockquote":
            return { kind: "quote", blocks: blocks(source, node) };
        case "HorizontalRule":
            return { kind: "rule" };
        case "BulletList":
        case "OrderedList": {
            const items = children(node).filter((child) => child.name === "ListItem");
            return {
                kind: "list",
                start: name === "OrderedList" ? Number.parseInt(source.text.slice(node.from, node.from + 9), 10) : null,
                tight: [items, ...items.map(children)].every((all) => isTight(source.text, all)),
                items: items.map((item) => listItem(source, item)),
            };
        }
        case "CodeBlock":
            return indentedCode(source.text, node);
        case "FencedCode":
            return fencedCode(source.text, node);
        case "Table":
            return table(source, node);
    }
    const level = /Heading(\d)$/.exec(name)?.[1];
    return level === undefined ? null : { kind: "heading", level: Number(level), content: content(source, node) };
}

/**
 * Returns true if no blank line separates the nodes. A blank line after the mark of an item does not count.
 * @param {string} text
 * @param {SyntaxNode[]} nodes
 */
function isTight(text, nodes) {
    const parts = nodes.filter(({ name }) => name !== "QuoteMark" && name !== "ListMark");
    return !parts.some(
        ({ to }, index) => index + 1 < parts.length && /\n[ \t>]*\r?\n/.test(text.slice(to, parts[index + 1].from)),
    );
}

/**
 * @param {Source} source
 * @param {SyntaxNode} node
 * @returns {Item}
 */
function listItem(source, node) {
    const written = node.getChild("Task");
    const mark = written && content(source, written).length > 0 ? written.getChild("TaskMarker") : null;
    const task = mark ? { checked: source.text[mark.from + 1] !== " ", offset: mark.from + 1 } : null;
    return { from: node.from, task, blocks: blocks(source, node) };
}

/**
 * @param {string} text
 * @param {SyntaxNode} node
 * @returns {Block}
 */
function fencedCode(text, node) {
    const parts = node.getChildren("CodeText");
    // The indentation of the fence is not part of the lines.
    const first = parts.find(({ from }) => text[from] !== "\n") ?? node;
    const indent = Math.max(0, columnOf(text, node.from) - columnOf(text, first.from));
    const lines = parts.map(({ from, to }) => text.slice(from, to).replace(new RegExp(`^ {0,${indent}}`, "gm"), ""));
    const isEmpty = text.slice(node.from, node.to).split("\n").length <= node.getChildren("CodeMark").length;
    const info = node.getChild("CodeInfo");
    const language = info ? decoded(text.slice(info.from, info.to)).split(/[ \t]/)[0] : "";
    return { kind: "code", language, text: isEmpty ? "" : `${lines.join("").replaceAll("\r\n", "\n")}\n` };
}

/**
 * @param {string} text
 * @param {SyntaxNode} node
 * @returns {Block}
 */
function indentedCode(text, node) {
    const base = 4 + (node.parent ? baseOf(text, node.parent) : 0);
    let [lines, end] = ["", node.from];
    for (const { from, to } of node.getChildren("CodeText")) {
        // A tab may extend past the base column, and a blank line retains the text after its indentation.
        lines +=
            text[from] === "\n" ? text.slice(end + base, from) : " ".repeat(Math.max(0, columnOf(text, from) - base));
        lines += text.slice(from, to);
        end = to;
    }
    return { kind: "code", language: "", text: `${lines.replaceAll("\r\n", "\n")}\n` };
}

/**
 * Returns the column of an offset, with tab stops at every fourth column.
 * @param {string} text
 * @param {number} place
 */
function columnOf(text, place) {
    let column = 0;
    for (let at = text.lastIndexOf("\n", place - 1) + 1; at < place; at += 1) {
        column += text[at] === "\t" ? 4 - (column % 4) : 1;
    }
    return column;
}

/**
 * Returns the column in which the blocks of a quote or a list item begin.
 * @param {string} text
 * @param {SyntaxNode} container
 * @returns {number}
 */
function baseOf(text, { name, parent, firstChild: mark }) {
    if (!mark || !parent) return 0;
    if (name !== "Blockquote" && name !== "ListItem") return baseOf(text, parent);
    const end = columnOf(text, mark.to);
    const next = name === "ListItem" ? mark.nextSibling : null;
    const isBeside = next && next.name !== "CodeBlock" && !text.slice(mark.to, next.from).includes("\n");
    return isBeside ? columnOf(text, next.from) : end + 1;
}

/**
 * @param {Source} source
 * @param {SyntaxNode} node
 * @returns {Block}
 */
function table(source, node) {
    const { from = 0, to = 0 } = node.getChild("TableDelimiter") ?? {};
    const columns = [...source.text.slice(from, to).matchAll(/:?-+:?/g)].map(([mark]) => alignment(mark));
    let room = maxAddedCells;
    const row = (/** @type {SyntaxNode} */ line) => {
        const found = cells(source, line);
        const added = Math.max(0, Math.min(columns.length - found.length, room));
        room -= added;
        return Array.from(
            { length: Math.min(found.length + added, columns.length) },
            (_, column) => found[column] ?? [],
        );
    };
    const [head, ...rows] = children(node).filter(({ name }) => name !== "TableDelimiter" && name !== "QuoteMark");
    return { kind: "table", columns, head: row(head), rows: rows.map(row) };
}

/**
 * @param {string} mark
 * @returns {Alignment}
 */
function alignment(mark) {
    const [left, right] = [mark.startsWith(":"), mark.endsWith(":")];
    if (left && right) return "center";
    return left ? "left" : right ? "right" : null;
}

/**
 * @param {Source} source
 * @param {SyntaxNode} row
 */
function cells(source, row) {
    /** @type {Inlines[]} */
    const found = [];
    let column = 0;
    for (const { name, from, node } of children(row)) {
        if (name === "TableCell") found[column] = content({ ...source, isCell: true }, node);
        else if (name === "TableDelimiter" && from > row.from) column += 1;
    }
    return found;
}
