/** The dialog of one audience: its name and its rule. */
import { openDialog } from "../../shared/dialog.js";
import { fill, h } from "../../shared/dom.js";
import { field } from "../controls/controls.js";
import { fieldError, focusInvalid } from "../controls/field-error.js";
import { maxLength } from "../state/flags-edits.js";
import { readSubject } from "../state/flags-rules.js";
import { rule } from "../state/flags-tree.js";
import { conditionView } from "./flags-conditions.js";
import { attributeOptions, redrawn, typedTexts } from "./flags-fields.js";

/** @typedef {import("../state/flags-tree.js").Tree} Tree */

/**
 * @param {import("../frame.js").Context} context
 * @param {{ name: string, tree: Tree | undefined, others: string[], canRename: boolean, rules: (Tree | undefined)[] }} audience an
 * empty name stands for a new audience
 * @param {(name: string, tree: Tree) => void} done
 */
export function openAudience({ texts, workspace }, { name, tree, others, canRename, rules }, done) {
    /** @type {Tree} */
    let condition = tree ?? rule("in", [readSubject("targetingKey"), []]);
    /** @type {import("./flags-fields.js").Form} */
    const form = {
        texts,
        palette: { color: () => "", name: String },
        readOnly: false,
        limit: 40,
        variants: () => [],
        shared: others,
        redraw: () => void redrawn(part, draw),
        now: workspace.now,
        invalid: typedTexts(),
    };
    const nameField = h("input", {
        autocomplete: "off",
        dir: "auto",
        value: name,
        readOnly: !canRename,
        autofocus: true,
    });
    const { element: error, report } = fieldError(nameField);
    const check = () => {
        const text = nameField.value.trim();
        const isLong = text.length > maxLength && text !== name;
        report(isLong ? texts.say("key.long") : (!text || others.includes(text)) && texts.say("audience.name.fault"));
    };
    nameField.addEventListener("input", check);
    check();
    const part = h("div", {});
    const slot = {
        path: "",
        get: () => condition,
        set: (/** @type {Tree} */ next) => {
            condition = next;
        },
    };
    const draw = () => fill(part, conditionView(form, slot, false));
    draw();
    /** @param {Event} event */
    const submit = (event) => {
        event.preventDefault();
        if (focusInvalid(dialog.element)) return;
        dialog.close();
        done(nameField.value.trim(), condition);
    };
    const dialog = openDialog(texts, {
        title: texts.say(name ? "audience.edit" : "audience.add"),
        body: h(
            "form",
            { id: "audience", class: "parts", onsubmit: submit },
            h("datalist", { id: "flag-attributes" }, attributeOptions(texts, rules)),
            field(texts.say("audience.name"), nameField),
            error,
            h("h3", {}, texts.say("audience.who")),
            part,
        ),
        actions: h("button", { type: "submit", class: "primary", form: "audience" }, texts.say("key.add")),
    });
}
