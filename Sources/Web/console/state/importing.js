// Parsing of a file to import: the formats of the export, and the ambiguity between them.

import { isKey } from "../../shared/formats.js";
import { parseResponse, readMembers, visit } from "../../shared/json.js";
import { canonical } from "../../shared/json-forms.js";

/**
 * Values by key, as JSON texts.
 * @typedef {Map<string, string>} Values
 * `wrong`: names that are not valid keys; `empty`: keys with the value null, which the config cannot store.
 * @typedef {{values: Values, wrong: string[], empty: string[]}} Reading
 * `flat`: an object with a member per key. `nested`: split at the dots. `list`: an array of entries.
 * @typedef {"flat" | "nested" | "list"} Form
 */

/**
 * Returns the possible formats of a text, the likeliest first; empty if the text is neither an object nor an array of
 * entries.
 * @param {string} text
 * @param {ReadonlySet<string>} known the existing keys
 * @returns {Form[]}
 */
export function formsOf(text, known) {
    const first = text.trimStart()[0];
    if (first === "[") {
        visit(text);
        return isList(parseResponse(text)) ? ["list"] : [];
    }
    if (first !== "{") return [];
    const members = readMembers(text);
    const names = Object.keys(members);
    if (!names.some((name) => isFull(members[name]) && !known.has(name))) return ["flat"];
    const asNested = [...read(text, "nested", known).values.keys()].filter((key) => known.has(key)).length;
    const asFlat = names.filter((name) => known.has(name)).length;
    const dotted = names.some((name) => name.includes("."));
    return asNested > asFlat || (asNested === asFlat && !dotted) ? ["nested", "flat"] : ["flat", "nested"];
}

/** @param {any} answer */
function isList(answer) {
    return answer.every(
        (/** @type {any} */ entry) => typeof entry?.key === "string" && typeof entry.value === "string",
    );
}

/** @param {string} source @returns {boolean} true for an object with a member */
function isFull(source) {
    return source[0] === "{" && source.slice(1).trimStart()[0] !== "}";
}

/**
 * @param {string} text
 * @param {Form} form
 * @param {ReadonlySet<string>} known a nested object that is the value of one of these keys is not split
 * @returns {Reading}
 */
export function read(text, form, known) {
    /** @type {Reading} */
    const reading = { values: new Map(), wrong: [], empty: [] };
    const add = (/** @type {string} */ key, /** @type {string} */ source) => {
        if (!isKey(key)) reading.wrong.push(key);
        else if (source === "null") reading.empty.push(key);
        else reading.values.set(key, canonical(source));
    };
    /** @param {string} prefix @param {Record<string, string>} members */
    const walk = (prefix, members) => {
        for (const [name, source] of Object.entries(members)) {
            const key = prefix + name;
            if (form === "nested" && isFull(source) && !known.has(key)) walk(`${key}.`, readMembers(source));
            else add(key, source);
        }
    };
    if (form === "list") for (const { key, value } of parseResponse(text)) add(key, value);
    else walk("", readMembers(text));
    return reading;
}

/**
 * Returns the config after the import: the present entries and the imported values, or only the latter if `replacing`.
 * @param {Values} values
 * @param {ReadonlyMap<string, {value: string, description: string}>} current
 * @param {boolean} replacing
 * @returns {Map<string, {value: string, description: string}>}
 */
export function after(values, current, replacing) {
    const result = new Map(replacing ? [] : current);
    for (const [key, value] of values) result.set(key, { value, description: current.get(key)?.description ?? "" });
    return result;
}
