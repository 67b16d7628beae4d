/** The entries of an environment merged with the draft, sorted by key. */
import { typeOf } from "../../shared/json.js";
import { compact } from "../../shared/json-forms.js";
import { changeOf } from "./draft.js";

/**
 * @typedef {object} Entry
 * @property {string} key
 * @property {string} type `string`, `number`, `boolean`, `array` or `object`
 * @property {number} bytes the length of the value's compact text
 * @property {string} text the value as JSON text, or its beginning
 * @property {boolean} full true if `text` is complete
 * @property {string} description
 * @property {string} updated_at
 * @property {number} revision
 * @property {string} author
 * @property {string} [kind] `flag` or `flag-set`; absent for values
 */

/**
 * @typedef {object} Row a key with its entry and its change
 * @property {string} key
 * @property {Entry | null} entry null for a key that exists only in the draft
 * @property {import("./draft.js").Change | undefined} change
 * @property {string | null} lower the lower-case text for the filter; null until first used
 * @property {number} valueStart the offset of the value in `lower`
 */

/**
 * Parses an element of `GET /config?form=summary`.
 * @param {any} item
 * @returns {Entry}
 */
export function readEntry(item) {
    const full = item.value !== undefined;
    return {
        key: item.key,
        type: item.type,
        bytes: item.bytes,
        text: full ? item.value : item.preview,
        full,
        description: item.description ?? "",
        updated_at: item.updated_at,
        revision: item.revision ?? 0,
        author: item.author_name ?? item.author ?? "",
        ...kindOf(item),
    };
}

/**
 * Converts the latest item of a key's history to an entry, or a content with its revision and time.
 * @param {string} key
 * @param {any} item
 * @returns {Entry}
 */
export function entryOf(key, item) {
    const text = compact(item.value);
    return {
        key,
        type: typeOf(text),
        bytes: new TextEncoder().encode(text).length,
        text: item.value,
        full: true,
        description: item.description ?? "",
        updated_at: item.updated_at,
        revision: item.revision,
        author: item.author_name ?? item.author ?? "",
        ...kindOf(item),
    };
}

/**
 * Returns the kind as an object to spread, empty for a plain value.
 * @param {{ kind?: string } | null | undefined} item
 * @returns {{ kind?: string }}
 */
export function kindOf(item) {
    return item?.kind ? { kind: item.kind } : {};
}

/** Returns true for the kinds of flags and of the settings that they share. @param {string | undefined} kind */
export const isOfFlags = (kind) => /^flag/.test(kind ?? "");

/**
 * Returns true if a row is a flag, with the draft applied.
 * @param {Row} row
 */
export const isFlag = ({ entry, change }) => (change?.after ?? entry)?.kind === "flag";

export class EntryTable {
    constructor() {
        /** @type {Map<string, Row>} */
        this.byKey = new Map();
        /** @type {Row[]} sorted by key */
        this.rows = [];
        /** Increases with every change, to invalidate values computed from the rows. */
        this.version = 0;
        /** The number of entries without the draft, and the sum of their bytes. */
        this.count = 0;
        this.bytes = 0;
    }

    /**
     * Replaces the config. Complete values that have not changed since stay.
     * @param {Entry[]} entries
     * @param {import("./draft.js").Changes} changes
     */
    fill(entries, changes) {
        const before = this.byKey;
        this.byKey = new Map();
        this.bytes = 0;
        for (const entry of entries) {
            const old = before.get(entry.key);
            const known = old?.entry?.full && !entry.full && old.entry.updated_at === entry.updated_at;
            const kept = known && old?.entry ? { ...entry, text: old.entry.text, whole: true } : entry;
            this.byKey.set(entry.key, {
                key: entry.key,
                entry: kept,
                change: changeOf(changes, entry.key),
                lower: null,
                valueStart: 0,
            });
            this.bytes += entry.bytes;
        }
        this.count = entries.length;
        for (const key of Object.keys(changes)) {
            if (!this.byKey.has(key))
                this.byKey.set(key, { key, entry: null, change: changes[key], lower: null, valueStart: 0 });
        }
        this.order();
    }

    /**
     * Returns true if a key exists, with the draft applied.
     * @param {string} key
     */
    has(key) {
        const row = this.byKey.get(key);
        return row !== undefined && row.change?.after !== null;
    }

    order() {
        this.rows = [...this.byKey.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
        this.version += 1;
    }

    /**
     * Sets the entry of a key; null removes it.
     * @param {string} key
     * @param {Entry | null} entry
     */
    setEntry(key, entry) {
        const row = this.byKey.get(key);
        this.bytes += (entry?.bytes ?? 0) - (row?.entry?.bytes ?? 0);
        this.count += (entry ? 1 : 0) - (row?.entry ? 1 : 0);
        this.set(key, entry, row?.change);
    }

    /**
     * Sets the draft's change of a key.
     * @param {string} key
     * @param {import("./draft.js").Change | undefined} change
     */
    setChange(key, change) {
        const row = this.byKey.get(key);
        if (row?.change === change) return;
        this.set(key, row?.entry ?? null, change);
    }

    /**
     * Sets the complete value of an entry.
     * @param {string} key
     * @param {string} text
     * @param {string} updatedAt the update time of the entry that has this value; otherwise the text is ignored
     */
    complete(key, text, updatedAt) {
        const row = this.byKey.get(key);
        if (!row?.entry || row.entry.full || row.entry.updated_at !== updatedAt) return;
        row.entry.text = text;
        row.entry.full = true;
        row.lower = null;
        this.version += 1;
    }

    /**
     * @param {string} key
     * @param {Entry | null} entry
     * @param {import("./draft.js").Change | undefined} change
     */
    set(key, entry, change) {
        const row = this.byKey.get(key);
        if (row) {
            if (!entry && !change) {
                this.byKey.delete(key);
                this.order();
                return;
            }
            row.entry = entry;
            row.change = change;
            row.lower = null;
            this.version += 1;
        } else if (entry || change) {
            this.byKey.set(key, { key, entry, change, lower: null, valueStart: 0 });
            this.order();
        }
    }
}
