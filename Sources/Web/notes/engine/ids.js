/**
 * The ids of a list on their way from the worker to the page: as one text, which a browser copies in a fraction of the
 * time that as many small ones take; and not at all where the page says that it has them.
 */

/**
 * The ids joined, or null for those that the page has; and by which turn it has them from now on.
 * @typedef {{ turn: number, text: string | null }} Packed
 */

export class SentIds {
    /** @type {readonly string[]} */
    #last = [];
    #turn = 0;

    /**
     * @param {readonly string[]} ids
     * @param {number} has the turn of those that the page has
     * @returns {Packed}
     */
    pack(ids, has) {
        // A page that asks for none keeps those that it has.
        if (ids.length === 0) return { turn: has, text: "" };
        let same = 0;
        while (same < ids.length && ids[same] === this.#last[same]) same += 1;
        if (same < ids.length || same < this.#last.length) {
            this.#last = ids;
            this.#turn += 1;
        }
        return { turn: this.#turn, text: has === this.#turn ? null : ids.join("\n") };
    }
}

export class ReceivedIds {
    /** @type {readonly string[]} */
    #last = [];
    turn = 0;

    /**
     * @param {Packed} packed the answer to a question that was asked with the turn of these
     * @returns {readonly string[]}
     */
    unpack({ turn, text }) {
        if (text === "") return [];
        if (text !== null) [this.#last, this.turn] = [text.split("\n"), turn];
        return this.#last;
    }
}
