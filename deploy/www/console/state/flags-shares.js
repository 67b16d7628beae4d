/** Shares of splits and ramps: what each variant gets, and how a bar moves them. */
import { readOutcome, readTargeting } from "./flags-rules.js";

/** @typedef {import("./flags-rules.js").Bucket} Bucket */
/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {{ variant: string | null, share: number }} Share of 1; null is the default variant */

/** What all weights of a split may add up to. */
export const mostWeight = 2 ** 31 - 1;

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
 * @param {{ time: string, percent: number }[]} points
 * @param {number} now in milliseconds since 1970
 */
export function rampAt(points, now) {
    const next = points.findIndex(({ time }) => Date.parse(time) > now);
    if (next < 0) return points[points.length - 1].percent;
    if (next === 0) return points[0].percent;
    const [from, to] = [points[next - 1], points[next]];
    const [begin, end] = [Date.parse(from.time), Date.parse(to.time)];
    return from.percent + ((to.percent - from.percent) * (now - begin)) / (end - begin);
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
    switch (outcome.kind) {
        case "variant":
            return [{ variant: outcome.name, share: 1 }];
        case "default":
            return [{ variant: null, share: 1 }];
        case "split":
            return sharesOf(outcome.buckets);
        case "ramp": {
            const points = outcome.points.map(({ time, percent }) => ({
                time,
                percent: Number(/** @type {import("./flags-tree.js").Digits} */ (percent).text),
            }));
            const share = rampAt(points, now) / 100;
            return [
                { variant: outcome.into, share },
                { variant: outcome.out ?? null, share: 1 - share },
            ];
        }
        default:
            return null;
    }
}
