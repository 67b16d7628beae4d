/**
 * The search in a catalog's notes. Texts are folded and indexed once, and a longer query narrows the results of a
 * shorter one.
 */
import { wordsOf } from "./fold.js";
import { narrows } from "./query.js";
import { parts, WordIndex } from "./word-index.js";

/** @import { Alternative, Term } from "./query.js" */
/** @import { Place } from "./types.js" */
/** @import { Indexed, Part } from "./word-index.js" */

/** The folded texts of a note, and its entry in the index; null if it is not indexed or there is no room. */
/** @typedef {Record<Part, string> & { indexed: Indexed | null }} Folded */

/**
 * A term with its score by slot; for a phrase, with the slots of the notes that may contain it.
 * @typedef {Term & { scores: Uint8Array | null, candidates: Uint8Array | null }} ScoredTerm
 */

/** @typedef {{ terms: ScoredTerm[], without: ScoredTerm[], tags: string[], withoutTags: string[] }} ScoredAlternative */

/** The limit of cached folded text, in UTF-16 units. Other texts are folded for each search. */
const maxFoldedLength = 32 << 20;
/** The number of cached results, for users who delete letters again. */
const maxAnswers = 8;
/** The score of a word by part of the note: absent, prefix, whole word. */
const scores = { title: [0, 5, 6], tags: [0, 3, 4], body: [0, 1, 2] };

/** @template {{ title: string, body: string | null, tags: string[], folded?: Folded | null }} Entry */
export class Search {
    #index = new WordIndex();
    #foldedLength = 0;
    /** The notes that may have to be folded. @type {Set<Entry>} */
    #cold = new Set();
    /**
     * The cached results, by place and query text.
     * @type {Map<string, { place: Place, query: Alternative[], found: Entry[], ranked: Entry[] }>}
     */
    #answers = new Map();

    /** Replaces all notes; none is folded yet. @param {Iterable<Entry>} entries */
    restart(entries) {
        this.#index = new WordIndex();
        this.#foldedLength = 0;
        this.#answers.clear();
        this.#cold = new Set(entries);
    }

    /** Adds new or changed notes. @param {Iterable<Entry>} entries */
    resume(entries) {
        this.#answers.clear();
        for (const entry of entries) this.#cold.add(entry);
    }

    /** Removes a note. @param {Entry} entry */
    drop(entry) {
        this.#cold.delete(entry);
        if (!entry.folded) return;
        if (entry.folded.indexed) this.#index.remove(entry.folded.indexed);
        this.#foldedLength -= lengthOf(entry.folded);
        entry.folded = null;
    }

    /**
     * Folds and indexes texts within a time budget before a search needs them. Returns true once all texts are indexed.
     * @param {number} milliseconds
     * @param {() => number} now
     */
    warm(milliseconds, now) {
        const end = now() + milliseconds;
        for (const entry of this.#cold) {
            this.#cold.delete(entry);
            const folded = this.folded(entry);
            if (entry.folded) folded.indexed ??= this.#index.add(folded);
            else if (this.#foldedLength >= maxFoldedLength) this.#cold.clear();
            if (now() >= end) break;
        }
        return this.#cold.size === 0;
    }

    /**
     * Returns the notes that match a query, best first. A word in the title scores above one in the tags or the body,
     * and a whole word above a prefix. All alternatives count. Notes of equal score are ordered by latest change.
     * @param {Place} place
     * @param {string} text the query as typed
     * @param {Alternative[]} query the parsed query
     * @param {() => Entry[]} editedFirst returns all notes of the place, the latest change first
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
            scores: this.#index.scoresOf(term, scores),
            candidates: this.#index.candidates(term),
        });
        const alternatives = query.map((one) => ({
            ...one,
            terms: one.terms.map(seek),
            without: one.without.map(seek),
        }));
        /** @type {Entry[][]} by score */
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
        if (this.#answers.size > maxAnswers) this.#answers.delete(this.#answers.keys().next().value ?? "");
        return ranked;
    }

    /** Returns the folded texts of a note. @param {Entry} entry @returns {Folded} */
    folded(entry) {
        if (entry.folded) return entry.folded;
        const { title, body, tags } = entry;
        // Two spaces separate tags, so a phrase never spans two tags.
        const texts = { title: wordsOf(title), tags: tags.map(wordsOf).join(""), body: wordsOf(body ?? "") };
        const folded = { ...texts, indexed: null };
        if (body !== null && this.#foldedLength < maxFoldedLength) {
            entry.folded = folded;
            this.#foldedLength += lengthOf(texts);
        }
        return folded;
    }

    /**
     * Returns a note's score over the terms of all alternatives, or less than 0 if no alternative matches.
     * @param {Entry} entry
     * @param {ScoredAlternative[]} alternatives
     */
    #rank(entry, alternatives) {
        if (alternatives.length === 1) return this.#rankIn(entry, alternatives[0]);
        if (alternatives.every((one) => this.#rankIn(entry, one) < 0)) return -1;
        const folded = this.folded(entry);
        let rank = 0;
        for (const { terms } of alternatives) for (const term of terms) rank += scoreIn(folded, term);
        return rank;
    }

    /**
     * @param {Entry} entry
     * @param {ScoredAlternative} alternative
     */
    #rankIn(entry, { terms, without, tags, withoutTags }) {
        for (const tag of tags) if (!entry.tags.includes(tag)) return -1;
        for (const tag of withoutTags) if (entry.tags.includes(tag)) return -1;
        if (terms.length === 0 && without.length === 0) return 0;
        const folded = this.folded(entry);
        let rank = 0;
        for (const term of terms) {
            const value = scoreIn(folded, term);
            if (value === 0) return -1;
            rank += value;
        }
        for (const term of without) if (scoreIn(folded, term) > 0) return -1;
        return rank;
    }
}

/** Returns the highest score of a term in a note. @param {Folded} folded @param {ScoredTerm} term */
function scoreIn(folded, { words, isWhole, scores: known, candidates }) {
    if (known && folded.indexed) return known[folded.indexed.slot];
    if (candidates && folded.indexed && candidates[folded.indexed.slot] === 0) return 0;
    // The parts are in the order of their scores.
    for (const part of parts) {
        if (folded[part].includes(`${words} `)) return scores[part][2];
        if (!isWhole && folded[part].includes(words)) return scores[part][1];
    }
    return 0;
}

/** @param {Record<Part, string>} texts */
const lengthOf = ({ title, tags, body }) => title.length + tags.length + body.length;
