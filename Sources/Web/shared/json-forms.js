/** Conversions of JSON texts: compact, indented, and canonical. */
import { JSONReader } from "./json.js";

/**
 * Returns the JSON text without whitespace between its tokens.
 * @param {string} text
 */
export function compact(text) {
    let out = "";
    new JSONReader(text).value((kind, source) => {
        out += kind === "name" ? `${source}:` : source;
    });
    return out;
}

/**
 * Returns the JSON text with one member or element per line.
 * @param {string} text
 */
export function pretty(text) {
    let out = "";
    let depth = 0;
    let fresh = true;
    const line = () => {
        if (depth > 0) out += `\n${"  ".repeat(depth)}`;
    };
    new JSONReader(text).value((kind, source) => {
        if (kind === "close") {
            depth -= 1;
            out += fresh ? source : `\n${"  ".repeat(depth)}${source}`;
            fresh = false;
            return;
        }
        if (kind === "comma") {
            out += ",";
            line();
            return;
        }
        if (fresh) line();
        fresh = kind === "open";
        if (kind === "open") depth += 1;
        out += kind === "name" ? `${source}: ` : source;
        if (kind === "name") fresh = false;
    });
    return out;
}

/**
 * Returns the canonical form, which is the same text for equal values: members sorted, no whitespace, strings escaped
 * in one way. Numbers stay as written.
 * @param {string} text
 */
export function canonical(text) {
    const reader = new JSONReader(text);
    /** @returns {string} */
    const next = () => {
        reader.space();
        const first = reader.text[reader.at];
        if (first === "{") {
            const inner = reader.members();
            const names = Object.keys(inner).sort();
            return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(inner[name])}`).join(",")}}`;
        }
        if (first === "[") {
            /** @type {string[]} */
            const parts = [];
            reader.at += 1;
            for (;;) {
                reader.space();
                if (reader.text[reader.at] === "]") break;
                parts.push(next());
                reader.space();
                if (reader.text[reader.at] === ",") reader.at += 1;
            }
            reader.at += 1;
            return `[${parts.join(",")}]`;
        }
        if (first === '"') return JSON.stringify(JSON.parse(reader.string()));
        return reader.source();
    };
    return next();
}

/**
 * Returns true if two JSON texts have the same value, with every number written in the same digits.
 * @param {string} one
 * @param {string} other
 */
export function same(one, other) {
    return one === other || canonical(one) === canonical(other);
}
