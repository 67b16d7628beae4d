/**
 * The search in the notes of a catalog: texts are folded and indexed for it once, and what is typed further narrows what
 * was found before.
 */
import { fit, fold } from "./fold.js";
import { narrows } from "./query.js";
import { isWord, parts, WordIndex } from "./word-index.js";

/** @import { Query } from "./query.js" */
/** @import { Place } from "./types.js" */
/** @import { Indexed, Part } from "./word-index.js" */

/** The texts of a note, and where it is in the index; null where it is not yet, or there is no room for it. */
/** @typedef {Record<Part, string> & { indexed: Indexed | null }} Folded */

/**
 * What is looked for, folded; and what it is worth in the notes of the index, where that can say so.
 * @typedef {{ text: string, worth: Uint8Array | null }} Sought
 */

/** So much folded text is kept, in UTF-16 units; what does not fit is folded again for each search. */
const mostFolded = 32 << 20;
/** So many answers are kept, for whoever takes letters back. */
const mostAnswers = 8;
/** What a word in each part of a note is worth, by how it is there: not, as a beginning, whole. */
const worth = { title: [0, 5, 6], tags: [0, 3, 4], body: [0, 1, 2] };
/** The same of what no note may have, which is only ever meant whole. */
const whole = { title: [0, 0, 1], tags: [0, 0, 1], body: [0, 0, 1] };

/** @template {{ title: string, body: string | null, tags: string[], folded: Folded | null }} Entry */
export class Search {
    #index = new WordIndex();
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
        this.#index = new WordIndex();
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
        if (!entry.folded) return;
        if (entry.folded.indexed) this.#index.remove(entry.folded.indexed);
        this.#foldedLength -= lengthOf(entry.folded);
        entry.folded = null;
    }

    /**
     * Folds texts and puts them into the index, before searches need them, for so many milliseconds; true once all of them
     * are there.
     * @param {number} milliseconds
     * @param {() => number} now
     */
    warm(milliseconds, now) {
        const end = now() + milliseconds;
        for (const entry of this.#cold) {
            this.#cold.delete(entry);
            const folded = this.folded(entry);
            if (entry.folded) folded.indexed ??= this.#index.add(folded);
            else if (this.#foldedLength >= mostFolded) this.#cold.clear();
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
        const seek = (/** @type {string} */ text, /** @type {typeof worth} */ its) => ({
            text,
            worth: isWord(text) ? this.#index.worth(text, its) : null,
        });
        const words = query.words.map((text) => seek(text, worth));
        const without = query.without.map((text) => seek(text, whole));
        /** @type {Entry[][]} by how well they fit */
        const ranks = [];
        for (const entry of wider?.found ?? editedFirst()) {
            const rank = hasTags(entry.tags, query) ? this.#rank(entry, words, without) : -1;
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
        const texts = { title: fold(title), tags: fold(tags.join("\n")), body: fold(body ?? "") };
        const folded = { ...texts, indexed: null };
        if (body !== null && this.#foldedLength < mostFolded) {
            entry.folded = folded;
            this.#foldedLength += lengthOf(texts);
        }
        return folded;
    }

    /**
     * How well a note fits; less than 0 where it does not.
     * @param {Entry} entry
     * @param {Sought[]} words
     * @param {Sought[]} without
     */
    #rank(entry, words, without) {
        if (words.length === 0 && without.length === 0) return 0;
        const folded = this.folded(entry);
        let rank = 0;
        for (const word of words) {
            const value = worthIn(folded, word, worth);
            if (value === 0) return -1;
            rank += value;
        }
        return without.some((word) => worthIn(folded, word, whole) > 0) ? -1 : rank;
    }
}

/**
 * What a word is worth in a note, where it is worth most.
 * @param {Folded} folded
 * @param {Sought} sought
 * @param {Record<Part, readonly number[]>} its
 */
function worthIn(folded, { text, worth }, its) {
    if (worth && folded.indexed) return worth[folded.indexed.slot];
    // It is worth most in the first of them.
    for (const part of parts) {
        const value = its[part][fit(folded[part], text)];
        if (value > 0) return value;
    }
    return 0;
}

/**
 * @param {string[]} own
 * @param {Query} query
 */
const hasTags = (own, { tags, withoutTags }) =>
    tags.every((tag) => own.includes(tag)) && !withoutTags.some((tag) => own.includes(tag));

/** @param {Record<Part, string>} texts */
const lengthOf = ({ title, tags, body }) => title.length + tags.length + body.length;
