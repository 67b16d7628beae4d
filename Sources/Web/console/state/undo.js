// Undo of one release that keeps later changes.

import { same } from "../../shared/json-forms.js";

/**
 * A release's change of a key. Values are JSON texts, undefined if the key did not exist; `description_before` is
 * undefined if the description did not change.
 * @typedef {{key: string, kind?: string, kind_before?: string, before?: string, after?: string, purged?: boolean, description?: string,
 *     description_before?: string}} Change
 * The effect of undoing the change. `plain`: the key is unchanged since the release. `changed`: a later release changed
 * the key again, and undoing reverts that change too. `settled`: the key already has its old value. `purged`: the old
 * value was purged.
 * @typedef {"plain" | "changed" | "settled" | "purged"} UndoKind
 * The undo restores `description` unless it is undefined; `descriptionNow` is that of the release.
 * @typedef {{key: string, kind: UndoKind, now?: string, was?: string, entryKind?: string, description?: string,
 *     descriptionNow?: string}} UndoLine
 */

/**
 * @param {Change[]} changes @param {ReadonlyMap<string, {value: string}>} current @returns {UndoLine[]}
 */
export function undoLines(changes, current) {
    return changes.map((change) => {
        const { key, kind: entryKind, before, after, purged } = change;
        const { description: descriptionNow, description_before: description } = change;
        const now = current.get(key)?.value;
        if (purged) return { key, kind: "purged", now };
        const isSettled = isSame(now, before) && (description === undefined || !isSame(now, after));
        const kind = isSettled ? "settled" : isSame(now, after) ? "plain" : "changed";
        const descriptions = description === undefined ? {} : { description, descriptionNow };
        return { key, kind, now, was: before, ...descriptions, ...(entryKind && { entryKind }) };
    });
}

/** @param {string | undefined} one @param {string | undefined} other */
function isSame(one, other) {
    return one === undefined || other === undefined ? one === other : same(one, other);
}

/** @param {UndoLine} line @returns {boolean} true if the line can be selected */
export function isPossible(line) {
    return line.kind === "plain" || line.kind === "changed";
}

/**
 * Returns the body of the PATCH request (`?replace=true&form=entries`) that undoes the lines. Only added keys get a
 * kind; other keys keep theirs.
 * @param {Iterable<UndoLine>} lines
 */
export function undoBody(lines) {
    const members = [];
    for (const { key, now, was, entryKind, description } of lines) {
        const descriptionPart = description === undefined ? "" : `,"description":${JSON.stringify(description)}`;
        const kind = now === undefined && entryKind ? `,"kind":"${entryKind}"` : "";
        members.push(
            `${JSON.stringify(key)}:${was === undefined ? "null" : `{"value":${was}${descriptionPart}${kind}}`}`,
        );
    }
    return `{${members.join(",")}}`;
}
