/**
 * Tags that stand in a text: Obsidian's `#tag` and `#nested/tag`, and Bear's `#several words#` besides.
 *
 * Bear has no other tags, and nothing in its Markdown tells that it is Bear's. So every Markdown file is read for them,
 * besides those of programs that write a title into the front matter (Hugo, Jekyll, Joplin, Almanac): there tags stand in
 * the front matter too, and a `#word` in the text is a word. A folder with `.obsidian` is Obsidian's in any case.
 */

import { parse } from "../markdown/blocks.js";

/** @import { Block, Inline } from "../markdown/nodes.js" */

/** Letters, numbers, pictures and `_`; `/` and `-` stand between them. As Obsidian's help has it, and Bear takes these too. */
const edge = String.raw`\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}\u200d_`;
/**
 * A link within the notes, which may have a `#` in it; several words with a mark behind them, which is none where it ends
 * the name of a language or a note, as in C#; or one word.
 */
const pattern = new RegExp(
    String.raw`\[\[[^[\]\n]*\]\]|(?<!\S)#(?:([${edge}](?:[^#\n]*[^\s#])?)(?<!\s\p{Lu})#(?![${edge}/#-])|([${edge}/-]+)(?![${edge}/#-]))`,
    "gu",
);
const mayHoldTags = new RegExp(`#[${edge}]`, "u");
/** A color as in CSS: with a digit, or doubled as `#ffeedd`. Words of these letters, such as `#facade`, are tags. */
const color = /^(?=.*\d|(.)\1+$|(?:(.)\2)+$)(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/**
 * The tags in a Markdown text, without those in code, links and headings' marks.
 * @param {string} text
 */
export function tagsIn(text) {
    if (!mayHoldTags.test(text)) return [];
    // A backslash takes the place of a mark that is escaped: it is no space, and means nothing.
    return [...new Set(parse(text.replaceAll("\\#", "\\\\")).flatMap(texts).flatMap(tagsOf))];
}

/**
 * The texts of a block, those of blocks in it too.
 * @param {Block} block
 * @returns {string[]}
 */
function texts(block) {
    switch (block.kind) {
        case "paragraph":
        case "heading":
            return [flat(block.content)];
        case "quote":
            return block.blocks.flatMap(texts);
        case "list":
            return block.items.flatMap(({ blocks }) => blocks.flatMap(texts));
        case "table":
            return [block.head, ...block.rows].flat().map(flat);
        default:
            return [];
    }
}

/**
 * What is written, with a mark in place of code, links and images.
 * @param {Inline[]} content
 * @returns {string}
 */
const flat = (content) =>
    content
        .map((each) => {
            if (each.kind === "text") return each.text;
            if (each.kind === "break") return "\n";
            return each.kind === "code" || each.kind === "link" || each.kind === "image" ? "`" : flat(each.content);
        })
        .join("");

/** @param {string} text */
function tagsOf(text) {
    return [...text.matchAll(pattern)].flatMap(([, several, one]) => {
        const tag = (several ?? one ?? "").replace(/[/-]+$/, "").replace(/\s+/g, " ");
        // Numbers are those of issues.
        return /^(?:[\d_]*|[/-].*)$/.test(tag) || color.test(tag) ? [] : [tag];
    });
}
