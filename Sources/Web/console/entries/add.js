/** The dialog for a key or another name. */

import { openDialog } from "../../shared/dialog.js";
import { h } from "../../shared/dom.js";
import { fieldError, focusInvalid } from "../controls/field-error.js";
import { keyFault } from "../state/kinds.js";
import { mayWrite } from "../state/scopes.js";

/** @typedef {string | null | [reason: string, names: string]} Fault a key of the texts, with the names it is about */

/**
 * Returns the reason why a key cannot be added, or null.
 * @param {import("../frame.js").Context} context
 * @param {string} key
 * @param {(key: string) => boolean} [taken]
 */
export function newKeyFault({ workspace: { table }, environment }, key, taken = (one) => table.has(one)) {
    return keyFault(key, taken) ?? (mayWrite(environment.session.scopes, key) ? null : "key.scope");
}

/**
 * Asks for the key of a new entry, and adds the entry to the draft.
 * @param {import("../frame.js").Context} context
 * @param {string} group the initial text of the key
 * @param {(key: string) => void} open opens the entry
 */
export function addEntry(context, group, open) {
    const { workspace, texts, say } = context;
    const done = (/** @type {string} */ key) => {
        workspace.draft.edit(key, null, { value: '""', description: "" });
        say(texts.say("key.added", { key }));
        open(key);
    };
    openKeyDialog(context, group, done, (key) => newKeyFault(context, key));
}

/**
 * @param {import("../frame.js").Context} context
 * @param {string} beginning the initial text of the field
 * @param {(key: string) => void} done
 * @param {(key: string) => Fault} fault
 * @param {string} [title] a key of the texts, like the next ones
 * @param {string} [hint]
 * @param {string} [action]
 * @param {string} [label]
 * @param {Record<string, any>} [more] attributes of the field; `rows` makes it a textarea
 */
export function openKeyDialog(
    { texts },
    beginning,
    done,
    fault,
    title = "key.button",
    hint = "key.hint",
    action = "key.add",
    label = "column.key",
    more = {},
) {
    const field = h(more.rows ? "textarea" : "input", {
        id: "key",
        class: "exact",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        maxlength: "200",
        value: beginning,
        autofocus: true,
        ...more,
    });
    field.setAttribute("aria-describedby", "key-hint");
    const { element: error, report, reveal } = fieldError(field);
    const check = () => {
        const [reason, names] = [fault(field.value.trim())].flat();
        report(reason && [names && `${names}: `, texts.say(reason)]);
    };
    field.addEventListener("input", () => {
        check();
        if (field.value.trim()) reveal();
    });
    check();
    /** @param {Event} event */
    const submit = (event) => {
        event.preventDefault();
        if (focusInvalid(form)) return;
        dialog.close();
        done(field.value.trim());
    };
    const form = h(
        "form",
        { id: "add", class: "stack", onsubmit: submit },
        h("label", { for: "key" }, texts.say(label)),
        field,
        error,
        h("p", { class: "hint", id: "key-hint" }, texts.say(hint)),
    );
    const add = h("button", { type: "submit", class: "primary", form: "add" }, texts.say(action));
    const dialog = openDialog(texts, { title: texts.say(title), body: form, actions: add });
    field.setSelectionRange(beginning.length, beginning.length);
}
