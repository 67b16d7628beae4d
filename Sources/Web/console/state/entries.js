/** The entries of an environment with the draft laid over them, in the order of their keys. */
import { own } from "./draft.js";

/**
 * @typedef {object} Entry
 * @property {string} key
 * @property {string} type `string`, `number`, `boolean`, `array` or `object`
 * @property {number} bytes of the value's compact text
 * @property {string} text the value as JSON, or its beginning
 * @property {boolean} whole whether the text is all of it
 * @property {string} description
 * @property {string} updated_at
 * @property {number} revision
 * @property {string} author
 * @property {string} [kind] `flag` or `flag-set`; values have none
 */

/**
 * @typedef {object} Row a key with what it is and what it is to be
 * @property {string} key
 * @property {Entry | null} entry null for a key that only the draft has
 * @property {import("./draft.js").Change | undefined} change
 * @property {string | null} hay what the filter looks at; null until it does
 * @property {number} valueStart where the value begins in it
 */

/**
 * An entry of `GET /config?form=summary`.
 * @param {any} item
 * @returns {Entry}
 */
export function readEntry(item) {
    const whole = item.value !== undefined;
    return {
        key: item.key,
        type: item.type,
        bytes: item.bytes,
        text: whole ? item.value : item.preview,
        whole,
        description: item.description ?? "",
        updated_at: item.updated_at,
        revision: item.revision ?? 0,
        author: item.author ?? "",
        ...kindOf(item),
    };
}

/**
 * The kind of what is no plain value, to be spread.
 * @param {{ kind?: string } | null | undefined} item
 * @returns {{ kind?: string }}
 */
export function kindOf(item) {
    return item?.kind ? { kind: item.kind } : {};
}

/**
 * Whether a row is a flag, or is to be one.
 * @param {Row} row
 */
export const isFlag = ({ entry, change }) => (change?.after ?? entry)?.kind === "flag";

export class EntryTable {
    constructor() {
        /** @type {Map<string, Row>} */
        this.byKey = new Map();
        /** @type {Row[]} in the order of their keys */
        this.rows = [];
        /** Grows with every change, so that what was worked out from the rows can be kept until then. */
        this.version = 0;
        /** How many there are without the draft, and their bytes. */
        this.count = 0;
        this.bytes = 0;
    }

    /**
     * Takes a whole config; values that are known in full and have not changed since stay.
     * @param {Entry[]} entries
     * @param {import("./draft.js").Changes} changes
     */
    fill(entries, changes) {
        const before = this.byKey;
        this.byKey = new Map();
        this.bytes = 0;
        for (const entry of entries) {
            const old = before.get(entry.key);
            const known = old?.entry?.whole && !entry.whole && old.entry.updated_at === entry.updated_at;
            const kept = known && old?.entry ? { ...entry, text: old.entry.text, whole: true } : entry;
            this.byKey.set(entry.key, {
                key: entry.key,
                entry: kept,
                change: own(changes, entry.key),
                hay: null,
                valueStart: 0,
            });
            this.bytes += entry.bytes;
        }
        this.count = entries.length;
        for (const key of Object.keys(changes)) {
            if (!this.byKey.has(key))
                this.byKey.set(key, { key, entry: null, change: changes[key], hay: null, valueStart: 0 });
        }
        this.order();
    }

    order() {
        this.rows = [...this.byKey.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
        this.version += 1;
    }

    /**
     * Takes what one key is now; null removes it.
     * @param {string} key
     * @param {Entry | null} entry
     */
    put(key, entry) {
        const row = this.byKey.get(key);
        this.bytes += (entry?.bytes ?? 0) - (row?.entry?.bytes ?? 0);
        this.count += (entry ? 1 : 0) - (row?.entry ? 1 : 0);
        this.set(key, entry, row?.change);
    }

    /**
     * Takes the draft's change of a key.
     * @param {string} key
     * @param {import("./draft.js").Change | undefined} change
     */
    lay(key, change) {
        const row = this.byKey.get(key);
        if (row?.change === change) return;
        this.set(key, row?.entry ?? null, change);
    }

    /**
     * Takes a value in full.
     * @param {string} key
     * @param {string} text
     * @param {string} updatedAt of the entry that it belongs to
     */
    complete(key, text, updatedAt) {
        const row = this.byKey.get(key);
        if (!row?.entry || row.entry.whole || row.entry.updated_at !== updatedAt) return;
        row.entry.text = text;
        row.entry.whole = true;
        row.hay = null;
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
            row.hay = null;
            this.version += 1;
        } else if (entry || change) {
            this.byKey.set(key, { key, entry, change, hay: null, valueStart: 0 });
            this.order();
        }
    }
}
