/** The dialog for a new flag. */
import { confirm } from "../../shared/confirm.js";
import { openDialog } from "../../shared/dialog.js";
import { fill, h } from "../../shared/dom.js";
import { field } from "../controls/controls.js";
import { focusInvalid } from "../controls/field-error.js";
import { newKeyFault } from "../entries/add.js";
import { blank } from "../state/flags.js";
import { readTree } from "../state/flags-tree.js";
import { routeFragment } from "../state/route.js";
import { descriptionInput, input, typedTexts } from "./flags-fields.js";
import { paletteOf } from "./flags-shares-bar.js";
import { variantsView } from "./flags-variants.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/flags-tree.js").Members} Members */

/**
 * Opens a flag of the draft, with the focus in its first field.
 * @param {Context} context
 * @param {string} key
 */
export function openNewFlag({ workspace, environment, navigate }, key) {
    workspace.draft.wantedKey = key;
    navigate(routeFragment({ environment: environment.name, screen: "flags", path: [key] }));
}

/** @param {Context} context */
export function openFlagDialog(context) {
    const { texts, workspace } = context;
    const { draft, table } = workspace;
    let value = blank;
    let description = "";
    const definition = () => /** @type {Members} */ (readTree(value));
    /** @returns {Members} */
    const variants = () => definition().get("variants") ?? new Map();
    /** The parts of a form that the fields of variants use. @type {any} */
    const form = {
        texts,
        get palette() {
            return paletteOf(texts, variants(), definition().get("defaultVariant"));
        },
        limit: 40,
        variants: () => [...variants().keys()],
        redraw: () => {
            const { at } = /** @type {HTMLElement} */ (document.activeElement).dataset;
            draw();
            const field = /** @type {HTMLElement | null} */ (
                content.querySelector(`[data-at="${CSS.escape(`${at}`)}"]`)
            );
            (field ?? dialog.body).focus();
        },
        invalid: typedTexts(),
    };
    const key = input(form, "", "column.key", "", () => undefined, {
        class: "exact",
        dir: "ltr",
        autocapitalize: "off",
        autofocus: true,
        fault: (/** @type {string} */ text) => {
            const reason = newKeyFault(context, text.trim(), (one) => table.byKey.has(one));
            return reason && texts.say(reason);
        },
    });
    key.addEventListener("input", () => key.value.trim() && key.dispatchEvent(new Event("reveal")));
    const words = descriptionInput(form, "", (text) => {
        description = text;
    });
    const parts = h("div", { class: "flag-column" });
    const draw = () => {
        const edit = (/** @type {string} */ text) => {
            value = text;
        };
        fill(parts, variantsView(form, { definition, edit, standard: "flag.at-first" }));
    };
    const submit = (/** @type {Event} */ event) => {
        event.preventDefault();
        if (focusInvalid(content)) return;
        dialog.close();
        draft.edit(key.value.trim(), null, { value, description, kind: "flag" });
        openNewFlag(context, key.value.trim());
    };
    const content = h(
        "form",
        { id: "flag-new", class: "flag flag-column", onsubmit: submit },
        field(texts.say("column.key"), key, texts.say("flag.new.hint")),
        field(texts.say("column.description"), words),
        parts,
        h("p", { class: "hint" }, texts.say("flag.at-first.hint")),
    );
    draw();
    const allTexts = () => [...content.elements].map((one) => /** @type {HTMLInputElement} */ (one).value).join("\n");
    const mayClose = () => {
        if (allTexts() === untouched) return true;
        confirm(texts, {
            title: texts.say("flag.discard"),
            body: h("p", {}, texts.say("flag.discard.sure")),
            answers: [{ label: texts.say("flag.discard"), kind: "danger", run: () => dialog.close() }],
        });
        return false;
    };
    const dialog = openDialog(texts, {
        title: texts.say("flags.add"),
        body: content,
        actions: h("button", { type: "submit", class: "primary", form: "flag-new" }, texts.say("key.add")),
        mayClose,
    });
    const untouched = allTexts();
    key.focus();
}
