// The dialog of one person: facts, role, removal, and a new invitation.

import { confirm } from "../../shared/confirm.js";
import { openDialog } from "../../shared/dialog.js";
import { button, h, userText } from "../../shared/dom.js";
import { curlButton, timeMark, withFreshSignIn } from "../controls/controls.js";
import { nameOf } from "../state/people.js";
import { roleField, sendInvitation } from "./people-invite.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/people.js").Person} Person */

/**
 * @param {Context} context
 * @param {Person} person
 * @param {() => Promise<void>} changed
 */
export function openPerson(context, person, changed) {
    const { api, texts, environment, workspace } = context;
    const path = `${workspace.root}/people/${person.id}`;
    const isSelf = person.id === environment.session.person?.id;
    const isInvited = person.source === "invitation";
    const name = nameOf(person);
    const { choice, element: role } = roleField(context, person.role ?? "viewer");
    /**
     * Sends a change that needs a fresh sign-in, then closes the dialog.
     * @param {() => Promise<unknown>} send
     * @param {string} [said] a key of the texts
     */
    const run = (send, said) =>
        withFreshSignIn(context, async () => {
            await send();
            dialog.close();
            if (said) context.notify(texts.say(said, { name }));
            await changed();
        });
    const change = () => run(() => api.send("PATCH", path, { body: { role: choice.value } }), "people.role.changed");
    const admit = () => run(() => api.send("POST", `${path}/admit`, { body: {} }), "people.admitted");
    const invite = () =>
        withFreshSignIn(context, () =>
            sendInvitation(context, { name, role: person.role ?? "viewer", person: person.id }, async () => {
                dialog.close();
                await changed();
            }),
        );
    const remove = () =>
        confirmRemoval(context, person, (query) =>
            run(() => api.send("DELETE", path, { query }), "people.removal.done"),
        );
    const canChange = isInvited && !isSelf && !person.removed_at;
    const actions = isSelf
        ? null
        : [
              isInvited && button(texts.say("people.again"), invite),
              person.removed_at
                  ? button(texts.say("people.admit"), admit, "primary")
                  : button(texts.say("people.remove"), remove, "danger"),
          ];
    const hint = isSelf
        ? texts.say("people.self.hint")
        : person.source === "claim" && !person.removed_at && texts.say("people.claim.hint");
    const dialog = openDialog(texts, {
        title: userText(name),
        body: [
            facts(context, person, !canChange),
            canChange && [role, h("div", {}, button(texts.say("people.role.change"), change))],
            hint && h("p", { class: "hint" }, hint),
        ],
        tool: curlButton(context, `${workspace.root}/people`),
        actions,
        cancel: texts.say("close"),
    });
}

/**
 * @param {Context} context
 * @param {Person} person
 * @param {boolean} hasRole false if the role has a field of its own
 */
function facts({ texts }, { subject, issuer, role, scopes, tokens, passkeys, ...person }, hasRole) {
    const pairs = /** @type {[string, import("../../shared/dom.js").Children][]} */ (
        [
            ["people.id", h("code", {}, userText(subject))],
            ["people.issuer", h("code", {}, userText(issuer))],
            hasRole && ["people.role", role ? texts.say(`role.${role}`) : scopes.length > 0 ? scopes.join(", ") : "–"],
            ["people.first", timeMark(texts, person.first_seen_at)],
            ["people.seen", timeMark(texts, person.last_seen_at)],
            person.removed_at && ["people.removed.at", timeMark(texts, person.removed_at)],
            ["people.passkeys", texts.number(passkeys)],
            [
                "people.tokens",
                tokens.length === 0 ? "–" : tokens.map(({ label }) => h("span", { class: "badge" }, userText(label))),
            ],
        ].filter(Boolean)
    );
    return h(
        "dl",
        { class: "facts" },
        pairs.map(([key, value]) => h("div", {}, h("dt", {}, texts.say(key)), h("dd", {}, value))),
    );
}

/**
 * Asks before a removal, and lists its effects.
 * @param {Context} context
 * @param {Person} person
 * @param {(query: { erase?: true }) => unknown} remove
 */
function confirmRemoval(context, person, remove) {
    const { texts, environment, workspace } = context;
    const { tokens, passkeys } = person;
    const erase = h("input", { type: "checkbox" });
    const query = () => (erase.checked ? { erase: /** @type {true} */ (true) } : {});
    const labels = tokens.map(({ label }) => label).join(", ");
    confirm(texts, {
        title: texts.say("people.removal.title"),
        body: [
            h("p", {}, texts.parts("people.removal.lead", { name: nameOf(person), environment: environment.name })),
            h(
                "ul",
                { class: "effects" },
                h("li", {}, texts.say("people.removal.sessions")),
                passkeys > 0 && h("li", {}, texts.say("people.removal.passkeys", { n: passkeys })),
                tokens.length > 0 && h("li", {}, texts.parts("people.removal.tokens", { n: tokens.length, labels })),
            ),
            person.name && h("label", { class: "tick" }, erase, texts.say("people.removal.erase")),
        ],
        tool: curlButton(context, () =>
            context.api.call("DELETE", `${workspace.root}/people/${person.id}`, { query: query() }),
        ),
        answers: [{ label: texts.say("people.removal.title"), kind: "danger", run: () => remove(query()) }],
    });
}
