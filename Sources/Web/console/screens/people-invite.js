// Invitations: the form of a new one, and the dialog with its link.

import { openDialog } from "../../shared/dialog.js";
import { h } from "../../shared/dom.js";
import { curlButton, field, withFreshSignIn } from "../controls/controls.js";
import { fieldError, focusInvalid } from "../controls/field-error.js";
import { revealSecret } from "../controls/secret-dialog.js";
import { roles } from "../state/people.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/people.js").Role} Role */

/**
 * Creates a field for a role, with a hint that explains the selected one.
 * @param {Context} context
 * @param {Role} selected
 */
export function roleField({ texts }, selected) {
    const hint = h("span", {});
    const choice = h(
        "select",
        { name: "role", onchange: () => explain() },
        roles.map((role) => h("option", { value: role, selected: role === selected }, texts.say(`role.${role}`))),
    );
    const explain = () => {
        hint.textContent = texts.say(`role.${choice.value}.hint`);
    };
    explain();
    return { choice, element: field(texts.say("people.role"), choice, [hint]) };
}

/**
 * Opens the form of a new invitation.
 * @param {Context} context
 * @param {() => Promise<void>} done
 */
export function invitePerson(context, done) {
    const { texts, api } = context;
    const name = h("input", { name: "name", maxlength: 100, dir: "auto", autocomplete: "off", autofocus: true });
    const { choice, element: role } = roleField(context, "editor");
    const person = field(texts.say("people.name"), name, texts.say("people.invite.hint"));
    const { element: error, report } = fieldError(name);
    person.append(error);
    const check = () => report(!name.value.trim() && texts.say("people.name.needed"));
    const read = () => (focusInvalid(form) ? null : { name: name.value.trim(), role: choice.value });
    let isSending = false;
    /** @param {Event} event */
    const submit = async (event) => {
        event.preventDefault();
        const body = read();
        if (!body || isSending) return;
        isSending = true;
        await withFreshSignIn(context, async () => {
            await sendInvitation(context, body, async () => {
                dialog.close();
                await done();
            });
        });
        isSending = false;
    };
    const form = h(
        "form",
        { class: "token-form", id: "invite-form", novalidate: true, oninput: check, onsubmit: submit },
        person,
        role,
    );
    const path = `${context.workspace.root}/invitations`;
    const dialog = openDialog(texts, {
        title: texts.say("people.invite"),
        body: form,
        tool: curlButton(context, () => {
            const body = read();
            return body && api.call("POST", path, { body });
        }),
        actions: h("button", { type: "submit", form: "invite-form", class: "primary" }, texts.say("people.invite.go")),
    });
    check();
}

/**
 * Creates an invitation and shows its link.
 * @param {Context} context
 * @param {{ name: string, role: string, person?: string }} body `person` gets another passkey
 * @param {() => Promise<void>} done
 */
export async function sendInvitation(context, body, done) {
    const { api, texts, workspace } = context;
    const { document } = await api.send("POST", `${workspace.root}/invitations`, { body });
    await done();
    revealSecret(context, {
        title: texts.say("people.invited"),
        lead: () => h("p", {}, texts.parts("people.invited.lead", { name: body.name })),
        label: texts.say("people.link"),
        secret: document.link,
    });
}
