/** The calendar: what will change by itself, by day. */
import { localTime } from "./proposals.js";

/**
 * @typedef {object} DueProposal
 * @property {"proposal"} kind
 * @property {string} at
 * @property {number} number
 * @property {string} title
 * @property {string} zone
 * @property {string[]} keys
 * @property {"draft" | "open" | "approved" | "conflicted" | "blocked"} state
 */
/**
 * @typedef {object} Ramp a growing or shrinking share of a flag
 * @property {"ramp"} kind
 * @property {string} at
 * @property {string} key
 * @property {string} until
 * @property {string | null} variant
 * @property {number} from percent
 * @property {number} to percent
 * @typedef {{ kind: "time", at: string, key: string }} RuleTime a time that a flag's rule compares with
 * @typedef {DueProposal | Ramp | RuleTime} Item an element of `GET /calendar`
 */

/**
 * Groups the items by day, in their order. Items that have begun are part of today.
 * @param {Item[]} items
 * @param {number} now
 * @param {string} zone the viewer's
 * @returns {[day: string, items: Item[]][]} days such as `2026-12-01`
 */
export function byDay(items, now, zone) {
    const today = dayOf(new Date(now).toISOString(), zone);
    /** @type {Map<string, Item[]>} */
    const days = new Map();
    for (const item of items) {
        const day = dayOf(item.at, zone);
        const shown = day < today ? today : day;
        const others = days.get(shown);
        if (others) others.push(item);
        else days.set(shown, [item]);
    }
    return [...days];
}

/** Returns the number of days from now until a day. @param {string} day @param {number} now @param {string} zone */
export function daysUntil(day, now, zone) {
    const today = dayOf(new Date(now).toISOString(), zone);
    return Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
}

/** @param {string} time @param {string} zone */
const dayOf = (time, zone) => localTime(time, zone).slice(0, 10);

/** Returns true if clocks in two zones differ at a time. @param {string} time @param {string} one @param {string} other */
export const differs = (time, one, other) => localTime(time, one) !== localTime(time, other);
