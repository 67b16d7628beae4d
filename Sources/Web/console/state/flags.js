/** Filters of the list of flags, and edits of whole definitions. */
import { typeOf } from "../../shared/json.js";
import { isFlag } from "./entries.js";
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
 * @property {string | null} updated_by
 * @property {string | null} [updated_by_name]
 * @property {"new" | "active" | "settled" | "unused" | "due"} life
 */
/** @typedef {(typeof filters)[number]} FlagFilter */
/** @typedef {"boolean" | "string" | "number" | "object"} FlagType */

export const filters = /** @type {const} */ ([
    "all",
    "favorites",
    "enabled",
    "disabled",
    "public",
    "new",
    "settled",
    "quiet",
    "due",
    "faulty",
    "draft",
    "archived",
]);

/** The key of the rules that all flags share. */
export const setKey = "_flags";
/** The member of a flag's metadata that lets anyone evaluate the flag. */
const publicMember = "almanac.public";

/** The kinds of flags that the form offers. */
export const flagKinds = ["release", "experiment", "operations", "permission"];

/** @param {Row} row */
const definitionText = ({ entry, change }) =>
    change?.after ? change.after.value : entry?.full ? entry.text : undefined;

/**
 * The parsed definitions with their texts, because a filter may need all of them at each keystroke.
 * @type {WeakMap<Row, { text: string, definition: Members | undefined }>}
 */
const parsed = new WeakMap();

/**
 * Returns the definition with the draft applied, or undefined if it is incomplete or the form cannot show it.
 * @param {Row} row
 * @returns {Members | undefined}
 */
export function definitionOf(row) {
    const text = definitionText(row);
    if (text === undefined) return undefined;
    const known = parsed.get(row);
    if (known?.text === text) return known.definition;
    const definition = editableDefinition(readTree(text)) ?? undefined;
    parsed.set(row, { text, definition });
    return definition;
}

/**
 * Returns the words of a query in lower case. Quotes keep spaces, as in `owner:"mara lindqvist" tag:ios checkout`.
 * @param {string} query
 */
export const wordsOf = (query) => [...query.toLowerCase().matchAll(/(?:(owner|kind|tag):)?(?:"([^"]*)"?|(\S*))/g)];

/**
 * Returns the tags in a text, which are separated by commas; a list from a spreadsheet has tabs and line breaks.
 * @param {string} text
 */
export const readTags = (text) => [
    ...new Set(
        text
            .trim()
            .split(/\s*[,\t\n]\s*/)
            .filter(Boolean),
    ),
];

/**
 * Returns the tags in a flag's metadata, which are separated by commas.
 * @param {Members | undefined} definition
 */
export function tagsOf(definition) {
    const tags = metadataOf(definition).get("tags");
    return typeof tags === "string" ? readTags(tags) : [];
}

/**
 * @param {Row} row
 * @param {string} text the row's searchable text
 * @param {RegExpExecArray} word an element of `wordsOf`
 */
function matches(row, text, [, name, phrase, plain = phrase ?? ""]) {
    if (!name) return text.includes(plain);
    // Parsing each definition makes typing slow.
    if (!definitionText(row)?.toLowerCase().includes(plain)) return false;
    const definition = definitionOf(row);
    const value = name === "tag" ? tagsOf(definition).join(" ") : metadataOf(definition).get(name);
    return typeof value === "string" && ` ${value.toLowerCase()}`.includes(` ${plain}`);
}

/** The limit on the flags whose attributes the form offers. */
const maxFlagsRead = 300;

/** Returns the rules of the first flags. @param {Row[]} rows @returns {(Tree | undefined)[]} */
export const targetingsOf = (rows) =>
    rows
        .filter(isFlag)
        .slice(0, maxFlagsRead)
        .map((row) => definitionOf(row)?.get("targeting"));

/**
 * Returns true if a row matches the filter.
 * @param {Row} row
 * @param {Usage | undefined} use
 * @param {RegExpExecArray[]} words the result of `wordsOf`
 * @param {FlagFilter} show
 * @param {number} now
 * @param {ReadonlySet<string>} [favorites]
 */
export function fits(row, use, words, show, now, favorites) {
    const description = row.change?.after?.description ?? row.entry?.description ?? "";
    const text = `${row.key} ${description}`.toLowerCase();
    if (!words.every((word) => matches(row, text, word))) return false;
    if (show !== "draft" && isArchived(definitionWith(row, "archived")) !== (show === "archived")) return false;
    if (show === "all" || show === "archived") return true;
    if (show === "favorites") return Boolean(favorites?.has(row.key));
    if (show === "due") return isDue(definitionWith(row, "expires"), now);
    if (show === "draft") return row.change !== undefined;
    if (show === "new" || show === "settled") return use?.life === show;
    if (show === "quiet") return use?.life === "unused";
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

/**
 * Returns the definition of a row if it may have a member, because parsing each definition makes typing slow.
 * @param {Row} row
 * @param {string} name
 */
const definitionWith = (row, name) => (definitionText(row)?.includes(name) ? definitionOf(row) : undefined);

/**
 * @param {Members | undefined} definition
 * @returns {Members}
 */
export function metadataOf(definition) {
    const metadata = definition?.get("metadata");
    return metadata instanceof Map ? metadata : new Map();
}

/** @param {Members} definition */
export const isPublic = (definition) => metadataOf(definition).get(publicMember) === true;

/** @param {Members | undefined} definition */
export const isArchived = (definition) => metadataOf(definition).get("archived") === true;

/**
 * Returns true from the start, in UTC, of the day on which a flag expires, like the server.
 * @param {Members | undefined} definition
 * @param {number} now milliseconds since 1970
 */
export function isDue(definition, now) {
    const day = metadataOf(definition).get("expires");
    return typeof day === "string" && /^\d{4}-\d\d-\d\d/.test(day) && Date.parse(day) <= now;
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
 * Returns the definition with a member of its metadata set, or removed if the value is undefined.
 * @param {Members} definition
 * @param {string} name
 * @param {Tree | undefined} value
 */
export function withMetadata(definition, name, value) {
    const metadata = withMember(metadataOf(definition), name, value);
    return withMember(definition, "metadata", metadata.size > 0 ? metadata : undefined);
}

/**
 * @param {Members} definition
 * @param {boolean} isPublic
 */
export const withPublic = (definition, isPublic) => withMetadata(definition, publicMember, isPublic || undefined);

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

/**
 * Returns the type of all variants, or null if their types differ.
 * @param {Members} variants
 * @returns {FlagType | null}
 */
export function commonType(variants) {
    const types = new Set([...variants.values()].map((value) => typeOf(writeTree(value)).replace("array", "object")));
    const [type = "boolean"] = types;
    return types.size > 1 || type === "null" ? null : /** @type {FlagType} */ (type);
}

/** The definition of a new flag, which is off for everybody. */
export const blank = '{"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off"}';

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
