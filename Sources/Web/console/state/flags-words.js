/** Sentences about flags: conditions, outcomes, and the differences of two definitions. */
import { same } from "../../shared/json-forms.js";
import { editableDefinition, isPublic, withPublic } from "./flags.js";
import { groups, readCondition, readOutcome, readTargeting, subjectText, valueText } from "./flags-rules.js";
import { sharesOf } from "./flags-shares.js";
import { formatValue, readTree, writeTree } from "./flags-tree.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */
/** @typedef {import("./draft.js").Content} Content */
/** @typedef {import("../../shared/texts.js").Texts} Texts */

/** The limit on the length of a value in a sentence, in UTF-16 units. */
const maxLength = 120;

/** @param {string} text */
const short = (text) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);

/**
 * @param {Texts} texts
 * @param {number} share a fraction of 1
 */
export function percent(texts, share) {
    const form = { style: /** @type {const} */ ("percent"), maximumFractionDigits: 3 };
    return new Intl.NumberFormat(texts.language, form).format(share);
}

/**
 * @param {Texts} texts
 * @param {import("./flags-shares.js").Share[]} shares
 * @param {(variant: string | null) => string} [name]
 */
export const sharesText = (texts, shares, name = (variant) => variant ?? texts.say("flag.then.default")) =>
    shares.map(({ variant, share }) => `${name(variant)} ${percent(texts, share)}`).join(", ");

/**
 * @param {Texts} texts
 * @param {string} operator
 */
export function operatorText(texts, operator) {
    const [base, ...relation] = operator.split(" ");
    return [texts.has(`flag.is.${base}`) ? texts.say(`flag.is.${base}`) : base, ...relation].join(" ");
}

/**
 * @param {Texts} texts
 * @param {Tree} tree
 * @returns {string}
 */
export function conditionText(texts, tree) {
    const { operator, parts } = readCondition(tree);
    const [first, value] = parts;
    if (!operator) return short(writeTree(tree));
    const word = operatorText(texts, operator);
    if (groups.includes(operator)) {
        const inner = parts.map((part) => {
            const isGroup = groups.includes(readCondition(part).operator) && parts.length > 1;
            return isGroup ? `(${conditionText(texts, part)})` : conditionText(texts, part);
        });
        if (operator === "!") return `${word} (${inner[0]})`;
        const type = operator === "and" ? "conjunction" : "disjunction";
        return new Intl.ListFormat(texts.language, { type }).format(inner);
    }
    if (first === undefined) return word;
    return [subjectText(first), word, value !== undefined && short(valueText(operator, value))]
        .filter(Boolean)
        .join(" ");
}

/**
 * @param {Texts} texts
 * @param {Tree} tree
 * @returns {string}
 */
export function outcomeText(texts, tree) {
    const outcome = readOutcome(tree);
    const { kind } = outcome;
    const named = (/** @type {string | null} */ variant) => variant ?? texts.say("flag.then.default");
    if (kind === "variant") return outcome.name;
    if (kind === "ref") return `${texts.say("flag.is.$ref")} ${outcome.name}`;
    if (kind === "default") return named(null);
    if (kind === "split") return sharesText(texts, sharesOf(outcome.buckets));
    if (kind === "ramp") {
        const steps = outcome.points.map(([time, { text }]) => `${percent(texts, Number(text) / 100)} (${time})`);
        return `${named(outcome.rest[0])} ${steps.join(" – ")}`;
    }
    if (kind === "json") return short(writeTree(tree));
    const rules = outcome.rules.map(
        ({ when, gives }) => `${conditionText(texts, when)} → ${outcomeText(texts, gives)}`,
    );
    return `${rules.join("; ")}; ${outcomeText(texts, outcome.otherwise ?? null)}`;
}

/**
 * Returns the sentences about the rules that differ. A rule is found again by its condition, or else by its place.
 * @param {Texts} texts
 * @param {import("./flags-rules.js").Rules} before
 * @param {import("./flags-rules.js").Rules} after
 */
function ruleChanges(texts, before, after) {
    const slots = (/** @type {{ when: Tree, gives: Tree }} */ { when, gives }, /** @type {number} */ at) => ({
        n: at + 1,
        when: conditionText(texts, when),
        now: outcomeText(texts, gives),
    });
    const keys = before.rules.map(({ when, gives }) => [writeTree(when), writeTree(gives)]);
    /** @type {Set<number>} */
    const found = new Set();
    /** @param {(at: number) => boolean} fits */
    const find = (fits) => {
        const at = keys.findIndex((_, at) => !found.has(at) && fits(at));
        if (at >= 0) found.add(at);
        return at;
    };
    const texted = after.rules.map(({ when, gives }) => [writeTree(when), writeTree(gives)]);
    const places = texted.map(([when, gives]) => find((at) => keys[at][0] === when && keys[at][1] === gives));
    for (const side of [0, 1])
        for (const [at, place] of places.entries())
            if (place < 0)
                places[at] = find((old) => keys[old][side] === texted[at][side] && (side === 0 || old === at));
    /** @type {string[]} */
    const said = [];
    for (const [at, place] of places.entries()) {
        const now = slots(after.rules[at], at);
        if (place < 0) said.push(texts.say("flag.diff.rule.added", now));
        else if (texted[at].join() !== keys[place].join()) {
            const was = slots(before.rules[place], place);
            const isOutcome = texted[at][0] === keys[place][0];
            said.push(texts.say("flag.diff.rule", { ...now, was: isOutcome ? was.now : was.when }));
        }
    }
    const kept = places.filter((place) => place >= 0);
    if (kept.some((place, at) => at > 0 && place < kept[at - 1])) said.push(texts.say("flag.diff.order"));
    for (const [at, one] of before.rules.entries())
        if (!found.has(at)) said.push(texts.say("flag.diff.rule.removed", slots(one, at)));
    const [was, now] = [before, after].map(({ otherwise }) => otherwise ?? null);
    if (writeTree(was) !== writeTree(now))
        said.push(texts.say("flag.diff.last", { now: outcomeText(texts, now), was: outcomeText(texts, was) }));
    return said;
}

/**
 * Returns the sentences about the differences of two flags, or an empty list if words cannot say them.
 * @param {Texts} texts
 * @param {Content | null | undefined} before
 * @param {Content | null | undefined} after
 */
export function flagChanges(texts, before, after) {
    const [one, other] = [before, after].map((content) => editableDefinition(readTree(content?.value ?? "{}")));
    if (!after || !one || !other) return [];
    /** @type {string[]} */
    const said = [];
    /** @param {string} key @param {Record<string, string | number>} slots */
    const tell = (key, slots = {}) => said.push(texts.say(`flag.diff.${key}`, slots));
    const [was, now] = [before, after].map((content) => content?.description ?? "");
    if (was !== now)
        tell("description", {
            was: short(was) || texts.say("value.empty"),
            now: short(now) || texts.say("value.empty"),
        });
    const differs = (/** @type {string} */ name) =>
        !same(writeTree(one.get(name) ?? null), writeTree(other.get(name) ?? null));
    const state = other.get("state");
    const known = state === "ENABLED" || state === "DISABLED";
    if (differs("state") && known) tell(state === "ENABLED" ? "on" : "off");
    if (isPublic(one) !== isPublic(other)) tell(isPublic(other) ? "public" : "private");
    const [old, young] = [one, other].map(
        (definition) => /** @type {Members} */ (definition.get("variants") ?? new Map()),
    );
    const text = (/** @type {Tree} */ value) => short(formatValue(value));
    for (const [name, value] of young)
        if (!old.has(name)) tell("variant.added", { name, now: text(value) });
        else if (!same(writeTree(value), writeTree(old.get(name))))
            tell("variant", { name, now: text(value), was: text(old.get(name)) });
    for (const name of old.keys()) if (!young.has(name)) tell("variant.removed", { name });
    const standard = (/** @type {Members} */ definition) =>
        String(definition.get("defaultVariant") ?? texts.say("flag.none"));
    if (differs("defaultVariant")) tell("default", { now: standard(other), was: standard(one) });
    said.push(...ruleChanges(texts, readTargeting(one.get("targeting")), readTargeting(other.get("targeting"))));
    // Members without a sentence of their own are named.
    const [bare, full] = [one, other].map((definition) => withPublic(definition, false));
    const told = ["variants", "defaultVariant", "targeting", ...(known ? ["state"] : [])];
    for (const name of new Set([...bare.keys(), ...full.keys()]))
        if (!told.includes(name) && !same(writeTree(bare.get(name) ?? null), writeTree(full.get(name) ?? null)))
            tell("other", { name });
    return said;
}
