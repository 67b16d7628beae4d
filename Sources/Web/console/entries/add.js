/** The dialog for the key of a new entry. */

import { openDialog } from "../../shared/dialog.js";
import { fill, h, icon } from "../../shared/dom.js";

/**
 * @param {import("../frame.js").Context} context
 * @param {string} beginning the initial text of the field
 * @param {(key: string) => void} done
 * @param {(key: string) => string | null} fault returns the key of an error text, or null
 * @param {string} [title] a key of the texts
 * @param {string} [hint] a key of the texts
 */
export function openKeyDialog({ texts }, beginning, done, fault, title = "key.button", hint = "key.hint") {
    const error = h("p", { class: "error", id: "key-error", role: "alert" });
    const field = h("input", {
        id: "key",
        class: "exact",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        maxlength: "200",
        value: beginning,
        autofocus: true,
    });
    /** @param {boolean} isSubmitted true if an empty field is an error */
    const check = (isSubmitted) => {
        const reason = fault(field.value.trim());
        const shown = reason && (isSubmitted || field.value.trim() !== "") ? reason : null;
        fill(error, shown ? [icon("alert"), h("span", {}, texts.say(shown))] : []);
        if (shown) field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
        return reason === null;
    };
    field.setAttribute("aria-describedby", "key-hint key-error");
    field.addEventListener("input", () => check(false));
    /** @param {Event} event */
    const submit = (event) => {
        event.preventDefault();
        if (!check(true)) return field.focus();
        dialog.close();
        done(field.value.trim());
    };
    const form = h(
        "form",
        { id: "add", class: "stack", onsubmit: submit },
        h("label", { for: "key" }, texts.say("column.key")),
        field,
        error,
        h("p", { class: "hint", id: "key-hint" }, texts.say(hint)),
    );
    const add = h("button", { type: "submit", class: "primary", form: "add" }, texts.say("key.add"));
    const dialog = openDialog(texts, { title: texts.say(title), body: form, actions: add });
    field.setSelectionRange(beginning.length, beginning.length);
}
