/** Sentences that explain why a context gets its variant, built from the steps of the server's evaluation. */
import { isTyped, readCondition, readOutcome, subjectText, valueText, valueTypeOf } from "./flags-rules.js";
import { sharesOf } from "./flags-shares.js";
import { Digits, formatList, formatValue, operatorOf, rule } from "./flags-tree.js";
import { conditionText, percent, short } from "./flags-words.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */
/** @typedef {import("../../shared/texts.js").Texts} Texts */
/** @typedef {[key: string, slots: Record<string, any>]} Sentence a slot is a text of a user, or a sentence */
/** @typedef {{ holds: boolean, sentence: Sentence, hint?: Sentence }} Fact the result of a comparison */

/** The limit on the comparisons named for one condition. */
const maxFacts = 4;

/** @type {Record<string, string>} */
const signs = { ">=": "≥", "<=": "≤", "!=": "≠" };

/** @param {Tree | undefined} tree @param {string[]} path @returns {any} */
const at = (tree, path) =>
    path.reduce((/** @type {any} */ one, part) => (one instanceof Map ? one.get(part) : one?.[part]), tree);

/** @param {Tree} tree */
const plain = (tree) => (tree instanceof Digits ? tree.text : String(tree));

/** @param {string} operator @param {Tree} tree */
const shown = (operator, tree) =>
    short(Array.isArray(tree) ? formatList(tree) : isTyped(operator) ? formatValue(tree) : valueText(operator, tree));

/** @param {Texts} texts @param {Tree} tree @param {boolean} holds @returns {Sentence} */
const whole = (texts, tree, holds) => [`flag.why.${holds ? "is" : "wants"}`, { condition: conditionText(texts, tree) }];

/**
 * Describes a comparison: the compared values if it holds, else the value found and the one wanted.
 * @param {Texts} texts
 * @param {Tree} node
 * @param {Tree[]} operands
 * @param {boolean} result
 * @param {boolean} isNegated true if the rule wants the comparison to fail
 * @returns {Fact}
 */
function factOf(texts, node, operands, result, isNegated) {
    const { operator, parts } = readCondition(node);
    const holds = result !== isNegated;
    if (!operator) return { holds, sentence: whole(texts, node, holds) };
    const [subject, other = null] = operator === "has" ? [...operands].reverse() : [operands[0], operands.at(-1)];
    const isTime = operator.startsWith("almanac.date") && subject instanceof Digits;
    const given = isTime ? new Date(Number(subject.text) * 1000).toISOString() : subject;
    // The server shortens long operands, and leaves the pattern of a match out.
    const wanted = parts[1] instanceof Map ? other : parts[1];
    const [reader, path] = operatorOf(parts[0]);
    const name = reader === "almanac.flag" ? `${texts.say("flags.column.name")} ${path}` : subjectText(parts[0]);
    const sign = operator.split(" ").at(-1) ?? "";
    const value = shown(operator, wanted);
    const word = signs[sign] ?? sign;
    /** @param {Sentence | string} fact */
    const signed = (fact) => (isNegated ? ["flag.why.not", { fact }] : fact);
    if (holds) {
        const key = `flag.is.${operator}`;
        const known = given === null || /^[!=]=/.test(operator) ? name : `${name} ${shown(operator, given)}`;
        const fact = { name: known, operator: texts.has(key) ? texts.say(key) : word, value };
        return { holds, sentence: /** @type {Sentence} */ (signed(["flag.why.true", fact])) };
    }
    const key = `flag.want.${operator}`;
    const want = signed(texts.has(key) ? [key, { value }] : operator.startsWith("==") ? value : `${word} ${value}`);
    if (given === null) return { holds, sentence: ["flag.why.missing", { name, want }] };
    const isOfText = /^(?:starts|ends|almanac\.m)/.test(operator);
    const similar = isOfText ? "" : [wanted].flat().find((one) => plain(one) === plain(given));
    const types = [given, similar ?? given].map(valueTypeOf);
    const [type, needed] = types.map((one) => texts.say(`type.${one.replace("json", "object")}`));
    return {
        holds,
        sentence: ["flag.why.false", { name, given: shown(operator, given), want }],
        hint: types[0] === types[1] || isNegated ? undefined : ["flag.why.type", { name, type, needed }],
    };
}

/**
 * Returns the sentences, in the order of the evaluation.
 * @param {Texts} texts
 * @param {Members} answer the response of `POST /flags/{key}/explain`
 * @param {object} question
 * @param {string} question.key
 * @param {Tree} question.definition the evaluated definition
 * @param {Tree | undefined} question.evaluators the rules that all flags share
 * @param {Members} question.context
 * @returns {{ sentence: Sentence, isHint?: boolean }[]}
 */
export function explain(texts, answer, { key, definition, evaluators = null, context }) {
    const root = rule("flags", rule(key, definition)).set("$evaluators", evaluators);
    const [reason, variant] = [answer.get("reason"), answer.get("variant")];
    /** @type {{ sentence: Sentence, isHint?: boolean }[]} */
    const said = [];
    /** @type {(Fact & { isShared: boolean })[]} the comparisons since the last rule */
    let facts = [];
    let isUndecided = true;
    /** @param {Tree | undefined} by */
    const attribute = (by) => {
        const [reader, path] = operatorOf(by);
        return reader === "var" && typeof path === "string" ? path : "targetingKey";
    };
    /** @param {Tree | undefined} by @returns {Sentence | string} */
    const who = (by) => {
        const name = attribute(by);
        const value = at(context, name.split(".")) ?? "";
        return name === "targetingKey" ? ["flag.why.user", { name: plain(value) }] : `${name} ${formatValue(value)}`;
    };
    const named = (/** @type {string | null | undefined} */ name) => name ?? texts.say("flag.then.default");
    for (const step of answer.get("steps") ?? []) {
        const path = step
            .get("path")
            .split("/")
            .slice(1)
            .map((/** @type {string} */ part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
        const finding = step.get("finding");
        const isShared = path[0] !== "flags";
        // The comparisons of another flag belong to that flag.
        if (finding === "flag") while (facts.at(-1)?.isShared) facts.pop();
        if (!isShared && path[1] !== key) continue;
        const args = at(root, path);
        const operator = path.at(-1) ?? "";
        const node = rule(operator, args ?? null);
        if (finding === "compared") {
            const isNegated = path.filter((/** @type {string} */ part) => part === "!").length % 2 > 0;
            const fact = factOf(texts, node, step.get("operands"), step.get("result") === true, isNegated);
            facts.push({ ...fact, isShared });
        }
        if (!step.get("decides")) continue;
        isUndecided = false;
        if (finding === "condition") {
            const holds = step.get("holds");
            const branch = Number(step.get("branch")?.text ?? args?.length);
            const number = Math.floor(branch / 2) + (holds ? 1 : 0);
            const outer = path.flatMap((/** @type {string} */ part, /** @type {number} */ at) =>
                part === "if" && at < path.length - 1 ? [Math.floor(Number(path[at + 1]) / 2) + 1] : [],
            );
            const relevant = facts.filter((fact) => fact.holds === holds).slice(-maxFacts);
            const sentence = relevant.length
                ? relevant.map((fact) => fact.sentence).reduce((one, other) => ["flag.why.and", { one, other }])
                : whole(texts, args?.[2 * number - 2] ?? null, holds);
            const name = texts.say("flag.rule", { n: [...outer, number].join(".") });
            said.push({ sentence: [`flag.why.${holds ? "matched" : "unmatched"}`, { rule: name, facts: sentence }] });
            if (!holds) for (const { hint } of relevant) if (hint) said.push({ sentence: hint, isHint: true });
            facts = [];
            isUndecided = !holds;
        }
        const outcome = readOutcome(node);
        if (finding === "split") {
            const index = Number(step.get("bucket")?.text);
            const bucket = index - (Array.isArray(args?.[0]) ? 0 : 1);
            const share = outcome.kind === "split" ? sharesOf(outcome.buckets)[bucket]?.share : undefined;
            const slots = {
                who: who(outcome.kind === "split" ? outcome.by : undefined),
                variant: named(args?.[index]?.[0]),
                share: percent(texts, share ?? 0),
                place: percent(texts, Math.round(Number(plain(step.get("share"))) * 10_000) / 10_000),
            };
            said.push({ sentence: [`flag.why.${share === undefined ? "placed" : "split"}`, slots] });
        }
        if (finding === "ramp" && outcome.kind === "ramp") {
            const slots = {
                who: who(outcome.by),
                variant: named(outcome.rest[0]),
                share: percent(texts, Number(plain(step.get("percent"))) / 100),
            };
            said.push({ sentence: [`flag.why.ramp.${step.get("in") ? "in" : "out"}`, slots] });
        }
        if (finding === "nothing-to-split-by")
            said.push({ sentence: ["flag.why.keyless", { name: attribute(/** @type {any} */ (outcome).by) }] });
    }
    for (const { sentence } of facts) said.push({ sentence });
    const isNone = said.length > 0;
    const ending = reason === "DISABLED" ? "off" : isNone ? "none" : "static";
    /** @type {Sentence} */
    const outcome = variant ? ["flag.why.gets", { variant }] : ["flag.why.app", {}];
    if (isUndecided && reason !== "ERROR") said.push({ sentence: [`flag.why.${ending}`, { outcome }] });
    return said;
}
