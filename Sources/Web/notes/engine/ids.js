/**
 * Transfers the ids of a list from the worker to the page as one text, which a browser copies in a fraction of the time
 * of many small ones. Sends no ids if the page already has the same list.
 */

/**
 * The joined ids, or null if the page already has them. `listNumber` numbers the list.
 * @typedef {{ listNumber: number, text: string | null }} Packed
 */

export class SentIds {
    /** @type {readonly string[]} */
    #last = [];
    #listNumber = 0;

    /**
     * @param {readonly string[]} ids
     * @param {number} has the number of the list that the page has
     * @returns {Packed}
     */
    pack(ids, has) {
        // A page that requests no ids retains its list.
        if (ids.length === 0) return { listNumber: has, text: "" };
        let same = 0;
        while (same < ids.length && ids[same] === this.#last[same]) same += 1;
        if (same < ids.length || same < this.#last.length) {
            this.#last = ids;
            this.#listNumber += 1;
        }
        return { listNumber: this.#listNumber, text: has === this.#listNumber ? null : ids.join("\n") };
    }
}

export class ReceivedIds {
    /** @type {readonly string[]} */
    #last = [];
    listNumber = 0;

    /**
     * @param {Packed} packed the response to a request that contained this object's `listNumber`
     * @returns {readonly string[]}
     */
    unpack({ listNumber, text }) {
        if (text === "") return [];
        if (text !== null) [this.#last, this.listNumber] = [text.split("\n"), listNumber];
        return this.#last;
    }
}
