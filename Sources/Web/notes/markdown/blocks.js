/**
 * Markdown's blocks: CommonMark 0.29 without HTML, which stays text, and with tables and task lists as GitHub has them.
 *
 * Two passes, as its specification describes (appendix "A parsing strategy"): lines make blocks, and then the texts of
 * these are read, when all link reference definitions are known.
 */

import { BlockReader } from "./block-reader.js";
import { inlines } from "./inlines.js";
import { last } from "./open-block.js";
import { meaning } from "./references.js";
import { cells } from "./tables.js";

/** @import { Block, Blocks, Item } from "./nodes.js" */
/** @import { Draft, Line } from "./open-block.js" */
/** @import { Reading } from "./inlines.js" */

/**
 * Reads a Markdown text.
 * @param {string} text
 * @param {{ bareLinks?: boolean }} [options] `bareLinks`: addresses that stand in the text are links too
 * @returns {Blocks}
 */
export function parse(text, { bareLinks = false } = {}) {
    const reader = new BlockReader();
    for (const line of lines(text)) reader.take(line);
    return finished(reader.end(), { references: reader.references, bareLinks });
}

/** @param {string} text */
function* lines(text) {
    const end = /\r\n|\n|\r/g;
    let offset = 0;
    while (offset < text.length) {
        const found = end.exec(text);
        const stop = found?.index ?? text.length;
        yield { text: text.slice(offset, stop).replaceAll("\0", "\u{FFFD}"), offset };
        offset = found ? end.lastIndex : text.length;
    }
}

/**
 * @param {Draft} container
 * @param {Reading} reading
 * @returns {Blocks}
 */
function finished(container, reading) {
    return container.parts.flatMap((part) => finishedBlock(part, reading) ?? []);
}

/**
 * @param {Draft} block
 * @param {Reading} reading
 * @returns {Block | null}
 */
function finishedBlock(block, reading) {
    const text = () => block.lines.map((line) => line.text).join("\n");
    switch (block.kind) {
        case "quote":
            return { kind: "quote", blocks: finished(block, reading) };
        case "list":
            return {
                kind: "list",
                start: block.start,
                tight: isTight(block),
                items: block.parts.map((item) => finishedItem(item, reading)),
            };
        case "heading":
            return { kind: "heading", level: block.level, content: inlines(text().trim(), reading) };
        case "fenced":
        case "indented":
            return {
                kind: "code",
                language: meaning(block.info).split(/[ \t]/)[0],
                text: block.lines.map((line) => `${line.text}\n`).join(""),
            };
        case "rule":
            return { kind: "rule" };
        case "table": {
            const row = (/** @type {Line} */ line) => {
                const found = cells(line.text).map((cell) => inlines(cell, reading));
                return block.columns.map((_, column) => found[column] ?? []);
            };
            return {
                kind: "table",
                columns: block.columns,
                head: row(block.lines[0]),
                rows: block.lines.slice(1).map(row),
            };
        }
        default:
            return block.lines.length === 0 ? null : { kind: "paragraph", content: inlines(text().trim(), reading) };
    }
}

/**
 * @param {Draft} item
 * @param {Reading} reading
 * @returns {Item}
 */
function finishedItem(item, reading) {
    const first = item.parts[0];
    const line = first?.kind === "paragraph" ? first.lines[0] : undefined;
    const mark = line && /^\[([ xX])\][ \t]+(?=\S)/.exec(line.text);
    if (!line || !mark) return { task: null, blocks: finished(item, reading) };
    const task = { checked: mark[1] !== " ", offset: line.offset + 1 };
    line.text = line.text.slice(mark[0].length);
    return { task, blocks: finished(item, reading) };
}

/**
 * A list is loose if blank lines stand between its entries, or between the blocks of one.
 * @param {Draft} list
 */
function isTight(list) {
    return list.parts.every((item, index) => {
        const isLast = index === list.parts.length - 1;
        if (!isLast && endsBlank(item)) return false;
        return item.parts.every((part, place) => (isLast && place === item.parts.length - 1) || !endsBlank(part));
    });
}

/** @param {Draft} block */
function endsBlank(block) {
    for (let each = block; each; each = last(each)) {
        if (each.endsBlank) return true;
        if (each.kind !== "list" && each.kind !== "item") return false;
    }
    return false;
}
