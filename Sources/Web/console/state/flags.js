/** Flags as the list shows them, and definitions as wholes. */
import { typeOf } from "../../shared/json.js";
import { readTree, writeTree } from "./flags-tree.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */
/** @typedef {import("./entries.js").Row} Row */
/** @typedef {{ name: string, evaluations: number, last_evaluated_at: string | null }} VariantUse */
/**
 * @typedef {object} Use what `GET /flags` says of a flag
 * @property {string} key
 * @property {string} type
 * @property {"ENABLED" | "DISABLED"} state
 * @property {VariantUse[]} variants
 * @property {boolean} public
 * @property {{ path: string, message: string } | null} fault
 * @property {string | null} last_evaluated_at
 * @property {string} updated_at
 */
/** @typedef {"all" | "enabled" | "disabled" | "public" | "quiet" | "faulty" | "draft"} Show */

/** @type {Show[]} */
export const shows = ["all", "enabled", "disabled", "public", "quiet", "faulty", "draft"];

/** The key of what all flags share. */
export const setKey = "_flags";
/** The member of a flag's metadata that lets everybody see what it is for them. */
const publicMember = "almanac.public";
/** After so long without an evaluation a flag may be one that nobody needs, in milliseconds. */
const quietTime = 30 * 86_400_000;

/**
 * The definition as it is to be, or undefined where it is not here in full or no definition.
 * @param {Row} row
 * @returns {Members | undefined}
 */
export function definitionOf({ entry, change }) {
    const text = change?.after ? change.after.value : entry?.whole ? entry.text : undefined;
    const tree = text === undefined ? undefined : readTree(text);
    return tree instanceof Map ? tree : undefined;
}

/**
 * Whether nobody asked for a flag in 30 days; a new one gets its time.
 * @param {Use} use
 * @param {number} now in milliseconds since 1970
 */
export function isQuiet({ last_evaluated_at: last, updated_at: updated }, now) {
    return now - Date.parse(last ?? updated) > quietTime;
}

/**
 * Whether a row fits what is looked for.
 * @param {Row} row
 * @param {Use | undefined} use
 * @param {string[]} words in lower case
 * @param {Show} show
 * @param {number} now
 */
export function fits(row, use, words, show, now) {
    const description = row.change?.after?.description ?? row.entry?.description ?? "";
    const hay = `${row.key} ${description}`.toLowerCase();
    if (!words.every((word) => hay.includes(word))) return false;
    if (show === "all") return true;
    if (show === "draft") return row.change !== undefined;
    if (show === "quiet") return use !== undefined && isQuiet(use, now);
    if (show === "faulty") return Boolean(use?.fault);
    const definition = row.change?.after ? definitionOf(row) : undefined;
    if (show === "public") return definition ? isPublic(definition) : use?.public === true;
    const state = definition ? definition.get("state") : use?.state;
    return (state === "DISABLED") === (show === "disabled");
}

/** @param {Members} definition */
export function isPublic(definition) {
    const metadata = definition.get("metadata");
    return metadata instanceof Map && metadata.get(publicMember) === true;
}

/**
 * The definition with a member set, or without it where it is undefined.
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
 * The definition, or null where the form cannot show it.
 * @param {Tree} tree
 * @returns {Members | null}
 */
export function formable(tree) {
    if (!(tree instanceof Map)) return null;
    const objects = ["variants", "metadata"].every((name) => (tree.get(name) ?? new Map()) instanceof Map);
    return objects ? tree : null;
}

/** A definition to begin with: off for everybody. */
export const blank = '{"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off"}';

/**
 * What a flag is, by its first variant: `boolean`, `string`, `number`, `object`.
 * @param {Members} variants
 */
export const typeOfVariants = (variants) => typeOf(writeTree(variants.values().next().value ?? true));

/**
 * The variants with one under another name, where it stood.
 * @param {Members} variants
 * @param {string} from
 * @param {string} to
 * @returns {Members}
 */
export function renamed(variants, from, to) {
    return new Map([...variants].map(([name, value]) => [name === from ? to : name, value]));
}
