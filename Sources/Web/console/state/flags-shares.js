/** Shares of splits and ramps: what each variant gets, and how a bar moves them. */
import { readOutcome, readTargeting } from "./flags-rules.js";

/** @typedef {import("./flags-rules.js").Bucket} Bucket */
/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Digits} Digits */
/** @typedef {{ variant: string | null, share: number }} Share of 1; null is the default variant */

/** What all weights of a split may add up to. */
const mostWeight = 2 ** 31 - 1;

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

/** @param {number} one @param {number} other @returns {number} */
const divisor = (one, other) => (other === 0 ? one : divisor(other, one % other));

/**
 * The same shares in weights that can be moved by a hundredth: everybody stays where they are.
 * @param {number[]} weights
 */
export function finer(weights) {
    const total = sumOf(weights);
    if (total === 0) return weights.map((_, at) => (at === 0 ? 100 : 0));
    const factor = 100 / divisor(100, total);
    return total * factor > mostWeight ? weights : weights.map((weight) => weight * factor);
}

/**
 * The weights after the border behind one of them was moved by so many hundredths of the whole.
 * @param {number[]} weights
 * @param {number} border
 * @param {number} hundredths
 */
export function moved(weights, border, hundredths) {
    const fine = finer(weights);
    const wanted = Math.round((sumOf(fine) * hundredths) / 100);
    const step = Math.max(-fine[border], Math.min(fine[border + 1], wanted));
    return fine.map((weight, at) => (at === border ? weight + step : at === border + 1 ? weight - step : weight));
}

/**
 * How many percent a ramp lets in at a time, as the server works it out.
 * @param {[string, Digits][]} points
 * @param {number} now in milliseconds since 1970
 */
export function rampAt(points, now) {
    const [times, percents] = [points.map(([time]) => Date.parse(time)), points.map(([, { text }]) => Number(text))];
    const next = times.findIndex((time) => time > now);
    if (next <= 0) return percents.at(next) ?? 0;
    const share = (now - times[next - 1]) / (times[next] - times[next - 1]);
    return percents[next - 1] + (percents[next] - percents[next - 1]) * share;
}

/**
 * What those get whom no rule is for, and how many rules there are; null where it cannot be said in shares.
 * @param {import("./flags-tree.js").Members} definition
 * @param {number} now in milliseconds since 1970
 * @returns {{ rules: number, shares: Share[] | null }}
 */
export function outlookOf(definition, now) {
    const { rules, otherwise } = readTargeting(definition.get("targeting"));
    return { rules: rules.length, shares: sharesOfOutcome(otherwise ?? null, now) };
}

/**
 * @param {Tree} tree
 * @param {number} now
 * @returns {Share[] | null}
 */
function sharesOfOutcome(tree, now) {
    const outcome = readOutcome(tree);
    if (outcome.kind === "split") return sharesOf(outcome.buckets);
    if (outcome.kind === "ramp") {
        const share = rampAt(outcome.points, now) / 100;
        const [into, out = null] = outcome.rest;
        return [
            { variant: into, share },
            { variant: out, share: 1 - share },
        ];
    }
    const variant = outcome.kind === "variant" ? outcome.name : null;
    return outcome.kind === "default" || variant !== null ? [{ variant, share: 1 }] : null;
}
