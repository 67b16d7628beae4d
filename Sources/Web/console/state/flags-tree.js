/** JSON as a tree that can be edited; numbers keep their digits. */
import { failureOf, visit } from "../../shared/json.js";

/** A number as written in the JSON text. */
export class Digits {
    /** @param {string} text */
    constructor(text) {
        this.text = text;
    }
}

/** @typedef {Map<string, any>} Members trees by name; `any`, because a JSDoc type cannot be recursive */
/** @typedef {null | boolean | string | Digits | any[] | Members} Tree */

/**
 * @param {string} text a JSON text
 * @returns {Tree}
 */
export function readTree(text) {
    /** @type {(Tree[] | Members)[]} */
    const open = [];
    /** @type {string[]} */
    const names = [];
    /** @type {Tree} */
    let top = null;
    visit(text, (kind, source) => {
        if (kind === "name") names.push(JSON.parse(source));
        if (kind === "close") open.pop();
        if (kind !== "open" && kind !== "scalar") return;
        const opens = source === "{" ? new Map() : [];
        const value = kind === "open" ? opens : /^[-\d]/.test(source) ? new Digits(source) : JSON.parse(source);
        const into = open.at(-1);
        if (into instanceof Map) into.set(names.pop() ?? "", value);
        else if (into) into.push(value);
        else top = value;
        if (kind === "open") open.push(opens);
    });
    return top;
}

/**
 * @param {Tree} tree
 * @returns {string}
 */
export function writeTree(tree) {
    if (tree instanceof Digits) return tree.text;
    if (Array.isArray(tree)) return `[${tree.map(writeTree).join(", ")}]`;
    if (!(tree instanceof Map)) return JSON.stringify(tree);
    return `{${[...tree].map(([name, value]) => `${JSON.stringify(name)}: ${writeTree(value)}`).join(", ")}}`;
}

/**
 * Creates an object with one member: an operator and its arguments.
 * @param {string} name
 * @param {Tree} value
 * @returns {Members}
 */
export const rule = (name, value) => new Map([[name, value]]);

/**
 * Returns the operator and the arguments of an object with one member, else nulls.
 * @param {Tree | undefined} tree
 * @returns {[string, Tree] | [null, null]}
 */
export const operatorOf = (tree) => (tree instanceof Map && tree.size === 1 ? [...tree][0] : [null, null]);

/** @param {Tree | undefined} tree */
const isScalar = (tree) => !(tree instanceof Map || Array.isArray(tree));

/**
 * Formats a value for a text field: strings without quotes, unless they would parse as another value.
 * @param {Tree} value
 */
export function formatValue(value) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a field would drop them
    const bare = typeof value === "string" && value && !/[\u0000-\u001f",]/.test(value) && parseValue(value) === value;
    return bare ? value : writeTree(value);
}

/**
 * Parses a typed value: JSON, or else a string.
 * @param {string} text
 * @returns {Tree}
 */
export function parseValue(text) {
    const plain = text.trim();
    return failureOf(plain) ? plain : readTree(plain);
}

/**
 * Formats a text for a text field: without quotes, unless it would not be read as it is.
 * @param {string} text
 * @param {RegExp} [quoted] texts that need quotes
 */
export const formatText = (text, quoted = /[",]|^$/) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a field would drop them
    quoted.test(text) || text !== text.trim() || /[\u0000-\u001f]/.test(text) ? JSON.stringify(text) : text;

/**
 * Parses a typed text; quotes keep commas and spaces.
 * @param {string} text
 * @returns {string}
 */
export function parseText(text) {
    const plain = text.trim();
    return plain[0] === '"' && !failureOf(plain) ? JSON.parse(plain) : plain;
}

/**
 * Formats a list for a text field, its values separated by commas.
 * @param {Tree} list
 * @param {(value: any) => string} [format]
 */
export const formatList = (list, format = formatValue) =>
    Array.isArray(list) && list.every(isScalar) ? list.map((one) => format(one)).join(", ") : writeTree(list);

/**
 * @param {string} text
 * @param {(piece: string) => Tree} [parse] the default takes a JSON list, too
 * @returns {Tree}
 */
export function parseList(text, parse) {
    if (!parse && /^\s*[[{]/.test(text) && !failureOf(text)) return readTree(text);
    const pieces = text.match(/(?:"(?:[^"\\]|\\.)*"|[^,\n\t])+/g) ?? [];
    return pieces.filter((piece) => piece.trim()).map(parse ?? parseValue);
}

/**
 * Returns a tree with the part at a path replaced.
 * @param {Tree} tree
 * @param {string[]} path the names of members and the places in arrays
 * @param {Tree} next
 * @returns {Tree}
 */
export function replacedIn(tree, [name, ...rest], next) {
    if (name === undefined) return next;
    if (tree instanceof Map) return new Map(tree).set(name, replacedIn(tree.get(name), rest, next));
    return Array.isArray(tree) ? tree.map((one, at) => (`${at}` === name ? replacedIn(one, rest, next) : one)) : tree;
}
