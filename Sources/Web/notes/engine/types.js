/** What the page and its worker say to each other about notes. */

/** @import { NoteRecord, Problem } from "../sync/record.js" */
/** @import { Text } from "../sync/text.js" */
/** @import { Range } from "./excerpt.js" */

/** @typedef {(number | string)[]} Delta */

/** @typedef {"list" | "trash"} Place */
/** @typedef {"hand" | "edited" | "created" | "title"} Order */

/**
 * With a limit, only so many ids are answered; of so many of the `first`, what their rows show.
 * @typedef {{ place: Place, tag?: string, words?: string, order: Order, limit?: number, first?: number }} Query
 */

/**
 * @typedef {object} Listing
 * @property {readonly string[]} ids in their order
 * @property {[tag: string, count: number][]} tags of the list, by name
 * @property {number} total how many notes the place has
 * @property {Record<Place, number>} places
 * @property {number} pinned how many of the first are there because they are pinned
 * @property {Summary[]} first
 */

/**
 * What a row of a list shows. With words searched for, `matches` says where they are. The status is null where it is
 * not known yet. The moment of its last change is there where it was kept for the start of the page.
 * @typedef {{ id: string, title: string, excerpt: string, tags: string[], pinned: boolean, createdAt: number,
 *     updatedAt: number, place: Place, status: "onThisDevice" | "onServer" | "needsAttention" | null,
 *     problem: Problem | null, matches?: { title: Range[], excerpt: Range[] },
 *     moment?: import("../list/moment.js").Moment }} Summary
 */

/**
 * How this device and the server stand. `pending`: notes with something that is not on the server; `attention`: notes
 * whose change the server refuses; `retryAt` and `lastFullCheck` in milliseconds since 1970.
 * @typedef {object} State
 * @property {"offline" | "syncing" | "upToDate" | "signInNeeded" | "deciding" | "waiting" | "failed"} phase
 * @property {boolean} isLeader
 * @property {boolean} live
 * @property {number} pending
 * @property {number} attention
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
    retryAt: null,
    decision: null,
    problem: null,
    firstSync: null,
    lastFullCheck: null,
});
