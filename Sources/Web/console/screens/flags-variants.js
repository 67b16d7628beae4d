/** The variants of a flag as a form: their names, their values and the default variant. */
import { h } from "../../shared/dom.js";
import { pretty } from "../../shared/json-forms.js";
import { commonType, metadataOf, renamed, withMember, withMetadata } from "../state/flags.js";
import { mapVariants } from "../state/flags-rules.js";
import { writeTree } from "../state/flags-tree.js";
import { kindsOfTypes, turned, typedText, typedValue, typeKey, valueFault } from "../state/flags-types.js";
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
 * @param {string} [flag.standard] the label of the default variant, a key of the texts
 */
export function variantsView(form, { definition, edit, standard = "flag.then.default" }) {
    const { texts } = form;
    /** @returns {Members} */
    const variants = () => definition().get("variants") ?? new Map();
    const type = commonType(variants());
    /** @param {string} name @param {Tree | undefined} value */
    const setMember = (name, value) => edit(writeTree(withMember(definition(), name, value)));
    /** @param {string} value @param {string} label @returns {[string, string]} */
    const pair = (value, label) => [value, texts.say(label)];
    const switches = [pair("true", "value.on"), pair("false", "value.off")];
    const row = (/** @type {[string, Tree]} */ [name, value]) => {
        const path = pathOf(name);
        const rename = (/** @type {string} */ text) => {
            const to = text.trim();
            if (to === name) return form.redraw();
            const place = pathOf(to);
            form.invalid.rename((one) => (one.startsWith(`${path} `) ? place + one.slice(path.length) : one));
            const next = withMember(definition(), "variants", renamed(variants(), name, to));
            if (next.get("defaultVariant") === name) next.set("defaultVariant", to);
            const metadata = next.get("metadata");
            if (metadata instanceof Map && metadata.get("almanac.off") === name)
                next.set("metadata", withMember(metadata, "almanac.off", to));
            const targeting = next.get("targeting");
            if (targeting)
                next.set(
                    "targeting",
                    mapVariants(targeting, (one) => (one === name ? to : one)),
                );
            edit(writeTree(next));
            form.redraw();
        };
        const nameFault = (/** @type {string} */ text) => {
            const to = text.trim();
            if (text === name && text) return false;
            if (!to) return texts.say("flag.variant.empty");
            return to !== name && variants().has(to) && texts.say("flag.variant.taken");
        };
        const fault = (/** @type {string} */ entered) => {
            const reason = valueFault(type, entered);
            const isJSON = type === "object" || (value instanceof Object && /^\s*[[{]/.test(entered));
            return reason ? texts.say(reason) : isJSON && jsonFault(texts, entered);
        };
        const set = (/** @type {Tree | undefined} */ to) => setMember("variants", withMember(variants(), name, to));
        const text = value instanceof Map ? pretty(writeTree(value)) : typedText(type, value);
        const take = (/** @type {string} */ entered) => set(typedValue(type, entered));
        return h(
            "div",
            { class: "flag-line", "data-path": path },
            h("span", { class: `variant ${form.palette.color(name)}` }),
            input(form, path, "flag.variant", name, rename, {
                class: "variant-name",
                fault: nameFault,
                on: "change",
            }),
            type === "boolean"
                ? choice(form, path, "column.value", switches, text, take)
                : input(form, path, "column.value", text, take, { fault }),
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
    const present = definition().get("defaultVariant");
    const off = metadataOf(definition()).get("almanac.off");
    const types = Object.keys(kindsOfTypes).map((one) => pair(one, typeKey(one)));
    return [
        h(
            "div",
            { class: "flag-line" },
            h("span", { class: "hint" }, texts.say("flag.type")),
            choice(form, "/variants", "flag.type", type ? types : [...types, ["", "–"]], type ?? "", (to) => {
                form.origin = turned(definition(), /** @type {any} */ (to), form.origin);
                edit(writeTree(form.origin.next));
            }),
        ),
        limitedList(form, [...variants()], row),
        h(
            "div",
            { class: "flag-line", "data-path": "/defaultVariant" },
            h("span", { class: "hint" }, texts.say(standard)),
            choice(
                form,
                "/defaultVariant",
                standard,
                [...names, ["", texts.say("flag.none")]],
                typeof present === "string" ? `=${present}` : "",
                (to) => setMember("defaultVariant", to ? to.slice(1) : null),
            ),
            h("span", { class: "space" }),
            addButton(form, "flag.variant.add", add),
        ),
        standard === "flag.then.default" &&
            h(
                "div",
                { class: "flag-line", "data-path": "/metadata/almanac.off" },
                h("span", { class: "hint" }, texts.say("flags.column.almanac.off")),
                choice(
                    form,
                    "/metadata/almanac.off",
                    "flags.column.almanac.off",
                    [...names, ["", texts.say("flag.none")]],
                    typeof off === "string" ? `=${off}` : "",
                    (to) => edit(writeTree(withMetadata(definition(), "almanac.off", to ? to.slice(1) : undefined))),
                ),
            ),
    ];
}
