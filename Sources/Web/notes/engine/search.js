/**
 * The search in the notes of a catalog: texts are folded and indexed for it once, and what is typed further narrows what
 * was found before.
 */
import { wordsOf } from "./fold.js";
import { narrows } from "./query.js";
import { parts, WordIndex } from "./word-index.js";

/** @import { Alternative, Term } from "./query.js" */
/** @import { Place } from "./types.js" */
/** @import { Indexed, Part } from "./word-index.js" */

/** The words of a note's texts, and where it is in the index; null where it is not yet, or there is no room for it. */
/** @typedef {Record<Part, string> & { indexed: Indexed | null }} Folded */

/**
 * What is looked for; and what it is worth in the notes of the index, or of several words in a row, who may have them.
 * @typedef {Term & { worth: Uint8Array | null, perhaps: Uint8Array | null }} Sought
 */

/** @typedef {{ terms: Sought[], without: Sought[], tags: string[], withoutTags: string[] }} SoughtAlternative */

/** So much folded text is kept, in UTF-16 units; what does not fit is folded again for each search. */
const mostFolded = 32 << 20;
/** So many answers are kept, for whoever takes letters back. */
const mostAnswers = 8;
/** What a word in each part of a note is worth, by how it is there: not, as a beginning, whole. */
const worth = { title: [0, 5, 6], tags: [0, 3, 4], body: [0, 1, 2] };

/** @template {{ title: string, body: string | null, tags: string[], folded: Folded | null }} Entry */
export class Search {
    #index = new WordIndex();
    #foldedLength = 0;
    /** Those that may have to be folded yet. @type {Set<Entry>} */
    #cold = new Set();
    /**
     * By the place and what was typed.
     * @type {Map<string, { place: Place, query: Alternative[], found: Entry[], ranked: Entry[] }>}
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
     * Notes that fit an alternative of a query, the best first: words in the title before those in tags and in the body,
     * whole ones before beginnings, those of other alternatives too, and among equals the latest change.
     * @param {Place} place
     * @param {string} text that was typed
     * @param {Alternative[]} query what it means
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
        const seek = (/** @type {Term} */ term) => ({
            ...term,
            worth: this.#index.worth(term, worth),
            perhaps: this.#index.perhaps(term),
        });
        const alternatives = query.map((one) => ({
            ...one,
            terms: one.terms.map(seek),
            without: one.without.map(seek),
        }));
        /** @type {Entry[][]} by how well they fit */
        const ranks = [];
        for (const entry of wider?.found ?? editedFirst()) {
            const rank = this.#rank(entry, alternatives);
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
        // Two spaces part tags, so that words in a row are those of one.
        const texts = { title: wordsOf(title), tags: tags.map(wordsOf).join(""), body: wordsOf(body ?? "") };
        const folded = { ...texts, indexed: null };
        if (body !== null && this.#foldedLength < mostFolded) {
            entry.folded = folded;
            this.#foldedLength += lengthOf(texts);
        }
        return folded;
    }

    /**
     * How well a note fits alternatives, all terms of which count; less than 0 where it fits none.
     * @param {Entry} entry
     * @param {SoughtAlternative[]} alternatives
     */
    #rank(entry, alternatives) {
        if (alternatives.length === 1) return this.#rankIn(entry, alternatives[0]);
        if (alternatives.every((one) => this.#rankIn(entry, one) < 0)) return -1;
        const folded = this.folded(entry);
        let rank = 0;
        for (const { terms } of alternatives) for (const term of terms) rank += worthIn(folded, term);
        return rank;
    }

    /**
     * @param {Entry} entry
     * @param {SoughtAlternative} alternative
     */
    #rankIn(entry, { terms, without, tags, withoutTags }) {
        for (const tag of tags) if (!entry.tags.includes(tag)) return -1;
        for (const tag of withoutTags) if (entry.tags.includes(tag)) return -1;
        if (terms.length === 0 && without.length === 0) return 0;
        const folded = this.folded(entry);
        let rank = 0;
        for (const term of terms) {
            const value = worthIn(folded, term);
            if (value === 0) return -1;
            rank += value;
        }
        for (const term of without) if (worthIn(folded, term) > 0) return -1;
        return rank;
    }
}

/**
 * What a term is worth in a note, where it is worth most.
 * @param {Folded} folded
 * @param {Sought} sought
 */
function worthIn(folded, { words, isWhole, worth: known, perhaps }) {
    if (known && folded.indexed) return known[folded.indexed.slot];
    if (perhaps && folded.indexed && perhaps[folded.indexed.slot] === 0) return 0;
    // It is worth most in the first of them.
    for (const part of parts) {
        if (folded[part].includes(`${words} `)) return worth[part][2];
        if (!isWhole && folded[part].includes(words)) return worth[part][1];
    }
    return 0;
}

/** @param {Record<Part, string>} texts */
const lengthOf = ({ title, tags, body }) => title.length + tags.length + body.length;
