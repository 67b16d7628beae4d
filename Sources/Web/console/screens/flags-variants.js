/** The variants of a flag as a form: their names, their values and the default variant. */
import { h } from "../../shared/dom.js";
import { pretty } from "../../shared/json-forms.js";
import { renamed, typeOfVariants, withMember } from "../state/flags.js";
import { mapVariants } from "../state/flags-rules.js";
import { formatValue, parseValue, writeTree } from "../state/flags-tree.js";
import { addButton, choice, iconButton, input, jsonFault, limitedList } from "./flags-fields.js";

/** @typedef {import("../state/flags-tree.js").Tree} Tree */
/** @typedef {import("../state/flags-tree.js").Members} Members */

/** @param {string} name */
const pathOf = (/** @type {string} */ name) => `/variants/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/**
 * @param {import("./flags-fields.js").Form} form
 * @param {object} flag
 * @param {() => Members} flag.definition
 * @param {(value: string) => void} flag.edit
 */
export function variantsView(form, { definition, edit }) {
    const { texts } = form;
    /** @returns {Members} */
    const variants = () => definition().get("variants") ?? new Map();
    /** @param {string} name @param {Tree | undefined} value */
    const setMember = (name, value) => edit(writeTree(withMember(definition(), name, value)));
    const row = (/** @type {[string, Tree]} */ [name, value]) => {
        const path = pathOf(name);
        const rename = (/** @type {string} */ to) => {
            if (to === name) return;
            const place = pathOf(to);
            form.invalid.rename((one) => (one.startsWith(`${path} `) ? place + one.slice(path.length) : one));
            const next = withMember(definition(), "variants", renamed(variants(), name, to));
            if (next.get("defaultVariant") === name) next.set("defaultVariant", to);
            const targeting = next.get("targeting");
            if (targeting)
                next.set(
                    "targeting",
                    mapVariants(targeting, (one) => (one === name ? to : one)),
                );
            edit(writeTree(next));
            form.redraw();
        };
        const nameFault = (/** @type {string} */ to) =>
            to === ""
                ? texts.say("flag.variant.empty")
                : to !== name && variants().has(to) && texts.say("flag.variant.taken");
        const valueFault = (/** @type {string} */ entered) =>
            (value instanceof Map || Array.isArray(value)) && /^\s*[[{]/.test(entered) && jsonFault(texts, entered);
        const set = (/** @type {Tree | undefined} */ to) => setMember("variants", withMember(variants(), name, to));
        const text = value instanceof Map ? pretty(writeTree(value)) : formatValue(value);
        return h(
            "div",
            { class: "flag-line", "data-path": path },
            h("span", { class: `variant ${form.palette.color(name)}` }),
            input(form, path, "flag.variant", name, rename, {
                class: "variant-name",
                fault: nameFault,
                on: "change",
            }),
            input(form, path, "column.value", text, (entered) => set(parseValue(entered)), { fault: valueFault }),
            iconButton(form, texts.say("flag.variant.remove", { name }), () => set(undefined)),
        );
    };
    const fresh = () => {
        let number = variants().size + 1;
        while (variants().has(`variant-${number}`)) number += 1;
        return `variant-${number}`;
    };
    const add = () => setMember("variants", withMember(variants(), fresh(), variants().values().next().value ?? true));
    const names = /** @type {[string, string][]} */ (form.variants().map((name) => [`=${name}`, name]));
    const standard = definition().get("defaultVariant");
    return [
        limitedList(form, [...variants()], row),
        h(
            "div",
            { class: "flag-line", "data-path": "/defaultVariant" },
            h("span", { class: "hint" }, texts.say("flag.then.default")),
            choice(
                form,
                "/defaultVariant",
                "flag.then.default",
                [...names, ["", texts.say("flag.none")]],
                typeof standard === "string" ? `=${standard}` : "",
                (to) => setMember("defaultVariant", to ? to.slice(1) : null),
            ),
            h("span", { class: "badge" }, texts.say(`type.${typeOfVariants(variants())}`)),
            h("span", { class: "space" }),
            addButton(form, "flag.variant.add", add),
        ),
    ];
}
