/** A user's favorite keys and saved filters of one environment, in this browser. */

export class Bookmarks {
    /** @type {Set<string>} the favorite keys */
    favorites = new Set();
    /** @type {Map<string, string>} the queries of saved filters, by name */
    filters = new Map();
    #storage;
    #storageKey;
    /** True after a failed write. The stored bookmarks are then older than those in memory. */
    #isRefused = false;

    /**
     * @param {string} environment
     * @param {Storage} storage
     */
    constructor(environment, storage) {
        this.#storage = storage;
        this.#storageKey = `almanac.bookmarks.${environment}`;
        this.#read();
    }

    /** Reads the stored bookmarks, because another tab may have changed them. */
    #read() {
        if (this.#isRefused) return;
        try {
            const { favorites, filters } = JSON.parse(this.#storage.getItem(this.#storageKey) ?? "");
            [this.favorites, this.filters] = [new Set(favorites), new Map(filters)];
        } catch {
            // Without readable storage, the bookmarks in memory are the newest.
        }
    }

    /** Returns false if the bookmarks last only until the page closes. */
    #write() {
        try {
            const stored = { favorites: [...this.favorites], filters: [...this.filters] };
            this.#storage.setItem(this.#storageKey, JSON.stringify(stored));
            this.#isRefused = false;
        } catch {
            this.#isRefused = true;
        }
        return !this.#isRefused;
    }

    /**
     * Adds a key to the favorites, or removes it.
     * @param {string} key
     * @returns {boolean} false if the storage refused the change
     */
    toggle(key) {
        this.#read();
        if (!this.favorites.delete(key)) this.favorites.add(key);
        return this.#write();
    }

    /**
     * Saves a filter under a name.
     * @param {string} name
     * @param {string} query an empty text removes the filter
     * @returns {boolean} false if the storage refused the change
     */
    save(name, query) {
        this.#read();
        if (query) this.filters.set(name, query);
        else this.filters.delete(name);
        return this.#write();
    }
}
