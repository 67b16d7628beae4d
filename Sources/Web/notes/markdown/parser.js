/**
 * The parser of Markdown, which the editor and the page share: GitHub's, without HTML, which stays text.
 *
 * It comes with CodeMirror, which is large: only what is loaded when it is used imports it.
 */

import { markdownLanguage } from "codemirror";
import { labelsIn, links } from "./links.js";

/** @import { InlineContext } from "codemirror" */

/** Quotes and lists in deeper ones stay text: nobody writes them, and whatever shows them would have to go as deep. */
const maxDepth = 64;
/** The marks of a paragraph that has more stay text, since each may be compared with all others. */
const maxMarks = 5000;
/** A longer paragraph ends with its line, in UTF-16 units, since each line may be read with all before it. */
const maxParagraph = 1 << 14;

const [lineFeed, space, lessThan, backslash, letterH] = [10, 32, 60, 92, 104];
const marks = /[*_~[\]\\&`<]/g;
const plain = /(?:[^*_~[\]\\&`<!h \n]|h(?!ttps?:)| (?![ \n]))+/y;
const bareAddress = /(?<!\w)https?:\/\/[^\s<>"`[\]]*[^\s<>"`[\]'.,;:!?*_~)]/y;
const address = /<[a-z][a-z0-9+.-]{1,31}:[^\s<>\p{Cc}]*>/iuy;
const mail =
    /<[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*>/iy;

/** What definitions say is not known where only a part of a text is read: links by labels stay text. */
export const parser = markdownLanguage.parser.configure({
    remove: ["HTMLBlock", "Superscript", "Subscript", "Emoji"],
    parseBlock: [
        {
            name: "Marks",
            before: "IndentedCode",
            parse(context, line) {
                if (line.pos === line.text.length) {
                    // Nothing stands behind a mark: the parser would take the next line for its text, and spaces for its
                    // indentation unless they are five.
                    const spaces = line.text.length - line.text.trimEnd().length;
                    if (spaces < 5) context.block.value += 1 - spaces;
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
            // Characters that mean nothing are passed at once, and none is looked at where there are too many marks.
            name: "Text",
            before: "Escape",
            parse(context, _next, position) {
                const { text, offset, end } = context;
                if (position === offset && (text.match(marks)?.length ?? 0) > maxMarks) return end;
                const length = lengthAt(plain, context, position);
                return length > 0 ? position + length : -1;
            },
        },
        {
            // The parser's own looks at all spaces that follow, from each.
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
            // Takes the place of tags.
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
        {
            name: "Autolink",
            parse(context, next, position) {
                const length = next === letterH ? lengthAt(bareAddress, context, position) : 0;
                return length > 0 ? context.addElement(context.elt("URL", position, position + length)) : -1;
            },
        },
    ],
});

/**
 * Returns the parser of a whole text.
 * @param {string} text
 */
export const parserOf = (text) => parser.configure({ parseInline: links(labelsIn(text)) });

/**
 * @param {RegExp} pattern sticky
 * @param {InlineContext} context
 * @param {number} position
 */
function lengthAt(pattern, { text, offset }, position) {
    pattern.lastIndex = position - offset;
    return pattern.exec(text)?.[0].length ?? 0;
}
