/** Texts that are not valid values yet, such as JSON without a comma. They are stored per tab and survive a reload. */

/** @typedef {{ kind: import("../state/kinds.js").Kind, text: string }} InvalidText */

const storageKey = "almanac.unfinished";

export class InvalidTexts {
    /** @param {Storage} storage */
    constructor(storage) {
        this.storage = storage;
        /** @type {Record<string, InvalidText>} keyed by environment and key */
        this.all = {};
        try {
            this.all = JSON.parse(storage.getItem(storageKey) ?? "{}");
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
     * @param {InvalidText | null} text
     */
    set(name, text) {
        if (text) this.all[name] = text;
        else if (Object.hasOwn(this.all, name)) delete this.all[name];
        else return;
        try {
            this.storage.setItem(storageKey, JSON.stringify(this.all));
        } catch {
            // Without storage, the texts last until the page closes.
        }
    }
}
