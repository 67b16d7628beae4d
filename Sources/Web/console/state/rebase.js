/** Rebase of a draft onto releases by other users. */
import { readMembers, typeOf } from "../../shared/json.js";
import { same } from "../../shared/json-forms.js";
import { sameContent } from "./draft.js";

/** @typedef {import("./draft.js").Change} Change */

/**
 * Rebases a change: null if nothing is left of it, with `theirs` if both changed the same part differently.
 * @param {Change} change
 * @param {import("./draft.js").Content | null} theirs the entry's content now
 * @param {string} [by] the author of that content
 * @returns {Change | null}
 */
export function rebase(change, theirs, by) {
    const { before, after } = change;
    if (sameContent(theirs, after)) return null;
    if (sameContent(theirs, before)) return { before, after };
    if (before && after && theirs && before.kind === after.kind && before.kind === theirs.kind) {
        const value = mergeValues(before.value, theirs.value, after.value);
        const description = mergeTexts(before.description, theirs.description, after.description);
        if (value !== null && description !== null) {
            const merged = { ...theirs, value, description };
            return sameContent(merged, theirs) ? null : { before: theirs, after: merged };
        }
    }
    return { before, after, theirs, by };
}

/**
 * @param {string} base
 * @param {string} theirs
 * @param {string} mine
 */
function mergeTexts(base, theirs, mine) {
    if (theirs === base) return mine;
    return mine === base || mine === theirs ? theirs : null;
}

/**
 * Merges two values: null if they conflict. Objects are merged by their members.
 * @param {string} base JSON text
 * @param {string} theirs
 * @param {string} mine
 * @returns {string | null}
 */
export function mergeValues(base, theirs, mine) {
    if (same(theirs, base)) return mine;
    if (same(mine, base) || same(mine, theirs)) return theirs;
    if ([base, theirs, mine].some((text) => typeOf(text) !== "object")) return null;
    const [old, other, own] = [base, theirs, mine].map(readMembers);
    /** @type {string[]} */
    const members = [];
    for (const name of new Set([...Object.keys(other), ...Object.keys(own)])) {
        const member = mergeMember(at(old, name), at(other, name), at(own, name));
        if (member === null) return null;
        if (member !== undefined) members.push(`${JSON.stringify(name)}: ${member}`);
    }
    return `{${members.join(", ")}}`;
}

/**
 * @param {Record<string, string>} members
 * @param {string} name
 */
function at(members, name) {
    return Object.hasOwn(members, name) ? members[name] : undefined;
}

/**
 * Merges a member: undefined stands for a missing member, null for a conflict.
 * @param {string | undefined} base
 * @param {string | undefined} theirs
 * @param {string | undefined} mine
 * @returns {string | undefined | null}
 */
function mergeMember(base, theirs, mine) {
    /** @type {(one: string | undefined, two: string | undefined) => boolean} */
    const equal = (one, two) => one === two || (one !== undefined && two !== undefined && same(one, two));
    if (equal(theirs, base)) return mine;
    if (equal(mine, base) || equal(mine, theirs)) return theirs;
    return base !== undefined && theirs !== undefined && mine !== undefined ? mergeValues(base, theirs, mine) : null;
}
