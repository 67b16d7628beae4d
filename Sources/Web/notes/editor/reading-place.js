/** Places in a text and their heights in a view of the text. */

/** A beginning of a block: its offset in the text and its top in the view. @typedef {[offset: number, top: number]} Mark */

/**
 * Returns the last mark that is not behind a position, or the beginning of the text.
 * @param {Mark[]} marks in the order of the text
 * @param {0 | 1} axis the axis of the position: 0 for an offset, 1 for a height
 * @param {number} position
 * @returns {{ mark: Mark, next: Mark | undefined }}
 */
export function markAt(marks, axis, position) {
    const index = marks.findLastIndex((mark) => mark[axis] <= position);
    return { mark: marks[index] ?? [0, 0], next: marks.slice(index + 1).find((mark) => mark[axis] > position) };
}

/**
 * Converts an offset to a height, or a height to an offset. Positions between two marks are interpolated.
 * @param {Mark[]} marks in the order of the text, the last one at the end
 * @param {0 | 1} axis the axis of the position
 * @param {number} position
 */
export function across(marks, axis, position) {
    const { mark, next } = markAt(marks, axis, position);
    const other = axis === 0 ? 1 : 0;
    if (!next) return mark[other];
    return mark[other] + ((position - mark[axis]) / (next[axis] - mark[axis])) * (next[other] - mark[other]);
}
