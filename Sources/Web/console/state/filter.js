/** Search as you type over entries: by key, value, description, type and author. */

import { kindOf } from "./kinds.js";

/** @typedef {import("./entries.js").Row} Row */
/** @typedef {"any" | "key" | "value" | "desc" | "type" | "by" | "tag" | "is"} Field */
/** @typedef {{ field: Field, word: string, not: boolean }} Term */
/** @typedef {"key" | "changed" | "size"} Order */

const fields = /** @type {const} */ (["key", "value", "desc", "type", "by", "tag", "is"]);
/** The tags in the text of a flag. */
const tagsForm = /"tags":\s*"([^"]*)/;
const form = /(-?)(?:(key|value|desc|type|by|tag|is):)?(?:"([^"]*)"?|(\S+))/gi;

/**
 * Parses a query; all of its terms must match. Example: `type:number key:app. "two words" -draft`
 * @param {string} text
 * @returns {Term[]}
 */
export function readQuery(text) {
    return [...text.matchAll(form)].flatMap(([, not, field, phrase, word]) => {
        const wanted = (phrase ?? word).toLowerCase();
        const known = fields.find((one) => one === field?.toLowerCase());
        return wanted ? [{ field: known ?? /** @type {Field} */ ("any"), word: wanted, not: not === "-" }] : [];
    });
}

/**
 * Returns a row's value with the draft applied; a removed key shows its old value.
 * @param {Row} row
 */
export function shownText(row) {
    return row.change?.after?.value ?? row.entry?.text ?? row.change?.before?.value ?? "null";
}

/** @param {Row} row */
export function shownDescription(row) {
    return row.change?.after?.description ?? row.entry?.description ?? row.change?.before?.description ?? "";
}

/** @param {Row} row */
export function shownType(row) {
    const text = row.change?.after?.value;
    if (text === undefined) return row.entry?.type ?? "string";
    const first = text.trimStart()[0];
    if (first === '"') return "string";
    if (first === "{") return "object";
    if (first === "[") return "array";
    return first === "t" || first === "f" ? "boolean" : "number";
}

/**
 * Returns the kind of a row's value. A truncated string is a text.
 * @param {Row} row
 */
function shownKind(row) {
    return row.change?.after || row.entry?.full || shownType(row) !== "string" ? kindOf(shownText(row)) : "text";
}

/**
 * Returns the searchable text of a value: a string without quotes and escapes, other values as JSON.
 * @param {string} text
 */
export function plainText(text) {
    if (text[0] !== '"') return text;
    if (text.includes("\\")) {
        try {
            return JSON.parse(text);
        } catch {
            // A truncated string keeps its escapes.
        }
    }
    return text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text.slice(1);
}

/**
 * Returns key, description and value in lower case, cached for each state of the row.
 * @param {Row} row
 */
export function searchTextOf(row) {
    if (row.lower === null) {
        const head = `${row.key}\n${shownDescription(row)}\n`.toLowerCase();
        row.valueStart = head.length;
        row.lower = head + plainText(shownText(row)).toLowerCase();
    }
    return row.lower;
}

/**
 * @param {Row} row
 * @param {Term} term
 * @param {ReadonlySet<string> | null} hits keys found by the server search
 * @param {ReadonlySet<string>} favorites
 */
function fits(row, { field, word }, hits, favorites) {
    switch (field) {
        case "any":
            return searchTextOf(row).includes(word) || (hits?.has(row.key) ?? false);
        case "key":
            // The first match decides, because no word spans two lines.
            return (searchTextOf(row).indexOf(word) + 1 || Number.POSITIVE_INFINITY) <= row.key.length;
        case "value":
            searchTextOf(row);
            return searchTextOf(row).includes(word, row.valueStart) || (hits?.has(row.key) ?? false);
        case "desc":
            return shownDescription(row).toLowerCase().includes(word);
        case "type":
            return (
                `${(row.change?.after ?? row.entry)?.kind}`.startsWith(word) ||
                shownType(row).startsWith(word) ||
                shownKind(row).startsWith(word) ||
                (word === "json" && /^[oa]/.test(shownType(row)))
            );
        case "by":
            return (row.entry?.author ?? "").toLowerCase().includes(word);
        case "tag": {
            const [, tags = ""] = tagsForm.exec(searchTextOf(row).slice(row.valueStart)) ?? [];
            return `,${tags}`.replace(/[\s,]+/g, " ").includes(` ${word}`);
        }
        case "is":
            if (word === "favorite") return favorites.has(row.key);
            return ["draft", "changed"].includes(word) ? row.change !== undefined : stateOf(row).startsWith(word);
    }
}

/**
 * Returns the draft's effect on a row.
 * @param {Pick<Row, "change">} row
 * @returns {"" | "added" | "removed" | "edited" | "conflict"}
 */
export function stateOf({ change }) {
    if (!change) return "";
    if (change.theirs !== undefined) return "conflict";
    if (change.after === null) return "removed";
    return change.before === null ? "added" : "edited";
}

/** @param {string} query @returns {string[]} the words in lower case */
export function wordsOf(query) {
    return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** @param {Term[]} terms */
export function searchWords(terms) {
    return terms.filter((term) => !term.not && ["any", "key", "value"].includes(term.field)).map((term) => term.word);
}

/**
 * Returns the terms that earlier matches must still be tested against, or null if the new query does not narrow the old
 * one.
 * @param {Term[]} before
 * @param {Term[]} after
 * @returns {Term[] | null}
 */
function termsToTest(before, after) {
    /** @type {Term[]} */
    const open = after.slice(before.length);
    for (const [index, { field, word, not }] of before.entries()) {
        const next = after[index];
        if (!next || next.field !== field || next.not !== not) return null;
        if (next.word === word) continue;
        if (not || field === "is" || field === "type" || field === "tag" || !next.word.includes(word)) return null;
        open.push(next);
    }
    return open;
}

/** The limit on cached results, used when the user deletes letters. */
const maxCachedResults = 32;

/** A search with cached results, because a query mostly narrows the last one or repeats an earlier one. */
export class Filter {
    /** @param {{ favorites: ReadonlySet<string> }} [bookmarks] */
    constructor(bookmarks = { favorites: new Set() }) {
        this.bookmarks = bookmarks;
        this.version = -1;
        /** @type {Order} */
        this.order = "key";
        /** @type {Row[]} all rows in the requested order */
        this.ordered = [];
        /** @type {Row[]} */
        this.found = [];
        /** @type {Term[]} */
        this.terms = [];
        /** The word with known positions, or empty. */
        this.before = "";
        /** @type {number[]} the offset of that word in each found row */
        this.offsets = [];
        /** @type {Map<string, Pick<Filter, "found" | "terms" | "before" | "offsets">>} cached results by query text */
        this.cache = new Map();
    }

    /**
     * @param {Row[]} rows
     * @param {Term[]} terms
     * @param {ReadonlySet<string> | null} hits
     */
    search(rows, terms, hits) {
        const last = terms.at(-1);
        const rest = terms.slice(0, -1);
        const { favorites } = this.bookmarks;
        this.found = rest.length
            ? rows.filter((row) => rest.every((term) => fits(row, term, hits, favorites) !== term.not))
            : rows;
        this.before = "";
        if (last?.field === "any" && !last.not && !hits) this.locate(last.word, []);
        else if (last) this.found = this.found.filter((row) => fits(row, last, hits, favorites) !== last.not);
    }

    /**
     * Filters to the rows that contain a word, and records its offsets.
     * @param {string} word
     * @param {number[]} places the offsets of a prefix of the word
     */
    locate(word, places) {
        const from = this.found;
        /** @type {Row[]} */
        const found = [];
        this.offsets = [];
        this.before = word;
        for (let index = 0; index < from.length; index += 1) {
            const place = searchTextOf(from[index]).indexOf(word, places[index]);
            if (place < 0) continue;
            found.push(from[index]);
            this.offsets.push(place);
        }
        // Returning the same array if nothing was removed lets callers reuse work based on it.
        if (found.length < from.length) this.found = found;
    }

    /**
     * @param {import("./entries.js").EntryTable} table
     * @param {string} text
     * @param {Order} order
     * @param {ReadonlySet<string> | null} [hits] keys that the server search found for this text
     * @returns {Row[]}
     */
    run(table, text, order, hits = null) {
        const terms = readQuery(text);
        const fresh = this.version !== table.version || this.order !== order;
        if (fresh) {
            this.ordered = ordered(table.rows, order);
            this.version = table.version;
            this.order = order;
            this.cache.clear();
        }
        const known = hits ? undefined : this.cache.get(text);
        if (known) return Object.assign(this, known).found;
        const open = fresh || hits ? null : termsToTest(this.terms, terms);
        const last = open?.length === 1 && open[0] === terms.at(-1) ? open[0] : null;
        if (open && last?.field === "any" && !last.not && this.before !== "" && last.word.startsWith(this.before))
            this.locate(last.word, this.offsets);
        else this.search(open ? this.found : this.ordered, open ?? terms, hits);
        this.terms = terms;
        // The server's results apply to this text only.
        if (hits) this.version = -1;
        const { found, before, offsets } = this;
        this.cache.set(text, { found, terms, before, offsets });
        if (this.cache.size > maxCachedResults) this.cache.delete(this.cache.keys().next().value ?? "");
        return found;
    }
}

/**
 * @param {Row[]} rows sorted by key
 * @param {Order} order
 */
function ordered(rows, order) {
    if (order === "key") return rows;
    /** @type {(row: Row) => string | number} */
    const rank = order === "changed" ? (row) => row.entry?.updated_at ?? "~" : (row) => row.entry?.bytes ?? 0;
    return rows
        .map((row) => ({ row, rank: rank(row) }))
        .sort((one, other) => (one.rank < other.rank ? 1 : one.rank > other.rank ? -1 : 0))
        .map(({ row }) => row);
}
