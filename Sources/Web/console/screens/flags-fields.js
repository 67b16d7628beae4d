/** Fields and buttons of the flag form. Each writes its value to one place of a rule. */
import { button, h, icon, squareButton } from "../../shared/dom.js";
import { failureOf } from "../../shared/json.js";
import { pretty } from "../../shared/json-forms.js";
import { fieldError } from "../controls/field-error.js";
import { attributesOf } from "../state/flags-contexts.js";
import { localTime, localZone, readLocalTime } from "../state/flags-times.js";
import { readTree, writeTree } from "../state/flags-tree.js";
import { bytesOf, maxDescriptionBytes } from "../state/kinds.js";

/** @typedef {import("../state/flags-tree.js").Tree} Tree */
/** @typedef {{ path: string, get: () => Tree, set: (tree: Tree) => void }} Slot a place in a rule */
/** @typedef {import("../invalid-texts.js").InvalidText} InvalidText */
/**
 * @typedef {object} InvalidFields the typed texts of the form's invalid fields, by path and label
 * @property {(place: string) => InvalidText | undefined} get
 * @property {(place: string, text: InvalidText | null) => void} set
 * @property {(rename: (place: string) => string | null) => void} rename null drops a text
 */
/**
 * @typedef {object} Form
 * @property {import("../../shared/texts.js").Texts} texts
 * @property {import("./flags-shares-bar.js").Palette} palette
 * @property {boolean} readOnly
 * @property {number} limit the limit on the items shown per list
 * @property {() => string[]} variants
 * @property {string[]} shared names of shared rules
 * @property {() => void} redraw
 * @property {() => number} now milliseconds since 1970
 * @property {InvalidFields} invalid
 * @property {(path: string, next: Tree) => Promise<{ moved: number, sampled: number }>} [countMoved] counts the sampled
 * users who get another variant if the rule at a path changes
 * @property {import("../state/flags-types.js").Origin} [origin] the variants before the last change of their type
 */

/** Creates the invalid fields of a dialog. @returns {InvalidFields} */
export function typedTexts() {
    /** @type {Map<string, InvalidText>} */
    let typed = new Map();
    return {
        get: (place) => typed.get(place),
        set: (place, text) => void (text === null ? typed.delete(place) : typed.set(place, text)),
        rename: (rename) => {
            const renamed = [...typed].map(
                ([place, text]) => /** @type {[string, InvalidText]} */ ([rename(place), text]),
            );
            typed = new Map(renamed.filter(([place]) => place !== null));
        },
    };
}

/** The time of the evaluation. */
export const timeAttribute = "$flagd.timestamp";
/** The attributes that most apps send. */
const commonAttributes = ["targetingKey", "appVersion", "platform", "country", "language", "plan"];

/**
 * Creates the options of common attributes and of those in some rules.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {(Tree | undefined)[]} rules
 */
export function attributeOptions(texts, rules) {
    const known = new Set(commonAttributes);
    for (const one of rules) attributesOf(one, known);
    return [
        [...known].map((value) => h("option", { value })),
        h("option", { value: timeAttribute, label: texts.say("flag.is.almanac.date") }),
    ].flat();
}

/** Creates the link to all flags. @param {import("../../shared/texts.js").Texts} texts @param {string} href */
export const backLink = (texts, href) => h("a", { class: "back", href }, icon("back"), texts.say("flag.all"));

/**
 * Renders a form again and restores the focus; returns the new fields.
 * @param {HTMLElement} root
 * @param {() => void} draw
 */
export function redrawn(root, draw) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.at;
    draw();
    const fields = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-at]")]);
    if (focused) fields.find(({ dataset }) => dataset.at === focused)?.focus();
    return fields;
}

/**
 * @param {Form} form
 * @param {string} path
 * @param {string} label a key of the texts
 * @param {[string, string][]} options pairs of a value and its label; an unlisted present value is added
 * @param {string} value
 * @param {(value: string) => void} take
 */
export function choice({ texts, readOnly, redraw }, path, label, options, value, take) {
    const all = options.some(([one]) => one === value) ? options : [...options, [value, value.replace(/^[=$]/, "")]];
    const select = h(
        "select",
        { "aria-label": texts.say(label), disabled: readOnly, "data-at": `${path} ${label}` },
        all.map(([one, text]) => h("option", { value: one, selected: one === value }, text)),
    );
    select.addEventListener("change", () => {
        take(select.value);
        redraw();
    });
    return select;
}

/**
 * @param {Form} form
 * @param {string} path
 * @param {string} label a key of the texts
 * @param {string} value several lines make the field a textarea
 * @param {(value: string) => void} take receives each valid text
 * @param {Record<string, any> & { fault?: (value: string) => string | null | false, on?: string }} [more] attributes;
 * `fault` returns the error of an invalid text, and `on` is the event after which a text is taken
 */
export function input({ texts, readOnly, invalid }, path, label, value, take, { fault, on = "input", ...more } = {}) {
    const lines = value.split("\n").length;
    const place = `${path} ${label}`;
    const known = invalid.get(place);
    const typed = known?.text;
    let isFresh = !known || known.isFresh;
    const field = h(lines > 1 || more.rows ? "textarea" : "input", {
        rows: Math.min(lines, 12),
        dir: "auto",
        autocomplete: "off",
        spellcheck: "false",
        "aria-label": texts.say(label),
        "data-at": place,
        ...more,
        value: typed ?? value,
        readOnly,
    });
    field.addEventListener(on, () => fault?.(field.value) || take(field.value));
    // Spaces around a text are not stored, except those of a description.
    if (label !== "column.description")
        field.addEventListener("change", () => {
            field.value = field.value.trim();
        });
    if (!fault || readOnly) return field;
    const { report, reveal } = fieldError(field, (error) => {
        /** @type {Element} */
        let row = field.closest(".flag-line, .condition") ?? field;
        while (row.nextElementSibling?.matches(".error")) row = row.nextElementSibling;
        row.after(error);
        isFresh = false;
        check();
    });
    const check = () => {
        const error = fault(field.value);
        report(error);
        invalid.set(place, error ? { text: field.value, isFresh } : null);
        return !error;
    };
    field.addEventListener("input", check);
    // A typed text can become valid by a change elsewhere.
    if (check() && typed !== undefined) queueMicrotask(() => take(typed));
    // A stored text that the user has not touched blocks nothing.
    if (invalid.get(place) === undefined) report(null);
    // The error needs the field's row, which does not exist yet.
    if (!isFresh) queueMicrotask(reveal);
    return field;
}

/**
 * @param {Form} form
 * @param {string} value
 * @param {(value: string) => void} take
 */
export const descriptionInput = (form, value, take) =>
    input(form, "", "column.description", value, take, {
        rows: 1,
        fault: (text) =>
            bytesOf(text) > maxDescriptionBytes && form.texts.say("entry.description.long", { n: maxDescriptionBytes }),
    });

/**
 * Creates a field for a rule's time in the local zone.
 * @param {Form} form
 * @param {string} path
 * @param {string} value
 * @param {(value: string) => void} take
 * @param {(value: string) => string | false} [fault] returns the error of an existing time
 */
export const timeField = (form, path, value, take, fault = () => false) =>
    input(form, path, "flag.is.almanac.date", localTime(value), (text) => take(readLocalTime(text)), {
        type: "datetime-local",
        fault: (text) => {
            const time = readLocalTime(text);
            return time ? fault(time) : form.texts.say("flag.time.fault", { zone: localZone() });
        },
    });

/**
 * Returns the error of a text that is not JSON, or null.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string} text
 */
export function jsonFault(texts, text) {
    const failure = failureOf(text);
    return (
        failure &&
        `${texts.say("value.json.at", { line: failure.line, column: failure.column })}: ${texts.say(failure.reason)}`
    );
}

/**
 * Moves the invalid texts in the items of a list.
 * @param {Form} form
 * @param {string} base the path of the list
 * @param {(at: number) => string | null} to returns an item's new path, or null if the item is removed
 */
export function moveItems({ invalid }, base, to) {
    invalid.rename((place) => {
        const [, at, rest] = (place.startsWith(`${base}/`) && /^(\d+)(.*)/s.exec(place.slice(base.length + 1))) || [];
        if (at === undefined) return place;
        const path = to(Number(at));
        return path === null ? null : `${path}${rest}`;
    });
}

/**
 * Creates a JSON field for a part that the form cannot show.
 * @param {Form} form
 * @param {Slot} slot
 */
export function jsonField(form, slot) {
    const take = (/** @type {string} */ text) => slot.set(readTree(text));
    return input(form, slot.path, "kind.json", pretty(writeTree(slot.get())), take, {
        fault: (text) => jsonFault(form.texts, text),
        class: "code",
        dir: "ltr",
        rows: 4,
    });
}

/**
 * @param {Form} form
 * @param {string} label
 * @param {() => void} run
 * @param {"close" | "down"} [picture]
 */
export const iconButton = ({ readOnly, redraw }, label, run, picture = "close") => {
    const onclick = () => {
        run();
        redraw();
    };
    const more = { class: `quiet square ${picture}`, title: label };
    return !readOnly && squareButton(label, icon(picture), onclick, more);
};

/**
 * Creates a button that adds something and moves the focus there.
 * @param {Form} form
 * @param {string} label a key of the texts
 * @param {() => void} run
 * @param {number} [which] the attribute that gets the focus, among those whose place in the definition is new
 */
export const addButton = ({ texts, readOnly, redraw }, label, run, which = 0) =>
    !readOnly &&
    button(
        texts.say(label),
        () => {
            const fields = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-at]")]);
            const known = new Set(fields().map(({ dataset }) => dataset.at));
            run();
            redraw();
            const fresh = fields().filter(({ dataset }) => !known.has(dataset.at));
            (fresh.filter(({ dataset }) => dataset.at?.endsWith(" flag.attribute")).at(which) ?? fresh[0])?.focus();
        },
        "quiet small",
        "add",
    );

/**
 * Shows the first items of a list, and a button for more.
 * @template T
 * @param {Form} form
 * @param {T[]} all
 * @param {(one: T, at: number) => Node} make
 */
export function limitedList(form, all, make) {
    const more = () => {
        form.limit *= 4;
        form.redraw();
    };
    const rest = all.length - form.limit;
    return h(
        "div",
        { class: "parts" },
        all.slice(0, form.limit).map(make),
        rest > 0 && button(form.texts.say("more", { n: rest }), more, "quiet small", "down"),
    );
}
