/**
 * Front matter: the lines of YAML between two lines of three hyphens, with which a Markdown file begins.
 *
 * Of YAML no more than what such exports hold: names with texts, plain, quoted or as blocks, and lists of texts. Anchors,
 * tags, nested and flow collections are not understood, so nothing that they could do is ever done. The command line reads
 * and writes the same; `front-matter.json` of its tests holds both to it.
 */

/** @typedef {{ name: string, lines: string[], value: string | string[] }} Field a name as written, with its lines */

const named = /^([A-Za-z_][A-Za-z0-9_?. -]*):(?: +(.*))?$/s;
const item = /^( *)-(?: +(.*))?$/s;
const block = /^([|>])(?:([1-9])([+-]?)|([+-])([1-9])?)?$/;

/** Somebody's YAML that is more than this reads. */
class NotUnderstood extends Error {}

/**
 * The fields and what follows them; null where a text has no front matter, or one that is not understood.
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
    // One empty line belongs to the front matter.
    return fields && { fields, rest: text.slice(at).replace(/^\r?\n/, "") };
}

/**
 * @param {string[]} lines
 * @returns {Field[] | null}
 */
function read(lines) {
    /** @type {Field[]} */
    const fields = [];
    const names = new Set();
    const reader = new Reader(lines);
    try {
        while (reader.at < lines.length) {
            if (trimmed(lines[reader.at]) === "") {
                reader.at += 1;
                continue;
            }
            const from = reader.at;
            const found = named.exec(lines[from]);
            const name = found?.[1].toLowerCase();
            if (!found || names.has(name)) return null;
            names.add(name);
            reader.at += 1;
            const written = trimmed(found[2] ?? "");
            const value = written === "" ? reader.list() : written === "[]" ? [] : reader.scalar(written, 0);
            fields.push({ name: found[1], lines: lines.slice(from, reader.at), value });
        }
    } catch (failure) {
        if (failure instanceof NotUnderstood) return null;
        throw failure;
    }
    return fields;
}

/** @param {string} text */
const trimmed = (text) => text.replace(/[ \t]+$/, "");

class Reader {
    /** @param {string[]} lines */
    constructor(lines) {
        this.lines = lines;
        this.at = 0;
    }

    /** The items of a list; an empty text where there are none. */
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
     * @param {string} text what stands in the line
     * @param {number} indent of the line
     */
    scalar(text, indent) {
        if (text === "") return "";
        const style = block.exec(text);
        if (style) return this.block(style[1] === ">", Number(style[2] ?? style[5] ?? 0), style[3] || style[4], indent);
        if (text[0] === "'") return single(text);
        if (text[0] === '"') return double(text);
        return plain(text);
    }

    /**
     * @param {boolean} isFolded
     * @param {number} explicit the indent that is stated; 0 for none
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
 * Lines of a folded block: single line breaks become spaces, except around lines that are indented further.
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

/** @param {string} text */
function double(text) {
    if (text.length < 2 || !text.endsWith('"')) throw new NotUnderstood();
    let read = "";
    for (let at = 1; at < text.length - 1; at += 1) {
        if (text[at] === '"') throw new NotUnderstood();
        if (text[at] !== "\\") {
            read += text[at];
            continue;
        }
        at += 1;
        // The last quotation mark is none that ends the text.
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

/** @param {string} text */
function plain(text) {
    if (/^[[\]{},#&*!|>'"%@`]/.test(text) || /^[-?:](?: |$)/.test(text)) throw new NotUnderstood();
    if (/: | #|:$|\t/.test(text)) throw new NotUnderstood();
    // One exporter takes the quotes away from texts with a hyphen in front, and leaves those inside doubled.
    return text[0] === "-" ? text.replaceAll("''", "'") : text;
}

const words = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);

/**
 * Characters that YAML takes as they are, apart from tabs and line breaks.
 * @param {number} code
 */
export const isPrintable = (code) =>
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa1 && code <= 0xd7ff && code !== 0x2028 && code !== 0x2029) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff) ||
    code >= 0x10000;

/**
 * A text in one line that every reader of YAML takes for this text.
 * @param {string} text
 */
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
 * The file that begins with these lines.
 * @param {string[]} lines
 * @param {string} rest
 */
export const joined = (lines, rest) => `---\n${lines.map((line) => `${line}\n`).join("")}---\n\n${rest}`;

const date = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

/**
 * A time with its offset, in milliseconds since 1970; null for anything else.
 * @param {string} text
 */
export function time(text) {
    const found = date.exec(text);
    if (!found) return null;
    const [year, month, day, hour, minute, second] = found.slice(1, 7).map((digits) => Number(digits ?? 0));
    const [hours, minutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)];
    const whole = new Date(0);
    whole.setUTCFullYear(year, month - 1, day);
    if (year < 1 || whole.getUTCMonth() !== month - 1 || whole.getUTCDate() !== day) return null;
    if (hour > 23 || minute > 59 || second > 60 || hours > 23 || minutes > 59) return null;
    const offset = (hours * 60 + minutes) * (found[8] === "-" ? -1 : 1);
    whole.setUTCHours(hour, minute - offset, second, Number((found[7] ?? ".").slice(1, 4).padEnd(3, "0")));
    const year4 = whole.getUTCFullYear();
    return year4 >= 1 && year4 <= 9999 ? whole.getTime() : null;
}
