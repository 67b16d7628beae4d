/** The user's settings in this browser: language, theme, the order of a list, the marks and looks of notes. */

/**
 * @typedef {"language" | "theme" | "arrangement" | "order" | "view" | "marks" | "textSize" | "lineWidth" |
 * "typeface" | "client"} Setting
 */

const prefix = "almanac.";

/** Settings in the browser's storage. Without storage, every setting has its default. */
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
            // Without storage, the choice lasts until the page closes.
        }
    }
}
