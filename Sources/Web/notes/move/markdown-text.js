/** Writes parts of Markdown: texts that stay texts, marks around words, and fences. */

/** An address in a text, which stays as it is. */
const bareAddress = /(\b(?:https?:\/\/|www\.)[^\s<>"]+)/i;
const special = new RegExp(
    [
        String.raw`\\(?=[!-/:-@[-\x60{-~])`,
        "`",
        String.raw`(?<!\s)\*|\*(?!\s)`,
        String.raw`(?<![\p{L}\p{N}\s])_|_(?![\p{L}\p{N}\s])|(?<!\S)_(?=\S)|(?<=\S)_(?!\S)`,
        String.raw`\](?=[([:]|$)`,
        "<(?=[A-Za-z/!?])",
        "&(?=#?[A-Za-z0-9]+;)",
        "~~",
    ].join("|"),
    "gu",
);
const startMark = /^(?=#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|[-=_*~](?:\s*[-=_*~])*$)/;

/** Returns a text that a Markdown parser reads as this text, within a line. @param {string} text */
export const escaped = (text) =>
    text
        .split(bareAddress)
        .map((part, index) => (index % 2 ? part : part.replace(special, "\\$&")))
        .join("");

/** Escapes the start of a line that would begin a heading, a list, a quote or a rule. @param {string} line */
export const escapedStart = (line) => line.replace(startMark, "\\").replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");

/** Trims a line, and replaces the spaces that keep others apart. @param {string} line */
export const spaced = (line) => line.trim().replace(/(?<=\s)\u00a0|\u00a0(?=\s)/g, " ");

/**
 * Puts marks around words, without the spaces and U+0000 at their edges.
 * @param {string} marks
 * @param {string} text
 */
export function wrapped(marks, text) {
    const tasks = /^(?:\s?\0[x ])*/.exec(text)?.[0] ?? "";
    const words = text.slice(tasks.length).trim();
    // Marks do not reach over tasks.
    if (words === "" || words.includes("\0")) return text;
    const from = text.indexOf(words, tasks.length);
    return text.slice(0, from) + marks + words + [...marks].reverse().join("") + text.slice(from + words.length);
}

const marksAtEnd = /(?<!\\)(?:\*{1,3}|~~)$/;
const marksAtStart = /^(?:\*{1,3}|~~)/;
const pointsAtEnd = /([\p{L}\p{N}])([^\P{P}\\*~]+)(\*{1,3}|~~)$/u;
const pointsAtStart = /^(\*{1,3}|~~)([^\P{P}\\*~]+)(?=[\p{L}\p{N}])/u;

/** The length of a piece beyond which it stays as it is, in UTF-16 units: a change copies the piece. */
const maxChanged = 1000;

/**
 * Joins pieces of a line. Joins the marks of neighbours, and moves punctuation out of marks beside a letter, where the
 * marks would be no syntax.
 * @param {string[]} pieces
 */
export function joinedLine(pieces) {
    /** @type {string[]} */
    const found = [];
    for (const piece of pieces) {
        const before = found.at(-1);
        if (before === undefined || before.length + piece.length > maxChanged) {
            found.push(piece);
            continue;
        }
        const marks = marksAtEnd.exec(before)?.[0];
        if (marks && marksAtStart.exec(piece)?.[0] === marks) {
            found[found.length - 1] = before.slice(0, -marks.length) + piece.slice(marks.length);
            continue;
        }
        if (/^[\p{L}\p{N}]/u.test(piece)) found[found.length - 1] = before.replace(pointsAtEnd, "$1$3$2");
        found.push(/[\p{L}\p{N}]$/u.test(before) ? piece.replace(pointsAtStart, "$2$1") : piece);
    }
    return found.join("");
}

/** Returns a block of code. @param {string} code */
export function fenced(code) {
    const runs = [...code.matchAll(/`+/g)].map(([run]) => run.length + 1);
    const fence = "`".repeat(Math.max(3, ...runs));
    return `${fence}\n${code}\n${fence}`;
}
