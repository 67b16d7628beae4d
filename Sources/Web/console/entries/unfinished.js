/** Texts that are not valid values yet, such as JSON without a comma. They are stored per tab and survive a reload. */

/** @typedef {{ kind: import("../state/kinds.js").Kind, text: string }} Half */

const place = "almanac.unfinished";

export class Unfinished {
    /** @param {Storage} storage */
    constructor(storage) {
        this.storage = storage;
        /** @type {Record<string, Half>} keyed by environment and key */
        this.all = {};
        try {
            this.all = JSON.parse(storage.getItem(place) ?? "{}");
        } catch {
            // Unreadable data is dropped.
        }
    }

    /** @param {string} name */
    get(name) {
        return Object.hasOwn(this.all, name) ? this.all[name] : undefined;
    }

    /**
     * @param {string} name
     * @param {Half | null} half
     */
    set(name, half) {
        if (half) this.all[name] = half;
        else if (Object.hasOwn(this.all, name)) delete this.all[name];
        else return;
        try {
            this.storage.setItem(place, JSON.stringify(this.all));
        } catch {
            // Without storage, the texts last until the page closes.
        }
    }
}
