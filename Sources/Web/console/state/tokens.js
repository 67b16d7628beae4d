/** API tokens: their state, and the scopes and the expiry for a new one. */
import { isKey, isKeyPattern } from "../../shared/formats.js";

/**
 * @typedef {{id: string, label: string, scopes: string[], created_at: string, expires_at: string | null,
 *     last_used_at: string | null, revoked_at: string | null, purpose?: string, owner?: Owner | null}} Token
 * @typedef {{issuer: string, subject: string, name: string | null, removed_at?: string}} Owner
 * @typedef {"read" | "evaluate" | "write" | "some" | "disable" | "admin"} Access
 */

const day = 86_400_000;

/**
 * @param {Token} token @param {number} now in milliseconds
 * @returns {"revoked" | "expired" | "ending" | "endless" | "good"} `ending`: expires within fourteen days
 */
export function stateOf(token, now) {
    if (token.revoked_at && Date.parse(token.revoked_at) <= now) return "revoked";
    if (!token.expires_at) return token.revoked_at ? "ending" : "endless";
    const left = Date.parse(token.expires_at) - now;
    return left <= 0 ? "expired" : left < 14 * day ? "ending" : "good";
}

/** @param {Token} token @param {number} now */
export function isValid(token, now) {
    return !["revoked", "expired"].includes(stateOf(token, now));
}

/**
 * Returns true for a valid token whose owner was removed more than thirty days ago.
 * @param {Token} token @param {number} now
 */
export const isNeglected = (token, now) =>
    isValid(token, now) && now - Date.parse(token.owner?.removed_at ?? "") > 30 * day;

/**
 * Sorts valid tokens first, then by last use, the latest first.
 * @param {Token[]} tokens @param {number} now @returns {Token[]}
 */
export function sorted(tokens, now) {
    const used = (/** @type {Token} */ token) => Date.parse(token.last_used_at ?? token.created_at);
    return [...tokens].sort(
        (one, other) => Number(isValid(other, now)) - Number(isValid(one, now)) || used(other) - used(one),
    );
}

/**
 * Returns the scopes for an access; `wrong` lists invalid keys and key prefixes.
 * @param {Access} access
 * @param {string} keys separated by spaces or commas: keys and prefixes for `some`, keys of flags for `disable`
 * @returns {{scopes: string[], wrong: string[]}}
 */
export function scopesFor(access, keys) {
    if (access !== "some" && access !== "disable") {
        return {
            scopes: [
                { evaluate: "flags:evaluate", read: "config:read", write: "config:write", admin: "admin" }[access],
            ],
            wrong: [],
        };
    }
    const [isValid, prefix] = access === "some" ? [isKeyPattern, "config:write"] : [isKey, "flags:disable"];
    const parts = [...new Set(keys.split(/[\s,]+/).filter(Boolean))];
    const wrong = parts.filter((part) => !isValid(part));
    return { scopes: parts.filter((part) => isValid(part)).map((part) => `${prefix}:${part}`), wrong };
}

/**
 * Returns the expiry of a token created now.
 * @param {string} choice days, a local date, or `never` @param {number} now
 * @returns {string | null | undefined} null for no expiry; undefined for an invalid or past time
 */
export function expiryOf(choice, now) {
    if (choice === "never") return null;
    const end = /^\d+$/.test(choice) ? now + Number(choice) * day : new Date(`${choice}T23:59:59`).getTime();
    return end > now ? new Date(end).toISOString() : undefined;
}
