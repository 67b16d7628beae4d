/**
 * An inverted index of the notes' words, so that a search compares each word once, whatever the number of notes with
 * it.
 */

/** @import { Term } from "./query.js" */
/** @typedef {"title" | "tags" | "body"} Part a part of a note */
/**
 * A note's slot in the index, and the numbers of its words without duplicates.
 * @typedef {{ slot: number, words: Record<Part, Uint32Array> }} Indexed
 */

export const parts = /** @type {const} */ (["title", "tags", "body"]);

export class WordIndex {
    /** @type {Map<string, number>} */
    #numbers = new Map();
    /** The words by number. @type {string[]} */
    #words = [];
    /** The number of the last text with each word, and the number of texts. @type {number[]} */
    #seen = [];
    #texts = 0;
    /** The slots of the notes that contain a word, by the word's number. @type {Record<Part, number[][]>} */
    #postings = { title: [], tags: [], body: [] };
    #size = 0;
    /** @type {number[]} */
    #free = [];

    /**
     * @param {Record<Part, string>} texts the folded words
     * @returns {Indexed}
     */
    add(texts) {
        const slot = this.#free.pop() ?? this.#size++;
        const words = {
            title: this.#wordsOf(texts.title),
            tags: this.#wordsOf(texts.tags),
            body: this.#wordsOf(texts.body),
        };
        for (const part of parts) for (const word of words[part]) this.#postings[part][word].push(slot);
        return { slot, words };
    }

    /** @param {Indexed} indexed */
    remove({ slot, words }) {
        for (const part of parts) {
            for (const word of words[part]) {
                const slots = this.#postings[part][word];
                // The order of slots is irrelevant, so move the last one here.
                slots[slots.indexOf(slot)] = slots[slots.length - 1];
                slots.pop();
            }
        }
        this.#free.push(slot);
    }

    /**
     * Returns the highest score of a term in each note, by slot; 0 if the term is absent. Returns null for a phrase,
     * which only the texts can match.
     * @param {Term} term
     * @param {Record<Part, readonly number[]>} scores the scores of an absent word, a prefix and a whole word
     */
    scoresOf({ words, isWhole }, scores) {
        const word = words.trimStart();
        if (word.includes(" ")) return null;
        const found = new Uint8Array(this.#size);
        for (let number = 0; number < this.#words.length; number += 1) {
            const each = this.#words[number];
            if (!each.startsWith(word)) continue;
            const fit = each.length === word.length ? 2 : 1;
            if (isWhole && fit === 1) continue;
            for (const part of parts) {
                const value = scores[part][fit];
                for (const slot of this.#postings[part][number]) if (found[slot] < value) found[slot] = value;
            }
        }
        return found;
    }

    /**
     * Returns the notes that contain the first word of a phrase, by slot; null for a single word.
     * @param {Term} term
     */
    candidates({ words }) {
        const [first, ...others] = words.trimStart().split(" ");
        if (others.length === 0) return null;
        const found = new Uint8Array(this.#size);
        const number = this.#numbers.get(first);
        if (number !== undefined)
            for (const part of parts) for (const slot of this.#postings[part][number]) found[slot] = 1;
        return found;
    }

    /** @param {string} text */
    #wordsOf(text) {
        /** @type {number[]} */
        const words = [];
        this.#texts += 1;
        for (const word of text.split(" ")) {
            if (word === "") continue;
            const number = this.#numberOf(word);
            if (this.#seen[number] !== this.#texts) words.push(number);
            this.#seen[number] = this.#texts;
        }
        return Uint32Array.from(words);
    }

    /** @param {string} word */
    #numberOf(word) {
        const known = this.#numbers.get(word);
        if (known !== undefined) return known;
        this.#numbers.set(word, this.#words.length);
        for (const part of parts) this.#postings[part].push([]);
        this.#seen.push(0);
        return this.#words.push(word) - 1;
    }
}
