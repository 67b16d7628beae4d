/**
 * The search in the notes of a catalog: texts are folded for it once, and what is typed further narrows what was found
 * before.
 */
import { fit, fold } from "./fold.js";
import { narrows } from "./query.js";

/** @import { Query } from "./query.js" */
/** @import { Place } from "./types.js" */

/** @typedef {{ title: string, tags: string, body: string }} Folded */

/** So much folded text is kept, in UTF-16 units; what does not fit is folded again for each search. */
const mostFolded = 32 << 20;
/** So many answers are kept, for whoever takes letters back. */
const mostAnswers = 8;
/** What a word in each part of a note is worth, by how it is there: not, as a beginning, whole. */
const worth = { title: [0, 5, 6], tags: [0, 3, 4], body: [0, 1, 2] };

/** @template {{ title: string, body: string | null, tags: string[], folded: Folded | null }} Entry */
export class Search {
    #foldedLength = 0;
    /** Those that may have to be folded yet. @type {Set<Entry>} */
    #cold = new Set();
    /**
     * By the place and what was typed.
     * @type {Map<string, { place: Place, query: Query, found: Entry[], ranked: Entry[] }>}
     */
    #answers = new Map();

    /**
     * Takes all notes, none of which is folded.
     * @param {Iterable<Entry>} entries
     */
    restart(entries) {
        this.#foldedLength = 0;
        this.#cold.clear();
        this.resume(entries);
    }

    /**
     * Takes notes that are new, or have changed.
     * @param {Iterable<Entry>} entries
     */
    resume(entries) {
        this.#answers.clear();
        for (const entry of entries) this.#cold.add(entry);
    }

    /**
     * Lets go of a note.
     * @param {Entry} entry
     */
    drop(entry) {
        this.#cold.delete(entry);
        if (entry.folded) this.#foldedLength -= lengthOf(entry.folded);
    }

    /**
     * Keeps of a note that was let go of what is still so.
     * @param {Entry} entry
     * @param {Folded} folded
     */
    keep(entry, folded) {
        entry.folded = folded;
        this.#foldedLength += lengthOf(folded);
    }

    /**
     * Folds texts before the first search needs them, for so many milliseconds; true once all of them are.
     * @param {number} milliseconds
     * @param {() => number} now
     */
    warm(milliseconds, now) {
        const end = now() + milliseconds;
        for (const entry of this.#cold) {
            if (this.#foldedLength >= mostFolded) this.#cold.clear();
            this.#cold.delete(entry);
            if (entry.folded) continue;
            this.folded(entry);
            if (now() >= end) break;
        }
        return this.#cold.size === 0;
    }

    /**
     * Notes that have all the words, the best first: words in the title before those in tags and in the body, whole
     * ones before beginnings, and among equals the latest change.
     * @param {Place} place
     * @param {string} text that was typed
     * @param {Query} query what it means
     * @param {() => Entry[]} editedFirst all notes of the place, the latest change first
     */
    find(place, text, query, editedFirst) {
        const key = `${place} ${text}`;
        const known = this.#answers.get(key);
        if (known) return known.ranked;
        const wider = [...this.#answers.values()].findLast(
            (answer) => answer.place === place && narrows(query, answer.query),
        );
        /** @type {Entry[]} */
        const found = [];
        /** @type {Entry[][]} by how well they fit */
        const ranks = [];
        for (const entry of wider?.found ?? editedFirst()) {
            const rank = this.#rank(entry, query);
            if (rank < 0) continue;
            found.push(entry);
            ranks[rank] ??= [];
            ranks[rank].push(entry);
        }
        const ranked = ranks.reverse().flat();
        this.#answers.set(key, { place, query, found, ranked });
        if (this.#answers.size > mostAnswers) this.#answers.delete(this.#answers.keys().next().value ?? "");
        return ranked;
    }

    /**
     * The texts of a note as the search compares them.
     * @param {Entry} entry
     * @returns {Folded}
     */
    folded(entry) {
        if (entry.folded) return entry.folded;
        const { title, body, tags } = entry;
        const folded = { title: fold(title), tags: fold(tags.join("\n")), body: fold(body ?? "") };
        if (body !== null && this.#foldedLength < mostFolded) {
            entry.folded = folded;
            this.#foldedLength += lengthOf(folded);
        }
        return folded;
    }

    /**
     * How well a note fits; less than 0 where it does not.
     * @param {Entry} entry
     * @param {Query} query
     */
    #rank(entry, { words, without, tags, withoutTags }) {
        const own = entry.tags;
        if (!tags.every((tag) => own.includes(tag)) || withoutTags.some((tag) => own.includes(tag))) return -1;
        if (words.length === 0 && without.length === 0) return 0;
        const { title, tags: tagText, body } = this.folded(entry);
        let rank = 0;
        for (const word of words) {
            // What is found in a better part is not looked for in the others.
            const value =
                worth.title[fit(title, word)] || worth.tags[fit(tagText, word)] || worth.body[fit(body, word)];
            if (value === 0) return -1;
            rank += value;
        }
        const has = (/** @type {string} */ word) => [title, tagText, body].some((part) => fit(part, word) === 2);
        return without.some(has) ? -1 : rank;
    }
}

/** @param {Folded} folded */
const lengthOf = ({ title, tags, body }) => title.length + tags.length + body.length;
