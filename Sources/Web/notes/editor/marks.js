/**
 * What of a line of Markdown is styled while it is typed. A line alone is looked at, so that a keystroke costs the same in
 * a note of any size; the preview is what shows it exactly.
 */
import { safe } from "../markdown/render.js";
import { itemOf } from "./lists.js";

/** @typedef {{ from: number, to: number, kind: string, href?: string }} Mark */

/** Longer lines are shown plainly: no expression looks at them. */
const longest = 5000;

const code = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
const link = /!?\[([^\]\n]*)\]\(<?([^\s)>]+)>?(?:\s+"[^"]*")?\)/g;
const address = /\bhttps?:\/\/[^\s<>()[\]`"']+[^\s<>()[\]`"'.,;:!?]|\bmailto:[^\s<>()[\]`"']+[^\s<>()[\]`"'.,;:!?]/g;
const styles = /** @type {[string, RegExp][]} */ ([
    ["strong", /(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g],
    ["emphasis", /(?<![*\w])\*(?=[^\s*])([^*]*?[^\s*])\*(?!\*)|(?<![_\w])_(?=[^\s_])([^_]*?[^\s_])_(?![_\w])/g],
    ["strike", /~~(?=\S)(.+?)(?<=\S)~~/g],
]);

/**
 * The fence that a line is, if it is one.
 * @param {string} line
 */
export function fenceOf(line) {
    const match = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (!match || (match[1][0] === "`" && match[2].includes("`"))) return null;
    return { character: match[1][0], length: match[1].length, isBare: match[2].trim() === "" };
}

/** @typedef {NonNullable<ReturnType<typeof fenceOf>>} Fence */

/**
 * The fence that is open after another one.
 * @param {Fence | null} open
 * @param {Fence} fence
 */
export function afterFence(open, fence) {
    if (!open) return fence;
    return fence.isBare && fence.character === open.character && fence.length >= open.length ? null : open;
}

/**
 * The kind of a whole line, if it has one.
 * @param {string} line
 */
export function kindOf(line) {
    const heading = /^ {0,3}(#{1,6})(?=\s|$)/.exec(line);
    if (heading) return `heading heading-${heading[1].length}`;
    if (/^ {0,3}>/.test(line)) return "quote";
    if (/^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line)) return "rule";
    return null;
}

/**
 * The marks inside a line, in the order of their starts.
 * @param {string} line
 * @returns {Mark[]}
 */
export function marksOf(line) {
    if (line.length > longest) return [];
    /** @type {Mark[]} */
    const marks = [];
    const lead = /^ {0,3}(?:#{1,6}(?=\s|$)|>)/.exec(line);
    if (lead) marks.push({ from: 0, to: lead[0].length, kind: "sign" });
    const begun = itemOf(line);
    if (begun) {
        const start = begun.indent.length;
        marks.push({ from: start, to: start + begun.bullet.length, kind: "sign" });
        if (begun.task) {
            marks.push({ from: begun.task.at - 1, to: begun.task.at + 2, kind: "task" });
            if (begun.task.isTicked && line.length > begun.length) {
                marks.push({ from: begun.length, to: line.length, kind: "done" });
            }
        }
    }
    /** What has a meaning of its own, in which nothing else is looked for. */
    let plain = line;
    /** @type {(from: number, to: number) => void} */
    const hide = (from, to) => {
        plain = plain.slice(0, from) + "\u00a0".repeat(to - from) + plain.slice(to);
    };
    for (const match of line.matchAll(code)) {
        marks.push({ from: match.index, to: match.index + match[0].length, kind: "code" });
        hide(match.index, match.index + match[0].length);
    }
    for (const match of plain.matchAll(link)) {
        const end = match.index + match[0].length;
        marks.push({ from: match.index, to: end, kind: "link", href: safe(match[2]) ?? undefined });
        hide(end - match[0].length + match[0].indexOf("](") + 1, end);
    }
    for (const match of plain.matchAll(address)) {
        const end = match.index + match[0].length;
        marks.push({ from: match.index, to: end, kind: "link", href: safe(match[0]) ?? undefined });
        hide(match.index, end);
    }
    for (const [kind, style] of styles) {
        for (const match of plain.matchAll(style)) {
            marks.push({ from: match.index, to: match.index + match[0].length, kind });
        }
    }
    return marks.sort((one, other) => one.from - other.from || other.to - one.to);
}
