/**
 * Excerpts of texts as one line of plain text.
 *
 * The parser of Markdown is too large for the first rows of a list, so patterns find the marks of common Markdown.
 */
import { bareLinks } from "../markdown/bare-links.js";
import { decoded } from "../markdown/decoding.js";

/** The maximum length of a line, in UTF-16 units. */
const maxLength = 200;
/** The length of text that is searched for words, in UTF-16 units. */
const looked = 600;
/** The maximum depth of marks in marks. */
const maxDepth = 3;

const fence = /^[ \t>]*(`{3,}|~{3,})[^\n`]*(?:\n((?:(?!^[ \t>]*\1)[^\n]*\n?)*)(?:[^\n]*$)?)?/gmu;
/** Code in a line, an escape, an entity, and an address in angle brackets. */
const literal = new RegExp(
    [
        "(?<!`)(`+)(?!`)(.+?)(?<!`)\\1(?!`)",
        String.raw`\\[!-/:-@[-\x60{-~]`,
        String.raw`&#?\w{1,8};`,
        String.raw`<([a-z][a-z0-9+.-]+:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>`,
    ].join("|"),
    "giu",
);
/** The marks at the beginning of lines, and lines that are only marks. */
const lineMarks = new RegExp(
    [
        String.raw`^[ \t>]*(?:(?:[-*_=|:][ \t]*){3,}|\[[^\]\n]+\]:[ \t]*\S+(?:[ \t]+["'(][^\n]*)?)$`,
        String.raw`^(?:[ \t]*(?:>|#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?))+`,
    ].join("|"),
    "gmu",
);
const cellMark = /^[ \t]*\|.*$/gmu;
const target = String.raw`<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*`;
const title = String.raw`"[^"]*"|'[^']*'|\([^()]*\)`;
const link = new RegExp(
    String.raw`!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\([ \t]*(?:${target})(?:\s+(?:${title}))?\s*\)`,
    "gu",
);
const [stars, underscores, tildes] = [
    /(\*\*|\*)(?=[^\s*])((?:[^*\n]|\n(?!\s*\n))+)(?<=[^\s*])\1/gu,
    /(?<![\p{L}\p{N}])(__|_)(?=[^\s_])((?:.|\n(?!\s*\n))+?)(?<=[^\s_])\1(?![\p{L}\p{N}_])/gu,
    /(~~)(?=[^\s~])((?:.|\n(?!\s*\n))+?)(?<=\S)\1/gu,
];
/** A link and a mark that the end of a part has cut. */
const cutLink = /!?\[([^[\]]*)(?:\]\([^()\s]*)?$/u;
const cutMark = /(?<!\S)(?:\*{1,3}|_{1,3}|~~|`+)(?=[^\s*_~`](?:.|\n(?!\s*\n))*$)/u;

/**
 * Returns a part of a text without the marks of Markdown.
 * @param {string} part
 * @param {boolean} isCut true if the text goes on
 */
function plain(part, isCut) {
    /** @type {string[]} */
    const kept = [];
    const keep = (/** @type {string} */ words) => `\0${kept.push(words) - 1}\0`;
    let text = part
        .replaceAll("\0", " ")
        .replace(fence, (_, _mark, code) => keep(code ?? ""))
        .replace(literal, (whole, _mark, code, address) => keep(code ?? address ?? decoded(whole)));
    for (const { from, to } of bareLinks(text).reverse()) {
        text = text.slice(0, from) + keep(text.slice(from, to)) + text.slice(to);
    }
    text = text.replace(lineMarks, "").replace(cellMark, (row) => row.replaceAll("|", " "));
    text = text.replace(link, "$1").replace(link, "$1");
    if (isCut) text = text.replace(cutLink, "$1");
    for (let depth = 0; depth < maxDepth && /[*_~]/.test(text); depth += 1) {
        text = text.replace(stars, "$2").replace(underscores, "$2").replace(tildes, "$2");
    }
    if (isCut) text = text.replace(cutMark, "");
    return text.replace(/\0(\d+)\0/g, (_, index) => kept[index]);
}

/**
 * Returns a part of a body, with and without the marks of Markdown. `isCut`: the body goes on.
 * @param {string} body
 * @param {number} from
 */
export function partOf(body, from) {
    const source = body.slice(from, from + looked);
    const isCut = from + looked < body.length;
    return { source, text: plain(source, isCut), isCut };
}

/**
 * Returns a text as one line, without half a surrogate pair.
 * @param {string} text
 * @param {boolean} isCut true if more follows
 */
export function oneLine(text, isCut) {
    const line = text
        .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "")
        .replace(/\s+/gu, " ")
        .trim();
    let end = Math.min(line.length, maxLength);
    if ((line.charCodeAt(end) & 0xfc00) === 0xdc00) end -= 1;
    return line.slice(0, end) + (end === line.length && !isCut ? "" : "…");
}

/** Returns the beginning of a body without the marks of Markdown. @param {string} body */
export function beginning(body) {
    const start = body.search(/\S/u);
    if (start < 0) return "";
    const { source, text, isCut } = partOf(body, start);
    return oneLine(text.trim() || source, isCut);
}
