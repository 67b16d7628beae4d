/** The types of messages between the page and its worker. */

/** @import { NoteRecord, Problem } from "../sync/record.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { Range } from "./excerpt.js" */

/** @typedef {(number | string)[]} Delta */

/** @typedef {"list" | "trash"} Place */
/** @typedef {"hand" | "edited" | "created" | "title"} Order */

/**
 * The query of a list. `limit` is the maximum number of ids, and `first` the number of rows to return with them.
 * @typedef {{ place: Place, tag?: string, words?: string, order: Order, limit?: number, first?: number }} Query
 */

/**
 * @typedef {object} Listing
 * @property {readonly string[]} ids sorted ids
 * @property {[tag: string, count: number][]} tags the list's tags, by name
 * @property {[tag: string, count: number][]} families the list's tags and their parents, each followed by its children,
 *     with the number of notes that have the tag or a tag under it
 * @property {number} total the number of notes in the place
 * @property {Record<Place, number>} places
 * @property {number} pinned the number of ids at the beginning that belong to pinned notes
 * @property {Summary[]} first
 */

/**
 * The data of a row. `matches` contains the ranges of search words. The status is null while unknown. `moment` is the
 * formatted time of the last change, if it was cached for the start of the page.
 * @typedef {{ id: string, title: string, excerpt: string, tags: string[], pinned: boolean, createdAt: number,
 *     updatedAt: number, place: Place, status: "onThisDevice" | "onServer" | "needsAttention" | null,
 *     problem: Problem | null, matches?: { title: Range[], excerpt: Range[] },
 *     moment?: import("../list/note-date.js").NoteDate }} Summary
 */

/**
 * The state of syncing. `pending`: the number of unsynced notes; `attention`: the number of notes that the server
 * refuses; `files` and `refusedFiles`: the numbers of unsent files and of those that the server refuses; `retryAt` and `lastFullCheck`: in milliseconds since 1970.
 * @typedef {object} State
 * @property {"offline" | "syncing" | "upToDate" | "signInNeeded" | "deciding" | "waiting" | "failed"} phase
 * @property {boolean} isLeader
 * @property {boolean} live
 * @property {number} pending
 * @property {number} attention
 * @property {number} files
 * @property {number} refusedFiles
 * @property {number | null} retryAt
 * @property {{ missing: number, total: number } | null} decision
 * @property {string | null} problem
 * @property {{ done: number } | null} firstSync
 * @property {number | null} lastFullCheck
 */

/** @typedef {{ record: NoteRecord, fromMine: { title: Delta, body: Delta } }} Edited */

/**
 * A note of an import.
 * @typedef {Partial<Text> & { id?: string, createdAt?: number, updatedAt?: number, trashed?: boolean }} GivenNote
 */

/** @returns {State} */
export const newState = () => ({
    phase: "waiting",
    isLeader: false,
    live: false,
    pending: 0,
    attention: 0,
    files: 0,
    refusedFiles: 0,
    retryAt: null,
    decision: null,
    problem: null,
    firstSync: null,
    lastFullCheck: null,
});
