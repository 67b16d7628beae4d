// The forms of a new token and of a token's owner and purpose, and the dialog with a new token.

import { openDialog } from "../../shared/dialog.js";
import { h } from "../../shared/dom.js";
import { curlButton, field, withFreshSignIn } from "../controls/controls.js";
import { fieldError, focusInvalid } from "../controls/field-error.js";
import { revealSecret } from "../controls/secret-dialog.js";
import { nameOf, samePerson } from "../state/people.js";
import { expiryOf, scopesFor } from "../state/tokens.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/tokens.js").Token} Token */

const ends = ["30", "90", "365", "never", "date"];
const accesses = /** @type {const} */ (["read", "evaluate", "disable", "some", "write", "admin"]);

/**
 * Creates the fields for label, owner and purpose.
 * @param {Context} context
 * @param {Token} [token] a token to change, of the signed-in person or of a service account; without one, the owner is
 *     the signed-in person
 */
function tokenFields({ texts, environment }, token) {
    const label = h("input", {
        name: "label",
        value: token?.label ?? "",
        maxlength: 100,
        dir: "auto",
        autofocus: true,
    });
    const purpose = h("input", { name: "purpose", value: token?.purpose ?? "", maxlength: 200, dir: "auto" });
    const { person } = environment.session;
    const isOwned = Boolean(person) && (!token || samePerson(token.owner, person));
    const choice = h(
        "select",
        { name: "owner" },
        person && h("option", { value: "self", selected: isOwned }, nameOf(person)),
        h("option", { value: "", selected: !isOwned }, texts.say("tokens.service")),
    );
    const named = field(texts.say("tokens.label"), label, texts.say("tokens.label.hint"));
    const { element: error, report } = fieldError(label);
    named.append(error);
    return {
        check: () => report(!label.value.trim() && texts.say("tokens.label.needed")),
        label: named,
        others: [
            field(texts.say("tokens.owner"), choice, texts.say("tokens.owner.hint")),
            field(texts.say("tokens.purpose"), purpose, texts.say("tokens.purpose.hint")),
        ],
        read: () => ({
            label: label.value.trim(),
            purpose: purpose.value.trim(),
            owner: person && choice.value ? { issuer: person.issuer, subject: person.subject } : null,
        }),
    };
}

/**
 * Opens the form of a token's label, owner and purpose.
 * @param {Context} context
 * @param {Token} token
 * @param {() => Promise<void>} changed
 */
export function editToken(context, token, changed) {
    const { api, texts, workspace } = context;
    const path = `${workspace.root}/tokens/${token.id}`;
    const fields = tokenFields(context, token);
    const read = () => (focusInvalid(form) ? null : fields.read());
    /** @param {Event} event */
    const submit = async (event) => {
        event.preventDefault();
        const body = read();
        if (!body) return;
        await withFreshSignIn(context, async () => {
            await api.send("PATCH", path, { body });
            dialog.close();
            context.notify(texts.say("tokens.edited"));
            await changed();
        });
    };
    const form = h(
        "form",
        { class: "token-form", id: "token-form", novalidate: true, oninput: fields.check, onsubmit: submit },
        fields.label,
        fields.others,
    );
    const dialog = openDialog(texts, {
        title: texts.say("tokens.edit.title"),
        body: form,
        tool: curlButton(context, () => {
            const body = read();
            return body && api.call("PATCH", path, { body });
        }),
        actions: h("button", { type: "submit", form: "token-form", class: "primary" }, texts.say("tokens.edit.go")),
    });
}

/**
 * @param {Context} context
 * @param {() => Promise<void>} made
 */
export function makeToken(context, made) {
    const { api, texts } = context;
    const { root } = context.workspace;
    const fields = tokenFields(context);
    const access = h(
        "select",
        { name: "access" },
        accesses.map((one) => h("option", { value: one }, texts.say(`tokens.access.${one}`))),
    );
    const keys = (/** @type {string} */ name, /** @type {string} */ placeholder) =>
        h("input", { name, placeholder, spellcheck: "false", autocapitalize: "off" });
    const prefixes = keys("prefixes", "app.banner.* app.theme");
    const flags = keys("flags", "checkout.express");
    const end = h(
        "select",
        { name: "end" },
        h("option", { value: "" }, texts.say("tokens.end.needed")),
        ends.map((one) => h("option", { value: one }, texts.say(`tokens.end.${one}`))),
    );
    const date = h("input", { name: "date", type: "date" });
    const scopes = () => {
        const chosen = /** @type {import("../state/tokens.js").Access} */ (access.value);
        return scopesFor(chosen, (chosen === "disable" ? flags : prefixes).value);
    };
    const expiry = () => expiryOf(end.value === "date" ? date.value : end.value, Date.now());
    /** @type {(() => void)[]} */
    const checks = [fields.check];
    /**
     * Creates a field whose error is shown below it.
     * @param {string} name a key of the texts @param {HTMLElement} control @param {() => string | false} fault
     * @param {string} [hint]
     */
    const checked = (name, control, fault, hint) => {
        const element = field(texts.say(name), control, hint);
        const { element: error, report } = fieldError(control);
        checks.push(() => report(fault()));
        element.append(error);
        return element;
    };
    const faultOf = (/** @type {import("../state/tokens.js").Access} */ chosen) => () => {
        if (access.value !== chosen) return false;
        const { scopes: list, wrong } = scopes();
        if (wrong.length > 0) {
            return chosen === "disable"
                ? texts.say("tokens.flags.wrong", { key: wrong[0] })
                : texts.say("tokens.prefixes.wrong", { prefix: wrong[0] });
        }
        return list.length === 0 && texts.say("tokens.prefixes.needed");
    };
    const some = checked("tokens.prefixes", prefixes, faultOf("some"), texts.say("tokens.prefixes.hint"));
    const disabled = checked("tokens.flags", flags, faultOf("disable"), texts.say("tokens.flags.hint"));
    const dayFault = () => end.value === "date" && expiry() === undefined && texts.say("tokens.end.past");
    const day = checked("tokens.end.day", date, dayFault);
    const updateFields = () => {
        some.hidden = access.value !== "some";
        disabled.hidden = access.value !== "disable";
        day.hidden = end.value !== "date";
        for (const check of checks) check();
    };
    const read = () =>
        focusInvalid(form) ? null : { ...fields.read(), scopes: scopes().scopes, expires_at: expiry() };
    let isSending = false;
    /** @param {Event} event */
    const submit = async (event) => {
        event.preventDefault();
        const body = read();
        if (!body || isSending) return;
        isSending = true;
        // The dialog keeps what was typed until the token exists.
        await withFreshSignIn(context, async () => {
            const { document } = await api.send("POST", `${root}/tokens`, { body });
            dialog.close();
            await made();
            revealToken(context, document);
        });
        isSending = false;
    };
    const form = h(
        "form",
        { class: "token-form", id: "token-form", novalidate: true, oninput: updateFields, onsubmit: submit },
        fields.label,
        field(texts.say("tokens.access"), access),
        some,
        disabled,
        checked("tokens.ends", end, () => !end.value && texts.say("tokens.end.needed")),
        day,
        fields.others,
    );
    const dialog = openDialog(texts, {
        title: texts.say("tokens.make"),
        body: form,
        tool: curlButton(context, () => {
            const body = read();
            return body && api.call("POST", `${root}/tokens`, { body });
        }),
        actions: h("button", { type: "submit", form: "token-form", class: "primary" }, texts.say("tokens.make")),
    });
    updateFields();
}

/**
 * Shows a new token.
 * @param {Context} context
 * @param {{ label: string, token: string }} made
 */
export const revealToken = (context, { label, token }) =>
    revealSecret(context, {
        title: context.texts.say("tokens.made.title"),
        lead: () => h("p", {}, context.texts.parts("tokens.made.lead", { label })),
        label: context.texts.say("tokens.token"),
        secret: token,
    });
