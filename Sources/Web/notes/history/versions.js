/** Rebuilds the versions of a note from the server's list of actions, which is newest first. */

/**
 * @typedef {object} PastAction
 * @property {number} revision
 * @property {string} action
 * @property {string} updated_at
 * @property {string} [title] omitted if the action did not write it
 * @property {string} [body]
 * @property {string[]} [tags]
 * @property {boolean} [pinned]
 * @property {true} [thinned] true if the server no longer stores the text
 */

/** @typedef {{ title: string, body: string, tags: string[] }} Words */
/** @typedef {Words & { revision: number, time: string }} Version */

/** Actions that write no text. */
const silent = new Set(["moveNote", "deleteNote", "purgeNote"]);

/**
 * Returns the versions that actions produced, oldest first.
 * @param {PastAction[]} actions newest first
 * @param {Words | null} oldest the text after the oldest action if there are older actions
 * @returns {Version[]}
 */
function versionsOf(actions, oldest) {
    /** @type {Version[]} */
    const versions = [];
    let words = oldest ?? { title: "", body: "", tags: [] };
    for (const [index, each] of actions.toReversed().entries()) {
        if (each.thinned || silent.has(each.action)) continue;
        const { title = words.title, body = words.body, tags = words.tags } = each;
        const before = versions.at(-1);
        words = index === 0 && oldest ? oldest : { title, body, tags };
        if (before && isSame(before, words)) continue;
        versions.push({ ...words, revision: each.revision, time: each.updated_at });
    }
    return versions;
}

/**
 * @param {Words} one
 * @param {Words} other
 */
const isSame = (one, other) =>
    one.title === other.title &&
    one.body === other.body &&
    one.tags.length === other.tags.length &&
    one.tags.every((tag, index) => tag === other.tags[index]);

/** The number of pages read together; each contains some MiB of text at most. */
const pages = 10;

/**
 * Reads the history of a note from the server.
 * @param {(query: Record<string, number | undefined>) => Promise<{ history: PastAction[], next?: number }>} page
 * @param {(revision: number) => Promise<Words>} textAt
 * @param {number} [before] a revision
 * @returns {Promise<{ versions: Version[], next: number | undefined }>} `next`: the start of older versions
 */
export async function readPast(page, textAt, before) {
    /** @type {PastAction[]} */
    const actions = [];
    let next = before;
    for (let count = 0; count < pages; count += 1) {
        const answer = await page({ before: next });
        actions.push(...answer.history);
        next = answer.next;
        if (next === undefined) break;
    }
    // The oldest action must have a revision whose text can be read in full, because it reports only its own part.
    while (
        next !== undefined &&
        actions.length > 0 &&
        (actions.at(-1)?.thinned || silent.has(actions.at(-1)?.action ?? ""))
    ) {
        actions.pop();
    }
    const last = actions.at(-1);
    const oldest = next !== undefined && last ? await textAt(last.revision) : null;
    return { versions: versionsOf(actions, oldest), next };
}
