/** The conditions of a rule as a form: comparisons of attributes, and groups of conditions. */
import { fill, h } from "../../shared/dom.js";
import { failureOf } from "../../shared/json.js";
import { isIDList, readIDs } from "../state/flags-references.js";
import {
    foldable,
    groups,
    isBlank,
    isTyped,
    likelyType,
    operators,
    readCondition,
    readSubject,
    readValue,
    subjectText,
    valueText,
    valueTypeOf,
    valueTypes,
    writeCondition,
} from "../state/flags-rules.js";
import { localTime, localZone } from "../state/flags-times.js";
import { rule } from "../state/flags-tree.js";
import { comparesTimes, hiddenWords, operatorText } from "../state/flags-words.js";
import {
    addButton,
    choice,
    iconButton,
    input,
    jsonFault,
    jsonField,
    limitedList,
    moveItems,
    timeAttribute,
    timeField,
} from "./flags-fields.js";

/** @typedef {import("../state/flags-tree.js").Tree} Tree */
/** @import { Form, Slot } from "./flags-fields.js" */

/** @type {Tree} */
export const freshCondition = rule("==", [rule("var", ""), ""]);

/** The attribute that apps always send as a text. */
const textAttribute = "targetingKey";
/** @type {Record<string, string>} examples of values by operator */
const examples = {
    in: "DE, AT",
    sem_ver: "4.2.0",
    "almanac.version": "2.10.0.4",
    "almanac.network": "10.0.0.0/8",
    ends_with: "@example.com",
};

/** @template T @param {T[]} list @param {number} at @param {T} one */
export const replacedAt = (list, at, one) => list.map((old, place) => (place === at ? one : old));
/** @template T @param {T[]} list @param {number} at */
export const without = (list, at) => list.filter((_, place) => place !== at);
/** Returns the new path of an item after the removal of another one. @type {(base: string, gone: number) => (at: number) => string | null} */
export const removal = (base, gone) => (at) => (at === gone ? null : `${base}/${at > gone ? at - 1 : at}`);

/**
 * Parses a typed value, in lower case if the subject is compared so.
 * @param {string} operator
 * @param {string} text
 * @param {string} type
 * @param {string} [lower]
 */
const read = (operator, text, type, lower) =>
    lower ? readValue(operator, text.toLowerCase(), "string") : readValue(operator, text, type);

/**
 * Creates the fields of a condition in the order of a sentence.
 * @param {Form} form
 * @param {Slot} slot
 * @param {(() => void) | false} remove
 * @param {boolean} [inGroup] true if the condition is a part of a group
 * @returns {HTMLElement}
 */
export function conditionView(form, slot, remove, inGroup = false) {
    const { texts } = form;
    const { path } = slot;
    const now = () => readCondition(slot.get());
    /** @param {Partial<import("../state/flags-rules.js").Condition>} change */
    const take = (change) => slot.set(writeCondition({ ...now(), ...change }));
    const { operator, parts, bare, lower, hashed } = now();
    const isGroup = groups.includes(operator);
    const all = [
        ...operators,
        ...foldable.map((one) => `lower ${one}`),
        ...groups,
        ...form.shared.map((name) => `$ref ${name}`),
    ];
    const options = /** @type {[string, string][]} */ (all.map((one) => [one, operatorText(texts, one)]));
    if (!operator) options.push(["", texts.say("kind.json")]);
    if (/^almanac\.padded/.test(operator)) options.push([operator, operatorText(texts, operator)]);
    const change = (/** @type {string} */ wanted) => {
        const to = wanted.replace(/^lower /, "");
        const fold = wanted === to ? undefined : "list";
        const tree = slot.get();
        const inner = isGroup && `${path}/${operator}${bare ? "" : "/0"}`;
        if (isGroup && groups.includes(to)) moveItems(form, `${path}/${operator}`, (at) => `${path}/${to}/${at}`);
        else if (isGroup !== groups.includes(to))
            form.invalid.rename((place) => {
                const from = inner || path;
                const end = place.slice(from.length);
                return place.startsWith(from) && /^[ /]/.test(end) ? (inner ? path : `${path}/${to}/0`) + end : place;
            });
        if (groups.includes(to))
            take({ operator: to, parts: isGroup && to !== "!" ? now().parts : [tree], bare: false });
        else if (isGroup && now().parts.length) slot.set(now().parts[0]);
        else {
            let [subject, value = ""] = operator && now().parts.length ? now().parts : [rule("var", "")];
            const [from, known] = [comparesTimes(operator) && timeAttribute, comparesTimes(to) && timeAttribute];
            // Comparisons of times read the clock, unless they have another attribute.
            if (from !== known && subjectText(subject) === (from || "")) subject = rule("var", known || "");
            if (known && !localTime(`${value}`)) value = "";
            const text = value === "" ? value : valueText(operator, value);
            take({
                operator: to,
                lower: fold,
                parts:
                    to[0] === "$" ? [] : to === "!!" ? [subject] : [subject, read(to, text, valueTypeOf(value), fold)],
            });
        }
    };
    const operatorChoice = choice(form, path, "flag.operator", options, lower ? `lower ${operator}` : operator, change);
    const extend = () => {
        change("and");
        take({ parts: [...now().parts, freshCondition] });
    };
    const addMore = !inGroup && !isGroup && addButton(form, "flag.condition.add", extend, -1);
    const removeButton = remove && iconButton(form, texts.say("flag.condition.remove"), remove);
    const attributes = { class: isGroup ? "condition several" : "condition", "data-path": path };
    if (!operator) return h("div", attributes, operatorChoice, jsonField(form, slot), removeButton, addMore);
    if (hashed)
        return h(
            "div",
            attributes,
            h("span", { class: "hidden-value" }, `${subjectText(parts[0])} ${hiddenWords(texts, now())}`),
            removeButton,
            addMore,
        );
    if (!isGroup) {
        const [subject, value] = parts;
        const more = {
            list: "flag-attributes",
            fault: (/** @type {string} */ text) =>
                /^\s*\{/.test(text) && failureOf(text)
                    ? jsonFault(texts, text)
                    : !subjectText(readSubject(text)) && texts.say("flag.attribute.fault"),
        };
        /** @type {any[] | false} */
        const list = operator === "in" && Array.isArray(value) && value;
        const areIDs = list && isIDList(list);
        /** Returns true for ids of users, which contain no spaces. */
        const hasIDs = () => list && areIDs && subjectText(now().parts[0]) === textAttribute;
        const readTyped = (/** @type {string} */ text, type = "") =>
            hasIDs() ? readIDs(text) : read(operator, text, type, lower);
        const isFresh = (value === "" && subjectText(subject) === "") || (list && list.length === 0);
        /** The type of the value; null while a new value's type follows from its text. */
        let type = isFresh || value === undefined ? null : valueTypeOf(value);
        const typeFor = (/** @type {string} */ text) =>
            type ?? (lower || subjectText(now().parts[0]) === textAttribute ? "string" : likelyType(operator, text));
        const fault = (/** @type {string} */ text) => {
            const wanted = typeFor(text);
            if (isBlank(operator, text, wanted)) return texts.say("flag.value.fault");
            return (
                isTyped(operator) &&
                /^[nb]/.test(wanted) &&
                valueTypeOf(readValue(operator, text)) !== wanted &&
                texts.say("flag.type.fault")
            );
        };
        const isTime = comparesTimes(operator) && (value === "" || localTime(`${value}`) !== "");
        const takeTime = (/** @type {string} */ time) => take({ parts: [now().parts[0], time] });
        const valueField = isTime
            ? timeField(form, path, `${value}`, takeTime)
            : value !== undefined &&
              input(
                  form,
                  path,
                  "column.value",
                  isFresh
                      ? ""
                      : list && hasIDs()
                        ? list.join(list.length > 5 ? "\n" : ", ")
                        : valueText(operator, value),
                  (text) => {
                      typeChoice.value = typeFor(text);
                      const next = readTyped(text, typeFor(text));
                      take({ parts: [now().parts[0], next] });
                      showCount(next);
                  },
                  {
                      placeholder: hasIDs()
                          ? texts.say("audience.ids")
                          : (examples[operator.split(" ")[0]] ?? (/^[<>]/.test(operator) ? "18" : "DE")),
                      // A field of one line would join the lines of a pasted list.
                      rows: list && (hasIDs() && list.length > 5 ? 8 : 1),
                      fault,
                  },
              );
        const count = h("small", { class: "hint", role: "status" });
        const showCount = (/** @type {Tree} */ ids) =>
            fill(count, hasIDs() && texts.say("audience.count", { n: /** @type {Tree[]} */ (ids).length }));
        showCount(value);
        const typeNames = valueTypes.map((one) => [one, texts.say(one === "json" ? "kind.json" : `type.${one}`)]);
        const typeChoice = choice(
            // The field keeps its text and focus, so nothing is drawn again.
            { ...form, redraw: () => {} },
            path,
            "flag.type",
            /** @type {[string, string][]} */ (typeNames),
            type ?? "string",
            (to) => {
                type = to;
                if (valueField && valueField.value !== "") valueField.dispatchEvent(new Event("input"));
            },
        );
        const takeSubject = (/** @type {string} */ text) => {
            const compared = now().parts[1];
            take({ parts: [readSubject(text), ...now().parts.slice(1)] });
            if (text !== textAttribute || valueTypeOf(compared) !== "number" || !valueField) return;
            typeChoice.value = "string";
            typeChoice.dispatchEvent(new Event("change"));
        };
        return h(
            "div",
            attributes,
            subject !== undefined &&
                !(isTime && subjectText(subject) === timeAttribute) &&
                input(form, path, "flag.attribute", subjectText(subject), takeSubject, {
                    ...more,
                    placeholder: "country",
                }),
            operatorChoice,
            valueField,
            valueField && isTyped(operator) && !lower && !hasIDs() && typeChoice,
            count,
            isTime && h("span", { class: "hint" }, localZone()),
            removeButton,
            addMore,
        );
    }
    /** The second part follows the choice of "and" or "or", and later parts follow the chosen word. */
    const joined = operator !== "!" && parts.length > 1;
    const child = (/** @type {unknown} */ _, /** @type {number} */ at) => {
        const part = conditionView(
            form,
            {
                path: `${path}/${operator}${bare ? "" : `/${at}`}`,
                get: () => now().parts[at],
                set: (tree) => take({ parts: replacedAt(now().parts, at, tree) }),
            },
            parts.length > 1 &&
                (() => {
                    moveItems(form, `${path}/${operator}`, removal(`${path}/${operator}`, at));
                    take({ parts: without(now().parts, at) });
                }),
            true,
        );
        if (!joined || at === 0) return part;
        const word = at > 1 ? h("span", { class: "word" }, operatorText(texts, operator)) : operatorChoice;
        return h("div", { class: "joined" }, word, part);
    };
    return h(
        "div",
        { ...attributes, role: "group", "aria-label": operatorText(texts, operator) },
        (!joined || removeButton) && h("div", { class: "flag-line" }, !joined && operatorChoice, removeButton),
        limitedList(form, parts, child),
        operator !== "!" &&
            addButton(form, "flag.condition.add", () => take({ parts: [...now().parts, freshCondition] }), -1),
    );
}
