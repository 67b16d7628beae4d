/** JSON texts in other forms: on one line, on many, and one that equal values share. */
import { JSONReader } from "./json.js";

/**
 * The same value without spaces between its tokens.
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
 * The same value with a member or element a line.
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
 * A form in which equal values have equal texts: members in order, no spaces, strings escaped alike. Numbers stay as
 * written.
 * @param {string} text
 */
export function canonical(text) {
    const reader = new JSONReader(text);
    /** @returns {string} */
    const next = () => {
        reader.space();
        const first = reader.text[reader.at];
        if (first === "{") {
            const inner = new JSONReader(reader.source()).answer("all");
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
 * Whether two JSON texts mean the same value, digit for digit.
 * @param {string} one
 * @param {string} other
 */
export function same(one, other) {
    return one === other || canonical(one) === canonical(other);
}
