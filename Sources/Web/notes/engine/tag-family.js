/** Tags as a tree: `travel/lisbon` is under `travel`. A slash at the beginning marks a folder, and has no parent. */

const separator = /(?<=[^/])\/(?=[^/])/;

/** Returns the parts of a tag. @param {string} tag */
export const partsOf = (tag) => tag.split(separator);

/** Returns the tags above a tag, the highest first. @param {string} tag */
export function parentsOf(tag) {
    // Splitting the tags of all notes would delay the list.
    if (!tag.includes("/")) return [];
    const parts = partsOf(tag);
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/**
 * Returns true if a tag is another tag or is under it.
 * @param {string} tag
 * @param {string} other
 */
export const isWithin = (tag, other) =>
    tag === other || (tag.startsWith(`${other}/`) && parentsOf(tag).includes(other));
