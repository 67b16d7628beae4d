/**
 * Which notes have which words, where: an inverted index, so that a search compares each word once, in however many
 * notes it stands.
 */

/** @import { Term } from "./query.js" */
/** @typedef {"title" | "tags" | "body"} Part of a note */
/** The place of a note in the index, and its words by their numbers, each once. @typedef {{ slot: number, words: Record<Part, Uint32Array> }} Indexed */

export const parts = /** @type {const} */ (["title", "tags", "body"]);

export class WordIndex {
    /** @type {Map<string, number>} */
    #numbers = new Map();
    /** By number. @type {string[]} */
    #words = [];
    /** In which text each was seen last, by number, and how many texts there were. @type {number[]} */
    #seen = [];
    #texts = 0;
    /** The slots of the notes that have a word there, by its number. @type {Record<Part, number[][]>} */
    #postings = { title: [], tags: [], body: [] };
    #size = 0;
    /** @type {number[]} */
    #free = [];

    /**
     * @param {Record<Part, string>} texts their words, as the search compares them
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
                // Their order says nothing.
                slots[slots.indexOf(slot)] = slots[slots.length - 1];
                slots.pop();
            }
        }
        this.#free.push(slot);
    }

    /**
     * What a term is worth in each note, by its slot, where it is worth most, and 0 where it is not; null for several
     * words in a row, of which only the texts say who has them.
     * @param {Term} term
     * @param {Record<Part, readonly number[]>} worth of a word that begins so, and of one that is so, behind a 0
     */
    worth({ words, isWhole }, worth) {
        const word = words.trimStart();
        if (word.includes(" ")) return null;
        const found = new Uint8Array(this.#size);
        for (let number = 0; number < this.#words.length; number += 1) {
            const each = this.#words[number];
            if (!each.startsWith(word)) continue;
            const fit = each.length === word.length ? 2 : 1;
            if (isWhole && fit === 1) continue;
            for (const part of parts) {
                const value = worth[part][fit];
                for (const slot of this.#postings[part][number]) if (found[slot] < value) found[slot] = value;
            }
        }
        return found;
    }

    /**
     * The notes that have the first of several words in a row, by their slots; null for one word.
     * @param {Term} term
     */
    perhaps({ words }) {
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
