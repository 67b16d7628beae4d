/** A note's content and its three-way merge, which equals that of `StoredNote.Text` in AlmanacNotes. */

/**
 * The content of a note. `tags` are sorted by code points and unique.
 * @typedef {{ title: string, body: string, tags: string[], pinned: boolean }} Text
 */

/** @typedef {(base: string, theirs: string, mine: string) => string} Merge returns the merged text */

/** @type {Readonly<Text>} */
export const empty = { title: "", body: "", tags: [], pinned: false };

/**
 * @param {Text} one
 * @param {Text} other
 */
export const isSame = (one, other) =>
    hasSameTitleAndBody(one, other) &&
    one.pinned === other.pinned &&
    one.tags.length === other.tags.length &&
    one.tags.every((tag, index) => tag === other.tags[index]);

/**
 * Returns true if the titles and the bodies are equal. A change of only tags or the pin does not restore a note from
 * the trash.
 * @param {Pick<Text, "title" | "body">} one
 * @param {Pick<Text, "title" | "body">} other
 */
export const hasSameTitleAndBody = (one, other) => one.title === other.title && one.body === other.body;

/** Returns the tags in the order of their code points, without duplicates. @param {Iterable<string>} tags */
export const sortedTags = (tags) => [...new Set(tags)].sort(byCodePoints);

/**
 * @param {string} one
 * @param {string} other
 */
export function byCodePoints(one, other) {
    let index = 0;
    while (index < one.length && one[index] === other[index]) index += 1;
    return (one.codePointAt(index) ?? -1) - (other.codePointAt(index) ?? -1);
}

/**
 * @param {Text} base
 * @param {Text} theirs
 * @param {Text} mine
 * @param {Merge} merge
 * @returns {Text}
 */
export function mergedText(base, theirs, mine, merge) {
    const merged = (/** @type {"title" | "body"} */ part) => {
        if (base[part] === mine[part]) return theirs[part];
        if (base[part] === theirs[part]) return mine[part];
        return merge(base[part], theirs[part], mine[part]);
    };
    return {
        title: merged("title"),
        body: merged("body"),
        tags: mergedTags(base.tags, theirs.tags, mine.tags),
        pinned: mine.pinned === base.pinned ? theirs.pinned : mine.pinned,
    };
}

/**
 * Returns the tags that either side added, and the tags of the base that neither side removed.
 * @param {string[]} base
 * @param {string[]} theirs
 * @param {string[]} mine
 */
function mergedTags(base, theirs, mine) {
    const [before, here] = [new Set(base), new Set(mine)];
    const kept = theirs.filter((tag) => !before.has(tag) || here.has(tag));
    return sortedTags([...kept, ...mine.filter((tag) => !before.has(tag))]);
}
