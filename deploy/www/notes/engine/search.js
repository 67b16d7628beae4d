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
 * What is looked for; and what it is worth in the notes of the index, where that can say so.
 * @typedef {Term & { worth: Uint8Array | null }} Sought
 */

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
        const seek = (/** @type {Term} */ term) => ({ ...term, worth: this.#index.worth(term, worth) });
        const alternatives = query.map((one) => ({
            ...one,
            terms: one.terms.map(seek),
            without: one.without.map(seek),
        }));
        const sought = alternatives.flatMap(({ terms }) => terms);
        /** @type {Entry[][]} by how well they fit */
        const ranks = [];
        for (const entry of wider?.found ?? editedFirst()) {
            if (!alternatives.some((one) => this.#fits(entry, one))) continue;
            found.push(entry);
            let rank = 0;
            for (const term of sought) rank += worthIn(this.folded(entry), term);
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
     * Whether a note has all that an alternative asks for, and nothing that it excludes.
     * @param {Entry} entry
     * @param {{ terms: Sought[], without: Sought[], tags: string[], withoutTags: string[] }} alternative
     */
    #fits(entry, { terms, without, tags, withoutTags }) {
        const hasTag = (/** @type {string} */ tag) => entry.tags.includes(tag);
        if (!tags.every(hasTag) || withoutTags.some(hasTag)) return false;
        if (terms.length === 0 && without.length === 0) return true;
        const folded = this.folded(entry);
        const has = (/** @type {Sought} */ term) => worthIn(folded, term) > 0;
        return terms.every(has) && !without.some(has);
    }
}

/**
 * What a term is worth in a note, where it is worth most.
 * @param {Folded} folded
 * @param {Sought} sought
 */
function worthIn(folded, { words, isWhole, worth: known }) {
    if (known && folded.indexed) return known[folded.indexed.slot];
    // It is worth most in the first of them.
    for (const part of parts) {
        if (folded[part].includes(`${words} `)) return worth[part][2];
        if (!isWhole && folded[part].includes(words)) return worth[part][1];
    }
    return 0;
}

/** @param {Record<Part, string>} texts */
const lengthOf = ({ title, tags, body }) => title.length + tags.length + body.length;
