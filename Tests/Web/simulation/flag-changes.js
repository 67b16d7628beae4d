/**
 * Random changes of flags, made with the console's modules against the real server. Before each release, the modules
 * say what it will do; after it, the server is asked what it did.
 */
import { entriesProposal, forecastOf } from "../../../Sources/Web/console/changes/forecast.js";
import { edit, noDraft, patchBody } from "../../../Sources/Web/console/state/draft.js";
import { renamed, withMember, withPublic } from "../../../Sources/Web/console/state/flags.js";
import { readContext } from "../../../Sources/Web/console/state/flags-contexts.js";
import {
    mapVariants,
    readOutcome,
    readSubject,
    readTargeting,
    readValue,
    withTargeting,
    writeCondition,
    writeOutcome,
} from "../../../Sources/Web/console/state/flags-rules.js";
import {
    moved,
    sampleShares,
    sharesWithoutRule,
    weightsOf,
    weightsOfPercents,
} from "../../../Sources/Web/console/state/flags-shares.js";
import { Digits, readTree, writeTree } from "../../../Sources/Web/console/state/flags-tree.js";
import { explain } from "../../../Sources/Web/console/state/flags-why.js";
import { en } from "../../../Sources/Web/console/texts/en.js";
import { flags as flagTexts } from "../../../Sources/Web/console/texts/flags.en.js";
import { API, Problem } from "../../../Sources/Web/shared/api.js";
import { Texts } from "../../../Sources/Web/shared/texts.js";
import { random } from "../state/checks.js";

/** @typedef {import("../../../Sources/Web/console/state/flags-tree.js").Tree} Tree */
/** @typedef {import("../../../Sources/Web/console/state/flags-tree.js").Members} Members */
/** @typedef {import("../../../Sources/Web/console/state/flags-why.js").Sentence} Sentence */
/** @typedef {(below: number) => number} Random */

const key = "changed.at-random";
const contextsPerChange = 6;
/** The difference allowed between a share and its sample of 10,000 users, which is five standard deviations. */
const tolerance = 0.025;

/** Values of attributes, as typed. */
const attributes = {
    plan: ["pro", "free", "", "<b>pro</b>", "שלום", '"101"', "101"],
    country: ["DE", "AT", "FR", "أهلاً"],
    age: ["17", "18", "18.5", "9007199254740991", "many"],
    appVersion: ["4.2.0", "4.10.0", "5.0.0-beta.1", "none"],
    email: ["anna@example.com", "bo@marigold.example", "12"],
    "company.size": ["5", "5000"],
};
/** Conditions as typed into the form: the attribute, the operator and the value. */
const conditions = [
    ["plan", "==", "pro"],
    ["plan", "!=", "pro"],
    ["plan", "in", "pro, 101"],
    ["plan", "has", "o"],
    ["plan", "!!", ""],
    ["country", "in", "DE, AT, CH"],
    ["age", ">=", "18"],
    ["age", "<", "18"],
    ["appVersion", "sem_ver >=", "4.2.0"],
    ["appVersion", "sem_ver ^", "4.0.0"],
    ["email", "ends_with", "@marigold.example"],
    ["email", "starts_with", "anna"],
    ["email", "almanac.matches", "^[a-z]+@"],
    ["company.size", ">", "100"],
    ["$flagd.timestamp", "almanac.date >=", "2020-01-01T00:00:00Z"],
];

/** @template One @param {Random} below @param {readonly One[]} all @returns {One} */
const any = (below, all) => all[below(all.length)];

/** @param {Random} below @param {number} [depth] @returns {Tree} */
function condition(below, depth = 0) {
    if (depth < 2 && below(3) === 0) {
        const operator = any(below, ["and", "or", "!"]);
        const parts = Array.from({ length: operator === "!" ? 1 : 1 + below(3) }, () => condition(below, depth + 1));
        return writeCondition({ operator, parts });
    }
    const [attribute, operator, value] = any(below, conditions);
    const parts = operator === "!!" ? [readSubject(attribute)] : [readSubject(attribute), readValue(operator, value)];
    return writeCondition({ operator, parts });
}

/** Returns an outcome whose shares do not change with time. @param {Random} below @param {string[]} names @returns {Tree} */
function outcome(below, names, depth = 0) {
    const by = below(4) === 0 ? readSubject("plan") : undefined;
    const choice = () => (below(6) === 0 ? null : any(below, names));
    switch (below(depth < 1 ? 6 : 5)) {
        case 0:
            return choice();
        case 1:
        case 2: {
            const percent = below(1001) / 10;
            const weights = weightsOfPercents([`${percent}`, `${Math.round((100 - percent) * 10) / 10}`]) ?? [1, 1];
            return writeOutcome({
                kind: "split",
                by,
                buckets: weights.map((weight) => ({ variant: choice(), weight })),
            });
        }
        case 3: {
            const points = [`2020-01-01T00:00:00Z`, `2099-01-01T00:00:00Z`].map(
                (time) => /** @type {[string, Digits]} */ ([time, new Digits(`${below(2) * 35}`)]),
            );
            points[1][1] = points[0][1];
            return writeOutcome({ kind: "ramp", by, points, rest: [choice(), choice()] });
        }
        case 4:
            return any(below, names);
        default:
            return writeOutcome({
                kind: "rules",
                rules: [{ when: condition(below), gives: outcome(below, names, 1) }],
                otherwise: below(2) ? outcome(below, names, 1) : undefined,
            });
    }
}

/** @param {Random} below @param {Members} definition @returns {Members} */
function ruled(below, definition) {
    const names = [...definition.get("variants").keys()];
    const rules = Array.from({ length: below(4) }, () => ({ when: condition(below), gives: outcome(below, names) }));
    const otherwise = below(3) ? outcome(below, names) : undefined;
    return withTargeting(definition, { kind: "rules", rules, otherwise });
}

/** @param {Random} below @returns {Members} */
function definition(below) {
    const variants = any(below, [
        { on: true, off: false },
        { small: 1, medium: 2, large: 900719925474099 },
        { "<i>red</i>": "#f00", כחול: "#00f", "no color": "" },
        { one: { size: 1 }, other: { size: 2, names: ["a", null] } },
    ]);
    const whole = { state: "ENABLED", variants, defaultVariant: any(below, Object.keys(variants)) };
    return ruled(below, /** @type {Members} */ (readTree(JSON.stringify(whole))));
}

/** Changes a definition like the form does. @param {Random} below @param {Members} one @returns {Members} */
function edited(below, one) {
    const variants = /** @type {Members} */ (one.get("variants"));
    const names = [...variants.keys()];
    const targeting = readTargeting(one.get("targeting"));
    const otherwise = readOutcome(targeting.otherwise ?? null);
    if (one.get("state") === "DISABLED" && below(2)) return withMember(one, "state", "ENABLED");
    switch (below(8)) {
        case 0:
            return withMember(one, "state", "DISABLED");
        case 1:
            return withMember(one, "defaultVariant", below(4) ? any(below, names) : undefined);
        case 2:
            return withPublic(one, below(2) > 0);
        case 3: {
            const from = any(below, names);
            const to = `${from}.2`;
            const change = (/** @type {string} */ name) => (name === from ? to : name);
            let next = withMember(one, "variants", renamed(variants, from, to));
            if (one.get("defaultVariant") === from) next = withMember(next, "defaultVariant", to);
            return one.has("targeting")
                ? withMember(next, "targeting", mapVariants(one.get("targeting"), change))
                : next;
        }
        case 4: {
            if (otherwise.kind !== "split") return ruled(below, one);
            const weights = moved(weightsOf(otherwise.buckets), 0, below(41) - 20);
            const buckets = otherwise.buckets.map(({ variant }, at) => ({ variant, weight: weights[at] }));
            return withTargeting(one, { ...targeting, otherwise: writeOutcome({ ...otherwise, buckets }) });
        }
        case 5:
            return definition(below);
        default:
            return ruled(below, one);
    }
}

/** Returns a context as typed. @param {Random} below */
function contextText(below) {
    const lines = Object.entries(attributes).flatMap(([name, values]) =>
        below(3) === 0 ? [] : [`${name}: ${any(below, values)}`],
    );
    if (below(5) > 0) lines.push(`targetingKey: user ${below(1000)}`);
    if (below(4) > 0) return lines.join("\n");
    return writeTree(readContext(lines.join("\n")) ?? new Map());
}

const texts = new Texts("en", { ...en, ...flagTexts }, Date.now);

/** @param {Sentence | string} one @returns {string} */
const text = (one) =>
    typeof one === "string"
        ? one
        : texts.say(one[0], Object.fromEntries(Object.entries(one[1]).map(([name, slot]) => [name, text(slot)])));

/** @param {unknown} one @param {unknown} other @param {string} what */
function mustEqual(one, other, what) {
    const [said, done] = [one, other].map((value) => JSON.stringify(value));
    if (said !== done) throw new Error(`${what}: the console said ${said}, the server did ${done}`);
}

/** Returns the number of sampled users by variant, in an order of its own. @param {any} sample */
const countsOf = ({ variants }) => variants.map((/** @type {any} */ one) => `${one.name ?? ""}: ${one.count}`).sort();

/** Checks the sentences against the variant of a context. @param {string[]} said @param {any} found @param {Members} now */
function checkSentences(said, found, now) {
    if (said.some((one) => /[{]\w+[}]|flag\.w/.test(one.replace(/\{".*/, "")))) throw new Error(`slots: ${said}`);
    if (found.reason === "ERROR") return;
    if (said.length === 0) throw new Error("no sentence");
    if (found.reason === "DISABLED") return mustEqual(said, ["The flag is off, so apps use their own default"], "off");
    const last = said[said.length - 1];
    const gets = /so (?:everyone gets (.*)|apps use their own default)$/.exec(last);
    if (gets) mustEqual(gets[1] ?? null, found.variant, last);
    const rule = said.map((one) => /^Rule (\d+) matched/.exec(one)).find(Boolean);
    const gives = rule && readOutcome(readTargeting(now.get("targeting")).rules[Number(rule[1]) - 1].gives);
    if (gives?.kind === "variant") mustEqual(gives.name, found.variant, rule?.input ?? "");
    const split = /that get (.*) \(bucket/.exec(last);
    if (split && split[1] !== "Default variant") mustEqual(split[1], found.variant, last);
}

/**
 * Makes changes one after the other, and returns the first failure of each kind as texts.
 * @param {{ environment: string, seed: number, changes: number }} run
 */
export async function runFlagChanges({ environment, seed, changes }) {
    const root = `/${environment}`;
    const api = new API(fetch, (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)));
    const ask = async (/** @type {string} */ path, /** @type {string} */ body, revision = 0) => {
        const answer = await api.send("POST", `${root}/${path}`, { body, revision: revision || undefined });
        return { ...answer.document, text: answer.text };
    };
    const { signal } = new AbortController();
    const below = random(seed);
    /** @type {import("../../../Sources/Web/console/state/draft.js").Content | null} */
    let stored = null;
    let now = definition(below);
    /** @type {string[]} */
    const failures = [];
    /** @type {Record<string, number>} the number of evaluations by reason, of rules that matched, and of shares */
    const seen = {};
    const count = (/** @type {string} */ name) => {
        seen[name] = (seen[name] ?? 0) + 1;
    };
    for (let number = 0; number < changes; number += 1) {
        /** @type {Members} */
        const next = stored ? edited(below, now) : now;
        /** @type {import("../../../Sources/Web/console/state/draft.js").Content} */
        const after = { value: writeTree(next), description: "Changed at random", kind: "flag" };
        const { changes: draft } = edit(noDraft, key, stored, after);
        const contexts = Array.from({ length: contextsPerChange }, () => contextText(below));
        if (Object.keys(draft).length === 0) {
            count("unchanged");
            continue;
        }
        try {
            const base = (await api.get(`${root}/config`)).cursor;
            const proposal = entriesProposal(root, patchBody(draft), base);
            const forecast = await forecastOf(api, proposal, signal);
            const body = `"definition": ${after.value}`;
            const forecastSample = await ask(`flags/${key}/sample`, `{${body}}`);
            const former = stored && (await ask(`flags/${key}/sample`, "{}"));
            const answers = [];
            for (const typed of contexts) {
                const context = readContext(typed) ?? new Map();
                const found = await ask(`flags/${key}/explain`, `{"context": ${writeTree(context)}, ${body}}`);
                const answer = /** @type {Members} */ (readTree(found.text));
                const said = explain(texts, answer, { key, definition: next, evaluators: undefined, context });
                checkSentences(said.map(text), found, next);
                if (said.some(([name]) => name === "flag.why.matched")) count("matched");
                answers.push({ context, found });
            }
            const { method, path, query } = proposal;
            const question = { query, body: proposal.body, ifMatch: forecast.cursor };
            const release = (await api.send(method, path, question)).document;
            mustEqual(forecast.version, release.version, "version");
            for (const { context, found } of answers) {
                const asked = `{"context": ${writeTree(context)}}`;
                const evaluated = await ask(`ofrep/v1/evaluate/flags/${key}`, asked, release.revision).catch(
                    (failure) => {
                        if (failure instanceof Problem && failure.status === 400) return { reason: "ERROR" };
                        throw failure;
                    },
                );
                const [said, done] = [found, evaluated].map(({ variant, value, reason }) => [
                    variant || null,
                    value === undefined ? null : JSON.parse(value),
                    reason,
                ]);
                mustEqual(said, done, `context ${asked}`);
                count(found.reason);
            }
            const sample = await ask(`flags/${key}/sample`, "{}", release.revision);
            mustEqual(countsOf(forecastSample), countsOf(sample), "sample");
            if (former) {
                const [before] = sampleShares(forecastSample);
                const known = Object.fromEntries(
                    former.variants.map((/** @type {any} */ one) => [one.name, one.count]),
                );
                for (const { variant, share } of before)
                    mustEqual(Math.round(share * sample.sampled), known[`${variant}`] ?? 0, `${variant} before`);
            }
            const { rules, shares } = sharesWithoutRule(next, Date.now());
            const outcome = readOutcome(readTargeting(next.get("targeting")).otherwise ?? null);
            if (rules === 0 && shares && next.get("state") === "ENABLED" && !(/** @type {any} */ (outcome).by)) {
                count("shares");
                /** @type {Map<string | null, number>} */
                const expected = new Map();
                for (const { variant, share } of shares) {
                    const name = variant ?? next.get("defaultVariant") ?? null;
                    expected.set(name, (expected.get(name) ?? 0) + share);
                }
                for (const [name, share] of expected) {
                    const found = sample.variants.find((/** @type {any} */ one) => one.name === name)?.count ?? 0;
                    if (Math.abs(found / sample.sampled - share) > tolerance)
                        throw new Error(`share of ${name}: the console said ${share}, the server sampled ${found}`);
                }
            }
            [stored, now] = [after, next];
        } catch (failure) {
            const reason = failure instanceof Problem ? `${failure.status} ${failure.message}` : failure;
            failures.push(`change ${number}: ${reason}\n  from ${stored?.value}\n  to ${after.value}`);
            if (failures.length === 3) break;
        }
    }
    return { failures, seen };
}
