/**
 * The in-memory index of a device's notes: the list in every order, and the tags with their numbers of notes.
 *
 * An order is computed at its first request and cached. Changed notes are later inserted into the cached orders.
 */

import { listEntry } from "../sync/list-index.js";
import { byPosition, withPendingMoves } from "../sync/notes.js";
import { beginning } from "../text/beginning.js";
import { around, matches } from "./excerpt.js";
import { fold } from "./fold.js";
import { readQuery, termsOf } from "./query.js";
import { Search } from "./search.js";
import { isWithin, parentsOf, partsOf } from "./tag-family.js";

/** @import { NoteRecord } from "../sync/record.js" */
/** @import { ListEntry } from "../sync/list-index.js" */
/** @import { Term } from "./query.js" */
/** @import { Folded } from "./search.js" */
/** @import { Listing, Order, Place, Query, Summary } from "./types.js" */

/** The changed notes by id; null for a removed note. @typedef {Map<string, Entry | null>} Changes */
/** A note in the catalog. @typedef {ListEntry & { place: Place, folded?: Folded | null }} Entry */

/** The maximum number of notes found by title. */
const maxTitled = 8;

export class Catalog {
    #names;
    /** @type {Map<string, Entry>} */
    #entries = new Map();
    /**
     * The cached orders by place and order, with the changes since.
     * @type {Map<string, { entries: Entry[], changed: Changes }>}
     */
    #orders = new Map();
    /** @type {Record<Place, number>} */
    #places = { list: 0, trash: 0 };
    /** @type {Map<string, number>} */
    #tags = new Map();
    /** The numbers of notes with a tag or a tag under it. @type {Map<string, number>} */
    #families = new Map();
    /** @type {Pick<Listing, "tags" | "families"> | null} */
    #sortedTags = null;
    /** @type {Search<Entry>} */
    #search = new Search();

    /** @param {{ language?: string }} [options] the language of the sort order of titles; by default the browser's */
    constructor({ language } = {}) {
        this.#names = new Intl.Collator(language, { numeric: true });
    }

    /**
     * Replaces all notes. All bodies must have arrived before a search.
     * @param {Iterable<NoteRecord | ListEntry>} records
     */
    load(records) {
        this.#entries.clear();
        this.#orders.clear();
        this.#tags.clear();
        this.#families.clear();
        this.#places = { list: 0, trash: 0 };
        for (const record of records) {
            const entry = entryOf(record);
            if (entry) this.#add(entry);
        }
        this.#sortedTags = null;
        this.#search.restart(this.#entries.values());
    }

    /**
     * Applies changed and removed notes.
     * @param {Iterable<NoteRecord | ListEntry>} records
     * @param {Iterable<string>} [removed] ids
     */
    apply(records, removed = []) {
        /** @type {Changes} */
        const changed = new Map();
        /** True if the manual order may have changed. */
        let hasMoved = false;
        for (const id of removed) changed.set(id, null);
        for (const record of records) changed.set(record.id, entryOf(record));
        for (const [id, given] of changed) {
            const before = this.#entries.get(id);
            hasMoved ||= !isSamePlace(before, given);
            const folded = before && given && isSameText(before, given) ? (before.folded ?? null) : null;
            if (before) this.#drop(before);
            if (before && !folded) this.#search.drop(before);
            // An existing note keeps its object, so that cached orders which the change does not affect stay valid.
            const entry = before && given ? Object.assign(before, given, { folded }) : given;
            changed.set(id, entry);
            if (entry) this.#add(entry);
        }
        this.#sortedTags = null;
        this.#search.resume([...changed.values()].filter((entry) => entry !== null));
        for (const [key, order] of this.#orders) {
            if (!key.endsWith("hand")) for (const [id, entry] of changed) order.changed.set(id, entry);
            // Pending moves may reorder the whole list.
            else if (hasMoved) this.#orders.delete(key);
        }
    }

    /**
     * Adds bodies to notes that were loaded without them. A note that changed meanwhile has a newer body.
     * @param {Iterable<[id: string, body: string]>} bodies
     */
    addBodies(bodies) {
        for (const [id, body] of bodies) {
            const entry = this.#entries.get(id);
            if (entry) entry.body ??= body;
        }
    }

    /** The ids of all notes in the list or the trash. */
    get ids() {
        return [...this.#entries.keys()];
    }

    /** The number of notes in the list. */
    get size() {
        return this.#places.list;
    }

    /**
     * Returns the notes of a place that match a query. Without search words, pinned notes come first.
     * @param {Query} question
     * @returns {Listing}
     */
    list({ place, tag, words = "", order, limit = Number.POSITIVE_INFINITY, first = 0 }) {
        const query = readQuery(words);
        const isSearch = query.length > 0;
        const found = () => this.#search.find(place, words.trim(), query, () => this.#ordered(place, "edited"));
        const entries = limit === 0 ? [] : isSearch ? found() : this.#ordered(place, order);
        const hasPinnedFirst = !isSearch && place !== "trash";
        /** @type {string[]} */
        const pinned = [];
        /** @type {string[]} */
        const others = [];
        for (const entry of entries) {
            if (tag !== undefined && !entry.tags.some((each) => isWithin(each, tag))) continue;
            (hasPinnedFirst && entry.pinned ? pinned : others).push(entry.id);
        }
        const ids = (pinned.length > 0 ? [...pinned, ...others] : others).slice(0, limit);
        return {
            ids,
            ...this.#tagLists(),
            total: this.#places[place],
            places: { ...this.#places },
            pinned: pinned.length,
            first: this.summaries(ids.slice(0, first), words),
        };
    }

    /**
     * Returns the row data of notes; skips ids that no longer exist.
     * @param {readonly string[]} ids
     * @param {string} [words] search words, which the excerpts then show and mark
     * @returns {Summary[]}
     */
    summaries(ids, words = "") {
        const sought = termsOf(readQuery(words));
        return ids.flatMap((id) => {
            const entry = this.#entries.get(id);
            return entry ? [this.#summary(entry, sought)] : [];
        });
    }

    /**
     * Returns the notes whose titles contain all words: titles that begin with the words first, then the latest change.
     * @param {string} words
     * @param {string} except the id of a note to leave out
     */
    titled(words, except) {
        const sought = fold(words).trim();
        const terms = sought.split(" ");
        /** @type {[first: string[], others: string[]]} */
        const found = [[], []];
        for (const { id, title } of this.#ordered("list", "edited")) {
            const name = fold(title).trim();
            if (name === "" || id === except || !terms.every((term) => name.includes(term))) continue;
            found[name.startsWith(sought) ? 0 : 1].push(id);
            if (found[0].length === maxTitled) break;
        }
        return this.summaries(found.flat().slice(0, maxTitled));
    }

    /** Returns the notes of the list whose texts link to a note, the latest change first. @param {string} id */
    linkedFrom(id) {
        const link = new RegExp(`\\]\\(notes/${id}[ )]`);
        const linking = this.#ordered("list", "edited").filter(
            (entry) => entry.id !== id && link.test(entry.body ?? ""),
        );
        return this.summaries(linking.map((entry) => entry.id));
    }

    /**
     * Indexes texts for the search within a time budget. Returns true once all texts are indexed.
     * @param {number} milliseconds
     * @param {() => number} now
     */
    warm(milliseconds, now) {
        return this.#search.warm(milliseconds, now);
    }

    /** @param {Entry} entry */
    #add(entry) {
        this.#entries.set(entry.id, entry);
        this.#places[entry.place] += 1;
        this.#count(entry, 1);
    }

    /** @param {Entry} entry */
    #drop(entry) {
        this.#entries.delete(entry.id);
        this.#places[entry.place] -= 1;
        this.#count(entry, -1);
    }

    /**
     * Counts the tags of a note in the list.
     * @param {Entry} entry
     * @param {number} more
     */
    #count({ place, tags }, more) {
        if (place !== "list" || tags.length === 0) return;
        const add = (/** @type {Map<string, number>} */ counts, /** @type {string} */ tag) => {
            const count = (counts.get(tag) ?? 0) + more;
            if (count > 0) counts.set(tag, count);
            else counts.delete(tag);
        };
        for (const tag of tags) add(this.#tags, tag);
        for (const tag of new Set([...tags, ...tags.flatMap(parentsOf)])) add(this.#families, tag);
    }

    #tagLists() {
        this.#sortedTags ??= {
            tags: [...this.#tags].sort(([one], [other]) => this.#compare(one, other)),
            families: [...this.#families]
                .map((family) => ({ family, parts: partsOf(family[0]) }))
                .sort(({ parts: one }, { parts: other }) => {
                    const at = one.findIndex((part, index) => part !== other[index]);
                    if (at < 0 || other[at] === undefined) return one.length - other.length;
                    return this.#compare(one[at], other[at]);
                })
                .map(({ family }) => family),
        };
        return this.#sortedTags;
    }

    /** @param {string} one @param {string} other */
    #compare(one, other) {
        return this.#names.compare(one, other) || (one < other ? -1 : 1);
    }

    /**
     * Returns all notes of a place in an order.
     * @param {Place} place
     * @param {Order} order the trash has no manual order and shows the latest change first instead
     */
    #ordered(place, order) {
        const shown = place === "trash" && order === "hand" ? "edited" : order;
        const key = `${place} ${shown}`;
        const known = this.#orders.get(key);
        if (known?.changed.size === 0) return known.entries;
        const all = known?.entries ?? [...this.#entries.values()].filter((entry) => entry.place === place);
        const entries = this.#sorted(shown, known ? withChanges(all, known.changed, place) : all);
        this.#orders.set(key, { entries, changed: new Map() });
        return entries;
    }

    /**
     * @param {Order} order
     * @param {Entry[]} entries a new array; sorting is cheap if most of the array is already sorted
     */
    #sorted(order, entries) {
        switch (order) {
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
     * @param {Entry} entry
     * @param {Term[]} sought
     * @returns {Summary}
     */
    #summary(entry, sought) {
        const { id, title, tags, pinned, createdAt, updatedAt, place, problem } = entry;
        const body = entry.body ?? "";
        const excerpt =
            sought.length > 0
                ? around(body, this.#search.folded(entry).body, sought)
                : (entry.excerpt ?? beginning(body));
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
 * @param {NoteRecord | ListEntry} given
 * @returns {Entry | null}
 */
function entryOf(given) {
    const note = "text" in given ? listEntry(given) : given;
    // A copy of each of 10,000 notes would take a fifth of the time of loading them.
    return note.place === "removed" ? null : /** @type {Entry} */ (note);
}

/**
 * @param {Entry[]} entries sorted notes
 * @param {Changes} changed
 * @param {Place} place
 */
function withChanges(entries, changed, place) {
    const others = entries.filter((entry) => !changed.has(entry.id));
    for (const entry of changed.values()) if (entry?.place === place) others.push(entry);
    return others;
}

/**
 * @param {Entry} one
 * @param {Entry} other
 */
const byId = (one, other) => (one.id < other.id ? -1 : 1);

/**
 * Returns true if a note's place in the manual order is unchanged.
 * @param {Entry | null | undefined} before
 * @param {Entry | null} entry
 */
const isSamePlace = (before, entry) =>
    before?.place === entry?.place &&
    before?.position === entry?.position &&
    before?.createdAt === entry?.createdAt &&
    JSON.stringify(before?.move) === JSON.stringify(entry?.move);

/**
 * @param {Entry} one
 * @param {Entry} other
 */
const isSameText = (one, other) =>
    one.title === other.title && one.body === other.body && one.tags.join("\n") === other.tags.join("\n");
