/** What a person chose for this browser: language, theme, the order of a list. */

/** @typedef {"language" | "theme" | "arrangement" | "order" | "view"} Setting */

const prefix = "almanac.";

/** Kept in the browser; a browser that keeps nothing is as one where nothing was chosen. */
export class Settings {
    /** @param {Storage} storage */
    constructor(storage) {
        this.storage = storage;
    }

    /** @param {Setting} name */
    get(name) {
        try {
            return this.storage.getItem(prefix + name);
        } catch {
            return null;
        }
    }

    /**
     * @param {Setting} name
     * @param {string | null} value
     */
    set(name, value) {
        try {
            if (value === null) this.storage.removeItem(prefix + name);
            else this.storage.setItem(prefix + name, value);
        } catch {
            // Nothing is kept then; the page goes on as chosen until it is closed.
        }
    }
}
