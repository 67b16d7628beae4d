/** Rules that flags share as audiences: references to them, and lists of ids. */
import { operatorOf, readTree, rule } from "./flags-tree.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */

/**
 * Returns the rules that flags share, by name.
 * @param {import("./draft.js").Content | null | undefined} set the content of the flag set
 * @returns {Members}
 */
export function audiencesOf(set) {
    const found = set && /** @type {any} */ (readTree(set.value))?.get?.("$evaluators");
    return found instanceof Map ? found : new Map();
}

/**
 * Parses a pasted list of ids, which are separated by line breaks, commas, tabs or spaces. Duplicates are removed.
 * @param {string} text
 */
export const readIDs = (text) => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/**
 * Returns true for a list of ids that `readIDs` can parse.
 * @param {Tree} list
 */
export const isIDList = (list) =>
    Array.isArray(list) &&
    list.every((id) => typeof id === "string") &&
    readIDs(list.join("\n")).length === list.length;

/**
 * Returns a rule whose references to shared rules are changed.
 * @param {Tree} tree
 * @param {(name: string) => string} change
 * @returns {Tree}
 */
export function mapReferences(tree, change) {
    if (Array.isArray(tree)) return tree.map((one) => mapReferences(one, change));
    if (!(tree instanceof Map)) return tree;
    const [operator, name] = operatorOf(tree);
    const [only, ...more] = [name].flat();
    if (operator === "$ref" && typeof only === "string" && more.length === 0) {
        const next = change(only);
        return next === only ? tree : rule(operator, next);
    }
    return new Map([...tree].map(([member, value]) => [member, mapReferences(value, change)]));
}

/**
 * Returns the names of the shared rules that a rule refers to.
 * @param {Tree} tree
 */
export function referencesIn(tree) {
    /** @type {Set<string>} */
    const names = new Set();
    mapReferences(tree, (name) => {
        names.add(name);
        return name;
    });
    return names;
}
