// What takes one release back while keeping what came later.

import { same } from "../../shared/json-forms.js";

/**
 * What a release did to a key; values as JSON texts, undefined where there was none.
 * @typedef {{key: string, kind?: string, before?: string, after?: string, purged?: boolean}} Change
 * What undoing it would do. `plain`: the key still is as the release left it. `changed`: a later release changed it
 * again, and undoing would take that back too. `settled`: it is already what it was before. `purged`: what it was is
 * gone for good.
 * @typedef {"plain" | "changed" | "settled" | "purged"} UndoKind
 * @typedef {{key: string, kind: UndoKind, now?: string, was?: string, entryKind?: string}} UndoLine
 */

/**
 * @param {Change[]} changes @param {ReadonlyMap<string, {value: string}>} current @returns {UndoLine[]}
 */
export function inverse(changes, current) {
    return changes.map(({ key, kind: entryKind, before, after, purged }) => {
        const now = current.get(key)?.value;
        if (purged) return { key, kind: "purged", now };
        const kind = isSame(now, before) ? "settled" : isSame(now, after) ? "plain" : "changed";
        return { key, kind, now, was: before, ...(entryKind && { entryKind }) };
    });
}

/** @param {string | undefined} one @param {string | undefined} other */
function isSame(one, other) {
    return one === undefined || other === undefined ? one === other : same(one, other);
}

/** @param {UndoLine} line @returns {boolean} whether it can be chosen at all */
export function isPossible(line) {
    return line.kind === "plain" || line.kind === "changed";
}

/**
 * The body of the PATCH (`?replace=true&form=entries`) that undoes the lines. Description and kind are set only for a key
 * that comes back; others keep theirs.
 * @param {Iterable<UndoLine>} lines @param {ReadonlyMap<string, string>} descriptions those of keys that come back
 */
export function undoing(lines, descriptions) {
    const members = [];
    for (const { key, now, was, entryKind } of lines) {
        const description = now === undefined ? descriptions.get(key) : undefined;
        const told = description ? `,"description":${JSON.stringify(description)}` : "";
        const kind = now === undefined && entryKind ? `,"kind":"${entryKind}"` : "";
        members.push(`${JSON.stringify(key)}:${was === undefined ? "null" : `{"value":${was}${told}${kind}}`}`);
    }
    return `{${members.join(",")}}`;
}
