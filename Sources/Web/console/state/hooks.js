/** Hooks: receivers of events, and their deliveries. */

/** The types of events that a hook can take. */
export const types = [
    "release.created",
    "flag.disabled",
    "proposal.submitted",
    "proposal.approved",
    "proposal.rejected",
    "proposal.changed",
    "proposal.conflicted",
    "proposal.failed",
    "proposal.missed",
    "proposal.applied",
    "proposal.bypassed",
    "proposal.withdrawn",
    "proposal.expiring",
    "token.expiring",
    "hook.disabled",
];

export const formats = /** @type {const} */ (["json", "slack", "discord", "teams"]);

/**
 * @typedef {object} Hook an element of `GET /hooks`
 * @property {string} id
 * @property {string} url
 * @property {string} label
 * @property {(typeof formats)[number]} format
 * @property {string[]} types
 * @property {string[]} keys keys and prefixes with a star; empty for all keys
 * @property {string} created_by
 * @property {string} created_at
 * @property {string | null} disabled_at
 * @property {"gone" | "exhausted" | "restored" | null} disabled_reason
 */
/**
 * @typedef {object} Delivery an element of `GET /hooks/{id}/deliveries`
 * @property {number} id
 * @property {string} event_id
 * @property {string} type
 * @property {"open" | "delivered" | "failed"} state
 * @property {number} attempts
 * @property {number | null} status
 * @property {number | null} milliseconds
 * @property {string} created_at
 * @property {string | null} next_attempt_at
 */

/** Returns the hooks that were disabled. @param {Hook[]} hooks */
export const disabled = (hooks) => hooks.filter((hook) => hook.disabled_reason !== null);

/** Returns the host of a receiver, because the rest of its address is often secret. @param {string} url */
export function hostOf(url) {
    try {
        return new URL(url).host;
    } catch {
        return url;
    }
}

/**
 * Returns the keys and prefixes of a text, and those that are none.
 * @param {string} text separated by spaces or commas
 */
export function readKeys(text) {
    const words = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
    const isKey = (/** @type {string} */ word) => /^[A-Za-z_][A-Za-z0-9_.-]{0,127}\*?$|^\*$/.test(word);
    return { keys: words.filter(isKey).sort(), wrong: words.filter((word) => !isKey(word)) };
}
