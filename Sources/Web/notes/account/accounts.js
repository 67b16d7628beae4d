/**
 * The accounts on this device and the cached first rows of their lists, in local storage. A page without a network thus
 * knows the account to open, and can show rows before the database is open.
 */

import { forgetTexts } from "./closing-texts.js";

/**
 * @typedef {object} Account an account with notes of one environment on this device
 * @property {string} environment
 * @property {string} name the user's subject
 * @property {boolean} left true if the user has signed out but left the notes here
 */

const key = "almanac.notes.accounts";
const rowsKey = "almanac.notes.rows";

/** Returns the mark of an account in the clipboard. @param {string} environment @param {string} name */
export const markOf = (environment, name) => JSON.stringify([environment, name]);

/** The accounts of this device, the most recently used first; none if the browser denies storage. */
export class DeviceAccounts {
    /** @param {Storage} storage */
    constructor(storage) {
        this.storage = storage;
    }

    /** @returns {Account[]} */
    accounts() {
        try {
            const stored = JSON.parse(this.storage.getItem(key) ?? "[]");
            return Array.isArray(stored) ? stored.filter(isAccount) : [];
        } catch {
            return [];
        }
    }

    /**
     * Returns the account to open: the latest of an environment, or of all. Returns null if its user signed out.
     * @param {string} environment may be empty
     */
    current(environment) {
        const [first] = this.accounts().filter((one) => !environment || one.environment === environment);
        return first && !first.left ? first : null;
    }

    /**
     * @param {string} environment
     * @param {string} name
     */
    use(environment, name) {
        this.put([{ environment, name, left: false }, ...this.others(environment, name)]);
    }

    /** Marks an account as signed out; its notes stay. @param {string} environment @param {string} name */
    leave(environment, name) {
        const known = this.accounts();
        this.put(known.map((one) => (isSame(one, environment, name) ? { ...one, left: true } : one)));
        this.cacheRows(environment, name, null);
    }

    /** Removes an account whose notes are no longer on this device. @param {string} environment @param {string} name */
    forget(environment, name) {
        this.put(this.others(environment, name));
        this.cacheRows(environment, name, null);
        forgetTexts(this.storage, environment, name);
    }

    /**
     * Returns the cached rows, which another version of the page may have written.
     * @param {string} environment
     * @param {string} name
     * @returns {unknown}
     */
    rows(environment, name) {
        try {
            return JSON.parse(this.storage.getItem(`${rowsKey}:${environment}:${name}`) ?? "null");
        } catch {
            return null;
        }
    }

    /**
     * Caches rows, except for an account that has signed out.
     * @param {string} environment
     * @param {string} name
     * @param {unknown} rows null to delete the rows
     */
    cacheRows(environment, name, rows) {
        const isHere = this.accounts().some((one) => isSame(one, environment, name) && !one.left);
        const itsKey = `${rowsKey}:${environment}:${name}`;
        try {
            if (rows && isHere) this.storage.setItem(itsKey, JSON.stringify(rows));
            else this.storage.removeItem(itsKey);
        } catch {
            // Stale rows may remain, which the page replaces soon.
        }
    }

    /**
     * @param {string} environment
     * @param {string} name
     */
    others(environment, name) {
        return this.accounts().filter((one) => !isSame(one, environment, name));
    }

    /** @param {Account[]} accounts */
    put(accounts) {
        try {
            this.storage.setItem(key, JSON.stringify(accounts));
        } catch {
            // Without storage, the next start needs a network.
        }
    }
}

/**
 * @param {Account} one
 * @param {string} environment
 * @param {string} name
 */
function isSame(one, environment, name) {
    return one.environment === environment && one.name === name;
}

/**
 * @param {any} value
 * @returns {value is Account}
 */
function isAccount(value) {
    return typeof value?.environment === "string" && typeof value.name === "string" && typeof value.left === "boolean";
}
