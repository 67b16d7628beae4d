/** Unsaved edits by key, with the content before and after each. Values are JSON texts. */
import { same } from "../../shared/json-forms.js";

/**
 * @typedef {object} Content the content of an entry; null stands for no entry
 * @property {string} value
 * @property {string} description
 * @property {string} [kind] `flag` or `flag-set`; absent for values
 */

/**
 * @typedef {object} Change
 * @property {Content | null} before the content when the edit began
 * @property {Content | null} after the new content; null removes the entry
 * @property {Content | null} [theirs] another user's content, saved since the edit began; present while it conflicts
 * @property {string} [by] the other user's name
 */

/** @typedef {Readonly<Record<string, Change>>} Changes changes by key */
/** @typedef {{ changes: Changes, message: string }} Draft */
/**
 * @typedef {[key: string, before: Content | null, after: Content | null]} Edit a key with its present content, which later
 * edits keep, and with its new content
 */

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
 * Returns the draft after an edit.
 * @param {Draft} draft
 * @param {Edit} one
 */
export const edit = (draft, ...one) => editAll(draft, [one]);

/**
 * Returns the draft after some edits; a content equal to the old one removes the change. A map is fast for thousands
 * of edits.
 * @param {Draft} draft
 * @param {Edit[]} edits
 * @returns {Draft}
 */
export function editAll(draft, edits) {
    const changes = new Map(Object.entries(draft.changes));
    for (const [key, before, after] of edits) {
        const known = changes.get(key);
        const change = { ...known, before: known ? known.before : before, after };
        if (change.theirs === undefined && sameContent(change.before, after)) changes.delete(key);
        else changes.set(key, change);
    }
    return { ...draft, changes: Object.fromEntries(changes) };
}

/**
 * Returns the draft without the change of a key.
 * @param {Draft} draft
 * @param {string} key
 * @returns {Draft}
 */
export function undo(draft, key) {
    const { [key]: gone, ...changes } = draft.changes;
    return { ...draft, changes };
}

/**
 * Returns the draft with the changes that some keys have in an earlier draft.
 * @param {Draft} draft
 * @param {Draft} earlier
 * @param {string[]} keys
 * @returns {Draft}
 */
export function restored(draft, earlier, keys) {
    const changes = new Map(Object.entries(draft.changes));
    for (const key of keys) {
        const change = changeOf(earlier.changes, key);
        if (change) changes.set(key, change);
        else changes.delete(key);
    }
    return { ...draft, changes: Object.fromEntries(changes) };
}

/**
 * Returns the change of a key; a key such as `constructor` must not find an inherited property.
 * @param {Changes} changes
 * @param {string} key
 * @returns {Change | undefined}
 */
export function changeOf(changes, key) {
    return Object.hasOwn(changes, key) ? changes[key] : undefined;
}

/**
 * Removes the changes that a release has saved; changes made since the request was sent stay.
 * @param {Draft} draft
 * @param {Changes} sent
 * @returns {Draft}
 */
export function withoutSaved(draft, sent) {
    /** @type {Record<string, Change>} */
    const changes = {};
    for (const [key, change] of Object.entries(draft.changes)) {
        const one = changeOf(sent, key);
        if (!one) changes[key] = change;
        else if (!sameContent(one.after, change.after)) changes[key] = { before: one.after, after: change.after };
    }
    return { changes, message: "" };
}

/** @param {Changes} changes */
export function conflicts(changes) {
    return Object.keys(changes).filter((key) => changes[key].theirs !== undefined);
}

/**
 * Returns the body of `PATCH /config?replace=true&form=entries`, with all digits, and only the changed members of each
 * entry.
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
 * @param {string | null} text a text by `writeDraft`; any other text gives an empty draft
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
