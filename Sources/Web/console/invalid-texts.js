/** Texts that are not valid values yet, such as JSON without a comma. They are stored per tab and survive a reload. */

/**
 * @typedef {object} InvalidText
 * @property {string} text
 * @property {import("./state/kinds.js").Kind} [kind]
 * @property {boolean} [isFresh] true until the user leaves the field
 */

export class InvalidTexts {
    /**
     * @param {string} environment
     * @param {Storage} storage
     */
    constructor(environment, storage) {
        this.storageKey = `almanac.invalid.${environment}`;
        this.storage = storage;
        /** @type {Map<string, Map<string, InvalidText>>} texts by entry and field */
        this.all = new Map();
        try {
            /** @type {[string, [string, InvalidText][]][]} */
            const stored = JSON.parse(storage.getItem(this.storageKey) ?? "[]");
            this.all = new Map(stored.map(([key, fields]) => [key, new Map(fields)]));
        } catch {
            // Unreadable data is dropped.
        }
    }

    /** The number of invalid fields. */
    get size() {
        return [...this.all.values()].reduce((sum, fields) => sum + fields.size, 0);
    }

    /** True if the user has left none of the invalid fields. */
    get isFresh() {
        return [...this.all.values()].every((fields) => [...fields.values()].every(({ isFresh }) => isFresh));
    }

    /** @param {string} key @param {string} field */
    get(key, field) {
        return this.all.get(key)?.get(field);
    }

    /**
     * Returns the names of an entry's invalid fields.
     * @param {string} key
     */
    fields(key) {
        return [...(this.all.get(key)?.keys() ?? [])];
    }

    /**
     * Returns true if the set of invalid fields has changed, or the field is no longer fresh.
     * @param {string} key
     * @param {string} field
     * @param {InvalidText | null} text
     */
    set(key, field, text) {
        const fields = this.all.get(key) ?? new Map();
        const { size } = fields;
        const was = fields.get(field);
        if (text) fields.set(field, text);
        else if (!fields.delete(field)) return false;
        if (fields.size > 0) this.all.set(key, fields);
        else this.all.delete(key);
        this.write();
        return size !== fields.size || was?.isFresh !== text?.isFresh;
    }

    /**
     * Renames the invalid fields of an entry, and drops those without a new name.
     * @param {string} key
     * @param {(field: string) => string | null} rename
     */
    rename(key, rename) {
        const fields = this.all.get(key);
        if (!fields) return;
        const renamed = [...fields].map(([field, text]) => /** @type {const} */ ([rename(field), text]));
        const kept = renamed.filter(([field]) => field !== null);
        if (kept.length > 0) this.all.set(key, new Map(/** @type {[string, InvalidText][]} */ (kept)));
        else this.all.delete(key);
        this.write();
    }

    /** @param {string} key */
    clear(key) {
        if (this.all.delete(key)) this.write();
    }

    clearAll() {
        this.all.clear();
        this.write();
    }

    write() {
        try {
            if (this.all.size === 0) this.storage.removeItem(this.storageKey);
            else
                this.storage.setItem(
                    this.storageKey,
                    JSON.stringify([...this.all].map(([key, fields]) => [key, [...fields]])),
                );
        } catch {
            // Without storage, the texts last until the page closes.
        }
    }
}
