/** The shares of splits and ramps, and their changes by the bar. */
import { readOutcome, readTargeting } from "./flags-rules.js";
import { hundredthsOf, piecesOf } from "./flags-schemes.js";
import { instantOf } from "./flags-times.js";

/** @typedef {import("./flags-rules.js").Bucket} Bucket */
/** @typedef {import("./flags-tree.js").Digits} Digits */
/** @typedef {{ variant: string | null, share: number }} Share a fraction of 1; a null variant is the default variant */

/** The limit on the sum of a split's weights. */
const maxWeight = 2 ** 31 - 1;

/** @param {Bucket[]} buckets */
export const weightsOf = (buckets) => buckets.map(({ weight }) => weight ?? 1);

/** @param {number[]} weights */
export const sumOf = (weights) => weights.reduce((sum, weight) => sum + weight, 0);

/**
 * @param {Bucket[]} buckets
 * @returns {Share[]}
 */
export function sharesOf(buckets) {
    const weights = weightsOf(buckets);
    const total = sumOf(weights);
    return buckets.map(({ variant }, at) => ({ variant, share: total > 0 ? weights[at] / total : 0 }));
}

/** Returns the shares as percentages with two decimals. @param {Bucket[]} buckets */
export const percentsOf = (buckets) => sharesOf(buckets).map(({ share }) => Math.round(share * 10_000) / 100);

/**
 * Parses a typed percentage of at most two decimals; returns null for other texts.
 * @param {string} text
 */
export function readPercent(text) {
    const plain = text.trim().replace(",", ".");
    return /^\d{1,3}(?:\.\d{1,2})?$/.test(plain) && Number(plain) <= 100 ? Number(plain) : null;
}

/**
 * Returns the whole weights of typed percentages, or null if they do not add up to 100.
 * @param {string[]} texts
 */
export function weightsOfPercents(texts) {
    const hundredths = texts.map((text) => Math.round(100 * (readPercent(text) ?? Number.NaN)));
    if (sumOf(hundredths) !== 10_000) return null;
    const scale = [100, 10].find((one) => hundredths.every((weight) => weight % one === 0)) ?? 1;
    return hundredths.map((weight) => weight / scale);
}

/**
 * Returns the percentages with one of them replaced. The other one of two becomes the rest of 100.
 * @param {string[]} texts
 * @param {number} at
 * @param {string} text
 * @param {(percent: number) => string} format
 */
export function withPercent(texts, at, text, format) {
    const percent = texts.length === 2 ? readPercent(text) : null;
    return texts.map((old, place) =>
        place === at ? text : percent === null ? old : format(Math.round(10_000 - 100 * percent) / 100),
    );
}

/** @param {number} one @param {number} other @returns {number} */
const divisor = (one, other) => (other === 0 ? one : divisor(other, one % other));

/**
 * Scales the weights so that a hundredth is a whole number. The shares stay equal, so no user moves.
 * @param {number[]} weights
 */
export function scaledToHundredths(weights) {
    const total = sumOf(weights);
    if (total === 0) return weights.map((_, at) => (at === 0 ? 100 : 0));
    const factor = 100 / divisor(100, total);
    return total * factor > maxWeight ? weights : weights.map((weight) => weight * factor);
}

/**
 * Moves the border after one weight by a number of hundredths of the sum, and returns the new weights.
 * @param {number[]} weights
 * @param {number} border
 * @param {number} hundredths
 */
export function moved(weights, border, hundredths) {
    const fine = scaledToHundredths(weights);
    const wanted = Math.round((sumOf(fine) * hundredths) / 100);
    const step = Math.max(-fine[border], Math.min(fine[border + 1], wanted));
    return fine.map((weight, at) => (at === border ? weight + step : at === border + 1 ? weight - step : weight));
}

/**
 * Returns the shares of the variants in a sample before a change and after it.
 * @param {{ sampled: number, variants: { name: string | null, count: number }[],
 *     moves: { from: string | null, to: string | null, count: number }[] }} sample
 * @returns {Share[][]}
 */
export function sampleShares({ sampled, variants, moves }) {
    /** @type {Map<string | null, number[]>} the number before, and after */
    const counts = new Map(variants.map(({ name, count }) => [name, [count, count]]));
    const change = (/** @type {string | null} */ name, /** @type {number} */ difference) => {
        const [before, after] = counts.get(name) ?? [0, 0];
        counts.set(name, [before + difference, after]);
    };
    for (const { from, to, count } of moves) {
        change(from, count);
        change(to, -count);
    }
    return [0, 1].map((side) =>
        [...counts].map(([variant, both]) => ({ variant, share: both[side] / (sampled || 1) })),
    );
}

/**
 * Returns the percentage that a ramp includes at a time, computed like the server's.
 * @param {[string, Digits][]} points
 * @param {number} now milliseconds since 1970
 */
export function rampAt(points, now) {
    const [times, percents] = [points.map(([time]) => instantOf(time)), points.map(([, { text }]) => Number(text))];
    const next = times.findIndex((time) => time > now);
    if (next <= 0) return percents.at(next) ?? 0;
    const share = (now - times[next - 1]) / (times[next] - times[next - 1]);
    return percents[next - 1] + (percents[next] - percents[next - 1]) * share;
}

/**
 * Returns the number of rules, and the shares if none matches; `shares` is null if the form cannot compute them.
 * @param {import("./flags-tree.js").Members} definition
 * @param {number} now milliseconds since 1970
 * @returns {{ rules: number, shares: Share[] | null }}
 */
export function sharesWithoutRule(definition, now) {
    const { rules, otherwise } = readTargeting(definition.get("targeting"));
    return { rules: rules.length, shares: sharesOfOutcome(otherwise ?? null, now) };
}

/**
 * Returns the shares of an outcome at a time, or null if the form cannot compute them.
 * @param {import("./flags-tree.js").Tree} tree
 * @param {number} now milliseconds since 1970
 * @returns {Share[] | null}
 */
export function sharesOfOutcome(tree, now) {
    const outcome = readOutcome(tree);
    if (outcome.kind === "split") return sharesOf(outcome.buckets);
    if (outcome.kind === "scheme") {
        const pieces = piecesOf(outcome.scheme, outcome.ranges) ?? [];
        const shares = hundredthsOf(outcome.scheme, pieces);
        return pieces.map(({ variant }, at) => ({ variant, share: shares[at] / 10_000 }));
    }
    if (outcome.kind === "ramp") {
        const share = Math.round(rampAt(outcome.points, now)) / 100;
        const [into, out = null] = outcome.rest;
        return [
            { variant: into, share },
            { variant: out, share: 1 - share },
        ];
    }
    const variant = outcome.kind === "variant" ? outcome.name : null;
    return outcome.kind === "default" || variant !== null ? [{ variant, share: 1 }] : null;
}
