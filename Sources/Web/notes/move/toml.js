/**
 * TOML front matter: the lines between two lines of three plus signs at the start of a Markdown file by Hugo or Zola.
 *
 * Reads texts, bare words such as dates, and flat lists of these. Other values stay as written. Brackets must match,
 * but commas are not checked, because refusing a file that Hugo accepts helps no user.
 */

import { double, NotUnderstood } from "./front-matter.js";

/** @import { Field } from "./front-matter.js" */

/** The maximum depth of nested lists; no real front matter exceeds it. */
const deepest = 8;
const fence = /\+\+\+[ \t]*(?:\n|$)/y;
const closing = /\n\+\+\+[ \t]*(?:\n|$)/g;
const blank = /[ \t]*\n/y;
const comment = /[ \t]*#.*\n/y;
const table = /[ \t]*\[{1,2}([^[\]\n]+)\]{1,2}[ \t]*(?:#.*)?\n/y;
const key = /[ \t]*((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*')){0,8})[ \t]*=[ \t]*/y;
/** A quoted text, a bracket, or a bare word. The two parts of a date are one word. */
const part =
    /("""[\s\S]*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|([[{])|([\]}])|([^\s,=#"'[\]{}]+(?: \d\d:[^\s,=#"'[\]{}]+)?)/y;
const between = /[\s,=]+|#.*/y;
const lineEnd = /[ \t]*(?:#.*)?\n/y;
const fieldStart = /^[ \t]*(?:\[|["'\w-][^=]*=)/;

/**
 * Splits a text into fields and the rest. Returns null if the text has no TOML front matter or no field is understood.
 * A table's field has the table's name as prefix, and the table's header is a field without a value.
 * @param {string} text
 * @returns {{ fields: Field[], rest: string } | null}
 */
export function splitTOML(text) {
    fence.lastIndex = 0;
    if (!fence.test(text)) return null;
    const start = fence.lastIndex;
    closing.lastIndex = start - 1;
    const end = closing.exec(text);
    if (!end) return null;
    const fields = new TOMLReader(text.slice(start, end.index + 1)).fields();
    if (fields.length > 0 && fields.every(({ value }) => value === null)) return null;
    return { fields, rest: text.slice(closing.lastIndex).replace(/^\n/, "") };
}

/** @param {Field} field */
export const isTable = ({ name }) => name.startsWith("[");

/** Removes tables that have no fields left. @param {Field[]} fields */
export const withoutEmptyTables = (fields) =>
    fields.filter((field, index) => !isTable(field) || (fields[index + 1] && !isTable(fields[index + 1])));

class TOMLReader {
    /** @param {string} text complete lines */
    constructor(text) {
        this.text = text;
        this.at = 0;
    }

    fields() {
        /** @type {Field[]} */
        const fields = [];
        const names = new Set();
        let prefix = "";
        while (this.at < this.text.length) {
            if (this.take(blank)) continue;
            const from = this.at;
            let name = "";
            /** @type {Field["value"]} */
            let value = null;
            const header = this.take(table);
            if (header) {
                name = `[${header[1]}]`;
                prefix = `${plain(header[1])}.`;
            } else if (!this.take(comment)) {
                const found = this.take(key);
                // Zola stores tags in this table, Hugo outside of it.
                name = found ? (prefix + plain(found[1])).replace(/^taxonomies\./, "") : "";
                const read = found ? this.value() : undefined;
                if (read === undefined) this.skip(from);
                // The first of several fields with one name counts, as in YAML.
                else if (!names.has(name)) value = read;
                names.add(name);
            }
            fields.push({ name, lines: this.text.slice(from, this.at - 1).split("\n"), value });
        }
        return fields;
    }

    /** @param {RegExp} pattern */
    take(pattern) {
        pattern.lastIndex = this.at;
        const found = pattern.exec(this.text);
        if (found) this.at = pattern.lastIndex;
        return found;
    }

    /** Skips a line that is not understood, and the following lines up to the next field. @param {number} from */
    skip(from) {
        this.at = from;
        do this.at = this.text.indexOf("\n", this.at) + 1;
        while (
            this.at < this.text.length &&
            !fieldStart.test(this.text.slice(this.at, this.text.indexOf("\n", this.at)))
        );
    }

    /**
     * Reads a value to the end of its line. Returns null for an unsupported shape, undefined for an invalid value.
     * @returns {Field["value"] | undefined}
     */
    value() {
        const isList = this.text[this.at] === "[";
        let isFlat = this.text[this.at] !== "{";
        let depth = 0;
        /** @type {string[]} */
        const items = [];
        do {
            if (depth > 0) while (this.take(between));
            const [found, quoted, opens, closes] = this.take(part) ?? [];
            if (found === undefined) return undefined;
            if (opens) depth += 1;
            else if (closes) depth -= 1;
            else {
                const item = quoted ? unquoted(quoted) : found;
                if (item === null) return undefined;
                items.push(item);
            }
            if (depth < 0 || depth > deepest) return undefined;
            if (depth > 1) isFlat = false;
        } while (depth > 0);
        if (!this.take(lineEnd)) return undefined;
        return isFlat ? (isList ? items : items[0]) : null;
    }
}

/** Removes quotes and spaces from a name: `taxonomies . "tags"`. @param {string} name */
const plain = (name) =>
    name
        .trim()
        .replace(/["']/g, "")
        .replace(/[ \t]*\.[ \t]*/g, ".");

/** Reads a quoted text; returns null if it is invalid. @param {string} quoted */
function unquoted(quoted) {
    const isLong = /^(?:"""|''')/.test(quoted);
    const inner = isLong ? quoted.slice(3, -3).replace(/^\n/, "") : quoted.slice(1, -1);
    if (quoted[0] === "'") return inner;
    // The escapes equal those of YAML, except an escaped line break.
    const escaped = inner.replace(/\\[ \t]*\n\s*|\\[\s\S]|"/g, (found) =>
        found === '"' ? '\\"' : found.includes("\n") ? "" : found,
    );
    try {
        return double(`"${escaped}"`);
    } catch (failure) {
        if (failure instanceof NotUnderstood) return null;
        throw failure;
    }
}
