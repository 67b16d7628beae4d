/** Writes nodes as Markdown, so that `parse` returns the same nodes. Escapes a text only if it would be syntax. */

import { addressTarget } from "./bare-links.js";
import { parse } from "./blocks.js";
import { addressText, escaped, isFound } from "./escapes.js";

/** @import { Alignment, Block, Blocks, Inline, Inlines, Item } from "./nodes.js" */
/** @typedef {Extract<Block, { kind: "list" }>} List */
/** @typedef {{ sign: "*" | "_", isEscaped: boolean }} Style the sign of emphasis, and whether signs are escaped */
/**
 * A place of inline nodes.
 * @typedef {object} Place
 * @property {(text: string) => string} line escapes a line that would be the syntax of a block
 * @property {(text: string) => Inlines | null} read
 */

/** The length of a text that is always escaped, in UTF-16 units: trying other ways would take too long. */
const maxTriedLength = 1 << 14;
/** The width of a table whose columns are aligned, in UTF-16 units. */
const maxAlignedWidth = 120;

/** Characters that may be syntax, and beginnings of lines that may be. */
const risky = /[\\*_~[\]`<>#&|]|^[-+=:]|^\d{1,9}[.)]/;
/** The punctuation around words. */
const edges = /^(\p{P}*)(.*?)(\p{P}*)$/su;

/** @type {Style[]} */
const styles = [
    { sign: "*", isEscaped: false },
    { sign: "_", isEscaped: false },
    { sign: "*", isEscaped: true },
    { sign: "_", isEscaped: true },
];

/** @type {Place} */
const paragraph = {
    line: (text) => text.replace(/^[#>+\-=|:]/, "\\$&").replace(/^(\d{1,9})(?=[.)])/, "$1\\"),
    read: (text) => contentOf(parse(text), "paragraph"),
};
/** A paragraph of a list item, where a box would be a task. @type {Place} */
const itemParagraph = {
    ...paragraph,
    read: (text) => {
        const [list] = parse(`- ${text.replaceAll("\n", "\n  ")}`);
        const [item] = list?.kind === "list" ? list.items : [];
        return item?.task === null ? contentOf(item.blocks, "paragraph") : null;
    },
};
/** @type {Place} */
const heading = {
    line: (text) => text.replace(/#+$/, "\\$&"),
    read: (text) => contentOf(parse(`# ${text}`), "heading"),
};
/** @type {Place} */
const cell = {
    line: (text) => text,
    read: (text) => {
        const [table] = parse(`| ${text} |\n| --- |`);
        return table?.kind === "table" ? table.head[0] : null;
    },
};

/** @param {Blocks} blocks @param {"paragraph" | "heading"} kind */
function contentOf([block, ...others], kind) {
    return block?.kind === kind && others.length === 0 ? /** @type {{ content: Inlines }} */ (block).content : null;
}

/** @param {Blocks} blocks */
export const write = (blocks) => joined(blocks, false);

/**
 * @param {Blocks} blocks
 * @param {boolean} isTight true in a tight list, where no blank lines separate blocks
 * @param {Place} [place] the place of paragraphs
 */
function joined(blocks, isTight, place = paragraph) {
    let text = "";
    let isOther = false;
    for (const [index, block] of blocks.entries()) {
        const before = blocks[index - 1];
        if (index > 0) text += isTight && isSeparate(block) ? "\n" : "\n\n";
        // Another sign begins another list.
        isOther = block.kind === "list" && before?.kind === "list" && isAlike(block, before) && !isOther;
        text += written(block, isOther, place);
    }
    return text;
}

/** Returns true if a block needs no blank line before it. @param {Block} block */
function isSeparate(block) {
    if (block.kind === "list") return block.start === null || block.start === 1;
    return block.kind === "code" || block.kind === "quote" || block.kind === "heading";
}

/** Returns true if the blocks of a list item are written without blank lines. @param {Blocks} blocks */
export const isTightItem = (blocks) => blocks.every((block, index) => index === 0 || isSeparate(block));

/** @param {List} one @param {List} other */
const isAlike = (one, other) => (one.start === null) === (other.start === null);

/** @param {string} text @param {string} first @param {string} [others] */
const prefixed = (text, first, others = first) =>
    text
        .split("\n")
        .map((line, index) => [index === 0 ? first : others, line])
        .map(([prefix, line]) => (line === "" ? prefix.trimEnd() : prefix + line))
        .join("\n");

/**
 * @param {Block} block
 * @param {boolean} isOther true for a list after a list of the same kind
 * @param {Place} place the place of a paragraph
 */
function written(block, isOther, place) {
    switch (block.kind) {
        case "paragraph":
            return inlines(block.content, place);
        case "heading":
            return `${"#".repeat(block.level)} ${inlines(onOneLine(block.content), heading)}`;
        case "code": {
            const fence = "`".repeat(Math.max(3, longestRun(block.text) + 1));
            return `${fence}${block.language}\n${block.text}${/\n$|^$/.test(block.text) ? "" : "\n"}${fence}`;
        }
        case "quote":
            return prefixed(joined(block.blocks, false), "> ");
        case "rule":
            return "---";
        case "list":
            return listText(block, isOther);
        case "table":
            return tableText(block);
    }
}

/** Returns the length of the longest run of backticks. @param {string} text */
const longestRun = (text) => (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);

/** @param {List} list @param {boolean} isOther */
function listText({ start, tight, items }, isOther) {
    const lines = items.map((item, index) => {
        const mark = start === null ? (isOther ? "+" : "-") : `${start + index}${isOther ? ")" : "."}`;
        return itemText(item, tight, `${mark} `);
    });
    return lines.join(tight ? "\n" : "\n\n");
}

/** @param {Item} item @param {boolean} isTight @param {string} mark */
function itemText({ task, blocks }, isTight, mark) {
    const box = task ? `[${task.checked ? "x" : " "}] ` : "";
    return prefixed(joined(blocks, isTight, itemParagraph), mark + box, " ".repeat(mark.length));
}

/** @param {Extract<Block, { kind: "table" }>} table */
function tableText({ columns, head, rows }) {
    const texts = [head, ...rows].map((row) => row.map((content) => inlines(onOneLine(content), cell)));
    const widths = columns.map(() => 3);
    for (const [column, { length }] of texts.flatMap((row) => [...row.entries()])) {
        widths[column] = Math.max(widths[column], length);
    }
    const isAligned = widths.reduce((sum, width) => sum + width, 0) <= maxAlignedWidth;
    const marks = columns.map((alignment, column) => {
        const line = "-".repeat(isAligned ? widths[column] : 3);
        if (alignment === "center") return `:${line.slice(2)}:`;
        return alignment === "right" ? `${line.slice(1)}:` : alignment === "left" ? `:${line.slice(1)}` : line;
    });
    const [first, ...others] = texts;
    return [first, marks, ...others]
        .map((row) =>
            isAligned ? columns.map((side, column) => padded(row[column] ?? "", side, widths[column])) : row,
        )
        .map((row) => `| ${row.join(" | ")} |`)
        .join("\n");
}

/** @param {string} text @param {Alignment} side @param {number} width */
const padded = (text, side, width) => (side === "right" ? text.padStart(width) : text.padEnd(width));

/** Replaces line breaks by spaces. @param {Inlines} content @returns {Inlines} */
const onOneLine = (content) =>
    content.map((each) => {
        if (each.kind === "break") return asText(" ");
        return "content" in each ? { ...each, content: onOneLine(each.content) } : each;
    });

/**
 * Writes inline nodes in the first way that `parse` reads as these nodes. Emphasis whose signs are no syntax there,
 * such as before a letter, is narrowed to its words, or removed.
 * @param {Inlines} content
 * @param {Place} place
 */
function inlines(content, place) {
    const only = content.length === 1 && content[0].kind === "text" ? content[0].text : null;
    if (only !== null && !risky.test(only)) return only;
    for (const goal of [content, narrowed(content), unstyled(content)]) {
        const expected = signature(goal);
        for (const style of styles) {
            const text = lines(goal, style, place);
            if (text.length > maxTriedLength) break;
            const found = place.read(text);
            if (found && signature(found) === expected) return text;
        }
    }
    return lines(unstyled(content), { sign: "*", isEscaped: true }, place);
}

/** @param {Inlines} content @param {Style} style @param {Place} place */
function lines(content, style, place) {
    const text = content.map((each, index) => inline(each, style, content[index - 1], content[index + 1])).join("");
    const safe = place === cell ? text.replaceAll("|", "\\|") : text;
    // A later line that looks like a list item is one within some lists only.
    const isSyntax = (/** @type {string} */ line, /** @type {number} */ index) =>
        style.isEscaped || (index > 0 && /^(?:[-+]|\d{1,9}[.)])(?:\s|$)/.test(line));
    return safe
        .split("\n")
        .map((line, index) => (isSyntax(line, index) ? place.line(line) : line))
        .join("\n");
}

/**
 * @param {Inline} each
 * @param {Style} style
 * @param {Inline} [before]
 * @param {Inline} [after]
 * @returns {string}
 */
function inline(each, style, before, after) {
    const inside = (/** @type {Inlines} */ content) =>
        content.map((one, index) => inline(one, style, content[index - 1], content[index + 1])).join("");
    switch (each.kind) {
        case "text":
            return style.isEscaped ? escaped(each.text) : each.text;
        case "break":
            return each.hard ? "  \n" : "\n";
        case "code": {
            const fence = "`".repeat(longestRun(each.text) + 1);
            const space = /^`|`$|^ .* $/.test(each.text) ? " " : "";
            return fence + space + each.text + space + fence;
        }
        case "emphasis":
            return style.sign + inside(each.content) + style.sign;
        case "strong":
            return `**${inside(each.content)}**`;
        case "strike":
            return `~~${inside(each.content)}~~`;
        case "image":
            return `![${escaped(each.description)}](${addressText(each.target)})`;
        case "link": {
            if (!isBare(each)) return `[${inside(each.content)}](${addressText(each.target)})`;
            const text = textOf(each.content[0]);
            if (isFound(textOf(before), text, textOf(after))) return text;
            return /^www\./i.test(text) ? `[${text}](${addressText(each.target)})` : `<${text}>`;
        }
    }
}

/** @param {Inline | undefined} each */
const textOf = (each) => (!each || each.kind === "break" ? "" : each.kind === "text" ? each.text : "*x*");

/**
 * Returns true for a link whose text is its address.
 * @param {Extract<Inline, { kind: "link" }>} link
 */
export function isBare({ target, content }) {
    const [only, ...others] = content;
    if (only?.kind !== "text" || others.length > 0) return false;
    return target === only.text || target === addressTarget(only.text);
}

/**
 * Moves the punctuation at the edges of emphasis out of it: before a letter, `**` after a colon is no syntax.
 * @param {Inlines} content
 * @returns {Inlines}
 */
function narrowed(content) {
    return content.flatMap((each) => {
        if (each.kind !== "emphasis" && each.kind !== "strong" && each.kind !== "strike") return [each];
        const [only, ...others] = each.content;
        if (only?.kind !== "text" || others.length > 0) return [each];
        const [, before, words, after] = /** @type {string[]} */ (edges.exec(only.text));
        const core = words === "" ? [] : [{ ...each, content: [asText(words)] }];
        return [asText(before), ...core, asText(after)];
    });
}

/** @param {string} text @returns {Extract<Inline, { kind: "text" }>} */
const asText = (text) => ({ kind: "text", text });

/**
 * @param {Inlines} content
 * @returns {Inlines}
 */
function unstyled(content) {
    return content.flatMap((each) => {
        if (each.kind === "link") return [{ ...each, content: unstyled(each.content) }];
        return "content" in each ? unstyled(each.content) : [each];
    });
}

/**
 * Returns nodes as a text for comparisons: texts joined, and links of addresses as texts.
 * @param {Inlines} content
 */
function signature(content) {
    /** @type {unknown[]} */
    const parts = [];
    const add = (/** @type {string} */ text) => {
        if (typeof parts[parts.length - 1] === "string") parts[parts.length - 1] += text;
        else if (text !== "") parts.push(text);
    };
    for (const each of content) {
        if (each.kind === "text") add(each.text);
        else if (each.kind === "link" && isBare(each)) add(textOf(each.content[0]));
        else if ("content" in each) parts.push([each.kind, "target" in each && each.target, signature(each.content)]);
        else parts.push(each);
    }
    return JSON.stringify(parts);
}
