/**
 * The ids of a list on their way from the worker to the page: as one text, which a browser copies in a fraction of the
 * time that as many small ones take; and not at all where they are those that were sent before.
 */

export class SentIds {
    /** @type {readonly string[]} */
    #last = [];

    /**
     * To be sent, in this order.
     * @param {readonly string[]} ids
     * @returns {string | null} null for those that were packed before; none are always packed
     */
    pack(ids) {
        if (ids.length === 0) return "";
        let same = 0;
        while (same < ids.length && ids[same] === this.#last[same]) same += 1;
        if (same === ids.length && same === this.#last.length) return null;
        this.#last = ids;
        return ids.join("\n");
    }
}

export class ReceivedIds {
    /** @type {readonly string[]} */
    #last = [];

    /**
     * @param {string | null} packed
     * @returns {readonly string[]}
     */
    unpack(packed) {
        if (packed === "") return [];
        if (packed !== null) this.#last = packed.split("\n");
        return this.#last;
    }
}
