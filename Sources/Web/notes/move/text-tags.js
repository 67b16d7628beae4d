/**
 * Finds tags within a text: `#tag` and `#nested/tag` of Obsidian and Bear, and `#several words#` of Bear.
 *
 * Bear has no other tags, and its Markdown does not identify Bear. Every Markdown file is therefore searched, except
 * files with a title in the front matter: Hugo, Jekyll, Joplin and Almanac write a title and store tags beside it, so a
 * `#word` in their texts is only a word. In a folder with `.obsidian`, files with a title are searched too.
 */

import { parse } from "../markdown/blocks.js";

/** @import { Block, Inline } from "../markdown/nodes.js" */

/** The characters of a tag by Obsidian's help, and emoji, which Obsidian accepts too. `/` and `-` only occur inside. */
const edge = String.raw`\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}\u200d_`;
/**
 * A link to another note, which may contain a `#`, or a tag: several words with a closing mark, or one word. The mark
 * after a single capital letter, as in C#, does not close a tag.
 */
const pattern = new RegExp(
    String.raw`\[\[[^[\]\n]*\]\]|(?<!\S)#(?:([${edge}](?:[^#\n]*[^\s#])?)(?<!\s\p{Lu})#(?![${edge}/#-])|([${edge}/-]+)(?![${edge}/#-]))`,
    "gu",
);
const mayHoldTags = new RegExp(`#[${edge}]`, "u");
/** A CSS color: with a digit, or with doubled letters such as `#ffeedd`. Words such as `#facade` are tags. */
const color = /^(?=.*\d|(.)\1+$|(?:(.)\2)+$)(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Returns the tags in a Markdown text, except in code, links and heading marks. @param {string} text */
export function tagsIn(text) {
    if (!mayHoldTags.test(text)) return [];
    // A backslash replaces an escaped mark, because it is neither a space nor a mark.
    return [...new Set(parse(text.replaceAll("\\#", "\\\\")).flatMap(texts).flatMap(tagsOf))];
}

/** Returns the texts of a block and of its nested blocks. @param {Block} block @returns {string[]} */
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

/** Joins texts, with a placeholder for code, links and images. @param {Inline[]} content @returns {string} */
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
        // Numbers refer to issues.
        return /^(?:[\d_]*|[/-].*)$/.test(tag) || color.test(tag) ? [] : [tag];
    });
}
