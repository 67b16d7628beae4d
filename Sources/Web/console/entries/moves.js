/** Entries under other keys. */

import { newKeyFault, openKeyDialog } from "./add.js";

/** @typedef {import("../frame.js").Context} Context */

/**
 * Moves entries to other keys in the draft, as one step; an empty key removes the entry.
 * @param {Context} context
 * @param {string[][]} pairs the old and the new key of each entry
 * @param {boolean} [keep] true if the old keys stay
 */
export async function moveEntries({ workspace, showError, notify, texts }, pairs, keep) {
    const { draft } = workspace;
    try {
        /** @type {import("../state/draft.js").Edit[]} */
        const edits = [];
        for (const [key, next] of pairs) {
            const stored = await workspace.content(key);
            if (next) edits.push([next, await workspace.content(next), draft.change(key)?.after ?? stored]);
            // A new key can be the old key of another entry, so that removals come first.
            if (!keep) edits.unshift([key, stored, null]);
        }
        notify(texts.say("moves.done"), { label: texts.say("draft.undo.short"), run: draft.editAll(edits) });
    } catch (failure) {
        showError(failure);
    }
}

/**
 * Asks for another key of an entry.
 * @param {Context} context
 * @param {string} key
 * @param {"rename" | "duplicate"} kind
 * @param {(key: string) => void} open opens the entry under its new key
 * @param {string} [title] a key of the texts
 */
export function openMoveDialog(context, key, kind, open, title = `entry.${kind}`) {
    const isCopy = kind === "duplicate";
    const done = async (/** @type {string} */ next) => {
        await moveEntries(context, [[key, next]], isCopy);
        open(next);
    };
    openKeyDialog(
        context,
        key,
        done,
        (next) => newKeyFault(context, next),
        title,
        isCopy ? undefined : "entry.rename.hint",
        title,
    );
}
