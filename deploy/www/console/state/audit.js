// Filters of the audit log, and what its lines say.

import { startOf } from "./releases.js";

/**
 * @typedef {{id: number, recorded_at: string, action: string, author: string, author_kind: string, token_id?: string,
 *     subject: string, details: Record<string, unknown>}} AuditLine
 * Empty texts ask for everything; days as an input has them, `2026-01-31`.
 * @typedef {{action: string, author: string, since: string, until: string}} AuditFilter
 */

/** What the log can hold now; it may show others in time. */
export const actions = [
    "config.change", "config.restore", "config.purge", "config.retire", "token.create", "token.rotate", "token.revoke",
    "account.erase", "database.restore", "environment.add", "environment.remove", "lineage.renew",
];

/** @type {AuditFilter} */
export const everything = { action: "", author: "", since: "", until: "" };

/** @param {AuditFilter} filter @param {number | undefined} before only smaller ids @param {number} limit */
export function query(filter, before, limit = 100) {
    const parameters = new URLSearchParams({ limit: String(limit) });
    if (before !== undefined) parameters.set("before", String(before));
    if (filter.action) parameters.set("action", filter.action);
    if (filter.author) parameters.set("author", filter.author);
    const since = startOf(filter.since, 0);
    const until = startOf(filter.until, 1);
    if (since) parameters.set("since", since);
    if (until) parameters.set("until", until);
    return parameters.toString();
}

/**
 * The details as short pairs, leaving out what says nothing.
 * @param {Record<string, unknown>} details @returns {[string, string][]}
 */
export function pairs(details) {
    return Object.entries(details)
        .filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0))
        .map(([name, value]) => [name, textOf(value)]);
}

/** @param {unknown} value @returns {string} */
function textOf(value) {
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
    return JSON.stringify(value);
}
