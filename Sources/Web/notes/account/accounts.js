/**
 * Whose notes this device has, and how each of their lists began when it was seen last: kept in the browser, so that a
 * page without a network knows what to open, and shows something of it before the database is open.
 */

/**
 * @typedef {object} Account somebody's notes of one environment on this device
 * @property {string} environment
 * @property {string} name the subject of the user
 * @property {boolean} left whether its user has signed out, and kept the notes here
 */

const key = "almanac.notes.accounts";
const rowsKey = "almanac.notes.rows";

/** The accounts of this device, the one used last first. A browser that keeps nothing has none. */
export class DeviceAccounts {
    /** @param {Storage} storage */
    constructor(storage) {
        this.storage = storage;
    }

    /** @returns {Account[]} */
    accounts() {
        try {
            const kept = JSON.parse(this.storage.getItem(key) ?? "[]");
            return Array.isArray(kept) ? kept.filter(isAccount) : [];
        } catch {
            return [];
        }
    }

    /**
     * The account to open at once: that of an environment, or the one used last.
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

    /**
     * Its user has signed out; the notes stay.
     * @param {string} environment
     * @param {string} name
     */
    leave(environment, name) {
        const known = this.accounts();
        this.put(known.map((one) => (isSame(one, environment, name) ? { ...one, left: true } : one)));
        this.keepRows(environment, name, null);
    }

    /**
     * The notes are gone from here.
     * @param {string} environment
     * @param {string} name
     */
    forget(environment, name) {
        this.put(this.others(environment, name));
        this.keepRows(environment, name, null);
    }

    /**
     * What was given to `keepRows`, which another version of the page may have done.
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
     * Nothing is kept of somebody who has left.
     * @param {string} environment
     * @param {string} name
     * @param {unknown} rows null for none
     */
    keepRows(environment, name, rows) {
        const isHere = this.accounts().some((one) => isSame(one, environment, name) && !one.left);
        const itsKey = `${rowsKey}:${environment}:${name}`;
        try {
            if (rows && isHere) this.storage.setItem(itsKey, JSON.stringify(rows));
            else this.storage.removeItem(itsKey);
        } catch {
            // Older ones may be left, which are as good for a moment.
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
            // Nothing is kept then, and the next start takes a network.
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
