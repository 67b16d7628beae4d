/** JSON as a tree that can be changed in places; numbers keep their digits. */
import { failureOf, typeOf, visit } from "../../shared/json.js";

/** A number as it was written. */
export class Digits {
    /** @param {string} text */
    constructor(text) {
        this.text = text;
    }
}

/** @typedef {Map<string, any>} Members trees by name; a type in a comment cannot name itself */
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
    /** @param {Tree} value */
    const put = (value) => {
        const into = open.at(-1);
        if (into instanceof Map) into.set(names.pop() ?? "", value);
        else if (into) into.push(value);
        else top = value;
    };
    visit(text, (kind, source) => {
        if (kind === "name") names.push(JSON.parse(source));
        else if (kind === "scalar") put(/^[-\d]/.test(source) ? new Digits(source) : JSON.parse(source));
        else if (kind === "close") open.pop();
        else if (kind === "open") {
            const value = source === "{" ? new Map() : [];
            put(value);
            open.push(value);
        }
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
 * An object with these members; those that are undefined are left out.
 * @param {Record<string, Tree | undefined>} members
 * @returns {Members}
 */
export function object(members) {
    return new Map(
        /** @type {[string, Tree][]} */ (Object.entries(members).filter(([, value]) => value !== undefined)),
    );
}

/**
 * The only member of an object: an operator and its arguments.
 * @param {Tree | undefined} tree
 * @returns {[string, Tree] | [null, null]}
 */
export function sole(tree) {
    return tree instanceof Map && tree.size === 1 ? [...tree][0] : [null, null];
}

/** @param {Tree | undefined} tree */
export const isScalar = (tree) => !(tree instanceof Map || Array.isArray(tree) || tree === undefined);

/**
 * A scalar as somebody types it into a field: texts bare, unless they would be taken for something else.
 * @param {Tree} value
 */
export function typed(value) {
    if (typeof value !== "string") return writeTree(value);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a field would drop them
    const bare = value === value.trim() && !/[\u0000-\u001f",]/.test(value) && untyped(value) === value;
    return bare ? value : JSON.stringify(value);
}

/**
 * The scalar that was typed: JSON where it is a scalar of it, else the text itself.
 * @param {string} text
 * @returns {Tree}
 */
export function untyped(text) {
    const plain = text.trim();
    return failureOf(plain) || /^[[{]/.test(plain) ? plain : readTree(plain);
}

/** @param {Tree[]} values */
export const typedList = (values) => values.map((value) => typed(value) || '""').join(", ");

/**
 * The scalars between commas.
 * @param {string} text
 * @returns {Tree[]}
 */
export function untypedList(text) {
    const pieces = text.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? [];
    return pieces.filter((piece) => piece.trim() !== "").map(untyped);
}

/**
 * What a variant's value is called: `boolean`, `string`, `number`, `object`.
 * @param {Tree | undefined} value
 */
export const typeOfTree = (value) => (value === undefined ? "boolean" : typeOf(writeTree(value)));
