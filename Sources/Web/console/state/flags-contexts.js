/** The attributes of users: those that rules read, examples for which a condition holds, and a typed context. */
import { readCondition, subjectText } from "./flags-rules.js";
import { parseValue } from "./flags-tree.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */

/**
 * Returns the attributes that a rule reads, without the ones that the evaluation adds.
 * @param {Tree | undefined} tree
 * @param {Set<string>} [found]
 */
export function attributesOf(tree, found = new Set()) {
    if (Array.isArray(tree)) for (const one of tree) attributesOf(one, found);
    if (!(tree instanceof Map)) return found;
    for (const [name, value] of tree) {
        const path = Array.isArray(value) ? value[0] : value;
        if (name !== "var") attributesOf(value, found);
        else if (typeof path === "string" && path && !path.startsWith("$flagd.")) found.add(path);
    }
    return found;
}

/** The operators of conditions that hold for the compared value itself. */
const reflexive = /^(?:[=<>]=+|in|has|(?:start|end)s_with|\S+ (?:[<>]?=|[~^]))$/;

/**
 * Returns attributes of users for whom a condition holds, or null if they are unknown. Comparisons with the clock, which
 * no attribute changes, are left out.
 * @param {Tree | undefined} when
 * @returns {Members | null}
 */
export function exampleAttributes(when = null) {
    const { operator, parts, hashed } = readCondition(when);
    const [subject, value] = parts;
    if (hashed) return null;
    if (operator === "or") return parts.map(exampleAttributes).find(Boolean) ?? null;
    if (operator === "and") {
        const all = parts.map(exampleAttributes);
        const pairs = all.flatMap((one) => [...(one ?? [])]);
        const attributes = new Map(pairs);
        return all.includes(null) || attributes.size < pairs.length ? null : attributes;
    }
    const name = subjectText(subject);
    if (name === "$flagd.timestamp") return new Map();
    const example = operator === "in" && Array.isArray(value) ? value[0] : value;
    // The sample has its own ids, and a dot stands for an attribute inside another one.
    const isKnown = reflexive.test(operator) && /^[^.{$]+$/.test(name) && name !== "targetingKey";
    return isKnown && example !== undefined && !(example instanceof Map) ? new Map([[name, example]]) : null;
}

/**
 * Parses a typed evaluation context: JSON, or one line `name: value` per attribute.
 * @param {string} text
 * @returns {Members | null}
 */
export function readContext(text) {
    if (/^\s*\{/.test(text)) {
        const tree = parseValue(text);
        return tree instanceof Map ? tree : null;
    }
    const lines = text.split("\n").filter((line) => line.trim());
    const parts = lines.map((line) => /^\s*([^:]*[^:\s])\s*:\s*(.*?)\s*$/.exec(line));
    if (parts.includes(null)) return null;
    const pairs = /** @type {RegExpExecArray[]} */ (parts).filter(([, , value]) => value);
    return new Map(pairs.map(([, name, value]) => [name, parseValue(value)]));
}
