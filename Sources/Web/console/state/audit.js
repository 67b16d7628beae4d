// Filters and details of the audit log.

import { startOf } from "./releases.js";

/**
 * @typedef {{id: number, recorded_at: string, action: string, author: string, author_name?: string | null, author_kind: string, token_id?: string,
 *     subject: string, subject_name?: string | null, details: Record<string, unknown>}} AuditLine
 * An empty text disables its filter; days have an input's format, `2026-01-31`.
 * @typedef {{action: string, author: string, since: string, until: string}} AuditFilter
 */

/** The known actions; a newer server may record others. */
export const actions = [
    "config.change",
    "config.restore",
    "config.purge",
    "config.retire",
    "proposal.create",
    "proposal.change",
    "proposal.submit",
    "proposal.recall",
    "proposal.withdraw",
    "proposal.review",
    "proposal.rebase",
    "proposal.apply",
    "proposal.bypass",
    "proposal.fail",
    "proposal.expire",
    "release.acknowledge",
    "hook.create",
    "hook.change",
    "hook.delete",
    "hook.enable",
    "hook.disable",
    "hook.rotate",
    "hook.test",
    "hook.replay",
    "token.create",
    "token.rotate",
    "token.revoke",
    "token.change",
    "person.remove",
    "person.admit",
    "person.role",
    "person.rename",
    "person.erase",
    "invitation.create",
    "invitation.revoke",
    "invitation.accept",
    "passkey.add",
    "passkey.remove",
    "passkey.refused",
    "session.signed_in",
    "session.signed_out",
    "session.revoked",
    "account.erase",
    "account.export",
    "note.purge",
    "database.restore",
    "environment.add",
    "environment.change",
    "environment.remove",
    "lineage.renew",
];

/** @type {AuditFilter} */
export const everything = { action: "", author: "", since: "", until: "" };

/**
 * @param {AuditFilter} filter
 * @param {number | undefined} before upper bound of the ids, exclusive
 */
export function query({ action, author, since, until }, before, limit = 100) {
    return {
        limit,
        before,
        action: action || undefined,
        author: author || undefined,
        since: startOf(since, 0),
        until: startOf(until, 1),
    };
}

/**
 * Returns the access that a scope alone grants, as in the form of a new token; a key's scope stays as it is.
 * @param {string} scope
 */
export const accessOf = (scope) => (/^(flags|config):\w+$|^admin$/.test(scope) ? scope.replace(/.*:/, "") : scope);

/**
 * Returns the details as pairs of texts, without empty ones.
 * @param {Record<string, unknown>} details
 * @param {(name: string, text: string) => string} say replaces one text
 * @returns {[string, string][]}
 */
export function pairs(details, say) {
    return Object.entries(details)
        .filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0))
        .map(([name, value]) => [name, textOf(value, (text) => say(name, text))]);
}

/** @param {unknown} value @param {(text: string) => string} say @returns {string} */
function textOf(value, say) {
    if (typeof value === "string") return say(value);
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.map(say).join(", ");
    return JSON.stringify(value);
}
