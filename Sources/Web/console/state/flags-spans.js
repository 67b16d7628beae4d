/** The evaluations of a flag over time, in equal spans. */

/** @typedef {{ start: string, variant: string | null, evaluations: number }} Count an element of `hours` or `days` */
/**
 * @typedef {object} Span
 * @property {number} start milliseconds since 1970
 * @property {[variant: string | null, evaluations: number][]} counts in the order of the variants
 */

const hour = 3_600_000;
/** The unit of the counts, the units in a span, and the number of spans. */
const ranges = { hours: [hour, 3, 56], days: [24 * hour, 7, 53] };

/**
 * Returns the spans of the last week or of the last year, the oldest first. The last one ends with the present hour or
 * day, in UTC like the counts.
 * @param {Count[]} counts
 * @param {keyof typeof ranges} range
 * @param {number} now milliseconds since 1970
 * @returns {Span[]}
 */
export function spansOf(counts, range, now) {
    const [unit, units, length] = ranges[range];
    const width = unit * units;
    const begin = (Math.floor(now / unit) + 1) * unit - width * length;
    const spans = Array.from({ length }, () => new Map());
    for (const { start, variant, evaluations } of counts) {
        const span = spans[Math.floor((Date.parse(start) - begin) / width)];
        span?.set(variant, (span.get(variant) ?? 0) + evaluations);
    }
    return spans.map((span, at) => ({ start: begin + at * width, counts: [...span].sort() }));
}
