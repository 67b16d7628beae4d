/**
 * Parses links as specified by CommonMark (0.31.2 §6.3): brackets that are not a link do not prevent an outer link, and
 * brackets without a target need a definition. CodeMirror's own parser accepts any brackets as a link.
 */

import { normalized } from "./decoding.js";

/** @import { InlineContext, InlineElement, InlineParser } from "codemirror" */

const [exclamationMark, openingBracket, closingBracket] = [33, 91, 93];
const linkStart = {};
const imageStart = {};

const space = String.raw`[ \t\r\n]`;
const character = String.raw`[^ \p{Cc}()\\]|\\[^ \p{Cc}]`;
/** The pattern of a target, with parentheses nested up to three levels. */
const target = String.raw`<(?:[^<>\n\\]|\\.)*>|(?!<)(?:${character}|\((?:${character}|\((?:${character})*\))*\))*`;
const title = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)`;
const goal = new RegExp(String.raw`\(${space}*(${target})(?:${space}+(${title}))?${space}*\)`, "dsuy");
const label = /\[(?:[^\\[\]]|\\.){0,999}\]/sy;
const definition = /\[((?:[^\\[\]]|\\.){1,999})\]:/gs;

/** Returns all labels that a text defines, and possibly more. @param {string} text */
export const labelsIn = (text) =>
    text.includes("]:") ? new Set([...text.matchAll(definition)].map(([, name]) => normalized(name))) : new Set();

/** Returns the parsers of links. @param {Set<string>} labels the defined labels @returns {InlineParser[]} */
export const links = (labels) => [
    {
        name: "Link",
        parse: (context, next, at) =>
            next === openingBracket ? context.addDelimiter(linkStart, at, at + 1, true, false) : -1,
    },
    {
        name: "Image",
        parse: (context, next, at) =>
            next === exclamationMark && context.char(at + 1) === openingBracket
                ? context.addDelimiter(imageStart, at, at + 2, true, false)
                : -1,
    },
    {
        name: "LinkEnd",
        parse(context, next, at) {
            if (next !== closingBracket) return -1;
            const index = Math.max(
                context.findOpeningDelimiter(linkStart) ?? -1,
                context.findOpeningDelimiter(imageStart) ?? -1,
            );
            const { parts } = context;
            const opening = parts[index];
            if (!opening) return -1;
            const end = opening.side === 0 ? null : endOf(context, labels, opening.to, at);
            if (!end) {
                parts[index] = null;
                return -1;
            }
            const isLink = opening.type === linkStart;
            const inside = context.takeContent(index);
            // A link must not contain another link.
            for (const part of isLink ? parts : []) if (part?.type === linkStart) part.side = 0;
            return context.addElement(
                context.elt(isLink ? "Link" : "Image", opening.from, end[end.length - 1].to, [
                    context.elt("LinkMark", opening.from, opening.to),
                    ...inside,
                    context.elt("LinkMark", at, at + 1),
                    ...end,
                ]),
            );
        },
    },
];

/**
 * Parses the part after the text of a link.
 * @param {InlineContext} context
 * @param {Set<string>} labels
 * @param {number} from the start of the text
 * @param {number} to the end of the text
 * @returns {InlineElement[] | null} null if it is not a link
 */
function endOf(context, labels, from, to) {
    const { offset, text } = context;
    goal.lastIndex = label.lastIndex = to + 1 - offset;
    const { indices } = goal.exec(text) ?? {};
    if (indices) {
        const [, url, said] = indices;
        const element = (/** @type {string} */ name, /** @type {[number, number] | undefined} */ range) =>
            range && range[0] < range[1] ? [context.elt(name, offset + range[0], offset + range[1])] : [];
        return [
            context.elt("LinkMark", to + 1, to + 2),
            ...element("URL", url),
            ...element("LinkTitle", said),
            context.elt("LinkMark", offset + goal.lastIndex - 1, offset + goal.lastIndex),
        ];
    }
    if (labels.size === 0) return null;
    const named = label.exec(text)?.[0] ?? "";
    const name = named.slice(1, -1) || text.slice(from - offset, to - offset);
    if (name.length > 999 || !labels.has(normalized(name))) return null;
    return [context.elt("LinkLabel", to + 1, to + 1 + named.length)];
}
