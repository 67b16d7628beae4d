// The dialog for the proposed value of one part of an entry.

import { openDialog } from "../../shared/dialog.js";
import { button, fill, h, userText } from "../../shared/dom.js";
import { failureOf, typeOf } from "../../shared/json.js";
import { readable } from "../changes/difference.js";
import { errorMessage, field } from "../controls/controls.js";
import { partTitle } from "./proposal-words.js";

/** @typedef {import("../state/proposals.js").Edit} Edit */

/**
 * @param {import("../frame.js").Context} context
 * @param {Edit} edit
 * @param {(after: string | undefined) => void} save gets the JSON text of the value; undefined drops the edit
 */
export function openEdit({ texts }, edit, save) {
    const isText = typeOf(edit.after) === "string";
    const value = h("textarea", {
        rows: 8,
        dir: "auto",
        spellcheck: "false",
        class: isText ? "" : "mono",
        value: edit.after === "null" ? "" : readable(edit.after),
    });
    const problem = h("div", { role: "alert" });
    const submit = (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const text = isText ? JSON.stringify(value.value) : value.value.trim();
        const failure = failureOf(text);
        if (failure) return fill(problem, errorMessage(texts.say("proposal.edit.invalid")));
        dialog.close();
        save(text);
    };
    const drop = () => {
        dialog.close();
        save(undefined);
    };
    const form = h(
        "form",
        { id: "proposal-edit", onsubmit: submit },
        field(partTitle(texts, edit.path), value, isText ? null : texts.say("proposal.edit.json")),
        problem,
    );
    const dialog = openDialog(texts, {
        title: h("code", {}, userText(edit.key)),
        body: form,
        tool: button(texts.say("proposal.edit.drop"), drop, "danger"),
        actions: h("button", { type: "submit", class: "primary", form: form.id }, texts.say("proposal.edit.save")),
    });
    value.focus();
}

/**
 * Returns the body that sets all edits of a proposal, with the values as they were written.
 * @param {Edit[]} edits
 * @param {Edit} changed
 * @param {string | undefined} after
 */
export function bodyOf(edits, changed, after) {
    const all = edits.flatMap((edit) => {
        if (edit === changed && after === undefined) return [];
        const { key, path } = edit;
        const place = `"key":${JSON.stringify(key)},"path":${JSON.stringify(path)}`;
        return [`{${place},"after":${edit === changed ? after : edit.after}}`];
    });
    return `{"edits":[${all.join(",")}]}`;
}
