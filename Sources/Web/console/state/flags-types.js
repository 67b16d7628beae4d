/** Types of flags: the variants that a new flag has, the values that a type allows, and conversions between types. */
import { failureOf } from "../../shared/json.js";
import { same } from "../../shared/json-forms.js";
import { commonType, withMember } from "./flags.js";
import { formatText, formatValue, parseText, parseValue, readTree, writeTree } from "./flags-tree.js";
import { converted, faultOf } from "./kinds.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */
/** @typedef {import("./flags.js").FlagType} FlagType */

/** The kind of a type's values. */
export const kindsOfTypes = /** @type {const} */ ({
    boolean: "switch",
    string: "text",
    number: "number",
    object: "json",
});

/**
 * Returns the key of a type's text.
 * @param {string} type
 */
export const typeKey = (type) =>
    type === "boolean" ? "flag.type.boolean" : `kind.${kindsOfTypes[/** @type {FlagType} */ (type)] ?? "json"}`;

/** The variants of a new flag; the last one is the default. @type {Record<string, string>} */
const blankVariants = {
    boolean: '{"on": true, "off": false}',
    string: '{"new": "new", "old": "old"}',
    number: '{"new": 1, "old": 0}',
    object: '{"new": {}, "old": {}}',
};

/**
 * Returns the definition with values of another type. Variants that nobody has changed become those of a new flag.
 * @param {Members} definition
 * @param {FlagType} type
 */
export function withType(definition, type) {
    /** @type {Members} */
    const variants = definition.get("variants") ?? new Map();
    const isBlank = same(writeTree(variants), blankVariants[`${commonType(variants)}`] ?? "{}");
    if (isBlank && !definition.has("targeting")) {
        const next = /** @type {Members} */ (readTree(blankVariants[type]));
        return withMember(withMember(definition, "variants", next), "defaultVariant", [...next.keys()][1]);
    }
    const values = [...variants].map(([name, value]) => {
        const text = converted(writeTree(value), kindsOfTypes[type]);
        return /** @type {[string, Tree]} */ ([name, readTree(type === "object" && !/^[[{]/.test(text) ? "{}" : text)]);
    });
    return withMember(definition, "variants", new Map(values));
}

/** @typedef {{ before: Members, next: Members }} Origin a definition before and after a change of its type */

/**
 * Changes the type of the variants. Unedited variants are converted from those before their last change, so that nothing
 * is lost on the way back.
 * @param {Members} definition
 * @param {FlagType} type
 * @param {Origin} [last] the last change
 * @returns {Origin}
 */
export function turned(definition, type, last) {
    const names = ["variants", "defaultVariant"];
    const textOf = (/** @type {Members} */ one) => writeTree(names.map((name) => one.get(name) ?? null));
    const { before: source } = last && textOf(last.next) === textOf(definition) ? last : { before: definition };
    const before = names.reduce((all, name) => withMember(all, name, source.get(name)), definition);
    const isSame = type === commonType(before.get("variants") ?? new Map());
    return { before, next: isSame ? before : withType(before, type) };
}

/**
 * Returns the reason why a typed text is not a value of this type (a key of the texts), or null.
 * @param {FlagType | null} type
 * @param {string} text
 */
export function valueFault(type, text) {
    if (type === "number") return faultOf("number", text.trim());
    return type === "object" && !failureOf(text) && !/^\s*[[{]/.test(text) ? "flag.json.fault" : null;
}

/** Texts that need quotes in the field of a text. */
const quoted = /^"/;

/**
 * Formats a value for a text field.
 * @param {FlagType | null} type
 * @param {Tree} value
 */
export const typedText = (type, value) =>
    type === "string" ? formatText(/** @type {string} */ (value), quoted) : formatValue(value);

/**
 * Parses the text of a field.
 * @param {FlagType | null} type
 * @param {string} text
 * @returns {Tree}
 */
export const typedValue = (type, text) => (type === "string" ? parseText(text) : parseValue(text));
