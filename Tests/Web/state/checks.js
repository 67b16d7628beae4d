/** Helpers of the state tests: an equality check, and reproducible random numbers. */

/**
 * @param {unknown} found
 * @param {unknown} expected
 */
export function equal(found, expected) {
    const [one, other] = [found, expected].map((value) => JSON.stringify(value, null, 1));
    if (one !== other) throw new Error(`found ${one}\nexpected ${other}`);
}

/**
 * Returns a generator of whole numbers below its argument (mulberry32).
 * @param {number} seed
 */
export function random(seed) {
    let state = seed;
    /** @param {number} below */
    return (below) => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
    };
}
