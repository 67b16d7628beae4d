/**
 * Front matter: the YAML between two lines of three hyphens at the start of a Markdown file.
 *
 * Reads only the YAML that exports of notes contain: names with texts, which are plain, quoted or block scalars, and
 * lists of texts. Anchors, tags and nested collections are not parsed, so they are harmless. A plain text may contain
 * characters that people forget to quote: `title: Trip: day one`, `title: Bug #3`. The command line reads and writes
 * the same format; `front-matter.json` of its tests verifies both.
 */

/**
 * A field with its lines as written. `value` is null if the lines are not understood. The name is empty for lines
 * without one, such as comments.
 * @typedef {{ name: string, lines: string[], value: string | string[] | null }} Field
 */

const named = /^([A-Za-z_][A-Za-z0-9_?. -]*):(?: +(.*))?$/s;
const item = /^( *)-(?: +(.*))?$/s;
/** An element of a list in brackets, quoted or not, and the character after it. */
const flowItem = /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|([^\s,"'[\]{}][^,[\]{}]*)|)\s*([,\]])/sy;
const continuation = /^(?:[ \t]+\S|-(?: |$))/;
const block = /^([|>])(?:([1-9])([+-]?)|([+-])([1-9])?)?$/;

/** YAML beyond the supported subset. */
export class NotUnderstood extends Error {}

/**
 * Splits a text into front matter and the rest. Returns null without front matter, or if no field is understood.
 * @param {string} text
 * @returns {{ fields: Field[], rest: string } | null}
 */
export function split(text) {
    const found = /^---[ \t]*\r?\n/.exec(text);
    if (!found) return null;
    const lines = [];
    let at = found[0].length;
    for (;;) {
        const end = text.indexOf("\n", at);
        const line = text.slice(at, end < 0 ? text.length : end).replace(/\r$/, "");
        at = end < 0 ? text.length : end + 1;
        if (/^---[ \t]*$/.test(line)) break;
        if (end < 0) return null;
        lines.push(line);
    }
    const fields = read(lines);
    if (fields.length > 0 && fields.every(({ value }) => value === null)) return null;
    // The first empty line belongs to the front matter.
    return { fields, rest: text.slice(at).replace(/^\r?\n/, "") };
}

/** @param {string[]} lines */
function read(lines) {
    /** @type {Field[]} */
    const fields = [];
    const names = new Set();
    const reader = new FrontMatterReader(lines);
    while (reader.at < lines.length) {
        const from = reader.at;
        const found = named.exec(lines[from]);
        const name = found?.[1] ?? "";
        reader.at += 1;
        if (trimmed(lines[from]) === "") continue;
        const isFirst = found && !names.has(name.toLowerCase());
        const value = isFirst ? reader.value(trimmed(found[2] ?? "")) : null;
        if (value === null) reader.skip(from);
        names.add(name.toLowerCase());
        fields.push({ name, lines: lines.slice(from, reader.at), value });
    }
    return fields;
}

/** @param {string} text */
const trimmed = (text) => text.replace(/[ \t]+$/, "");

class FrontMatterReader {
    /** @param {string[]} lines */
    constructor(lines) {
        this.lines = lines;
        this.at = 0;
    }

    /**
     * Returns the value of a field, or null if it is not understood.
     * @param {string} written the text after the name
     */
    value(written) {
        try {
            const value =
                written === ""
                    ? this.list()
                    : written.startsWith("[")
                      ? this.flow(written)
                      : this.scalar(written, 0, true);
            return continuation.test(this.lines[this.at] ?? "") ? null : value;
        } catch (failure) {
            if (failure instanceof NotUnderstood) return null;
            throw failure;
        }
    }

    /** Skips the lines of a field up to the next one. @param {number} from the field's first line */
    skip(from) {
        this.at = from + 1;
        while (this.at < this.lines.length && !named.test(this.lines[this.at])) this.at += 1;
    }

    /**
     * Returns the elements of a list in brackets, which may span several lines.
     * @param {string} first the first line
     */
    flow(first) {
        let text = first;
        while (!text.endsWith("]") && this.at < this.lines.length && !named.test(this.lines[this.at])) {
            text += ` ${trimmed(this.lines[this.at])}`;
            this.at += 1;
        }
        /** @type {string[]} */
        const items = [];
        flowItem.lastIndex = 1;
        for (;;) {
            const found = flowItem.exec(text);
            const isLast = found?.[3] === "]";
            if (!found || (isLast && flowItem.lastIndex < text.length)) throw new NotUnderstood();
            if (found[1]) items.push(this.scalar(found[1], 0));
            else if (found[2]) items.push(plain(trimmed(found[2]), false));
            else if (!isLast) throw new NotUnderstood();
            if (isLast) return items;
        }
    }

    /** Returns the elements of a list, or an empty text if there are none. */
    list() {
        /** @type {string[]} */
        const items = [];
        let indent = -1;
        while (this.at < this.lines.length) {
            const found = item.exec(this.lines[this.at]);
            if (!found) break;
            if (indent >= 0 && found[1].length !== indent) throw new NotUnderstood();
            indent = found[1].length;
            this.at += 1;
            items.push(this.scalar(trimmed(found[2] ?? ""), indent));
        }
        return indent < 0 ? "" : items;
    }

    /**
     * @param {string} text the text of the line
     * @param {number} indent the indentation of the line
     * @param {boolean} [isField] true for a field; in a list element, a colon would start a nested collection
     */
    scalar(text, indent, isField = false) {
        if (text === "") return "";
        const style = block.exec(text);
        if (style) return this.block(style[1] === ">", Number(style[2] ?? style[5] ?? 0), style[3] || style[4], indent);
        if (text[0] === "'") return single(text);
        if (text[0] === '"') return double(text);
        return plain(text, isField);
    }

    /**
     * @param {boolean} isFolded
     * @param {number} explicit the stated indentation; 0 for none
     * @param {string | undefined} chomping
     * @param {number} outer
     */
    block(isFolded, explicit, chomping, outer) {
        let indent = explicit ? outer + explicit : 0;
        /** @type {string[]} */
        const found = [];
        for (; this.at < this.lines.length; this.at += 1) {
            const line = this.lines[this.at];
            const spaces = /^ */.exec(line)?.[0].length ?? 0;
            if (spaces === line.length && (!indent || spaces <= indent)) {
                found.push("");
                continue;
            }
            if (!indent) {
                if (spaces <= outer) break;
                indent = spaces;
            }
            if (spaces < indent) break;
            found.push(line.slice(indent));
        }
        let trailing = 0;
        while (found.at(-1) === "") {
            found.pop();
            trailing += 1;
        }
        const text = isFolded ? folded(found) : found.join("\n");
        if (chomping === "+") return text + "\n".repeat(found.length ? trailing + 1 : trailing);
        return chomping === "-" || !found.length ? text : `${text}\n`;
    }
}

/**
 * Joins the lines of a folded block: single line breaks become spaces, except around lines with deeper indentation.
 * @param {string[]} lines
 */
function folded(lines) {
    let text = "";
    let empty = 0;
    /** @type {string | null} */
    let before = null;
    for (const line of lines) {
        if (line === "") {
            empty += 1;
            continue;
        }
        if (before === null) text += "\n".repeat(empty);
        else if (/^[ \t]/.test(line) || /^[ \t]/.test(before)) text += "\n".repeat(empty + 1);
        else text += empty ? "\n".repeat(empty) : " ";
        text += line;
        before = line;
        empty = 0;
    }
    return text;
}

/** @param {string} text */
function single(text) {
    const inner = text.slice(1, -1);
    if (text.length < 2 || !text.endsWith("'") || inner.replaceAll("''", "").includes("'")) throw new NotUnderstood();
    return inner.replaceAll("''", "'");
}

/** @type {Record<string, string>} */
const escapes = {
    0: "\0",
    a: "\x07",
    b: "\b",
    t: "\t",
    n: "\n",
    v: "\v",
    f: "\f",
    r: "\r",
    e: "\x1b",
    '"': '"',
    "/": "/",
    "\\": "\\",
    " ": " ",
    N: "\x85",
    _: "\xa0",
    L: "\u2028",
    P: "\u2029",
};

/** Reads a text in double quotes with its escapes. @param {string} text */
export function double(text) {
    if (text.length < 2 || !text.endsWith('"')) throw new NotUnderstood();
    let read = "";
    for (let at = 1; at < text.length - 1; at += 1) {
        if (text[at] === '"') throw new NotUnderstood();
        if (text[at] !== "\\") {
            read += text[at];
            continue;
        }
        at += 1;
        // An escaped quotation mark does not end the text.
        if (at === text.length - 1) throw new NotUnderstood();
        const digits = { x: 2, u: 4, U: 8 }[text[at]];
        if (digits) {
            const code = text.slice(at + 1, Math.min(at + 1 + digits, text.length - 1));
            if (code.length < digits || /[^0-9A-Fa-f]/.test(code)) throw new NotUnderstood();
            const number = Number.parseInt(code, 16);
            if (number > 0x10ffff) throw new NotUnderstood();
            read += String.fromCodePoint(number);
            at += digits;
        } else {
            if (!Object.hasOwn(escapes, text[at])) throw new NotUnderstood();
            read += escapes[text[at]];
        }
    }
    if (!read.isWellFormed()) throw new NotUnderstood();
    return read;
}

/**
 * @param {string} text
 * @param {boolean} isField
 */
function plain(text, isField) {
    if (/^[[\]{},&*!|>'"%@`]/.test(text) || /^[-?:](?: |$)/.test(text)) throw new NotUnderstood();
    if (text.includes("\t") || (!isField && /: |:$/.test(text))) throw new NotUnderstood();
    // Joplin removes the quotes from texts with a leading hyphen, but leaves quotes inside doubled.
    return text[0] === "-" ? text.replaceAll("''", "'") : text;
}

const words = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);

/** Returns true for characters that YAML allows without escapes. Excludes tabs and line breaks. @param {number} code */
export const isPrintable = (code) =>
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa1 && code <= 0xd7ff && code !== 0x2028 && code !== 0x2029) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff) ||
    code >= 0x10000;

/** Returns a text as one line of YAML that every parser reads as this text. @param {string} text */
export function scalar(text) {
    const characters = [...text];
    const isPlain =
        /^[A-Za-z\u00a1-\u{10ffff}]/u.test(text) &&
        characters.every((character) => isPrintable(character.codePointAt(0) ?? 0)) &&
        !/: | #|[: ]$/.test(text) &&
        !words.has(text.toLowerCase());
    if (isPlain) return text;
    const quoted = characters.map((character) => {
        const code = character.codePointAt(0) ?? 0;
        if (character === '"' || character === "\\") return `\\${character}`;
        if (character === "\n" || character === "\t") return character === "\n" ? "\\n" : "\\t";
        return isPrintable(code) ? character : `\\u${code.toString(16).padStart(4, "0")}`;
    });
    return `"${quoted.join("")}"`;
}

/**
 * Returns a file with front matter.
 * @param {string[]} lines
 * @param {string} rest
 * @param {string} [fence] the line before and after the front matter
 */
export const joined = (lines, rest, fence = "---") =>
    `${fence}\n${lines.map((line) => `${line}\n`).join("")}${fence}\n\n${rest}`;

const date =
    /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:(?:T|,? +)(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?(?: ?(?:Z|UTC|([+-])(\d{2})(?::?(\d{2}))?))?)?$/i;

/**
 * Parses a time to milliseconds since 1970; returns null for anything else. A time without an offset is in UTC, as in
 * YAML. A date alone means its noon in UTC, which is the same date in nearly every time zone.
 * @param {string} text
 */
export function time(text) {
    const found = date.exec(text);
    if (!found) return null;
    const [year, month, day] = [1, 3, 4].map((place) => Number(found[place]));
    const [hour, minute, second] = [found[5] ?? 12, found[6] ?? 0, found[7] ?? 0].map(Number);
    const [hours, minutes] = [Number(found[10] ?? 0), Number(found[11] ?? 0)];
    const whole = new Date(0);
    whole.setUTCFullYear(year, month - 1, day);
    if (year < 1 || whole.getUTCMonth() !== month - 1 || whole.getUTCDate() !== day) return null;
    if (hour > 23 || minute > 59 || second > 60 || hours > 23 || minutes > 59) return null;
    const offset = (hours * 60 + minutes) * (found[9] === "-" ? -1 : 1);
    whole.setUTCHours(hour, minute - offset, second, Number((found[8] ?? ".").slice(1, 4).padEnd(3, "0")));
    const year4 = whole.getUTCFullYear();
    return year4 >= 1 && year4 <= 9999 ? whole.getTime() : null;
}
