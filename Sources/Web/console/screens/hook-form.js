// The form of a new hook, and of a hook that changes.

import { openDialog } from "../../shared/dialog.js";
import { fill, h, userText } from "../../shared/dom.js";
import { errorMessage, field, withFreshSignIn } from "../controls/controls.js";
import { formats, readKeys, types } from "../state/hooks.js";

/**
 * @param {import("../frame.js").Context} context
 * @param {import("../state/hooks.js").Hook | null} hook
 * @param {(body: object) => Promise<void>} save
 */
export function openHookForm(context, hook, save) {
    const { texts } = context;
    const label = h("input", { name: "label", value: hook?.label ?? "", maxlength: 100, required: true, dir: "auto" });
    const url = h("input", {
        name: "url",
        type: "url",
        value: hook?.url ?? "",
        required: true,
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        placeholder: "https://",
    });
    const format = h(
        "select",
        { name: "format" },
        formats.map((one) =>
            h("option", { value: one, selected: one === hook?.format }, texts.say(`hooks.format.${one}`)),
        ),
    );
    const keys = h("input", {
        name: "keys",
        value: hook?.keys.join(" ") ?? "",
        spellcheck: "false",
        autocapitalize: "off",
        placeholder: "pay.* app.theme",
    });
    const wanted = hook?.types ?? ["release.created", "flag.disabled"];
    const boxes = types.map((type) => h("input", { type: "checkbox", value: type, checked: wanted.includes(type) }));
    const problem = h("div", { role: "alert" });
    /** @param {Event} event */
    const submit = (event) => {
        event.preventDefault();
        const { keys: patterns, wrong } = readKeys(keys.value);
        const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
        if (wrong.length > 0) return fill(problem, errorMessage(texts.say("hooks.keys.wrong", { key: wrong[0] })));
        if (chosen.length === 0) return fill(problem, errorMessage(texts.say("hooks.events.needed")));
        const body = {
            url: url.value.trim(),
            label: label.value.trim(),
            format: format.value,
            types: chosen,
            keys: patterns,
        };
        return withFreshSignIn(
            {
                ...context,
                showError: (failure) => fill(problem, errorMessage(userText(context.messageOf(failure)))),
            },
            async () => {
                await save(body);
                dialog.close();
            },
        );
    };
    const form = h(
        "form",
        { id: "hook-form", class: "token-form", onsubmit: submit },
        field(texts.say("hooks.label"), label),
        field(texts.say("hooks.url"), url, texts.say("hooks.url.hint")),
        field(texts.say("hooks.format"), format),
        h(
            "fieldset",
            { class: "hook-types" },
            h("legend", {}, texts.say("hooks.events")),
            types.map((type, at) => h("label", { class: "tick" }, boxes[at], h("code", {}, type))),
        ),
        field(texts.say("hooks.keys"), keys, texts.say("hooks.keys.hint")),
        problem,
    );
    const dialog = openDialog(texts, {
        title: texts.say(hook ? "hooks.edit.title" : "hooks.create.title"),
        body: form,
        actions: h(
            "button",
            { type: "submit", class: "primary", form: form.id },
            texts.say(hook ? "hooks.save" : "hooks.create.go"),
        ),
    });
    label.focus();
}
