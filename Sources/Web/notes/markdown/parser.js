/**
 * The Markdown parser of the editor and the page: GitHub's syntax without HTML, which stays text.
 *
 * The parser comes with CodeMirror, which is large, so import it only from modules that are loaded on demand.
 */

import { markdownLanguage } from "codemirror";
import { bareLinks } from "./bare-links.js";
import { labelsIn, links } from "./links.js";

/** @import { InlineContext } from "codemirror" */

/** The maximum depth of quotes and lists; deeper ones stay text, which protects renderers that recurse. */
const maxDepth = 64;
/** The maximum number of marks in a paragraph, beyond which all stay text: each may be compared with all others. */
const maxMarks = 5000;
/** The length, in UTF-16 units, after which a paragraph ends: each line may be parsed with all earlier ones. */
const maxParagraph = 1 << 14;

const [lineFeed, space, lessThan, backslash] = [10, 32, 60, 92];
const marks = /[*_~[\]\\&`<]/g;
const plain = /(?:[^*_~[\]\\&`<! \n]| (?![ \n]))+/y;
/**
 * The remaining addresses of a paragraph, the next one last.
 * @type {WeakMap<InlineContext, ReturnType<typeof bareLinks>>}
 */
const pending = new WeakMap();
const address = /<[a-z][a-z0-9+.-]{1,31}:[^\s<>\p{Cc}]*>/iuy;
const mail =
    /<[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*>/iy;

/** The parser of a part of a text. Definitions are unknown, so links by labels stay text. */
export const parser = markdownLanguage.parser.configure({
    remove: ["HTMLBlock", "Superscript", "Subscript", "Emoji", "Autolink"],
    parseBlock: [
        {
            name: "Marks",
            before: "IndentedCode",
            parse(context, line) {
                if (line.pos === line.text.length) {
                    // For an empty item or quote, CodeMirror would take the next line for its text, and up to four
                    // trailing spaces for its indentation.
                    const spaces = line.text.length - line.text.trimEnd().length;
                    if (spaces < 5) context.block.value += 1 - spaces;
                    // An item that begins with a blank line is empty.
                    if (/^[\s>]*$/.test(context.peekLine())) context.block.value = Number.MAX_SAFE_INTEGER;
                    context.nextLine();
                    return true;
                }
                if (context.depth <= maxDepth) return false;
                const from = context.lineStart + line.pos;
                const inlines = context.parser.parseInline(line.text.slice(line.pos), from);
                context.addElement(context.elt("Paragraph", from, context.lineStart + line.text.length, inlines));
                context.nextLine();
                return true;
            },
        },
        {
            name: "Length",
            endLeaf: (_context, _line, leaf) =>
                leaf.content.length > maxParagraph && !leaf.parsers.some((one) => one.rows),
        },
    ],
    parseInline: [
        ...links(new Set()),
        {
            // Skips ordinary characters at once, and the whole paragraph if it has too many marks.
            name: "Text",
            before: "Escape",
            parse(context, _next, position) {
                const { text, offset, end } = context;
                if (position === offset && (text.match(marks)?.length ?? 0) > maxMarks) return end;
                const address = nextAddress(context, position);
                if (address?.from === position) return context.addElement(context.elt("URL", position, address.to));
                const before = text.slice(0, address && address.from - offset);
                const length = lengthAt(plain, { text: before, offset }, position);
                return length > 0 ? position + length : -1;
            },
        },
        {
            // Replaces CodeMirror's parser, which scans all following spaces from each space.
            name: "HardBreak",
            parse(context, next, position) {
                if (next !== space && next !== backslash) return -1;
                let end = position + 1;
                while (next === space && context.char(end) === space) end += 1;
                const isBreak = context.char(end) === lineFeed && (next === backslash || end > position + 1);
                if (isBreak) return context.addElement(context.elt("HardBreak", position, end + 1));
                return next === space ? end : -1;
            },
        },
        {
            // Replaces the parser of HTML tags.
            name: "HTMLTag",
            parse(context, next, position) {
                if (next !== lessThan) return -1;
                const length = lengthAt(address, context, position) || lengthAt(mail, context, position);
                if (length === 0) return -1;
                const last = position + length - 1;
                return context.addElement(
                    context.elt("Autolink", position, last + 1, [
                        context.elt("LinkMark", position, position + 1),
                        context.elt("URL", position + 1, last),
                        context.elt("LinkMark", last, last + 1),
                    ]),
                );
            },
        },
    ],
});

/** Returns the parser of a whole text. @param {string} text */
export function parserOf(text) {
    const labels = labelsIn(text);
    return labels.size === 0 ? parser : parser.configure({ parseInline: links(labels) });
}

/**
 * Returns the first address that begins at a position or later. Positions increase within a paragraph.
 * @param {InlineContext} context
 * @param {number} position
 */
function nextAddress(context, position) {
    const { text, offset } = context;
    const rest = pending.get(context) ?? bareLinks(text).reverse();
    pending.set(context, rest);
    while (rest.length > 0 && rest[rest.length - 1].from < position - offset) rest.pop();
    const next = rest[rest.length - 1];
    return next && { from: next.from + offset, to: next.to + offset };
}

/**
 * @param {RegExp} pattern sticky
 * @param {Pick<InlineContext, "text" | "offset">} context
 * @param {number} position
 */
function lengthAt(pattern, { text, offset }, position) {
    pattern.lastIndex = position - offset;
    return pattern.exec(text)?.[0].length ?? 0;
}
