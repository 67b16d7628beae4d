/** The rules of a flag as a form, with their outcomes. Each control changes its own place in the rule. */
import { h } from "../../shared/dom.js";
import { readOutcome, readSubject, subjectText, writeOutcome } from "../state/flags-rules.js";
import { schemeName } from "../state/flags-schemes.js";
import { moved, percentsOf, sharesOf, weightsOf, weightsOfPercents } from "../state/flags-shares.js";
import { timeText } from "../state/flags-times.js";
import { Digits } from "../state/flags-tree.js";
import { conditionView, freshCondition, removal, replacedAt, without } from "./flags-conditions.js";
import { addButton, choice, iconButton, input, jsonField, limitedList, moveItems } from "./flags-fields.js";
import { percentages } from "./flags-percentages.js";
import { rampView, stepInterval } from "./flags-ramp.js";
import { schemeLine, schemeView } from "./flags-scheme.js";

/** @typedef {import("../state/flags-tree.js").Tree} Tree */
/** @typedef {import("../state/flags-rules.js").Rules} Rules */
/** @import { Form, Slot } from "./flags-fields.js" */

/**
 * @param {Form} form
 * @param {Slot} slot
 * @param {boolean} [alone] true if the outcome follows no rule
 * @returns {HTMLElement}
 */
function outcomeView(form, slot, alone = false) {
    const { texts, palette, variants, shared } = form;
    const { path } = slot;
    /** @returns {any} */
    const now = () => readOutcome(slot.get());
    /** @param {Record<string, any>} change */
    const take = (change) => slot.set(writeOutcome(/** @type {any} */ ({ ...now(), ...change })));
    const outcome = readOutcome(slot.get());
    const { kind } = outcome;
    const isForeign = kind === "scheme" || (kind === "ramp" && outcome.scheme !== undefined);
    const named = /** @type {[string, string][]} */ (variants().map((name) => [`=${name}`, name]));
    const kinds = ["default", "split", "ramp", ...(alone ? [] : ["rules"]), ...(kind === "json" ? ["json"] : [])];
    const options = /** @type {[string, string][]} */ ([
        ...(alone ? [] : named),
        ...kinds.map((one) => [one, texts.say(one === "json" ? "kind.json" : `flag.then.${one}`)]),
        ...(isForeign ? [["foreign", schemeName(outcome.scheme ?? null)]] : []),
        ...shared.map((name) => [`$${name}`, `${texts.say("screen.audiences")}: ${name}`]),
    ]);
    const shape =
        kind === "variant" ? `=${outcome.name}` : kind === "ref" ? `$${outcome.name}` : isForeign ? "foreign" : kind;
    const outcomeChoice = choice(form, path, "flag.then", options, shape, (to) => {
        const [into = "on", out = null] = variants();
        const begin = Math.ceil(form.now() / 3_600_000) * 3_600_000;
        take({
            kind: to[0] === "=" ? "variant" : to[0] === "$" ? "ref" : to,
            name: to.slice(1),
            scheme: undefined,
            by: undefined,
            buckets: [
                { variant: into, weight: 10 },
                { variant: out, weight: 90 },
            ],
            points: [
                [timeText(begin), new Digits("0")],
                [timeText(begin + stepInterval), new Digits("100")],
            ],
            rest: [into, out],
            rules: [{ when: freshCondition, gives: slot.get() }],
            otherwise: slot.get(),
        });
    });
    const dot = (/** @type {string | null} */ variant) => h("span", { class: `variant ${palette.color(variant)}` });
    /**
     * @param {string} place
     * @param {string | null} variant
     * @param {(variant: string | null) => void} put
     */
    const variantChoice = (place, variant, put) =>
        choice(
            form,
            place,
            "flag.variant",
            [...named, ["", texts.say("flag.then.default")]],
            variant === null ? "" : `=${variant}`,
            (to) => put(to ? to.slice(1) : null),
        );
    const head = h(
        "div",
        { class: "flag-line" },
        kind === "variant" ? dot(outcome.name) : kind === "default" && dot(null),
        outcomeChoice,
    );
    /** @type {Node[]} */
    let body = [];
    if (kind === "json") body = [jsonField(form, slot)];
    if (kind === "scheme") body = schemeView(form, slot, variantChoice);
    if (kind === "rules") body = [h("div", { class: "inside" }, rulesView(form, path, now, take))];
    if (kind === "ramp" && outcome.scheme) body = [schemeLine(form, slot)];
    else if (kind === "split" || kind === "ramp")
        body = [
            h("span", { class: "word" }, texts.say("flag.by")),
            input(
                form,
                path,
                "flag.attribute",
                subjectText(outcome.by),
                (text) => take({ by: text.trim() ? readSubject(text) : undefined }),
                { list: "flag-attributes", placeholder: "targetingKey" },
            ),
        ];
    if (kind === "ramp") {
        const [into, out = null] = outcome.rest;
        body = [
            h(
                "div",
                { class: "flag-line" },
                dot(into),
                variantChoice(`${path} in`, into, (one) => take({ rest: [one ?? into, out] })),
                h("span", { class: "hint" }, texts.say("flag.ramp.out")),
                dot(out),
                variantChoice(`${path} out`, out, (one) => take({ rest: [into, one] })),
            ),
            ...rampView(
                form,
                path,
                palette.color(into),
                body,
                () => now().points,
                (points) => take({ points }),
            ),
        ];
    }
    if (kind === "split") {
        /** @param {number[]} weights */
        const put = (weights) =>
            take({
                buckets: now().buckets.map((/** @type {any} */ one, /** @type {number} */ at) => ({
                    ...one,
                    weight: weights[at],
                })),
            });
        const split = percentages(form, {
            place: (at) => `${path}/bucket/${at}`,
            stored: () => percentsOf(now().buckets).map((one) => texts.number(one)),
            partsOf: weightsOfPercents,
            put,
            shares: () => sharesOf(now().buckets),
            move: (border, hundredths) => put(moved(weightsOf(now().buckets), border, hundredths)),
        });
        const row = (/** @type {import("../state/flags-rules.js").Bucket} */ { variant }, /** @type {number} */ at) => {
            const fractional = `${path}/fractional/${at + Number(outcome.by !== undefined)}`;
            const change = (/** @type {object} */ change) =>
                take({ buckets: replacedAt(now().buckets, at, { ...now().buckets[at], ...change }) });
            return h(
                "div",
                { class: "flag-line bucket", "data-path": fractional },
                dot(variant),
                variantChoice(fractional, variant, (to) => change({ variant: to })),
                texts.say("flag.to"),
                split.field(at),
                "%",
                outcome.buckets.length > 1 &&
                    iconButton(form, texts.say("flag.share.remove"), () => {
                        moveItems(form, `${path}/bucket`, removal(`${path}/bucket`, at));
                        take({ buckets: without(now().buckets, at) });
                    }),
            );
        };
        const add = () => {
            const { buckets } = now();
            const used = new Set(buckets.map((/** @type {any} */ one) => one.variant));
            take({
                buckets: [...buckets, { variant: variants().find((name) => !used.has(name)) ?? null, weight: 0 }],
            });
        };
        body = [
            split.bar,
            ...outcome.buckets.map(row),
            h("div", { class: "flag-line" }, body, addButton(form, "flag.share.add", add)),
        ];
    }
    return h("div", { class: "outcome parts", "data-path": path }, head, body);
}

/**
 * Creates the rules in their order, and the outcome if none matches.
 * @param {Form} form
 * @param {string} path
 * @param {() => Rules} now
 * @param {(rules: Rules) => void} take
 */
export function rulesView(form, path, now, take) {
    const { texts } = form;
    const { rules } = now();
    /** @param {Rules["rules"]} rules */
    const change = (rules) => take({ ...now(), rules });
    const word = (/** @type {string} */ key) => h("span", { class: "word" }, texts.say(key));
    const view = (/** @type {unknown} */ _, /** @type {number} */ at) => {
        /** @param {"when" | "gives"} side @param {number} place @returns {Slot} */
        const slot = (side, place) => ({
            path: `${path}/if/${2 * at + place}`,
            get: () => now().rules[at][side],
            set: (tree) => change(replacedAt(now().rules, at, { ...now().rules[at], [side]: tree })),
        });
        const remove = () => {
            const last = rules.length === 1;
            moveItems(form, `${path}/if`, (place) =>
                place >> 1 === at ? null : last ? path : `${path}/if/${place >> 1 > at ? place - 2 : place}`,
            );
            change(without(now().rules, at));
        };
        const up = () => {
            moveItems(form, `${path}/if`, (place) => {
                const to = place >> 1 === at ? place - 2 : place >> 1 === at - 1 ? place + 2 : place;
                return `${path}/if/${to}`;
            });
            change(replacedAt(replacedAt(now().rules, at, now().rules[at - 1]), at - 1, now().rules[at]));
        };
        return h(
            "div",
            { class: "rule", role: "group", "aria-label": texts.say("flag.rule", { n: at + 1 }) },
            word(at > 0 ? "flag.else-if" : "flag.if"),
            h(
                "div",
                { class: "actions" },
                at > 0 && iconButton(form, texts.say("flag.rule.up"), up, "down"),
                iconButton(form, texts.say("flag.rule.remove"), remove),
            ),
            conditionView(form, slot("when", 0), false),
            word("flag.then"),
            outcomeView(form, slot("gives", 1)),
        );
    };
    const alone = rules.length === 0;
    const last = {
        path: alone ? path : `${path}/if/${2 * rules.length}`,
        get: () => now().otherwise ?? null,
        set: (/** @type {Tree} */ tree) => take({ ...now(), otherwise: tree }),
    };
    const fresh = { when: freshCondition, gives: form.variants()[0] ?? null };
    const add = () => {
        const next = `${path}/if/${2 * rules.length + 2}`;
        form.invalid.rename((place) => (place.startsWith(last.path) ? next + place.slice(last.path.length) : place));
        change([...now().rules, fresh]);
    };
    return [
        limitedList(form, rules, view),
        addButton(form, "flag.rule.add", add),
        h("div", { class: "rule" }, word(alone ? "flag.everybody" : "flag.otherwise"), outcomeView(form, last, alone)),
    ];
}
