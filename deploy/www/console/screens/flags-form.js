/** Rules of a flag as a form: conditions and what they come to. Each control changes its own place in the rule. */
import { fill, foreign, h, icon } from "../../shared/dom.js";
import { failureOf, pretty } from "../../shared/json.js";
import { operators, readCondition, readOutcome, valueFor, writeCondition, writeOutcome } from "../state/flags-rules.js";
import { finer, moved, sharesOf, weightsOf } from "../state/flags-shares.js";
import { Digits, object, readTree, typed, typedList, untyped, untypedList, writeTree } from "../state/flags-tree.js";
import { percent, shareBar } from "./flags-shares.js";
import { button } from "./parts.js";

/** @typedef {import("../state/flags-tree.js").Tree} Tree */
/** @typedef {import("../state/flags-rules.js").By} By */
/** @typedef {{ path: string, get: () => Tree, set: (tree: Tree) => void }} Slot a place in a rule */
/**
 * @typedef {object} Form
 * @property {import("../../shared/texts.js").Texts} texts
 * @property {import("./flags-shares.js").Palette} palette
 * @property {boolean} fixed
 * @property {() => string[]} variants
 * @property {string[]} shared names of rules that flags share
 * @property {() => void} redraw
 * @property {() => number} now milliseconds since 1970
 */

/** So many parts of a rule are shown at once. */
const most = 40;

/** @type {Tree} */
const freshCondition = object({ "==": [object({ var: "" }), ""] });

/**
 * A select; the value that it has is among its options.
 * @param {Form} form
 * @param {Slot} slot
 * @param {string} label a key of the texts
 * @param {[string, string][]} options
 * @param {string} value
 * @param {(value: string) => void} take
 */
export function choice({ texts, fixed }, slot, label, options, value, take) {
    const select = h(
        "select",
        { "aria-label": texts.say(label), disabled: fixed, "data-at": `${slot.path} ${label}` },
        options.map(([one, text]) => h("option", { value: one, selected: one === value }, text)),
    );
    select.addEventListener("change", () => take(select.value));
    return select;
}

/**
 * @param {Form} form
 * @param {Slot} slot
 * @param {string} label a key of the texts
 * @param {string} value
 * @param {(value: string) => boolean | void} take whether it is good; nothing said is good
 * @param {Record<string, any>} [more]
 */
export function input({ texts, fixed }, slot, label, value, take, more = {}) {
    const field = h("input", {
        value,
        readOnly: fixed,
        dir: "auto",
        autocomplete: "off",
        spellcheck: "false",
        "aria-label": texts.say(label),
        "data-at": `${slot.path} ${label}`,
        ...more,
    });
    field.addEventListener("input", () => field.setAttribute("aria-invalid", String(take(field.value) === false)));
    return field;
}

/**
 * JSON that the form has no shape for.
 * @param {Form} form
 * @param {Slot} slot
 */
export function jsonField({ texts, fixed }, slot) {
    const text = pretty(writeTree(slot.get()));
    const field = h("textarea", {
        class: "exact code",
        rows: Math.min(10, text.split("\n").length),
        value: text,
        readOnly: fixed,
        spellcheck: "false",
        dir: "ltr",
        "aria-label": texts.say("kind.json"),
        "data-at": `${slot.path} json`,
    });
    field.addEventListener("input", () => {
        const good = failureOf(field.value) === null;
        field.setAttribute("aria-invalid", String(!good));
        if (good) slot.set(readTree(field.value));
    });
    return field;
}

/**
 * @param {Form} form
 * @param {string} label a key of the texts
 * @param {() => void} run
 */
function removeButton({ texts, fixed }, label, run) {
    const name = texts.say(label);
    return (
        !fixed &&
        h(
            "button",
            { type: "button", class: "quiet square", "aria-label": name, title: name, onclick: run },
            icon("close"),
        )
    );
}

/**
 * So many of a list, the others when they are asked for.
 * @template T
 * @param {Form} form
 * @param {T[]} all
 * @param {(one: T, at: number) => Node} make
 */
export function some({ texts }, all, make) {
    const box = h("div", { class: "parts" });
    let count = 0;
    const more = button("", () => add(), "quiet small", "down");
    const add = () => {
        box.append(...all.slice(count, count + most).map((one, at) => make(one, count + at)));
        count = Math.min(all.length, count + most);
        fill(more, texts.say("more", { n: all.length - count }));
        if (count < all.length) box.append(more);
        else more.remove();
    };
    add();
    return box;
}

/**
 * @param {Form} form
 * @param {Slot} slot
 * @param {(() => void) | null} remove
 * @returns {HTMLElement}
 */
export function conditionView(form, slot, remove) {
    const { texts, redraw } = form;
    const condition = readCondition(slot.get());
    const away = remove && removeButton(form, "flag.condition.remove", remove);
    /** @param {import("../state/flags-rules.js").Condition} next @param {boolean} [drawn] */
    const put = (next, drawn) => {
        slot.set(writeCondition(next));
        if (drawn) redraw();
    };
    const shape = condition.kind === "test" ? condition.subject.shape : condition.kind;
    const shapes = ["attribute", "flag", "all", "any", "not", ...(form.shared.length ? ["ref"] : [])];
    if (!shapes.includes(shape)) shapes.push(shape);
    const names = /** @type {[string, string][]} */ (shapes.map((one) => [one, texts.say(`flag.when.${one}`)]));
    const kind = choice(form, slot, "flag.when", names, shape, (to) => {
        const now = readCondition(slot.get());
        const group = now.kind === "all" || now.kind === "any" || now.kind === "not";
        if (to === "all" || to === "any") put({ kind: to, of: group ? now.of : [slot.get()] }, true);
        else if (to === "not") put({ kind: to, of: [slot.get()], bare: false }, true);
        else if (to === "ref") put({ kind: to, name: form.shared[0] }, true);
        else if (group && to === "attribute") put({ kind: "json", tree: now.of[0] }, true);
        else
            put(
                {
                    kind: "test",
                    subject: { shape: /** @type {"attribute" | "flag"} */ (to), name: "" },
                    operator: "==",
                    value: "",
                },
                true,
            );
    });
    const attributes = { class: `condition ${condition.kind}`, "data-path": slot.path };
    switch (condition.kind) {
        case "test":
            return h("div", attributes, kind, testFields(form, slot, condition), away);
        case "ref": {
            const known = form.shared.includes(condition.name) ? form.shared : [condition.name, ...form.shared];
            const options = /** @type {[string, string][]} */ (known.map((name) => [name, name]));
            const select = choice(form, slot, "flag.shared", options, condition.name, (name) =>
                put({ kind: "ref", name }),
            );
            return h("div", attributes, kind, select, away);
        }
        case "json":
            return h("div", attributes, kind, jsonField(form, slot), away);
    }
    const operator = { all: "/and", any: "/or", not: "/!" }[condition.kind];
    const bare = condition.kind === "not" && condition.bare;
    /** @returns {Extract<import("../state/flags-rules.js").Condition, { of: Tree[] }>} */
    const now = () => /** @type {any} */ (readCondition(slot.get()));
    const child = (/** @type {Tree} */ _, /** @type {number} */ at) =>
        conditionView(
            form,
            {
                path: `${slot.path}${operator}${bare ? "" : `/${at}`}`,
                get: () => now().of[at],
                set: (tree) => put({ ...now(), of: now().of.with(at, tree) }),
            },
            condition.of.length > 1 ? () => put({ ...now(), of: now().of.toSpliced(at, 1) }, true) : null,
        );
    const add = button(
        texts.say("flag.condition.add"),
        () => put({ ...now(), of: [...now().of, freshCondition] }, true),
        "quiet small",
        "add",
    );
    return h(
        "div",
        { ...attributes, role: "group", "aria-label": texts.say(`flag.when.${shape}`) },
        h("div", { class: "condition-head" }, kind, away),
        h("div", { class: "inside" }, some(form, condition.of, child), condition.kind !== "not" && !form.fixed && add),
    );
}

/**
 * What is looked at, how, and what it is compared with.
 * @param {Form} form
 * @param {Slot} slot
 * @param {import("../state/flags-rules.js").Test} test
 */
function testFields(form, slot, { subject, operator, value }) {
    const { texts, redraw } = form;
    const now = () => /** @type {import("../state/flags-rules.js").Test} */ (readCondition(slot.get()));
    /** @param {Partial<import("../state/flags-rules.js").Test>} change */
    const put = (change) => slot.set(writeCondition({ ...now(), ...change }));
    const name = input(
        form,
        slot,
        subject.shape === "flag" ? "kind.flag" : "flag.attribute",
        subject.name,
        (text) => put({ subject: { ...subject, name: text.trim() } }),
        { list: subject.shape === "flag" ? null : "flag-attributes", class: "subject" },
    );
    const known = operators.includes(operator) ? operators : [...operators, operator];
    const words = /** @type {[string, string][]} */ (
        known.map((one) => {
            const [base, relation] = one.split(" ");
            const key = `flag.is.${base}`;
            return [one, texts.has(key) ? `${texts.say(key)} ${relation ?? ""}`.trim() : one];
        })
    );
    const how = choice(form, slot, "flag.operator", words, operator, (next) => {
        put({ operator: next, value: valueFor(next, now().value) });
        redraw();
    });
    if (operator === "!!") return [name, how];
    const plain = operator === "has" || !/[ _.]/.test(operator);
    const date = operator.startsWith("almanac.date");
    const text = Array.isArray(value) ? typedList(value) : plain || value instanceof Digits ? typed(value) : value;
    /** @param {string} entered @returns {Tree} */
    const read = (entered) => {
        if (operator === "in") return untypedList(entered);
        if (plain) return untyped(entered);
        return date && /^\d{1,12}$/.test(entered) ? new Digits(String(Number(entered))) : entered;
    };
    const hint = operator === "in" ? "a, b, c" : date ? "2026-12-01T09:00:00Z" : null;
    const field = input(form, slot, "column.value", String(text), (entered) => put({ value: read(entered) }), {
        placeholder: hint,
        class: "compared",
    });
    return [name, how, field];
}

/**
 * @param {Form} form
 * @param {Slot} slot
 * @param {boolean} [alone] whether no rule stands in front of it
 * @returns {HTMLElement}
 */
export function outcomeView(form, slot, alone = false) {
    const { texts, palette, redraw } = form;
    const outcome = readOutcome(slot.get());
    /** @param {import("../state/flags-rules.js").Outcome} next */
    const put = (next) => slot.set(writeOutcome(next));
    const shape =
        outcome.kind === "variant" ? `=${outcome.name}` : outcome.kind === "ref" ? `$${outcome.name}` : outcome.kind;
    /** @type {[string, string][]} */
    const options = alone ? [] : form.variants().map((name) => [`=${name}`, name]);
    options.push(["default", texts.say("flag.then.default")]);
    options.push(["split", texts.say("flag.then.split")], ["ramp", texts.say("flag.then.ramp")]);
    if (!alone) options.push(["rules", texts.say("flag.then.rules")]);
    for (const name of form.shared) options.push([`$${name}`, texts.say("flag.then.ref", { name })]);
    if (!options.some(([one]) => one === shape))
        options.push([shape, /^[=$]/.test(shape) ? shape.slice(1) : texts.say(`flag.then.${shape}`)]);
    const kind = choice(form, slot, "flag.then", options, shape, (to) => {
        const variants = form.variants();
        const [first = "on", second = null] = variants;
        if (to.startsWith("=")) put({ kind: "variant", name: to.slice(1) });
        else if (to.startsWith("$")) put({ kind: "ref", name: to.slice(1) });
        else if (to === "split")
            put({
                kind: "split",
                by: { shape: "key" },
                buckets: [
                    { variant: first, weight: 10 },
                    { variant: second, weight: 90 },
                ],
            });
        else if (to === "ramp") {
            const begin = form.now() - (form.now() % 3_600_000) + 3_600_000;
            const points = [0, 100].map((share) => ({
                time: `${new Date(begin + share * 6_048_000).toISOString().slice(0, 19)}Z`,
                percent: new Digits(String(share)),
            }));
            put({ kind: "ramp", by: { shape: "key" }, points, into: first, out: second });
        } else if (to === "rules")
            put({ kind: "rules", rules: [{ when: freshCondition, gives: slot.get() }], otherwise: slot.get() });
        else put({ kind: "default" });
        redraw();
    });
    const swatch =
        (outcome.kind === "variant" || outcome.kind === "default") &&
        h("span", { class: `dot ${palette.color(outcome.kind === "variant" ? outcome.name : null)}` });
    const attributes = { class: `outcome ${outcome.kind}`, "data-path": slot.path };
    const head = h("div", { class: "outcome-head" }, swatch, kind);
    if (outcome.kind === "split") return h("div", attributes, head, splitFields(form, slot, outcome));
    if (outcome.kind === "ramp") return h("div", attributes, head, rampFields(form, slot, outcome));
    if (outcome.kind === "json") return h("div", attributes, head, jsonField(form, slot));
    if (outcome.kind !== "rules") return h("div", attributes, head);
    return h(
        "div",
        attributes,
        head,
        h(
            "div",
            { class: "inside" },
            rulesView(form, slot, () => outcomeRules(slot), put),
        ),
    );
}

/** @param {Slot} slot @returns {import("../state/flags-rules.js").Rules} */
const outcomeRules = (slot) => /** @type {any} */ (readOutcome(slot.get()));

/**
 * What a split or ramp goes by.
 * @param {Form} form
 * @param {Slot} slot
 * @param {By} by
 * @param {(by: By) => void} put
 */
function byFields(form, slot, by, put) {
    const { texts, redraw } = form;
    const shapes = ["key", "attribute", "salted", ...(by.shape === "json" ? ["json"] : [])];
    const options = /** @type {[string, string][]} */ (shapes.map((one) => [one, texts.say(`flag.by.${one}`)]));
    const name = by.shape === "attribute" || by.shape === "salted" ? by.name : "";
    const select = choice(form, slot, "flag.by", options, by.shape, (shape) => {
        put(/** @type {By} */ (shape === "key" ? { shape } : { shape, name: name || "email" }));
        redraw();
    });
    const field =
        by.shape === "json"
            ? h("code", {}, foreign(writeTree(by.tree)))
            : by.shape !== "key" &&
              input(form, slot, "flag.attribute", name, (text) => put({ ...by, name: text.trim() }), {
                  list: "flag-attributes",
                  class: "subject",
              });
    return h("div", { class: "by" }, h("span", { class: "hint" }, texts.say("flag.by")), select, field);
}

/**
 * @param {Form} form
 * @param {Slot} slot
 * @param {string} label a key of the texts
 * @param {string | null | undefined} value
 * @param {(variant: string | null) => void} take
 */
function variantChoice(form, slot, label, value, take) {
    /** @type {[string, string][]} */
    const options = form.variants().map((name) => [`=${name}`, name]);
    if (typeof value === "string" && !form.variants().includes(value)) options.push([`=${value}`, value]);
    options.push(["", form.texts.say("flag.then.default")]);
    const shown = typeof value === "string" ? `=${value}` : "";
    return choice(form, slot, label, options, shown, (name) => take(name ? name.slice(1) : null));
}

/**
 * @param {Form} form
 * @param {Slot} slot
 * @param {import("../state/flags-rules.js").Split} split
 */
function splitFields(form, slot, split) {
    const { texts, palette, redraw } = form;
    const now = () => /** @type {import("../state/flags-rules.js").Split} */ (readOutcome(slot.get()));
    /** @param {Partial<import("../state/flags-rules.js").Split>} change */
    const put = (change) => slot.set(writeOutcome({ ...now(), ...change }));
    /** @param {number} at @param {Partial<import("../state/flags-rules.js").Bucket>} change */
    const change = (at, change) =>
        put({ buckets: now().buckets.map((one, i) => (i === at ? { ...one, ...change } : one)) });
    /** @param {number[]} weights */
    const weigh = (weights) => put({ buckets: now().buckets.map((one, at) => ({ ...one, weight: weights[at] })) });
    const bar = shareBar(
        texts,
        palette,
        sharesOf(split.buckets),
        form.fixed
            ? undefined
            : (border, hundredths) => {
                  weigh(moved(weightsOf(now().buckets), border, hundredths));
                  tell(true);
                  return sharesOf(now().buckets);
              },
    );
    /** @type {{ field: HTMLInputElement, share: HTMLElement }[]} */
    const rows = [];
    /** @param {boolean} [weights] */
    const tell = (weights) => {
        const { buckets } = now();
        for (const [at, { share }] of sharesOf(buckets).entries()) {
            fill(rows[at].share, percent(texts, share));
            if (weights) rows[at].field.value = String(buckets[at].weight ?? 1);
        }
    };
    const row = (/** @type {import("../state/flags-rules.js").Bucket} */ bucket, /** @type {number} */ at) => {
        const place = { ...slot, path: `${slot.path}/fractional/${at + (split.by.shape === "key" ? 0 : 1)}` };
        const share = h("output", { class: "share-text" });
        const field = input(
            form,
            place,
            "flag.weight",
            String(bucket.weight ?? 1),
            (text) => {
                if (!/^\d{1,10}$/.test(text.trim())) return false;
                change(at, { weight: Number(text) });
                bar.show(sharesOf(now().buckets));
                tell();
            },
            { inputmode: "numeric", class: "weight", dir: "ltr" },
        );
        rows[at] = { field, share };
        return h(
            "div",
            { class: "bucket", "data-path": place.path },
            h("span", { class: `dot ${palette.color(bucket.variant)}` }),
            variantChoice(form, place, "flag.variant", bucket.variant, (variant) => {
                change(at, { variant });
                redraw();
            }),
            field,
            share,
            split.buckets.length > 1 &&
                removeButton(form, "flag.share.remove", () => {
                    put({ buckets: now().buckets.toSpliced(at, 1) });
                    redraw();
                }),
        );
    };
    const add = () => {
        const { buckets } = now();
        const weights = finer(weightsOf(buckets));
        const unused = form.variants().find((name) => !buckets.some(({ variant }) => variant === name)) ?? null;
        put({
            buckets: [...buckets.map((one, at) => ({ ...one, weight: weights[at] })), { variant: unused, weight: 0 }],
        });
        redraw();
    };
    const list = h("div", { class: "buckets" }, split.buckets.map(row));
    tell();
    return [
        bar.element,
        list,
        h(
            "div",
            { class: "foot" },
            byFields(form, slot, split.by, (by) => put({ by })),
            !form.fixed && button(texts.say("flag.share.add"), add, "quiet small", "add"),
        ),
    ];
}

/**
 * @param {Form} form
 * @param {Slot} slot
 * @param {import("../state/flags-rules.js").Ramp} ramp
 */
function rampFields(form, slot, ramp) {
    const { texts, redraw } = form;
    const now = () => /** @type {import("../state/flags-rules.js").Ramp} */ (readOutcome(slot.get()));
    /** @param {Partial<import("../state/flags-rules.js").Ramp>} change */
    const put = (change) => slot.set(writeOutcome({ ...now(), ...change }));
    /** @param {number} at @param {Partial<import("../state/flags-rules.js").Point>} change */
    const change = (at, change) =>
        put({ points: now().points.map((one, i) => (i === at ? { ...one, ...change } : one)) });
    const point = (
        /** @type {import("../state/flags-rules.js").Point} */ { time, percent },
        /** @type {number} */ at,
    ) => {
        const place = { ...slot, path: `${slot.path}/almanac.ramp/${at}` };
        const when = input(
            form,
            place,
            "flag.ramp.time",
            time,
            (text) => {
                change(at, { time: text.trim() });
                return !Number.isNaN(Date.parse(text));
            },
            { class: "compared", dir: "ltr" },
        );
        const share = input(
            form,
            place,
            "flag.ramp.percent",
            writeTree(percent),
            (text) => {
                const good = !failureOf(text) && Number(text) >= 0 && Number(text) <= 100;
                if (good) change(at, { percent: new Digits(text.trim()) });
                return good;
            },
            { inputmode: "decimal", class: "weight", dir: "ltr" },
        );
        return h(
            "div",
            { class: "bucket" },
            when,
            share,
            h("span", { "aria-hidden": "true" }, "%"),
            ramp.points.length > 1 &&
                removeButton(form, "flag.ramp.remove", () => {
                    put({ points: now().points.toSpliced(at, 1) });
                    redraw();
                }),
        );
    };
    const add = () => {
        const { points } = now();
        const last = Date.parse(points[points.length - 1].time);
        const time = `${new Date((Number.isNaN(last) ? form.now() : last) + 86_400_000).toISOString().slice(0, 19)}Z`;
        put({ points: [...points, { time, percent: new Digits("100") }] });
        redraw();
    };
    return [
        h(
            "div",
            { class: "by" },
            h("span", { class: "hint" }, texts.say("flag.ramp.in")),
            variantChoice(form, slot, "flag.ramp.in", ramp.into, (into) => into !== null && put({ into })),
            h("span", { class: "hint" }, texts.say("flag.ramp.out")),
            variantChoice(form, slot, "flag.ramp.out", ramp.out, (out) => put({ out })),
        ),
        h("div", { class: "buckets" }, some(form, ramp.points, point)),
        h(
            "div",
            { class: "foot" },
            byFields(form, slot, ramp.by, (by) => put({ by })),
            !form.fixed && button(texts.say("flag.ramp.add"), add, "quiet small", "add"),
        ),
    ];
}

/**
 * Rules in their order, and what is otherwise.
 * @param {Form} form
 * @param {Slot} slot
 * @param {() => import("../state/flags-rules.js").Rules} now
 * @param {(rules: import("../state/flags-rules.js").Rules) => void} put
 */
export function rulesView(form, slot, now, put) {
    const { texts, redraw } = form;
    const { rules } = now();
    /** @param {number} at @param {Partial<{ when: Tree, gives: Tree }>} change */
    const change = (at, change) =>
        put({ ...now(), rules: now().rules.map((one, i) => (i === at ? { ...one, ...change } : one)) });
    /** @param {number} at @param {number} count @param {...{ when: Tree, gives: Tree }} others */
    const splice = (at, count, ...others) => {
        put({ ...now(), rules: now().rules.toSpliced(at, count, ...others) });
        redraw();
    };
    const rule = (/** @type {unknown} */ _, /** @type {number} */ at) => {
        const path = `${slot.path}/if/`;
        const when = {
            path: `${path}${2 * at}`,
            get: () => now().rules[at].when,
            set: (/** @type {Tree} */ tree) => change(at, { when: tree }),
        };
        const gives = {
            path: `${path}${2 * at + 1}`,
            get: () => now().rules[at].gives,
            set: (/** @type {Tree} */ tree) => change(at, { gives: tree }),
        };
        const up = texts.say("flag.rule.up");
        return h(
            "div",
            { class: "rule", role: "group", "aria-label": texts.say("flag.rule", { n: at + 1 }) },
            h(
                "div",
                { class: "rule-head" },
                h("span", { class: "word" }, texts.say(at > 0 ? "flag.else-if" : "flag.if")),
                h("span", { class: "space" }),
                at > 0 &&
                    !form.fixed &&
                    h(
                        "button",
                        {
                            type: "button",
                            class: "quiet square up",
                            "aria-label": up,
                            title: up,
                            "data-at": `${path}${2 * at} up`,
                            onclick: () => splice(at - 1, 2, now().rules[at], now().rules[at - 1]),
                        },
                        icon("down"),
                    ),
                removeButton(form, "flag.rule.remove", () => splice(at, 1)),
            ),
            conditionView(form, when, null),
            h("div", { class: "then" }, h("span", { class: "word" }, texts.say("flag.then")), outcomeView(form, gives)),
        );
    };
    const last = {
        path: rules.length > 0 ? `${slot.path}/if/${2 * rules.length}` : slot.path,
        get: () => now().otherwise ?? null,
        set: (/** @type {Tree} */ tree) => put({ ...now(), otherwise: tree }),
    };
    const add = button(
        texts.say("flag.rule.add"),
        () => splice(now().rules.length, 0, { when: freshCondition, gives: form.variants()[0] ?? null }),
        "quiet small",
        "add",
    );
    return [
        some(form, rules, rule),
        !form.fixed && add,
        h(
            "div",
            { class: "rule otherwise" },
            h("span", { class: "word" }, texts.say(rules.length > 0 ? "flag.otherwise" : "flag.everybody")),
            outcomeView(form, last, rules.length === 0),
        ),
    ];
}
