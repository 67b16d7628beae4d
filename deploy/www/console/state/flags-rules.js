/**
 * Rules of flags as a form shows them, and back into JSON Logic. One step is read at a time and what is inside stays a
 * tree; what the form has no shape for is of kind `json` and stays as it is.
 */
import { Digits, isScalar, object, sole } from "./flags-tree.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */
/** @typedef {{ shape: "attribute" | "flag", name: string }} Subject what a condition looks at */
/**
 * @typedef {{ kind: "test", subject: Subject, operator: string, value: Tree }} Test
 * @typedef {{ kind: "all" | "any", of: Tree[] }} Group
 * @typedef {{ kind: "not", of: Tree[], bare: boolean }} Not
 * @typedef {{ kind: "ref", name: string }} Reference a shared rule
 * @typedef {{ kind: "json", tree: Tree }} Other
 * @typedef {Test | Group | Not | Reference | Other} Condition
 */
/** @typedef {{ shape: "key" } | { shape: "attribute" | "salted", name: string } | { shape: "json", tree: Tree }} By */
/** @typedef {{ variant: string | null, weight: number | null }} Bucket a weight that is left out is 1 */
/** @typedef {{ time: string, percent: Tree }} Point */
/**
 * @typedef {{ kind: "variant", name: string }} Chosen
 * @typedef {{ kind: "default" }} Default
 * @typedef {{ kind: "split", by: By, buckets: Bucket[] }} Split
 * @typedef {{ kind: "ramp", by: By, points: Point[], into: string, out: string | null | undefined }} Ramp
 * @typedef {{ kind: "rules", rules: { when: Tree, gives: Tree }[], otherwise: Tree | undefined }} Rules
 * @typedef {Chosen | Default | Split | Ramp | Rules | Reference | Other} Outcome
 */

const relations = ["=", "!=", "<", "<=", ">", ">="];

/** Operators of conditions, as the form offers them. */
export const operators = [
    ...["==", "!=", "in", "has", "<", "<=", ">", ">=", "starts_with", "ends_with", "almanac.matches", "!!"],
    ...[...relations, "^", "~"].map((relation) => `sem_ver ${relation}`),
    ...relations.map((relation) => `almanac.date ${relation}`),
];

const comparisons = new Set(["==", "!=", "===", "!==", "<", "<=", ">", ">="]);
const textual = new Set(["starts_with", "ends_with", "almanac.matches"]);

/** @param {Tree} tree @returns {Other} */
const other = (tree) => ({ kind: "json", tree });

/**
 * @param {Tree | undefined} tree
 * @returns {Subject | null}
 */
function readSubject(tree) {
    const [name, value] = sole(tree);
    if (typeof value !== "string") return null;
    return name === "var"
        ? { shape: "attribute", name: value }
        : name === "almanac.flag"
          ? { shape: "flag", name: value }
          : null;
}

/** @param {Subject} subject @returns {Tree} */
const writeSubject = ({ shape, name }) => object({ [shape === "flag" ? "almanac.flag" : "var"]: name });

/**
 * @param {Tree} tree
 * @returns {Condition}
 */
export function readCondition(tree) {
    const [name, value] = sole(tree);
    if (name === null) return other(tree);
    if (name === "$ref") return typeof value === "string" ? { kind: "ref", name: value } : other(tree);
    if (name === "!") {
        if (!Array.isArray(value)) return { kind: "not", of: [value], bare: true };
        return value.length === 1 ? { kind: "not", of: value, bare: false } : other(tree);
    }
    if (!Array.isArray(value) || value.length === 0) return other(tree);
    if (name === "and" || name === "or") return { kind: name === "and" ? "all" : "any", of: value };
    const [first, second, third] = value;
    const subject = readSubject(first);
    /** @param {string} operator @param {Tree} found @returns {Condition} */
    const test = (operator, found) => (subject ? { kind: "test", subject, operator, value: found } : other(tree));
    if (value.length === 1) return name === "!!" ? test(name, null) : other(tree);
    if (value.length === 3) {
        const relation = typeof second === "string" ? `${name} ${second}` : "";
        const told = typeof third === "string" || (name === "almanac.date" && third instanceof Digits);
        return told && operators.includes(relation) ? test(relation, third) : other(tree);
    }
    if (value.length !== 2) return other(tree);
    if (name === "in" && subject && Array.isArray(second) && second.every(isScalar)) return test("in", second);
    const turned = readSubject(second);
    if (name === "in" && turned && isScalar(first))
        return { kind: "test", subject: turned, operator: "has", value: first };
    if (comparisons.has(name) && isScalar(second)) return test(name, second);
    return textual.has(name) && typeof second === "string" ? test(name, second) : other(tree);
}

/**
 * @param {Condition} condition
 * @returns {Tree}
 */
export function writeCondition(condition) {
    switch (condition.kind) {
        case "json":
            return condition.tree;
        case "ref":
            return object({ $ref: condition.name });
        case "all":
            return object({ and: condition.of });
        case "any":
            return object({ or: condition.of });
        case "not":
            return object({ "!": condition.bare ? condition.of[0] : condition.of });
    }
    const { operator, value } = condition;
    const subject = writeSubject(condition.subject);
    const [name, relation] = operator.split(" ");
    if (name === "!!") return object({ "!!": [subject] });
    if (name === "has") return object({ in: [value, subject] });
    return object({ [name]: relation ? [subject, relation, value] : [subject, value] });
}

/**
 * The value that a test has when its operator becomes another one.
 * @param {string} operator
 * @param {Tree} value
 * @returns {Tree}
 */
export function valueFor(operator, value) {
    const first = Array.isArray(value) ? (value[0] ?? "") : value;
    if (operator === "in") return Array.isArray(value) ? value : value === "" || value === null ? [] : [value];
    if (operator === "!!") return null;
    if (operator.startsWith("sem_ver")) return typeof first === "string" && /^\d+\.\d/.test(first) ? first : "1.0.0";
    if (textual.has(operator) || operator.includes(" "))
        return typeof first === "string" ? first : first instanceof Digits ? first.text : "";
    return first ?? "";
}

/**
 * @param {Tree | undefined} tree
 * @returns {By}
 */
function readBy(tree) {
    if (tree === undefined) return { shape: "key" };
    const [name, value] = sole(tree);
    if (name === "var" && typeof value === "string") return { shape: "attribute", name: value };
    if (name === "cat" && Array.isArray(value) && value.length === 2) {
        const [flag, attribute] = value.map(readSubject);
        if (flag?.name === "$flagd.flagKey" && flag.shape === "attribute" && attribute?.shape === "attribute")
            return { shape: "salted", name: attribute.name };
    }
    return { shape: "json", tree };
}

/**
 * @param {By} by
 * @returns {Tree[]}
 */
function writeBy(by) {
    if (by.shape === "key") return [];
    if (by.shape === "json") return [by.tree];
    const attribute = object({ var: by.name });
    return [by.shape === "attribute" ? attribute : object({ cat: [object({ var: "$flagd.flagKey" }), attribute] })];
}

/** @param {Tree | undefined} tree @returns {tree is string | null} */
const isChoice = (tree) => typeof tree === "string" || tree === null;

/**
 * @param {Tree} tree
 * @returns {Bucket | null}
 */
function readBucket(tree) {
    if (!Array.isArray(tree) || tree.length < 1 || tree.length > 2 || !isChoice(tree[0])) return null;
    if (tree.length === 1) return { variant: tree[0], weight: null };
    const weight = tree[1] instanceof Digits ? tree[1].text : "";
    return /^\d{1,10}$/.test(weight) ? { variant: tree[0], weight: Number(weight) } : null;
}

/**
 * @param {Tree[]} value
 * @returns {Split | null}
 */
function readSplit(value) {
    const keyed = !Array.isArray(value[0]);
    const buckets = value.slice(keyed ? 1 : 0).map(readBucket);
    if (buckets.length === 0 || buckets.includes(null)) return null;
    return {
        kind: "split",
        by: readBy(keyed ? value[0] : undefined),
        buckets: /** @type {Bucket[]} */ (buckets),
    };
}

/**
 * @param {Tree[]} value
 * @returns {Ramp | null}
 */
function readRamp(value) {
    const keyed = !Array.isArray(value[0]);
    const [points, into, out] = value.slice(keyed ? 1 : 0);
    const length = value.length - (keyed ? 1 : 0);
    if (!Array.isArray(points) || points.length === 0 || typeof into !== "string" || length > 3) return null;
    if (!isChoice(out) && out !== undefined) return null;
    /** @type {Point[]} */
    const read = [];
    for (const point of points) {
        if (!Array.isArray(point) || point.length !== 2) return null;
        const [time, percent] = point;
        if (typeof time !== "string" || !(percent instanceof Digits)) return null;
        read.push({ time, percent });
    }
    return { kind: "ramp", by: readBy(keyed ? value[0] : undefined), points: read, into, out };
}

/**
 * @param {Tree} tree
 * @returns {Outcome}
 */
export function readOutcome(tree) {
    if (typeof tree === "string") return { kind: "variant", name: tree };
    if (tree === null) return { kind: "default" };
    const [name, value] = sole(tree);
    if (name === "$ref" && typeof value === "string") return { kind: "ref", name: value };
    if (!Array.isArray(value) || value.length === 0) return other(tree);
    if (name === "fractional") return readSplit(value) ?? other(tree);
    if (name === "almanac.ramp") return readRamp(value) ?? other(tree);
    if (name !== "if" || value.length < 2) return other(tree);
    const rules = [];
    for (let at = 0; at + 1 < value.length; at += 2) rules.push({ when: value[at], gives: value[at + 1] });
    return { kind: "rules", rules, otherwise: value.length % 2 ? value[value.length - 1] : undefined };
}

/**
 * @param {Outcome} outcome
 * @returns {Tree}
 */
export function writeOutcome(outcome) {
    switch (outcome.kind) {
        case "json":
            return outcome.tree;
        case "ref":
            return object({ $ref: outcome.name });
        case "variant":
            return outcome.name;
        case "default":
            return null;
        case "split":
            return object({ fractional: [...writeBy(outcome.by), ...outcome.buckets.map(writeBucket)] });
        case "ramp": {
            const points = outcome.points.map(({ time, percent }) => [time, percent]);
            const out = outcome.out === undefined ? [] : [outcome.out];
            return object({ "almanac.ramp": [...writeBy(outcome.by), points, outcome.into, ...out] });
        }
        case "rules": {
            const pairs = outcome.rules.flatMap(({ when, gives }) => [when, gives]);
            return object({ if: outcome.otherwise === undefined ? pairs : [...pairs, outcome.otherwise] });
        }
    }
}

/** @param {Bucket} bucket @returns {Tree} */
const writeBucket = ({ variant, weight }) => (weight === null ? [variant] : [variant, new Digits(String(weight))]);

/**
 * A flag's whole rule; none is nothing but what is otherwise.
 * @param {Tree | undefined} targeting
 * @returns {Rules}
 */
export function readTargeting(targeting) {
    if (targeting === undefined || targeting === null || (targeting instanceof Map && targeting.size === 0))
        return { kind: "rules", rules: [], otherwise: undefined };
    const outcome = readOutcome(targeting);
    return outcome.kind === "rules" ? outcome : { kind: "rules", rules: [], otherwise: targeting };
}

/**
 * The definition with another rule. A variant that everybody gets is its default variant.
 * @param {Members} definition
 * @param {Rules} rules
 * @returns {Members}
 */
export function withTargeting(definition, rules) {
    const next = new Map(definition);
    const { otherwise } = rules;
    if (rules.rules.length > 0) return next.set("targeting", writeOutcome(rules));
    if (otherwise !== undefined && otherwise !== null && typeof otherwise !== "string")
        return next.set("targeting", otherwise);
    next.delete("targeting");
    return typeof otherwise === "string" ? next.set("defaultVariant", otherwise) : next;
}

/**
 * Calls with each variant that a rule may come to, and takes what is answered in its place.
 * @param {Tree} tree
 * @param {(variant: string) => string} change
 * @returns {Tree}
 */
export function mapVariants(tree, change) {
    const outcome = readOutcome(tree);
    const choice = (/** @type {string | null} */ name) => (name === null ? null : change(name));
    switch (outcome.kind) {
        case "variant":
            return change(outcome.name);
        case "split": {
            const buckets = outcome.buckets.map((bucket) => ({ ...bucket, variant: choice(bucket.variant) }));
            return writeOutcome({ ...outcome, buckets });
        }
        case "ramp": {
            const out = outcome.out === undefined ? undefined : choice(outcome.out);
            return writeOutcome({ ...outcome, into: change(outcome.into), out });
        }
        case "rules": {
            const rules = outcome.rules.map(({ when, gives }) => ({ when, gives: mapVariants(gives, change) }));
            const otherwise = outcome.otherwise === undefined ? undefined : mapVariants(outcome.otherwise, change);
            return writeOutcome({ ...outcome, rules, otherwise });
        }
        default:
            return tree;
    }
}

/**
 * The attributes that a rule looks at, but those that evaluation adds.
 * @param {Tree | undefined} tree
 * @param {Set<string>} [found]
 */
export function attributesOf(tree, found = new Set()) {
    if (Array.isArray(tree)) for (const one of tree) attributesOf(one, found);
    if (!(tree instanceof Map)) return found;
    for (const [name, value] of tree) {
        const path = Array.isArray(value) ? value[0] : value;
        if (name !== "var") attributesOf(value, found);
        else if (typeof path === "string" && path !== "" && !path.startsWith("$flagd.")) found.add(path);
    }
    return found;
}
