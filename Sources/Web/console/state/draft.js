/** Edits that are not saved yet: which keys, what they were, what they are to be. Values are JSON texts. */
import { same } from "../../shared/json-forms.js";

/**
 * @typedef {object} Content what an entry says; null where there is no entry
 * @property {string} value
 * @property {string} description
 * @property {string} [kind] `flag` or `flag-set`; values have none
 */

/**
 * @typedef {object} Change
 * @property {Content | null} before what the edit began with
 * @property {Content | null} after what it is to be; null removes the entry
 * @property {Content | null} [theirs] what somebody else made of it meanwhile; there while the two contradict each
 * other
 * @property {string} [by] who did
 */

/** @typedef {Readonly<Record<string, Change>>} Changes by key */
/** @typedef {{ changes: Changes, message: string }} Draft */

/** @type {Draft} */
export const noDraft = { changes: {}, message: "" };

/**
 * @param {Content | null} one
 * @param {Content | null} other
 */
export function sameContent(one, other) {
    if (one === null || other === null) return one === other;
    return one.description === other.description && one.kind === other.kind && same(one.value, other.value);
}

/**
 * The draft with a key set to a content; a content that is what it was before leaves the draft.
 * @param {Draft} draft
 * @param {string} key
 * @param {Content | null} before what the entry is now; the first edit's stays
 * @param {Content | null} after
 * @returns {Draft}
 */
export function edit(draft, key, before, after) {
    const known = own(draft.changes, key);
    const change = { ...known, before: known ? known.before : before, after };
    if (change.theirs === undefined && sameContent(change.before, after)) return undo(draft, key);
    return { ...draft, changes: { ...draft.changes, [key]: change } };
}

/**
 * The draft without its change of a key.
 * @param {Draft} draft
 * @param {string} key
 * @returns {Draft}
 */
export function undo(draft, key) {
    const { [key]: gone, ...changes } = draft.changes;
    return { ...draft, changes };
}

/**
 * The change of a key; keys such as `constructor` are not taken for what objects have anyway.
 * @param {Changes} changes
 * @param {string} key
 * @returns {Change | undefined}
 */
export function own(changes, key) {
    return Object.hasOwn(changes, key) ? changes[key] : undefined;
}

/**
 * Takes out what a release has made so, and keeps what was typed since it was sent.
 * @param {Draft} draft
 * @param {Changes} sent
 * @returns {Draft}
 */
export function saved(draft, sent) {
    /** @type {Record<string, Change>} */
    const changes = {};
    for (const [key, change] of Object.entries(draft.changes)) {
        const one = own(sent, key);
        if (!one) changes[key] = change;
        else if (!sameContent(one.after, change.after)) changes[key] = { before: one.after, after: change.after };
    }
    return { changes, message: "" };
}

/**
 * The keys that somebody else changed in another way.
 * @param {Changes} changes
 */
export function conflicts(changes) {
    return Object.keys(changes).filter((key) => changes[key].theirs !== undefined);
}

/**
 * The body of `PATCH /config?replace=true&form=entries`, digits kept; it says of each entry what changes, and no more.
 * @param {Changes} changes
 */
export function patchBody(changes) {
    const members = Object.keys(changes)
        .sort()
        .map((key) => {
            const { before, after } = changes[key];
            if (after === null) return `${JSON.stringify(key)}: null`;
            const parts = [];
            if (after.kind !== before?.kind) parts.push(`"kind": "${after.kind ?? "value"}"`);
            if (!before || !same(before.value, after.value)) parts.push(`"value": ${after.value}`);
            if (after.description !== (before?.description ?? ""))
                parts.push(`"description": ${JSON.stringify(after.description)}`);
            return `${JSON.stringify(key)}: {${parts.join(", ")}}`;
        });
    return `{${members.join(", ")}}`;
}

/**
 * @param {string | null} text as `writeDraft` wrote it; anything else is no draft
 * @returns {Draft}
 */
export function readDraft(text) {
    try {
        const draft = JSON.parse(text ?? "");
        if (typeof draft.message !== "string" || typeof draft.changes !== "object" || draft.changes === null)
            return noDraft;
        const good = Object.entries(draft.changes).filter(
            ([, change]) => isContent(change?.before) && isContent(change?.after),
        );
        return { message: draft.message, changes: Object.fromEntries(good) };
    } catch {
        return noDraft;
    }
}

/** @param {any} content */
function isContent(content) {
    if (content === null) return true;
    const { value, description, kind } = Object(content);
    return typeof value === "string" && typeof description === "string" && /^(?:undefined|flag|flag-set)$/.test(kind);
}

/** @param {Draft} draft */
export function writeDraft(draft) {
    return JSON.stringify(draft);
}
