/** The rules of a flag as a form: conditions and outcomes. Each control changes its own place in the rule. */
import { h } from "../../shared/dom.js";
import {
    groups,
    operators,
    pointsText,
    readCondition,
    readOutcome,
    readPoints,
    readSubject,
    readValue,
    subjectText,
    valueText,
    writeCondition,
    writeOutcome,
} from "../state/flags-rules.js";
import { moved, scaledToHundredths, sharesOf, weightsOf } from "../state/flags-shares.js";
import { Digits, rule } from "../state/flags-tree.js";
import { addButton, choice, iconButton, input, jsonField, limitedList } from "./flags-fields.js";
import { percent, shareBar } from "./flags-shares-bar.js";

/** @typedef {import("../state/flags-tree.js").Tree} Tree */
/** @typedef {import("../state/flags-rules.js").Rules} Rules */
/** @import { Form, Slot } from "./flags-fields.js" */

/** @type {Tree} */
const freshCondition = rule("==", [rule("var", ""), ""]);

/** @template T @param {T[]} list @param {number} at @param {T} one */
const replacedAt = (list, at, one) => list.map((old, place) => (place === at ? one : old));
/** @template T @param {T[]} list @param {number} at */
const without = (list, at) => list.filter((_, place) => place !== at);

/**
 * @param {Form} form
 * @param {Slot} slot
 * @param {(() => void) | false} remove
 * @returns {HTMLElement}
 */
function conditionView(form, slot, remove) {
    const { texts } = form;
    const { path } = slot;
    const now = () => readCondition(slot.get());
    /** @param {Partial<import("../state/flags-rules.js").Condition>} change */
    const take = (change) => slot.set(writeCondition({ ...now(), ...change }));
    const { operator, parts, bare } = now();
    const isGroup = groups.includes(operator);
    const operatorText = (/** @type {string} */ one) => {
        const [base, ...relation] = one.split(" ");
        return [texts.has(`flag.is.${base}`) ? texts.say(`flag.is.${base}`) : base, ...relation].join(" ");
    };
    const all = [...operators, ...groups, ...form.shared.map((name) => `$ref ${name}`)];
    const options = /** @type {[string, string][]} */ (all.map((one) => [one, operatorText(one)]));
    if (!operator) options.push(["", texts.say("kind.json")]);
    const operatorChoice = choice(form, path, "flag.operator", options, operator, (to) => {
        const tree = slot.get();
        if (groups.includes(to)) take({ operator: to, parts: isGroup && to !== "!" ? parts : [tree], bare: false });
        else if (isGroup && now().parts.length) slot.set(now().parts[0]);
        else {
            const [subject, value = ""] = operator && now().parts.length ? now().parts : [rule("var", "")];
            const text = valueText(operator, value);
            take({
                operator: to,
                parts: to[0] === "$" ? [] : to === "!!" ? [subject] : [subject, readValue(to, text)],
            });
        }
    });
    const removeButton = remove && iconButton(form, texts.say("flag.condition.remove"), remove);
    const attributes = { class: isGroup ? "condition several" : "condition", "data-path": path };
    if (!operator) return h("div", attributes, operatorChoice, jsonField(form, slot), removeButton);
    if (!isGroup) {
        const [subject, value] = parts;
        const more = { list: "flag-attributes" };
        const hint = operator === "in" ? "a, b, c" : operator[7] === "d" ? "2026-12-01T09:00:00Z" : null;
        return h(
            "div",
            attributes,
            subject !== undefined &&
                input(
                    form,
                    path,
                    "flag.attribute",
                    subjectText(subject),
                    (text) => take({ parts: [readSubject(text), ...now().parts.slice(1)] }),
                    more,
                ),
            operatorChoice,
            value !== undefined &&
                input(
                    form,
                    path,
                    "column.value",
                    valueText(operator, value),
                    (text) => take({ parts: [now().parts[0], readValue(operator, text)] }),
                    { placeholder: hint },
                ),
            removeButton,
        );
    }
    const child = (/** @type {unknown} */ _, /** @type {number} */ at) =>
        conditionView(
            form,
            {
                path: `${path}/${operator}${bare ? "" : `/${at}`}`,
                get: () => now().parts[at],
                set: (tree) => take({ parts: replacedAt(now().parts, at, tree) }),
            },
            parts.length > 1 && (() => take({ parts: without(now().parts, at) })),
        );
    return h(
        "div",
        { ...attributes, role: "group", "aria-label": operatorText(operator) },
        h("div", { class: "flag-line" }, operatorChoice, removeButton),
        h(
            "div",
            { class: "inside" },
            limitedList(form, parts, child),
            operator !== "!" &&
                addButton(form, "flag.condition.add", () => take({ parts: [...now().parts, freshCondition] })),
        ),
    );
}

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
    const named = /** @type {[string, string][]} */ (variants().map((name) => [`=${name}`, name]));
    const kinds = ["default", "split", "ramp", ...(alone ? [] : ["rules"]), ...(kind === "json" ? ["json"] : [])];
    const options = /** @type {[string, string][]} */ ([
        ...(alone ? [] : named),
        ...kinds.map((one) => [one, texts.say(one === "json" ? "kind.json" : `flag.then.${one}`)]),
        ...shared.map((name) => [`$${name}`, `${texts.say("flag.is.$ref")} ${name}`]),
    ]);
    const shape = kind === "variant" ? `=${outcome.name}` : kind === "ref" ? `$${outcome.name}` : kind;
    const outcomeChoice = choice(form, path, "flag.then", options, shape, (to) => {
        const [into = "on", out = null] = variants();
        const begin = Math.ceil(form.now() / 3_600_000) * 3_600_000;
        const point = (/** @type {number} */ days, /** @type {string} */ share) => [
            `${new Date(begin + days * 86_400_000).toISOString().slice(0, 19)}Z`,
            new Digits(share),
        ];
        take({
            kind: to[0] === "=" ? "variant" : to[0] === "$" ? "ref" : to,
            name: to.slice(1),
            by: undefined,
            buckets: [
                { variant: into, weight: 10 },
                { variant: out, weight: 90 },
            ],
            points: [point(0, "0"), point(7, "100")],
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
    if (kind === "rules") body = [h("div", { class: "inside" }, rulesView(form, path, now, take))];
    if (kind === "split" || kind === "ramp")
        body = [
            h(
                "label",
                { class: "flag-line" },
                h("span", { class: "hint" }, texts.say("flag.by")),
                input(
                    form,
                    path,
                    "flag.by",
                    subjectText(outcome.by),
                    (text) => take({ by: text.trim() ? readSubject(text) : undefined }),
                    { list: "flag-attributes", placeholder: "targetingKey" },
                ),
            ),
        ];
    if (kind === "ramp") {
        const [into, out = null] = outcome.rest;
        const points = input(
            form,
            path,
            "flag.points",
            pointsText(outcome.points),
            (text) => {
                const points = readPoints(text);
                if (!points) return false;
                take({ points });
            },
            { rows: outcome.points.length + 1, class: "code", dir: "ltr" },
        );
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
            points,
            h("small", { class: "hint" }, texts.say("flag.points")),
            ...body,
        ];
    }
    if (kind === "split") {
        /** @type {[HTMLElement, HTMLElement][]} */
        const rows = [];
        const shares = () => sharesOf(now().buckets);
        /** @param {boolean} [weights] */
        const renderShares = (weights) => {
            for (const [at, { share }] of shares().entries()) {
                rows[at][1].textContent = percent(texts, share);
                if (weights) /** @type {HTMLInputElement} */ (rows[at][0]).value = now().buckets[at].weight;
            }
        };
        /** @param {number} border @param {number} hundredths */
        const move = (border, hundredths) => {
            const weights = moved(weightsOf(now().buckets), border, hundredths);
            take({
                buckets: now().buckets.map((/** @type {any} */ one, /** @type {number} */ at) => ({
                    ...one,
                    weight: weights[at],
                })),
            });
            renderShares(true);
            return shares();
        };
        const bar = shareBar(texts, palette, shares(), form.readOnly ? undefined : move);
        const row = (
            /** @type {import("../state/flags-rules.js").Bucket} */ { variant, weight },
            /** @type {number} */ at,
        ) => {
            const place = `${path}/fractional/${at + Number(outcome.by !== undefined)}`;
            const change = (/** @type {object} */ change) =>
                take({ buckets: replacedAt(now().buckets, at, { ...now().buckets[at], ...change }) });
            const field = input(
                form,
                place,
                "flag.weight",
                `${weight ?? 1}`,
                (text) => {
                    if (!/^\d{1,10}$/.test(text)) return false;
                    change({ weight: Number(text) });
                    bar.show(shares());
                    renderShares();
                },
                { inputmode: "numeric", class: "weight", dir: "ltr" },
            );
            const share = h("output", {});
            rows[at] = [field, share];
            return h(
                "div",
                { class: "flag-line bucket", "data-path": place },
                dot(variant),
                variantChoice(place, variant, (to) => change({ variant: to })),
                field,
                share,
                outcome.buckets.length > 1 &&
                    iconButton(form, texts.say("flag.share.remove"), () =>
                        take({ buckets: without(now().buckets, at) }),
                    ),
            );
        };
        const add = () => {
            const { buckets } = now();
            const weights = scaledToHundredths(weightsOf(buckets));
            const used = new Set(buckets.map((/** @type {any} */ one) => one.variant));
            take({
                buckets: [
                    ...buckets.map((/** @type {any} */ one, /** @type {number} */ at) => ({
                        ...one,
                        weight: weights[at],
                    })),
                    { variant: variants().find((name) => !used.has(name)) ?? null, weight: 0 },
                ],
            });
        };
        body = [
            bar.element,
            ...outcome.buckets.map(row),
            h("div", { class: "flag-line" }, body, addButton(form, "flag.share.add", add)),
        ];
        renderShares();
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
        const up = () => change(replacedAt(replacedAt(now().rules, at, now().rules[at - 1]), at - 1, now().rules[at]));
        return h(
            "div",
            { class: "rule", role: "group", "aria-label": texts.say("flag.rule", { n: at + 1 }) },
            h(
                "div",
                { class: "flag-line" },
                word(at > 0 ? "flag.else-if" : "flag.if"),
                h("span", { class: "space" }),
                at > 0 && iconButton(form, texts.say("flag.rule.up"), up, "down"),
                iconButton(form, texts.say("flag.rule.remove"), () => change(without(now().rules, at))),
            ),
            conditionView(form, slot("when", 0), false),
            h("div", { class: "then" }, word("flag.then"), outcomeView(form, slot("gives", 1))),
        );
    };
    const alone = rules.length === 0;
    const last = {
        path: alone ? path : `${path}/if/${2 * rules.length}`,
        get: () => now().otherwise ?? null,
        set: (/** @type {Tree} */ tree) => take({ ...now(), otherwise: tree }),
    };
    const fresh = { when: freshCondition, gives: form.variants()[0] ?? null };
    return [
        limitedList(form, rules, view),
        addButton(form, "flag.rule.add", () => change([...now().rules, fresh])),
        h("div", { class: "rule" }, word(alone ? "flag.everybody" : "flag.otherwise"), outcomeView(form, last, alone)),
    ];
}
