/** Splits and ramps by the hash of another flag system: their buckets, and changes of their shares. */
import { Digits, operatorOf, rule } from "./flags-tree.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {{ variant: string | null, to: number }} Piece buckets up to a bound, from the bound of the piece before */

/** @param {Tree | undefined} tree @returns {tree is string | null} */
const isChoice = (tree) => typeof tree === "string" || tree === null;

/**
 * Returns the arguments of a split or ramp by the hash of another system: its parameters, its unit, and the rest.
 * @param {Tree} tree
 * @returns {{ parameters: Tree, unit: Tree, rest: Tree[] } | null}
 */
export function schemeOf(tree) {
    const [name, value] = operatorOf(tree);
    const isScheme = Array.isArray(value) && value[0] instanceof Map && value[0].has("scheme");
    if (!isScheme || !/^almanac\.(?:split|ramp)$/.test(name ?? "") || value.length < 3) return null;
    return { parameters: value[0], unit: value[1], rest: value.slice(2) };
}

/**
 * Returns a rule with the results of another system's split changed.
 * @param {Tree} tree
 * @param {(tree: Tree) => Tree} change
 * @returns {Tree}
 */
export function withSchemeResults(tree, change) {
    const scheme = schemeOf(tree);
    if (!scheme) return tree;
    const [name] = operatorOf(tree);
    const [first, ...results] = scheme.rest;
    const ranges = (/** @type {Tree} */ range) =>
        Array.isArray(range) && range.length === 3 ? [range[0], range[1], change(range[2])] : range;
    const isSplit = name === "almanac.split" && Array.isArray(first);
    const rest = isSplit ? [first.map(ranges), ...results] : [first, ...results.map(change)];
    return rule(`${name}`, [scheme.parameters, scheme.unit, ...rest]);
}

/** The numbers of buckets; a text is the parameter with the number. @type {Record<string, number | string>} */
const counts = {
    unleash: 100,
    "unleash-variants": "totalWeight",
    launchdarkly: 100_000,
    firebase: 100_000_000,
    flagsmith: 9998,
    growthbook: 1000,
    configcat: 100,
    goff: "maxPercentage",
    flipt: 1000,
    "flipt-threshold": 100,
};

/** The names of the systems by the first word of their schemes. @type {Record<string, string>} */
const names = {
    unleash: "Unleash",
    launchdarkly: "LaunchDarkly",
    firebase: "Firebase",
    flagsmith: "Flagsmith",
    growthbook: "GrowthBook",
    configcat: "ConfigCat",
    goff: "GO Feature Flag",
    flipt: "Flipt",
};

/** Returns the name of the system whose hash a scheme is. @param {Tree} parameters */
export function schemeName(parameters) {
    const name = String(/** @type {any} */ (parameters).get("scheme"));
    return names[name.split("-")[0]] ?? name;
}

/**
 * Returns the number of a scheme's buckets, or 0 if it is unknown.
 * @param {Tree} parameters
 */
export function bucketCount(parameters) {
    const member = (/** @type {string} */ name) => /** @type {any} */ (parameters).get(name);
    const numeric = (/** @type {any} */ value) =>
        /^\d{1,10}$/.test(value?.text ?? value) ? Number(value.text ?? value) : 0;
    const name = member("scheme");
    if (!Object.hasOwn(counts, name)) return 0;
    const count = counts[name];
    if (name === "growthbook" && numeric(member("hashVersion")) === 2) return 10_000;
    return typeof count === "number" ? count : numeric(member(count));
}

/**
 * Returns the ranges of a split as adjacent pieces of all buckets, where buckets without a range have no variant.
 * Returns null if the ranges overlap, or serve anything else than variants.
 * @param {Tree} parameters
 * @param {Tree} ranges
 * @returns {Piece[] | null}
 */
export function piecesOf(parameters, ranges) {
    const count = bucketCount(parameters);
    if (count === 0 || !Array.isArray(ranges)) return null;
    /** @type {Piece[]} */
    const pieces = [];
    let end = 0;
    for (const range of ranges) {
        if (!Array.isArray(range) || range.length !== 3 || !isChoice(range[2])) return null;
        const [from, to] = range.slice(0, 2).map((one) => Math.max(0, Number(one?.text)));
        // The comparison is false for anything that is not a number.
        if (!(from >= end && to >= from && to <= count)) return null;
        if (from > end) pieces.push({ variant: null, to: from });
        pieces.push({ variant: range[2], to });
        end = to;
    }
    if (end < count) {
        const last = pieces.at(-1);
        if (/** @type {any} */ (parameters).get("scheme") === "launchdarkly" && last) last.to = count;
        else pieces.push({ variant: null, to: count });
    }
    return pieces;
}

/**
 * Returns the ranges of pieces, without pieces of no variant.
 * @param {Tree} parameters
 * @param {Piece[]} pieces
 * @returns {Tree}
 */
export function rangesOf(parameters, pieces) {
    const start = /** @type {any} */ (parameters).get("scheme") === "firebase" ? -1 : 0;
    const digits = (/** @type {number} */ bound) => new Digits(String(bound === 0 ? start : bound));
    const all = pieces.map(({ variant, to }, at) => [digits(pieces[at - 1]?.to ?? 0), digits(to), variant]);
    // Behind the last range of LaunchDarkly, nothing is left for the default.
    return start === 0 && /** @type {any} */ (parameters).get("scheme") === "launchdarkly"
        ? all
        : all.filter(([, , variant]) => variant !== null);
}

/**
 * Returns the upper bound of a first range for a share, as the vendor decides for a rollout.
 * @param {Tree} parameters
 * @param {number} hundredths of a percent
 */
export function boundFor(parameters, hundredths) {
    const count = bucketCount(parameters);
    const part = (hundredths * count) / 10_000;
    const name = /** @type {any} */ (parameters).get("scheme");
    if (/^(?:unleash|firebase)/.test(name)) return Math.floor(part);
    if (name === "flagsmith" || (name === "growthbook" && hundredths > 0)) return Math.min(count, Math.floor(part) + 1);
    return Math.ceil(part);
}

/**
 * Returns the share of the buckets below a bound, in hundredths of a percent: the one that the vendor shows if there is
 * one, else the nearest.
 * @param {Tree} parameters
 * @param {number} bound
 */
export function hundredthsFor(parameters, bound) {
    const count = bucketCount(parameters);
    if (bound === 0) return 0;
    if (bound === count) return 10_000;
    const near = Math.round((10_000 * bound) / count);
    const round = [100, 10, 1].flatMap((unit) => [0, -1, 1].map((step) => (Math.round(near / unit) + step) * unit));
    return round.find((one) => one > 0 && one <= 10_000 && boundFor(parameters, one) === bound) ?? near;
}

/**
 * Returns the shares of pieces in hundredths of a percent.
 * @param {Tree} parameters
 * @param {Piece[]} pieces
 */
export function hundredthsOf(parameters, pieces) {
    const ends = pieces.map(({ to }) => hundredthsFor(parameters, to));
    return ends.map((end, at) => end - (ends[at - 1] ?? 0));
}

/**
 * Returns the pieces with other shares, in hundredths of a percent. A bound whose share stays keeps its bucket.
 * @param {Tree} parameters
 * @param {Piece[]} pieces
 * @param {number[]} shares
 * @returns {Piece[]}
 */
export function withShares(parameters, pieces, shares) {
    let [sum, end] = [0, 0];
    return pieces.map((piece, at) => {
        sum += shares[at];
        const bound = sum === hundredthsFor(parameters, piece.to) ? piece.to : boundFor(parameters, sum);
        end = Math.max(end, at === pieces.length - 1 ? bucketCount(parameters) : bound);
        return { ...piece, to: end };
    });
}

/** @param {number} one @param {number} other @returns {number} */
const divisor = (one, other) => (other === 0 ? one : divisor(other, one % other));

/**
 * Returns the key of Almanac's own split for a unit: none for the targeting key.
 * @param {Tree} unit
 * @returns {Tree[]}
 */
function ownKey(unit) {
    const [name, path] = operatorOf(unit);
    if (name === "var" && `${path}` === "targetingKey") return [];
    return [rule("if", [unit, rule("cat", [rule("var", "$flagd.flagKey"), unit])])];
}

/**
 * Returns the split or ramp with the same shares by Almanac's own hash, which moves most users.
 * @param {Tree} tree
 * @returns {Tree}
 */
export function withOwnHash(tree) {
    const scheme = schemeOf(tree);
    if (!scheme) return tree;
    const [name] = operatorOf(tree);
    if (name === "almanac.ramp") return rule(name, [...ownKey(scheme.unit), ...scheme.rest]);
    const pieces = piecesOf(scheme.parameters, scheme.rest[0]);
    if (!pieces) return tree;
    const widths = pieces.map(({ to }, at) => to - (pieces[at - 1]?.to ?? 0));
    const unit = widths.reduce(divisor, 0) || 1;
    const buckets = pieces.map(({ variant }, at) => [variant, new Digits(String(widths[at] / unit))]);
    return rule("fractional", [...ownKey(scheme.unit), ...buckets]);
}
