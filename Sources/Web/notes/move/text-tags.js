/**
 * Tags that stand in a text: Obsidian's `#tag` and `#nested/tag`, and Bear's `#several words#` besides.
 *
 * Bear has no other tags, and nothing in its Markdown tells that it is Bear's. For that reason every Markdown file is
 * searched, except those with a title in the front matter: Hugo, Jekyll, Joplin and Almanac write one, have their tags
 * beside it, and a `#word` in their texts is a word. In a folder with `.obsidian`, those are searched too.
 */

import { parse } from "../markdown/blocks.js";

/** @import { Block, Inline } from "../markdown/nodes.js" */

/** Characters of a tag in Obsidian's help, and emoji, which its tags have too; `/` and `-` only stand between them. */
const edge = String.raw`\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}\u200d_`;
/**
 * A link to another note, which may have a `#` in it, or a tag: several words with a mark behind them, or one word. The
 * mark behind a single capital letter, as in C#, ends no tag.
 */
const pattern = new RegExp(
    String.raw`\[\[[^[\]\n]*\]\]|(?<!\S)#(?:([${edge}](?:[^#\n]*[^\s#])?)(?<!\s\p{Lu})#(?![${edge}/#-])|([${edge}/-]+)(?![${edge}/#-]))`,
    "gu",
);
const mayHoldTags = new RegExp(`#[${edge}]`, "u");
/** A color as in CSS: with a digit, or doubled as `#ffeedd`. Words of these letters, such as `#facade`, are tags. */
const color = /^(?=.*\d|(.)\1+$|(?:(.)\2)+$)(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/**
 * Finds the tags in a Markdown text: none in code, links and the marks of headings.
 * @param {string} text
 */
export function tagsIn(text) {
    if (!mayHoldTags.test(text)) return [];
    // A backslash takes the place of a mark that is escaped: it is no space, and means nothing.
    return [...new Set(parse(text.replaceAll("\\#", "\\\\")).flatMap(texts).flatMap(tagsOf))];
}

/**
 * Returns the texts of a block, and of the blocks in it.
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
 * Joins texts, with a mark in place of code, links and images.
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
