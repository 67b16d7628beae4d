// The screen of people: their roles, their access, and the open invitations.

import { confirm } from "../../shared/confirm.js";
import { button, fill, h, icon, userText } from "../../shared/dom.js";
import { curlButton, emptyPlaceholder, heading, table, timeMark, withFreshSignIn } from "../controls/controls.js";
import { nameOf } from "../state/people.js";
import { invitePerson } from "./people-invite.js";
import { openPerson } from "./person-dialog.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/people.js").Person} Person */
/**
 * @typedef {{ id: string, name: string, role: import("../state/people.js").Role, created_by: string,
 *     expires_at: string }} Invitation an element of `GET /invitations`
 */

/** @param {Context} context */
export async function open(context) {
    const { api, texts, environment, signal } = context;
    const { root } = context.workspace;
    const list = h("div", { class: "table-box" });
    const invitations = h("section", { class: "part" });
    const past = h("input", { type: "checkbox", onchange: () => drawPeople() });
    const tick = h("label", { class: "tick" }, past, texts.say("people.past"));
    /** @type {Person[]} */
    let people = [];

    const load = async () => {
        const [known, open] = await Promise.all(
            ["people", "invitations"].map((name) => api.get(`${root}/${name}`, { signal })),
        );
        people = known.document;
        drawPeople();
        drawInvitations(open.document);
    };
    const drawPeople = () => {
        tick.hidden = !people.some((one) => one.removed_at);
        const shown = people.filter((one) => past.checked || !one.removed_at);
        if (shown.length === 0) return fill(list, emptyPlaceholder(texts.say("people.none")));
        const heads = [
            "people.name",
            "people.role",
            "people.source",
            "people.seen",
            "people.passkeys",
            "people.tokens",
            "",
        ];
        fill(list, table(texts, "screen.people", heads, shown.map(personRow)));
    };
    /** @param {Person} person */
    const personRow = (person) => {
        const { name, subject, removed_at: removed, tokens, passkeys } = person;
        const isSelf = person.id === environment.session.person?.id;
        return h(
            "tr",
            { class: removed ? "over" : "" },
            h(
                "th",
                { scope: "row" },
                h(
                    "span",
                    {},
                    userText(nameOf(person)),
                    isSelf && h("span", { class: "badge added" }, texts.say("people.self")),
                ),
                name && h("small", { class: "faint", title: subject }, userText(subject)),
            ),
            h("td", {}, roleMark(person)),
            h("td", {}, texts.say(`people.source.${person.source}`)),
            h(
                "td",
                {},
                removed
                    ? h("span", {}, texts.parts("people.removed", { time: timeMark(texts, removed) }))
                    : timeMark(texts, person.last_seen_at),
            ),
            h("td", { class: "number" }, passkeys > 0 ? texts.number(passkeys) : "–"),
            h("td", { class: "number" }, tokens.length > 0 ? texts.number(tokens.length) : "–"),
            h(
                "td",
                { class: "row-actions" },
                h(
                    "button",
                    {
                        type: "button",
                        class: "quiet",
                        "aria-label": texts.say("people.open", { name: nameOf(person) }),
                        onclick: () => openPerson(context, person, load),
                    },
                    texts.say("people.details"),
                    icon("right"),
                ),
            ),
        );
    };
    /** @param {Person} person */
    const roleMark = ({ role, scopes, removed_at: removed }) => {
        if (role) return texts.say(`role.${role}`);
        if (removed || scopes.length === 0) return "–";
        return scopes.map((scope) => h("code", { class: "badge" }, userText(scope)));
    };
    /** @param {Invitation[]} open */
    const drawInvitations = (open) => {
        if (open.length === 0) return fill(invitations);
        const heads = ["people.name", "people.role", "people.by", "tokens.ends", ""];
        fill(
            invitations,
            h("header", { class: "heading" }, h("h2", {}, texts.say("people.invitations"))),
            h("div", { class: "table-box" }, table(texts, "people.invitations", heads, open.map(invitationRow))),
        );
    };
    /** @param {Invitation} invitation */
    const invitationRow = (invitation) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, userText(invitation.name)),
            h("td", {}, texts.say(`role.${invitation.role}`)),
            h("td", {}, userText(invitation.created_by)),
            h("td", {}, timeMark(texts, invitation.expires_at)),
            h(
                "td",
                { class: "row-actions" },
                button(texts.say("tokens.revoke"), () => revoke(invitation), "danger"),
            ),
        );
    /** @param {Invitation} invitation */
    const revoke = ({ id, name }) => {
        const path = `${root}/invitations/${id}`;
        const run = () =>
            withFreshSignIn(context, async () => {
                await api.send("DELETE", path);
                context.notify(texts.say("people.invitation.revoked"));
                await load();
            });
        confirm(texts, {
            title: texts.say("people.invitation.revoke"),
            body: h("p", {}, texts.parts("people.invitation.revoke.lead", { name })),
            tool: curlButton(context, () => ({ method: "DELETE", path })),
            answers: [{ label: texts.say("people.invitation.revoke"), kind: "danger", run }],
        });
    };
    const invite = () => invitePerson(context, load);
    document.addEventListener(
        "visibilitychange",
        () => document.visibilityState === "visible" && load().catch(context.showError),
        { signal },
    );
    context.keys.add({ keys: "n", label: "people.invite", run: invite, list }, signal);
    const element = h(
        "section",
        { class: "screen people" },
        heading(
            texts.say("screen.people"),
            tick,
            button(texts.say("people.invite"), invite, "primary", "add"),
            curlButton(context, `${root}/people`),
        ),
        list,
        invitations,
    );
    await load();
    return { element };
}
