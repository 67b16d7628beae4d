/** Filters of the list of flags, and edits of whole definitions. */
import { typeOf } from "../../shared/json.js";
import { readTree, writeTree } from "./flags-tree.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */
/** @typedef {import("./entries.js").Row} Row */
/** @typedef {{ name: string, evaluations: number, last_evaluated_at: string | null }} VariantUse */
/**
 * @typedef {object} Usage an element of `GET /flags`
 * @property {string} key
 * @property {string} type
 * @property {"ENABLED" | "DISABLED"} state
 * @property {VariantUse[]} variants
 * @property {boolean} public
 * @property {{ path: string, message: string } | null} fault
 * @property {string | null} last_evaluated_at
 * @property {string} updated_at
 */
/** @typedef {"all" | "enabled" | "disabled" | "public" | "quiet" | "faulty" | "draft"} FlagFilter */

/** @type {FlagFilter[]} */
export const filters = ["all", "enabled", "disabled", "public", "quiet", "faulty", "draft"];

/** The key of the rules that all flags share. */
export const setKey = "_flags";
/** The shared rules of an environment that has none yet. */
export const blankSet = { value: '{"$evaluators": {}}', description: "", kind: "flag-set" };
/** The member of a flag's metadata that lets anyone evaluate the flag. */
const publicMember = "almanac.public";
/** The time without an evaluation after which a flag counts as unused, in milliseconds. */
const unusedAfter = 30 * 86_400_000;

/**
 * Returns the definition with the draft applied, or undefined if it is incomplete or the form cannot show it.
 * @param {Row} row
 * @returns {Members | undefined}
 */
export function definitionOf({ entry, change }) {
    const text = change?.after ? change.after.value : entry?.full ? entry.text : undefined;
    const tree = text === undefined ? undefined : readTree(text);
    return (tree !== undefined && editableDefinition(tree)) || undefined;
}

/**
 * Returns true if a flag was not evaluated for 30 days since its last evaluation or update.
 * @param {Usage} use
 * @param {number} now milliseconds since 1970
 */
export function isUnused({ last_evaluated_at: last, updated_at: updated }, now) {
    return now - Date.parse(last ?? updated) > unusedAfter;
}

/**
 * Returns true if a row matches the filter.
 * @param {Row} row
 * @param {Usage | undefined} use
 * @param {string[]} words lower-case words
 * @param {FlagFilter} show
 * @param {number} now
 */
export function fits(row, use, words, show, now) {
    const description = row.change?.after?.description ?? row.entry?.description ?? "";
    const text = `${row.key} ${description}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return false;
    if (show === "all") return true;
    if (show === "draft") return row.change !== undefined;
    if (show === "quiet") return use !== undefined && isUnused(use, now);
    if (show === "faulty") return Boolean(use?.fault);
    const definition = row.change?.after || !use ? definitionOf(row) : undefined;
    if (show === "public") return definition ? isPublic(definition) : use?.public === true;
    const state = row.change?.after || !use ? definition?.get("state") : use.state;
    return state === (show === "enabled" ? "ENABLED" : "DISABLED");
}

/**
 * Returns the last part of the key of a state's text.
 * @param {Tree | undefined} state the definition's member
 */
export const stateWord = (state) => (state === "ENABLED" ? "on" : state === "DISABLED" ? "off" : "unknown");

/** @param {Members} definition */
export function isPublic(definition) {
    const metadata = definition.get("metadata");
    return metadata instanceof Map && metadata.get(publicMember) === true;
}

/**
 * Returns the definition with a member set, or removed if the value is undefined.
 * @param {Members} definition
 * @param {string} name
 * @param {Tree | undefined} value
 * @returns {Members}
 */
export function withMember(definition, name, value) {
    const next = new Map(definition);
    if (value === undefined) next.delete(name);
    else next.set(name, value);
    return next;
}

/**
 * @param {Members} definition
 * @param {boolean} isPublic
 */
export function withPublic(definition, isPublic) {
    const known = definition.get("metadata");
    const metadata = withMember(known instanceof Map ? known : new Map(), publicMember, isPublic || undefined);
    return withMember(definition, "metadata", metadata.size > 0 ? metadata : undefined);
}

/**
 * Returns the definition, or null if the form cannot show it.
 * @param {Tree} tree
 * @returns {Members | null}
 */
export function editableDefinition(tree) {
    if (!(tree instanceof Map)) return null;
    const objects = ["variants", "metadata"].every((name) => (tree.get(name) ?? new Map()) instanceof Map);
    return objects ? tree : null;
}

/** The definition of a new flag, which is off for everybody. */
export const blank = '{"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off"}';

/**
 * Returns a flag's type, which is its first variant's: `boolean`, `string`, `number`, `object`.
 * @param {Members} variants
 */
export const typeOfVariants = (variants) => typeOf(writeTree(variants.values().next().value ?? true));

/**
 * Returns the variants with one renamed in place.
 * @param {Members} variants
 * @param {string} from
 * @param {string} to
 * @returns {Members}
 */
export function renamed(variants, from, to) {
    return new Map([...variants].map(([name, value]) => [name === from ? to : name, value]));
}
