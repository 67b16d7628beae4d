/** Sentences that explain why a context gets its variant, built from the steps of the server's evaluation. */
import { isTyped, readCondition, readOutcome, subjectText, valueTypeOf } from "./flags-rules.js";
import { schemeOf } from "./flags-schemes.js";
import { sharesOf } from "./flags-shares.js";
import { Digits, formatList, formatValue, operatorOf, rule } from "./flags-tree.js";
import { comparedText, comparesTimes, conditionText, isClock, percent, short, timeWords } from "./flags-words.js";

/** @typedef {import("./flags-tree.js").Tree} Tree */
/** @typedef {import("./flags-tree.js").Members} Members */
/** @typedef {import("../../shared/texts.js").Texts} Texts */
/** @typedef {[key: string, slots: Record<string, any>]} Sentence a slot is a text of a user, or a sentence */
/** @typedef {{ holds: boolean, sentence: Sentence | string, hint?: Sentence | false }} Fact the result of a comparison */

/** The key of the sentence about a type that keeps a rule from matching. */
export const hintKey = "flag.why.type";

/** @type {Record<string, string>} */
const signs = { ">=": "≥", "<=": "≤", "!=": "≠" };

/** @param {Tree | undefined} tree @param {string[]} path @returns {any} */
const at = (tree, path) =>
    path.reduce((/** @type {any} */ one, part) => (one instanceof Map ? one.get(part) : one?.[part]), tree);

/** @param {Tree} tree */
const plain = (tree) => (tree instanceof Digits ? tree.text : String(tree));

/** @param {Texts} texts @param {Tree} tree @param {boolean} holds @returns {Sentence | string} */
const whole = (texts, tree, holds) => {
    const condition = conditionText(texts, tree);
    return holds ? condition : ["flag.why.wants", { condition }];
};

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
    const { operator, parts, hashed } = readCondition(node);
    const holds = result !== isNegated;
    if (!operator || hashed) return { holds, sentence: whole(texts, node, holds) };
    const [subject, other = null] = operator === "has" ? [...operands].reverse() : [operands[0], operands.at(-1)];
    const isTime = comparesTimes(operator) && subject instanceof Digits;
    const found = isTime ? new Date(Number(subject.text) * 1000).toISOString() : subject;
    // The server shortens long operands, and leaves the pattern of a match out.
    const wanted = parts[1] instanceof Map ? other : parts[1];
    const [reader, path] = operatorOf(parts[0]);
    const name =
        reader === "almanac.flag"
            ? `${texts.say("flags.column.name")} ${path}`
            : isClock(operator, parts[0])
              ? texts.say("flag.is.almanac.date")
              : subjectText(parts[0]);
    /** @param {Tree} tree */
    const shown = (tree) =>
        Array.isArray(tree)
            ? short(formatList(tree))
            : isTyped(operator)
              ? short(formatValue(tree))
              : comparedText(texts, operator, tree);
    const given = found === null ? texts.say("flag.why.missing") : shown(found);
    const value = shown(wanted);
    const sign = operator.split(" ").at(-1) ?? "";
    /** @param {Sentence | string} fact @returns {Sentence | string} */
    const signed = (fact) => (isNegated ? ["flag.why.not", { fact }] : fact);
    const word = comparesTimes(operator) ? timeWords(texts, operator, value) : `${signs[sign] ?? sign} ${value}`;
    if (holds && comparesTimes(operator)) return { holds, sentence: signed(`${name} ${given} (${word})`) };
    if (holds) {
        const key = `flag.is.${operator}`;
        const known = /^[!=]=/.test(operator) ? name : `${name} ${given}`;
        const slots = { name: known, operator: texts.has(key) ? texts.say(key) : (signs[sign] ?? sign), value };
        return { holds, sentence: signed(["flag.why.true", slots]) };
    }
    const key = `flag.want.${operator}`;
    const want = signed(texts.has(key) ? [key, { value }] : operator.startsWith("==") ? value : word);
    const isOfText = /^(?:starts|ends|almanac\.m)/.test(operator);
    const similar = isOfText ? "" : [wanted].flat().find((one) => plain(one) === plain(found));
    const [type, needed] = [found, similar ?? found].map((one) => valueTypeOf(one).replace("json", "object"));
    const slots = { name, type: texts.say(`type.${type}`), needed: texts.say(`type.${needed}`) };
    return {
        holds,
        sentence: ["flag.why.false", { name, given, want }],
        hint: type !== needed && found !== null && !isNegated && [hintKey, slots],
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
 * @returns {(Sentence | string)[]}
 */
export function explain(texts, answer, { key, definition, evaluators = null, context }) {
    const root = rule("flags", rule(key, definition)).set("$evaluators", evaluators);
    const [reason, variant] = [answer.get("reason"), answer.get("variant")];
    /** @type {(Sentence | string)[]} */
    const said = [];
    /** @type {(Fact & { isShared: boolean })[]} the comparisons since the last rule */
    let facts = [];
    let isOpen = reason !== "ERROR";
    for (const step of answer.get("steps") ?? []) {
        /** @type {string[]} */
        const path = step.get("path").slice(1).split("/");
        const names = path.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
        const finding = step.get("finding");
        const isShared = names[0] !== "flags";
        // The comparisons of another flag belong to that flag.
        if (finding === "flag") facts = facts.filter((fact) => !fact.isShared);
        if (!isShared && names[1] !== key) continue;
        const args = at(root, names);
        const node = rule(names.at(-1) ?? "", args ?? null);
        if (finding === "compared") {
            const isNegated = names.filter((name) => name === "!").length % 2 > 0;
            const fact = factOf(texts, node, step.get("operands"), step.get("result") === true, isNegated);
            facts.push({ ...fact, isShared });
        }
        if (!step.get("decides")) continue;
        if (finding === "condition") {
            const holds = step.get("holds");
            const number = (Number(step.get("branch")?.text ?? args?.length) >> 1) + Number(holds);
            const outer = names.flatMap((name, at) =>
                name === "if" && names[at + 1] ? [(Number(names[at + 1]) >> 1) + 1] : [],
            );
            const relevant = facts.filter((fact) => fact.holds === holds);
            const sentence = relevant.length
                ? relevant.map((fact) => fact.sentence).reduce((one, other) => ["flag.why.and", { one, other }])
                : whole(texts, args?.[2 * number - 2] ?? null, holds);
            const slots = { rule: texts.say("flag.rule", { n: [...outer, number].join(".") }), facts: sentence };
            said.push([`flag.why.${holds ? "matched" : "unmatched"}`, slots]);
            for (const { hint } of relevant) if (hint) said.push(hint);
            facts = [];
            isOpen = !holds;
            continue;
        }
        isOpen = false;
        const outcome = readOutcome(node);
        const scheme = schemeOf(node);
        const by = scheme ? scheme.unit : /** @type {any} */ (outcome).by;
        const read = operatorOf(by)[1];
        const name = typeof read === "string" ? read : "targetingKey";
        const value = at(context, name.split(".")) ?? "";
        const isUser = name === "targetingKey";
        const who = isUser ? ["flag.why.user", { name: plain(value) }] : `${name} ${formatValue(value)}`;
        const named = (/** @type {string | null | undefined} */ one) => one ?? texts.say("flag.then.default");
        const outcomeName = (/** @type {Tree | undefined} */ one) =>
            one instanceof Map ? conditionText(texts, one) : named(typeof one === "string" ? one : null);
        const number = (/** @type {string} */ member) => Number(plain(step.get(member)));
        const [first, result] = scheme?.rest ?? [];
        if (finding === "nothing-to-split-by") said.push(["flag.why.keyless", { name }]);
        else if (finding === "bucket") {
            const variant = outcomeName(at(first, [plain(step.get("range")), "2"]));
            const [place, count] = ["bucket", "buckets"].map((member) => plain(step.get(member)));
            said.push(["flag.why.bucket", { who, variant, place, count }]);
        } else if (scheme && finding === "ramp") {
            const slots = { who, variant: outcomeName(result), share: percent(texts, number("percent") / 100) };
            said.push([`flag.why.ramp.${step.get("in") ? "in" : "out"}`, slots]);
        } else if (outcome.kind === "split") {
            const bucket = sharesOf(outcome.buckets)[number("bucket") - (by ? 1 : 0)];
            const share = percent(texts, bucket?.share ?? 0);
            const place = percent(texts, Math.round(number("share") * 10_000) / 10_000);
            said.push(["flag.why.split", { who, variant: named(bucket?.variant), share, place }]);
        } else if (outcome.kind === "ramp") {
            const slots = { who, variant: named(outcome.rest[0]), share: percent(texts, number("percent") / 100) };
            said.push([`flag.why.ramp.${step.get("in") ? "in" : "out"}`, slots]);
        } else if (finding !== "compared") said.push(conditionText(texts, node));
    }
    said.push(...facts.map((fact) => fact.sentence));
    const ending = reason === "DISABLED" ? "off" : said.length > 0 ? "none" : "static";
    const outcome = variant ? ["flag.why.gets", { variant }] : ["flag.why.app", {}];
    if (isOpen) said.push([`flag.why.${ending}`, { outcome }]);
    return said;
}
