/** Finds entries as one types: by key, value, description, type and author. */

/** @typedef {import("./entries.js").Row} Row */
/** @typedef {import("./entries.js").EntryTable} EntryTable */
/** @typedef {"any" | "key" | "value" | "desc" | "type" | "by" | "is"} Field */
/** @typedef {{ field: Field, word: string, not: boolean }} Term */
/** @typedef {"key" | "changed" | "size"} Order */

const fields = /** @type {const} */ (["key", "value", "desc", "type", "by", "is"]);
const form = /(-?)(?:(key|value|desc|type|by|is):)?(?:"([^"]*)"?|(\S+))/gi;

/**
 * The terms of a query; all of them have to fit. `type:number key:app. "two words" -draft`
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
 * What a row says, the draft laid over the entry; a key that the draft removes is shown as it was.
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
 * What a value's text is searched for: a string without its quotes and escapes, anything else as JSON.
 * @param {string} text
 */
export function plainText(text) {
    if (text[0] !== '"') return text;
    if (text.includes("\\")) {
        try {
            return JSON.parse(text);
        } catch {
            // Only the beginning of a string: its escapes stay.
        }
    }
    return text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text.slice(1);
}

/**
 * Key, description and value in lower case, made once for each state of the row.
 * @param {Row} row
 */
export function hayOf(row) {
    if (row.hay === null) {
        const head = `${row.key}\n${shownDescription(row)}\n`.toLowerCase();
        row.valueStart = head.length;
        row.hay = head + plainText(shownText(row)).toLowerCase();
    }
    return row.hay;
}

/**
 * @param {Row} row
 * @param {Term} term
 * @param {ReadonlySet<string> | null} hits keys that the server found
 */
function fits(row, { field, word }, hits) {
    switch (field) {
        case "any":
            return hayOf(row).includes(word) || (hits?.has(row.key) ?? false);
        case "key":
            // What comes first decides: no word reaches over the end of a line.
            return (hayOf(row).indexOf(word) + 1 || Number.POSITIVE_INFINITY) <= row.key.length;
        case "value":
            hayOf(row);
            return hayOf(row).includes(word, row.valueStart) || (hits?.has(row.key) ?? false);
        case "desc":
            return shownDescription(row).toLowerCase().includes(word);
        case "type":
            return (
                `${(row.change?.after ?? row.entry)?.kind}`.startsWith(word) ||
                shownType(row).startsWith(word) ||
                (word === "json" && /^[oa]/.test(shownType(row)))
            );
        case "by":
            return (row.entry?.author ?? "").toLowerCase().includes(word);
        case "is":
            return ["draft", "changed"].includes(word) ? row.change !== undefined : stateOf(row).startsWith(word);
    }
}

/**
 * What the draft does with a row.
 * @param {Pick<Row, "change">} row
 * @returns {"" | "added" | "removed" | "edited" | "conflict"}
 */
export function stateOf({ change }) {
    if (!change) return "";
    if (change.theirs !== undefined) return "conflict";
    if (change.after === null) return "removed";
    return change.before === null ? "added" : "edited";
}

/** @param {Term[]} terms */
export function needle(terms) {
    return terms.filter((term) => !term.not && ["any", "key", "value"].includes(term.field)).map((term) => term.word);
}

/**
 * The terms that what fitted the old ones has still to be tested with, or null where it is not enough to test that.
 * @param {Term[]} before
 * @param {Term[]} after
 * @returns {Term[] | null}
 */
function narrowing(before, after) {
    /** @type {Term[]} */
    const open = after.slice(before.length);
    for (const [index, { field, word, not }] of before.entries()) {
        const next = after[index];
        if (!next || next.field !== field || next.not !== not) return null;
        if (next.word === word) continue;
        if (not || field === "is" || field === "type" || !next.word.includes(word)) return null;
        open.push(next);
    }
    return open;
}

/** So many answers are kept, for whoever takes letters back. */
const kept = 32;

/** Keeps the last answers: the next question mostly narrows the last one, or is one asked before. */
export class Filter {
    constructor() {
        this.version = -1;
        /** @type {Order} */
        this.order = "key";
        /** @type {Row[]} all rows in the order asked for */
        this.ordered = [];
        /** @type {Row[]} */
        this.found = [];
        /** @type {Term[]} */
        this.terms = [];
        /** The word whose places are known, empty for none. */
        this.before = "";
        /** @type {number[]} where it is in each row that was found */
        this.places = [];
        /** @type {Map<string, Pick<Filter, "found" | "terms" | "before" | "places">>} answers by what was typed */
        this.answers = new Map();
    }

    /**
     * @param {Row[]} rows
     * @param {Term[]} terms
     * @param {ReadonlySet<string> | null} hits
     */
    search(rows, terms, hits) {
        const last = terms.at(-1);
        const rest = terms.slice(0, -1);
        this.found = rest.length
            ? rows.filter((row) => rest.every((term) => fits(row, term, hits) !== term.not))
            : rows;
        this.before = "";
        if (last?.field === "any" && !last.not && !hits) this.locate(last.word, []);
        else if (last) this.found = this.found.filter((row) => fits(row, last, hits) !== last.not);
    }

    /**
     * Keeps the rows that have a word, and where.
     * @param {string} word
     * @param {number[]} places where its beginning was found
     */
    locate(word, places) {
        const from = this.found;
        /** @type {Row[]} */
        const found = [];
        this.places = [];
        this.before = word;
        for (let index = 0; index < from.length; index += 1) {
            const place = hayOf(from[index]).indexOf(word, places[index]);
            if (place < 0) continue;
            found.push(from[index]);
            this.places.push(place);
        }
        // The same rows are the same array, so that what was made of it can be kept.
        if (found.length < from.length) this.found = found;
    }

    /**
     * @param {EntryTable} table
     * @param {string} text
     * @param {Order} order
     * @param {ReadonlySet<string> | null} [hits] keys that the server found for this text
     * @returns {Row[]}
     */
    run(table, text, order, hits = null) {
        const terms = readQuery(text);
        const fresh = this.version !== table.version || this.order !== order;
        if (fresh) {
            this.ordered = ordered(table.rows, order);
            this.version = table.version;
            this.order = order;
            this.answers.clear();
        }
        const known = hits ? undefined : this.answers.get(text);
        if (known) return Object.assign(this, known).found;
        const open = fresh || hits ? null : narrowing(this.terms, terms);
        const last = open?.length === 1 && open[0] === terms.at(-1) ? open[0] : null;
        if (open && last?.field === "any" && !last.not && this.before !== "" && last.word.startsWith(this.before))
            this.locate(last.word, this.places);
        else this.search(open ? this.found : this.ordered, open ?? terms, hits);
        this.terms = terms;
        // What the server found for one text says nothing of the next.
        if (hits) this.version = -1;
        const { found, before, places } = this;
        this.answers.set(text, { found, terms, before, places });
        if (this.answers.size > kept) this.answers.delete(this.answers.keys().next().value ?? "");
        return found;
    }
}

/**
 * @param {Row[]} rows in the order of their keys
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
