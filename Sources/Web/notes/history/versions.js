/** The texts that a note has had: made of what the server tells of each action, newest first. */

/**
 * @typedef {object} PastAction
 * @property {number} revision
 * @property {string} action
 * @property {string} updated_at
 * @property {string} [title] left out where it was not written
 * @property {string} [body]
 * @property {string[]} [tags]
 * @property {boolean} [pinned]
 * @property {true} [thinned] its text is not kept any more
 */

/** @typedef {{ title: string, body: string, tags: string[] }} Words */
/** @typedef {Words & { revision: number, time: string }} Version */

/** Actions that write no text. */
const silent = new Set(["moveNote", "deleteNote", "purgeNote"]);

/**
 * The versions that actions have made, oldest first.
 * @param {PastAction[]} actions newest first
 * @param {Words | null} oldest the text after the oldest of them, where there are older ones
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

/** How many pages are read at once: each holds some MiB of texts at most. */
const pages = 10;

/**
 * Reads what the server keeps of a note's past.
 * @param {(query: Record<string, number | undefined>) => Promise<{ history: PastAction[], next?: number }>} page
 * @param {(revision: number) => Promise<Words>} textAt
 * @param {number} [before] a revision
 * @returns {Promise<{ versions: Version[], next: number | undefined }>} `next`: where older ones begin
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
    // The oldest of them tells only what it wrote.
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
