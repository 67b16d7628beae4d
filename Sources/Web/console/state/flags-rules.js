/** Conversion between JSON Logic and the flag form, one level at a time. Rules without a form stay unchanged. */

import { piecesOf, schemeOf, withSchemeResults } from "./flags-schemes.js";
import { instantOf } from "./flags-times.js";
import {
    Digits,
    formatList,
    formatText,
    formatValue,
    operatorOf,
    parseList,
    parseText,
    parseValue,
    rule,
    writeTree,
} from "./flags-tree.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */
/**
 * @typedef {object} Condition
 * @property {string} operator a member of `groups` or `operators`, `$ref` with a name, or empty if the form cannot show
 * the condition
 * @property {Tree[]} parts conditions in a group; otherwise the subject and the value compared with it
 * @property {boolean} [bare] true if the only argument is not in an array
 * @property {"bare" | "list"} [lower] the form of the argument if the subject is compared in lower case
 * @property {Tree[]} [hashed] the salt, and perhaps a number of bytes, if the subject is compared by its hash
 */
/** @typedef {{ variant: string | null, weight: number | null }} Bucket a missing weight counts as 1 */
/**
 * @typedef {{ kind: "variant", name: string }} Chosen
 * @typedef {{ kind: "ref", name: string }} Reference
 * @typedef {{ kind: "default" }} Default
 * @typedef {{ kind: "json", tree: Tree }} Other
 * @typedef {{ kind: "split", by: Tree | undefined, buckets: Bucket[] }} Split
 * @typedef {{ kind: "ramp", scheme?: Tree, by: Tree | undefined, points: [string, Digits][], rest: (string | null)[] }}
 * Ramp `rest`: the variants inside and outside the ramp; `scheme`: the parameters of another system's hash
 * @typedef {{ kind: "scheme", scheme: Tree, by: Tree, ranges: Tree }} SchemeSplit a split by another system's hash
 * @typedef {{ kind: "rules", rules: { when: Tree, gives: Tree }[], otherwise: Tree | undefined }} Rules
 * @typedef {Chosen | Reference | Default | Other | Split | Ramp | SchemeSplit | Rules} Outcome
 */

const relations = ["=", "!=", "<", "<=", ">", ">="];

export const groups = ["and", "or", "!"];
/** The operators of conditions, in the form's order. The part after a space is the relation between two arguments. */
export const operators = [
    ...["==", "!=", "in", "has", "<", "<=", ">", ">=", "starts_with", "ends_with", "almanac.matches", "!!"],
    "almanac.network",
    ...[...relations, "^", "~"].map((relation) => `sem_ver ${relation}`),
    ...["almanac.version", "almanac.date"].flatMap((name) => relations.map((relation) => `${name} ${relation}`)),
];
/** The operators that can compare in lower case. */
export const foldable = ["==", "!=", "in", "starts_with", "ends_with"];
// GrowthBook's order of versions is for imported rules only, so the form does not offer it.
const shapes = [...operators, "===", "!==", ...relations.map((relation) => `almanac.padded ${relation}`)];

/**
 * @param {Tree} tree
 * @returns {Condition}
 */
export function readCondition(tree) {
    const condition = readPlainCondition(tree);
    const { operator, parts } = condition;
    if (!/^[!=]==?$/.test(operator) && !foldable.includes(operator)) return condition;
    const [wrapper, value] = operatorOf(parts[0]);
    const [subject, ...more] = Array.isArray(value) ? value : [value];
    const rest = { operator, parts: [subject, ...parts.slice(1)] };
    if (!(subject instanceof Map)) return condition;
    if (wrapper === "almanac.lower" && more.length === 0)
        return { ...rest, lower: subject === value ? "bare" : "list" };
    const isHashed = wrapper === "almanac.hashed" && more.length > 0 && !/_/.test(operator);
    return isHashed ? { ...rest, hashed: more } : condition;
}

/**
 * Reads a condition without the wrappers of its subject.
 * @param {Tree} tree
 * @returns {Condition}
 */
function readPlainCondition(tree) {
    const [name, value] = operatorOf(tree);
    const parts = Array.isArray(value) ? value : [value];
    const [first, second, third] = parts;
    if (name === "$ref" && typeof value === "string") return { operator: `$ref ${value}`, parts: [] };
    if (name === "!" && parts.length === 1) return { operator: name, parts, bare: parts !== value };
    if (parts === value && parts.length > 0) {
        if (name === "and" || name === "or") return { operator: name, parts };
        const operator = parts.length === 3 && typeof second === "string" ? `${name} ${second}` : `${name}`;
        const length = operator === "!!" ? 1 : operator.includes(" ") ? 3 : 2;
        const last = parts[parts.length - 1];
        const fits =
            last instanceof Map ||
            (operator === "almanac.network"
                ? [last].flat().every((one) => typeof one === "string")
                : isTextual(operator)
                  ? typeof last === "string"
                  : operator !== "in" || Array.isArray(last));
        if (parts.length === length && operator !== "has" && shapes.includes(operator)) {
            if (fits && first instanceof Map) return { operator, parts: length === 3 ? [first, third] : parts };
            if (name === "in" && second instanceof Map) return { operator: "has", parts: [second, first] };
        }
    }
    return { operator: "", parts: [tree] };
}

/**
 * @param {Condition} condition
 * @returns {Tree}
 */
export function writeCondition({ operator, parts, bare, lower, hashed }) {
    if (!operator) return parts[0];
    if (lower || hashed) {
        const [subject, ...rest] = parts;
        const wrapped = hashed
            ? rule("almanac.hashed", [subject, ...hashed])
            : rule("almanac.lower", lower === "bare" ? subject : [subject]);
        return writeCondition({ operator, parts: [wrapped, ...rest], bare });
    }
    const [name, relation] = operator.split(" ");
    if (name === "$ref") return rule(name, operator.slice(5));
    if (name === "has") return rule("in", [parts[1], parts[0]]);
    return rule(name, relation ? [parts[0], relation, parts[1]] : bare ? parts[0] : parts);
}

/**
 * Formats a subject for typing: an attribute by its name, other subjects as JSON.
 * @param {Tree | undefined} tree
 */
export function subjectText(tree) {
    const [name, value] = operatorOf(tree);
    if (tree === undefined) return "";
    return name === "var" && typeof value === "string" && !/^\s*\{|^\s|\s$/.test(value) ? value : writeTree(tree);
}

/** Formats the unit of a split, which may be a shared rule. @param {Tree} unit */
export function unitText(unit) {
    const [name, value] = operatorOf(unit);
    return name === "$ref" && typeof value === "string" ? value : subjectText(unit);
}

/**
 * @param {string} text
 * @returns {Tree}
 */
export function readSubject(text) {
    const tree = parseValue(text);
    return tree instanceof Map ? tree : rule("var", text.trim());
}

/** @param {string} operator */
const isTextual = (operator) => /^(?:starts|ends|sem|almanac\.[mnpv])/.test(operator);

/** The types of compared values, in the form's order. `json` stands for mixed lists, objects and null. */
export const valueTypes = ["string", "number", "boolean", "json"];

/** Returns true if the operator compares values of several types. @param {string} operator */
export const isTyped = (operator) => !/ |^!!$/.test(operator) && !isTextual(operator);

/**
 * Returns the member of `valueTypes` of a compared value; a list has the type of all its items.
 * @param {Tree} value
 * @returns {string}
 */
export function valueTypeOf(value) {
    const types = new Set(
        (Array.isArray(value) ? value : [value]).map((one) => (one instanceof Digits ? "number" : typeof one)),
    );
    const [type] = types;
    return types.size === 1 && type !== "object" ? type : "json";
}

/**
 * Returns the type that a typed value most likely has.
 * @param {string} operator
 * @param {string} text
 */
export function likelyType(operator, text) {
    const type = valueTypeOf(readValue(operator, text));
    return type === "json" && !/^\s*[[{]/.test(text) ? "string" : type;
}

/**
 * Formats the compared value for typing.
 * @param {string} operator
 * @param {Tree} value
 */
export function valueText(operator, value) {
    const isText = isTyped(operator) && valueTypeOf(value) === "string";
    if (operator === "almanac.network") return formatList([value].flat(), formatText);
    if (operator === "in") return formatList(value, isText ? formatText : formatValue);
    if (isText && typeof value === "string") return formatText(value, /^"|^$/);
    return isTextual(operator) && typeof value === "string" && !/^["{]/.test(value) ? value : formatValue(value);
}

/**
 * @param {string} operator
 * @param {string} text
 * @param {string} [type] a member of `valueTypes`
 * @returns {Tree}
 */
export function readValue(operator, text, type) {
    const isText = type === "string" && isTyped(operator);
    if (operator === "almanac.network") return parseList(text, parseText);
    if (operator === "in") return parseList(text, isText ? parseText : undefined);
    if (isText) return parseText(text);
    return isTextual(operator) && !/^["{]/.test(text) ? text : parseValue(text);
}

/**
 * Returns true if a comparison with the typed value means nothing.
 * @param {string} operator
 * @param {string} text
 * @param {string} [type]
 */
export function isBlank(operator, text, type) {
    const value = readValue(operator, text, type);
    return !text.trim() || (isTextual(operator) && value === "") || (Array.isArray(value) && value.length === 0);
}

/** @param {Tree | undefined} tree @returns {tree is string | null} */
const isChoice = (tree) => typeof tree === "string" || tree === null;

/**
 * @param {Tree} tree
 * @returns {Bucket | null}
 */
function readBucket(tree) {
    if (!Array.isArray(tree) || !isChoice(tree[0]) || tree.length > 2) return null;
    if (tree.length === 1) return { variant: tree[0], weight: null };
    return /^\d{1,10}$/.test(tree[1]?.text) ? { variant: tree[0], weight: Number(tree[1].text) } : null;
}

/** @param {Tree} tree */
const isPoint = (tree) =>
    Array.isArray(tree) && tree.length === 2 && instantOf(String(tree[0])) >= 0 && tree[1] instanceof Digits;

/**
 * @param {Tree} tree
 * @returns {Outcome}
 */
export function readOutcome(tree) {
    if (typeof tree === "string") return { kind: "variant", name: tree };
    if (tree === null) return { kind: "default" };
    const [name, value] = operatorOf(tree);
    if (name === "$ref" && typeof value === "string") return { kind: "ref", name: value };
    const all = Array.isArray(value) ? value : [];
    if (name === "if" && all.length > 1) {
        const rules = [];
        for (let at = 0; at + 1 < all.length; at += 2) rules.push({ when: all[at], gives: all[at + 1] });
        return { kind: "rules", rules, otherwise: all.length % 2 ? all[all.length - 1] : undefined };
    }
    const scheme = schemeOf(tree);
    if (scheme && name === "almanac.split" && piecesOf(scheme.parameters, scheme.rest[0]))
        return { kind: "scheme", scheme: scheme.parameters, by: scheme.unit, ranges: scheme.rest[0] };
    const keyed = scheme !== null || !Array.isArray(all[0]);
    const by = scheme ? scheme.unit : keyed ? all[0] : undefined;
    const [points, ...rest] = scheme ? scheme.rest : all.slice(keyed ? 1 : 0);
    if (name === "fractional" && points !== undefined) {
        const buckets = [points, ...rest].map(readBucket);
        if (!buckets.includes(null)) return { kind: "split", by, buckets: /** @type {Bucket[]} */ (buckets) };
    }
    const isRamp = name === "almanac.ramp" && Array.isArray(points) && points.length > 0 && points.every(isPoint);
    if (
        isRamp &&
        rest.length > 0 &&
        rest.length < 3 &&
        rest.every(isChoice) &&
        points.every(([time]) => isChoice(time))
    )
        return { kind: "ramp", ...(scheme && { scheme: scheme.parameters }), by, points, rest };
    return { kind: "json", tree };
}

/**
 * @param {Outcome} outcome
 * @returns {Tree}
 */
export function writeOutcome(outcome) {
    if (outcome.kind === "json") return outcome.tree;
    if (outcome.kind === "default") return null;
    if (outcome.kind === "variant") return outcome.name;
    if (outcome.kind === "ref") return rule("$ref", outcome.name);
    if (outcome.kind === "rules") {
        const pairs = outcome.rules.flatMap(({ when, gives }) => [when, gives]);
        return rule("if", outcome.otherwise === undefined ? pairs : [...pairs, outcome.otherwise]);
    }
    const by = outcome.by === undefined ? [] : [outcome.by];
    if (outcome.kind === "scheme") return rule("almanac.split", [outcome.scheme, ...by, outcome.ranges]);
    if (outcome.kind === "ramp") {
        const scheme = outcome.scheme ? [outcome.scheme] : [];
        return rule("almanac.ramp", [...scheme, ...by, outcome.points, ...outcome.rest]);
    }
    const buckets = outcome.buckets.map(({ variant, weight }) =>
        weight === null ? [variant] : [variant, new Digits(String(weight))],
    );
    return rule("fractional", [...by, ...buckets]);
}

/**
 * Parses a flag's targeting; a missing one has no rules and no outcome.
 * @param {Tree | undefined} targeting
 * @returns {Rules}
 */
export function readTargeting(targeting) {
    const outcome = readOutcome(targeting ?? null);
    if (outcome.kind === "rules") return outcome;
    const none = outcome.kind === "default" || (targeting instanceof Map && targeting.size === 0);
    return { kind: "rules", rules: [], otherwise: none ? undefined : targeting };
}

/**
 * Returns the definition with new targeting. A variant for everybody becomes the default variant.
 * @param {Members} definition
 * @param {Rules} rules
 * @returns {Members}
 */
export function withTargeting(definition, rules) {
    const next = new Map(definition);
    const { otherwise } = rules;
    if (rules.rules.length > 0) return next.set("targeting", writeOutcome(rules));
    if (!isChoice(otherwise) && otherwise !== undefined) return next.set("targeting", otherwise);
    next.delete("targeting");
    return otherwise ? next.set("defaultVariant", otherwise) : next;
}

/**
 * Returns the rule with every variant replaced.
 * @param {Tree} tree
 * @param {(variant: string) => string} change
 * @returns {Tree}
 */
export function mapVariants(tree, change) {
    const outcome = readOutcome(tree);
    const choice = (/** @type {string | null} */ name) => (name === null ? null : change(name));
    /** @type {(tree: Tree) => Tree} */
    const deeper = (one) => mapVariants(one, change);
    if (outcome.kind === "variant") return change(outcome.name);
    if (outcome.kind === "json" || outcome.kind === "scheme") return withSchemeResults(tree, deeper);
    if (outcome.kind === "split")
        outcome.buckets = outcome.buckets.map((bucket) => ({ ...bucket, variant: choice(bucket.variant) }));
    if (outcome.kind === "ramp") outcome.rest = outcome.rest.map(choice);
    if (outcome.kind === "rules") {
        outcome.rules = outcome.rules.map(({ when, gives }) => ({ when, gives: deeper(gives) }));
        if (outcome.otherwise !== undefined) outcome.otherwise = deeper(outcome.otherwise);
    }
    return writeOutcome(outcome);
}
