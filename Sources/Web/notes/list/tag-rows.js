/** The rows of the tree of tags. */
import { parentsOf } from "../engine/tag-family.js";

/**
 * A tag in the tree. `path` is the part of the tag that its parents show.
 * @typedef {{ tag: string, count: number, depth: number, path: string, name: string, isParent: boolean }} TagRow
 */

/**
 * Returns the visible rows of a tree.
 * @param {readonly [tag: string, count: number][]} tags all tags and their parents; children follow their parent
 * @param {ReadonlySet<string>} closed the parents whose children are hidden
 * @returns {TagRow[]}
 */
export function tagRows(tags, closed) {
    return tags.flatMap(([tag, count], index) => {
        const parents = parentsOf(tag);
        if (parents.some((parent) => closed.has(parent))) return [];
        const path = parents.length > 0 ? `${parents[parents.length - 1]}/` : "";
        const isParent = parentsOf(tags[index + 1]?.[0] ?? "").includes(tag);
        return [{ tag, count, depth: parents.length, path, name: tag.slice(path.length), isParent }];
    });
}
