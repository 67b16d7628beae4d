/**
 * The notes of a device in memory: its list in every order, its tags with how many notes have each, and the search.
 *
 * Nothing here reads or writes anything else. What a list costs is paid when it is asked for: texts are folded for the
 * search once, and orders are kept until notes change, which then are put in their places.
 */

import { byPosition, withPendingMoves } from "../sync/notes.js";
import { status } from "../sync/record.js";
import { around, beginning, matches } from "./excerpt.js";
import { fit, fold } from "./fold.js";
import { narrows, readQuery } from "./query.js";

/** @import { NoteRecord, Problem } from "../sync/record.js" */
/** @import { Listed } from "../sync/shelf.js" */
/** @import { Query } from "./query.js" */
/** @import { Range } from "./excerpt.js" */

/** @typedef {"hand" | "edited" | "created" | "title"} Order */
/** @typedef {"list" | "trash"} Place */

/**
 * What is known of a note here: of its record, what a list needs.
 * @typedef {object} Entry
 * @property {string} id
 * @property {NoteRecord["text"]} text
 * @property {string} name its title, or the first line of its body
 * @property {Place} place
 * @property {string | null} position
 * @property {NoteRecord["move"]} move
 * @property {number} createdAt
 * @property {number} updatedAt
 * @property {"onThisDevice" | "onServer" | "needsAttention"} status
 * @property {Problem | null} problem
 * @property {Folded | null} folded
 */

/** @typedef {{ title: string, tags: string, body: string }} Folded */

/**
 * @typedef {object} Summary
 * @property {string} id
 * @property {string} title
 * @property {string} excerpt
 * @property {string[]} tags
 * @property {boolean} pinned
 * @property {number} createdAt
 * @property {number} updatedAt
 * @property {Place} place
 * @property {Entry["status"]} status
 * @property {Problem | null} problem
 * @property {{ title: Range[], excerpt: Range[] }} [matches] where the words of the search are
 */

/**
 * @typedef {object} Listing
 * @property {string[]} ids in their order
 * @property {[tag: string, count: number][]} tags of the list, by name
 * @property {number} total how many notes the place has
 * @property {Record<Place, number>} places
 * @property {number} pinned how many of the first are there because they are pinned
 */

/** So much folded text is kept, in UTF-16 units; what does not fit is folded again for each search. */
const mostFolded = 32 << 20;
/** So many answers of the search are kept, for whoever takes letters back. */
const mostAnswers = 8;
/** What a word in each part of a note is worth, by how it is there: not, as a beginning, whole. */
const worth = { title: [0, 5, 6], tags: [0, 3, 4], body: [0, 1, 2] };

export class Catalog {
    #names;
    /** @type {Map<string, Entry>} */
    #entries = new Map();
    /** @type {Map<string, Entry[]>} by place and order */
    #orders = new Map();
    /** @type {Record<Place, number>} */
    #places = { list: 0, trash: 0 };
    /** @type {Map<string, number>} */
    #tags = new Map();
    /** @type {[string, number][] | null} */
    #sortedTags = null;
    #foldedLength = 0;
    /** Which folding has come how far. @type {Iterator<Entry> | null} */
    #cold = null;
    /** @type {Map<string, { query: Query, found: Entry[], ranked: Entry[] }>} by place and what was typed */
    #answers = new Map();

    /** @param {{ language?: string }} [options] in whose alphabet titles are sorted; the browser's unless it is said */
    constructor({ language } = {}) {
        this.#names = new Intl.Collator(language, { numeric: true });
    }

    /**
     * Takes all notes, and forgets others.
     * @param {Iterable<NoteRecord | Listed>} records
     */
    load(records) {
        this.#entries.clear();
        this.#orders.clear();
        this.#answers.clear();
        this.#tags.clear();
        this.#places = { list: 0, trash: 0 };
        this.#foldedLength = 0;
        for (const record of records) if (record.place !== "removed") this.#add(entryOf(record));
        this.#sortedTags = null;
        this.#cold = this.#entries.values();
    }

    /**
     * Takes notes as they are now.
     * @param {Iterable<NoteRecord | Listed>} records
     * @param {Iterable<string>} [removed] ids
     */
    apply(records, removed = []) {
        /** @type {Map<string, Entry | null>} */
        const changed = new Map();
        for (const id of removed) changed.set(id, null);
        for (const record of records) changed.set(record.id, record.place === "removed" ? null : entryOf(record));
        for (const [id, entry] of changed) {
            const before = this.#entries.get(id);
            if (before) this.#drop(before);
            if (entry && before && isSameText(before.text, entry.text)) this.#keepFolded(before, entry);
            if (entry) this.#add(entry);
        }
        this.#sortedTags = null;
        this.#answers.clear();
        this.#cold = this.#entries.values();
        for (const [key, entries] of this.#orders) {
            // Moves that are still to be sent put the whole list into another order.
            if (key.endsWith("hand")) this.#orders.delete(key);
            else this.#orders.set(key, this.#sorted(key, withChanges(entries, changed, placeOf(key))));
        }
    }

    /** How many notes the list has. */
    get size() {
        return this.#places.list;
    }

    /**
     * The notes of a place, or those of them that are looked for. Without words, pinned ones stand first.
     * @param {{ place: Place, tag?: string, words?: string, order: Order, limit?: number }} question with a limit,
     *     only so many ids are answered
     * @returns {Listing}
     */
    list({ place, tag, words = "", order, limit = Number.POSITIVE_INFINITY }) {
        const query = readQuery(words);
        const isSearch = Object.values(query).some((part) => part.length > 0);
        const all = limit === 0 ? [] : isSearch ? this.#search(place, words.trim(), query) : this.#shown(place, order);
        const entries = tag === undefined ? all : all.filter((entry) => entry.text.tags.includes(tag));
        const unpinned = isSearch || place === "trash" ? 0 : entries.findIndex((entry) => !entry.text.pinned);
        return {
            ids: entries.slice(0, limit).map((entry) => entry.id),
            tags: this.#tagList(),
            total: this.#places[place],
            places: { ...this.#places },
            pinned: unpinned < 0 ? entries.length : unpinned,
        };
    }

    /**
     * What rows show of notes; without those that are not here any more.
     * @param {string[]} ids
     * @param {string} [words] with these, what is around them, and where they are
     * @returns {Summary[]}
     */
    summaries(ids, words = "") {
        const sought = readQuery(words).words;
        return ids.flatMap((id) => {
            const entry = this.#entries.get(id);
            return entry ? [this.#summary(entry, sought)] : [];
        });
    }

    /**
     * Folds texts before the first search needs them, for so many milliseconds; true once all of them are.
     * @param {number} milliseconds
     * @param {() => number} now
     */
    warm(milliseconds, now) {
        const end = now() + milliseconds;
        while (this.#cold) {
            const { value, done } = this.#cold.next();
            if (done || this.#foldedLength >= mostFolded) this.#cold = null;
            else this.#folded(value);
            if (now() >= end) break;
        }
        return this.#cold === null;
    }

    /** @param {Entry} entry */
    #add(entry) {
        this.#entries.set(entry.id, entry);
        this.#places[entry.place] += 1;
        if (entry.place === "list") for (const tag of entry.text.tags) this.#count(tag, 1);
    }

    /** @param {Entry} entry */
    #drop(entry) {
        this.#entries.delete(entry.id);
        this.#places[entry.place] -= 1;
        if (entry.place === "list") for (const tag of entry.text.tags) this.#count(tag, -1);
        if (entry.folded) this.#foldedLength -= lengthOf(entry.folded);
    }

    /**
     * @param {Entry} before
     * @param {Entry} entry
     */
    #keepFolded(before, entry) {
        if (!before.folded) return;
        entry.folded = before.folded;
        this.#foldedLength += lengthOf(before.folded);
    }

    /**
     * @param {string} tag
     * @param {number} more
     */
    #count(tag, more) {
        const count = (this.#tags.get(tag) ?? 0) + more;
        if (count > 0) this.#tags.set(tag, count);
        else this.#tags.delete(tag);
    }

    #tagList() {
        this.#sortedTags ??= [...this.#tags].sort(
            ([one], [other]) => this.#names.compare(one, other) || (one < other ? -1 : 1),
        );
        return this.#sortedTags;
    }

    /**
     * @param {Place} place
     * @param {Order} order there are no places in the trash, which shows the latest change first instead
     */
    #shown(place, order) {
        const key = `${place} ${place === "trash" && order === "hand" ? "edited" : order}`;
        let entries = this.#orders.get(key);
        if (!entries) {
            entries = this.#sorted(
                key,
                [...this.#entries.values()].filter((entry) => entry.place === place),
            );
            this.#orders.set(key, entries);
        }
        if (place === "trash") return entries;
        return [...entries.filter((entry) => entry.text.pinned), ...entries.filter((entry) => !entry.text.pinned)];
    }

    /**
     * @param {string} key of an order
     * @param {Entry[]} entries a new array; where most of it is in its order, that costs little
     */
    #sorted(key, entries) {
        switch (key.slice(key.indexOf(" ") + 1)) {
            case "hand":
                return withPendingMoves(entries.sort(byPosition));
            case "created":
                return entries.sort((one, other) => other.createdAt - one.createdAt || byId(one, other));
            case "title":
                return entries.sort((one, other) => this.#names.compare(one.name, other.name) || byId(one, other));
            default:
                return entries.sort((one, other) => other.updatedAt - one.updatedAt || byId(one, other));
        }
    }

    /**
     * Notes that have all the words, the best first: words in the title before those in tags and in the body, whole
     * ones before beginnings, and among equals the latest change.
     * @param {Place} place
     * @param {string} text
     * @param {Query} query
     */
    #search(place, text, query) {
        const key = `${place} ${text}`;
        const known = this.#answers.get(key);
        if (known) return known.ranked;
        const wider = [...this.#answers].findLast(
            ([other, answer]) => placeOf(other) === place && narrows(query, answer.query),
        );
        const from = wider?.[1].found ?? this.#editedFirst(place);
        /** @type {Entry[]} */
        const found = [];
        /** @type {Entry[][]} by how well they fit */
        const ranks = [];
        for (const entry of from) {
            const rank = this.#rank(entry, query);
            if (rank < 0) continue;
            found.push(entry);
            ranks[rank] ??= [];
            ranks[rank].push(entry);
        }
        const ranked = ranks.reverse().flat();
        this.#answers.set(key, { query, found, ranked });
        if (this.#answers.size > mostAnswers) this.#answers.delete(this.#answers.keys().next().value ?? "");
        return ranked;
    }

    /** @param {Place} place */
    #editedFirst(place) {
        this.#shown(place, "edited");
        return this.#orders.get(`${place} edited`) ?? [];
    }

    /**
     * How well a note fits; less than 0 where it does not.
     * @param {Entry} entry
     * @param {Query} query
     */
    #rank(entry, { words, without, tags, withoutTags }) {
        const own = entry.text.tags;
        if (!tags.every((tag) => own.includes(tag)) || withoutTags.some((tag) => own.includes(tag))) return -1;
        if (words.length === 0 && without.length === 0) return 0;
        const { title, tags: tagText, body } = this.#folded(entry);
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

    /**
     * @param {Entry} entry
     * @returns {Folded}
     */
    #folded(entry) {
        if (entry.folded) return entry.folded;
        const { title, body, tags } = entry.text;
        const folded = { title: fold(title), tags: fold(tags.join("\n")), body: fold(body) };
        if (this.#foldedLength < mostFolded) {
            entry.folded = folded;
            this.#foldedLength += lengthOf(folded);
        }
        return folded;
    }

    /**
     * @param {Entry} entry
     * @param {string[]} sought
     * @returns {Summary}
     */
    #summary(entry, sought) {
        const { id, text, createdAt, updatedAt, place, problem } = entry;
        const { title, tags, pinned } = text;
        const excerpt = sought.length > 0 ? around(text.body, this.#folded(entry).body, sought) : beginning(text.body);
        /** @type {Summary} */
        const summary = {
            id,
            title,
            excerpt,
            tags,
            pinned,
            createdAt,
            updatedAt,
            place,
            status: entry.status,
            problem,
        };
        if (sought.length > 0) summary.matches = { title: matches(title, sought), excerpt: matches(excerpt, sought) };
        return summary;
    }
}

/**
 * @param {NoteRecord | Listed} record
 * @returns {Entry}
 */
function entryOf(record) {
    const { id, text, place, position, move, createdAt, updatedAt, problem } = record;
    return {
        id,
        text,
        name: text.title.trim() || (/\S.*/u.exec(text.body)?.[0] ?? ""),
        place: place === "list" ? "list" : "trash",
        position,
        move,
        createdAt,
        updatedAt,
        status: "status" in record ? record.status : status(record),
        problem,
        folded: null,
    };
}

/**
 * @param {Entry[]} entries in an order
 * @param {Map<string, Entry | null>} changed
 * @param {string} place
 */
function withChanges(entries, changed, place) {
    const others = entries.filter((entry) => !changed.has(entry.id));
    for (const entry of changed.values()) if (entry?.place === place) others.push(entry);
    return others;
}

/** @param {string} key begins with a place */
const placeOf = (key) => key.slice(0, key.indexOf(" "));

/** @param {Folded} folded */
const lengthOf = ({ title, tags, body }) => title.length + tags.length + body.length;

/**
 * @param {Entry} one
 * @param {Entry} other
 */
const byId = (one, other) => (one.id < other.id ? -1 : 1);

/**
 * @param {Entry["text"]} one
 * @param {Entry["text"]} other
 */
const isSameText = (one, other) =>
    one.title === other.title && one.body === other.body && one.tags.join("\n") === other.tags.join("\n");
