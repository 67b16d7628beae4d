// Queries and filters of the releases, and the version part that each one raises.

import { readMembers, typeOf } from "../../shared/json.js";
import { same } from "../../shared/json-forms.js";

/**
 * @typedef {{revision: number, version: string, released_at: string, kind: string, author: string, author_name?: string | null, message: string,
 *     keys: string[], bypass?: string, unreviewed?: boolean}} Release
 * `bypass` is the reason for a release without approvals, which is `unreviewed` until somebody acknowledges it.
 * A filter; an empty text disables its part. Days are local dates in an input's format, `2026-01-31`.
 * @typedef {{key: string, author: string, since: string, until: string}} Filter
 */

export const pageSize = 100;

/** @type {Filter} */
export const everything = { key: "", author: "", since: "", until: "" };

/**
 * Returns the start of a local day, or of a later one, as a timestamp.
 * @param {string} day @param {number} later days to add @returns {string | undefined}
 */
export function startOf(day, later) {
    const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day);
    if (!parts) return undefined;
    return new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + later).toISOString();
}

/**
 * @param {Filter} filter
 * @param {number | undefined} before upper bound of the revisions, exclusive
 */
export function query({ key, author, since, until }, before, limit = pageSize) {
    return {
        limit,
        before,
        key: key || undefined,
        author: author || undefined,
        since: startOf(since, 0),
        until: startOf(until, 1),
    };
}

/**
 * Merges the loaded releases with a page, without duplicates, the newest first.
 * @template {{revision: number}} T
 * @param {T[]} known @param {T[]} page @returns {T[]}
 */
export function joined(known, page) {
    const all = new Map([...known, ...page].map((release) => [release.revision, release]));
    return [...all.values()].sort((one, other) => other.revision - one.revision);
}

/**
 * Returns the raised part of a version: its last part that is not 0.
 * @param {string} version
 * @returns {"major" | "minor" | "patch"}
 */
export function bump(version) {
    const [, minor, patch] = version.split(".").map(Number);
    return patch > 0 ? "patch" : minor > 0 ? "minor" : "major";
}

/**
 * The reason for the version part that a change raises, in the terms of a forecast.
 * @typedef {{bump: "major" | "minor" | "patch", reason: string, from?: string, to?: string, path?: string}} Reason
 */

/**
 * @param {string | undefined} before JSON text; undefined if the key was added
 * @param {string | undefined} after undefined if the key was removed
 * @param {string} [within] the path of the member that apps depend on, such as `/variants` of a flag
 * @returns {Reason}
 */
export function reasonOf(before, after, within = "") {
    if (before === undefined) return { bump: "minor", reason: "added" };
    if (after === undefined) return { bump: "major", reason: "removed" };
    if (typeOf(before) !== typeOf(after))
        return { bump: "major", reason: "retyped", from: typeOf(before), to: typeOf(after) };
    const [inside] = membersOf(before, after, "")
        .filter(({ path }) => `${path}/`.startsWith(`${within}/`))
        .sort((one, other) => order.indexOf(one.bump) - order.indexOf(other.bump));
    return inside ?? { bump: "patch", reason: same(before, after) ? "description-changed" : "value-changed" };
}

const order = ["major", "minor", "patch"];

/**
 * @param {string} before
 * @param {string} after
 * @param {string} path
 * @returns {Reason[]}
 */
function membersOf(before, after, path) {
    if (typeOf(before) !== "object" || typeOf(after) !== "object" || before === after) return [];
    const old = readMembers(before);
    const now = readMembers(after);
    /** @type {Reason[]} */
    const found = [];
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
        const at = `${path}/${name}`;
        if (!(name in now)) found.push({ bump: "major", reason: "member-removed", path: at });
        else if (!(name in old)) found.push({ bump: "minor", reason: "member-added", path: at });
        else if (typeOf(old[name]) === typeOf(now[name])) found.push(...membersOf(old[name], now[name], at));
        else
            found.push({
                bump: "major",
                reason: "member-retyped",
                path: at,
                from: typeOf(old[name]),
                to: typeOf(now[name]),
            });
    }
    return found;
}
