// The screen of API tokens and sessions.

import { confirm } from "../../shared/confirm.js";
import { button, fill, h, icon, userText } from "../../shared/dom.js";
import {
    curlButton,
    emptyPlaceholder,
    field,
    heading,
    table,
    timeMark,
    withFreshSignIn,
} from "../controls/controls.js";
import { nameOf, personName, samePerson } from "../state/people.js";
import { allows } from "../state/scopes.js";
import { isNeglected, isValid, sorted, stateOf } from "../state/tokens.js";
import { editToken, makeToken, revealToken } from "./token-form.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/tokens.js").Token} Token */

/** @param {Context} context */
export async function open(context) {
    const { api, texts, environment, showError, signal } = context;
    const { root } = context.workspace;
    const admin = allows(environment.session.scopes, "admin");
    const tokens = h("div", { class: "table-box" });
    const sessions = h("div", { class: "table-box" });
    const past = h("input", { type: "checkbox", onchange: () => drawTokens() });
    /** @type {Token[]} */
    let list = [];

    const loadTokens = async () => {
        list = (await api.get(`${root}/tokens`, { signal })).document;
        drawTokens();
    };
    const drawTokens = () => {
        const now = Date.now();
        const shown = sorted(list, now).filter((token) => past.checked || isValid(token, now));
        if (shown.length === 0) return fill(tokens, emptyPlaceholder(texts.say("tokens.none")));
        const heads = ["tokens.label", "tokens.owner", "tokens.scopes", "tokens.used", "tokens.ends", ""];
        fill(
            tokens,
            table(
                texts,
                "tokens.title",
                heads,
                shown.map((token) => tokenRow(token, now)),
            ),
        );
    };
    /** @param {Token} token @param {number} now */
    const tokenRow = (token, now) => {
        const state = stateOf(token, now);
        const good = isValid(token, now);
        const isOfOther = token.owner && !samePerson(token.owner, environment.session.person);
        return h(
            "tr",
            { class: good ? "" : "over" },
            h(
                "th",
                { scope: "row" },
                userText(token.label),
                h("small", { class: "faint" }, token.id),
                token.purpose && h("p", { class: "faint purpose" }, userText(token.purpose)),
            ),
            h("td", {}, owner(token, now)),
            h(
                "td",
                {},
                token.scopes.map((scope) => h("code", { class: "badge" }, userText(scope))),
            ),
            h("td", {}, timeMark(texts, token.last_used_at, texts.say("never"))),
            h("td", { class: state }, ending(token, state)),
            h(
                "td",
                { class: "row-actions" },
                good && isOfOther && button(texts.say("tokens.disown"), () => disown(token), "quiet"),
                good && !isOfOther && button(texts.say("tokens.edit"), () => edit(token), "quiet"),
                good && !isOfOther && button(texts.say("tokens.rotate"), () => rotate(token), "quiet"),
                good && button(texts.say("tokens.revoke"), () => revoke(token), "danger"),
            ),
        );
    };
    /** @param {Token} token @param {number} now */
    const owner = ({ owner, ...token }, now) => {
        if (owner && !owner.removed_at) return h("span", { title: owner.subject }, userText(nameOf(owner)));
        const removed = owner && { name: userText(nameOf(owner)), time: timeMark(texts, owner.removed_at) };
        const isLate = isNeglected({ ...token, owner }, now);
        return h(
            "div",
            {},
            texts.say("tokens.service"),
            removed &&
                h(
                    "p",
                    { class: isLate ? "neglected" : "hint" },
                    isLate && icon("alert"),
                    texts.parts(isLate ? "tokens.neglected" : "tokens.left", removed),
                ),
        );
    };
    /** @param {Token} token */
    const edit = (token) => editToken(context, token, loadTokens);
    /** @param {Token} token */
    const disown = (token) => {
        const path = `${root}/tokens/${token.id}`;
        const body = { owner: null };
        const run = () =>
            withFreshSignIn(context, async () => {
                await api.send("PATCH", path, { body });
                context.notify(texts.say("tokens.disown.done", { label: token.label }));
                await loadTokens();
            });
        const names = { label: token.label, name: token.owner ? nameOf(token.owner) : "" };
        confirm(texts, {
            title: texts.say("tokens.disown.title"),
            body: h("p", {}, texts.parts("tokens.disown.lead", names)),
            tool: curlButton(context, () => api.call("PATCH", path, { body })),
            answers: [{ label: texts.say("tokens.disown.title"), kind: "danger", run }],
        });
    };
    /** @param {Token} token @param {string} state */
    const ending = (token, state) => {
        if (state === "revoked") return [texts.say("tokens.revoked"), " ", timeMark(texts, token.revoked_at)];
        if (state === "endless") return texts.say("never");
        const end = token.revoked_at ?? token.expires_at;
        return [state === "ending" && icon("alert"), timeMark(texts, end)];
    };
    /** @param {Token} token */
    const revoke = (token) => {
        const path = `${root}/tokens/${token.id}`;
        const run = () =>
            withFreshSignIn(context, async () => {
                await api.send("DELETE", path);
                context.notify(texts.say("tokens.revoke.done", { label: token.label }));
                await loadTokens();
            });
        confirm(texts, {
            title: texts.say("tokens.revoke.title"),
            body: h("p", {}, texts.parts("tokens.revoke.lead", { label: token.label })),
            tool: curlButton(context, () => ({ method: "DELETE", path })),
            answers: [{ label: texts.say("tokens.revoke.title"), kind: "danger", run }],
        });
    };
    /** @param {Token} token */
    const rotate = (token) => {
        const overlap = h(
            "select",
            {},
            ["0", "3600", "86400", "604800"].map((seconds) =>
                h("option", { value: seconds, selected: seconds === "86400" }, texts.say(`tokens.overlap.${seconds}`)),
            ),
        );
        const path = `${root}/tokens/${token.id}/rotate`;
        const body = () => ({ overlap_seconds: Number(overlap.value) });
        const run = () =>
            withFreshSignIn(context, async () => {
                const { document } = await api.send("POST", path, { body: body() });
                await loadTokens();
                revealToken(context, document);
            });
        confirm(texts, {
            title: texts.say("tokens.rotate.title"),
            body: [
                h("p", {}, texts.parts("tokens.rotate.lead", { label: token.label })),
                field(texts.say("tokens.overlap"), overlap),
            ],
            tool: curlButton(context, () => api.call("POST", path, { body: body() })),
            answers: [{ label: texts.say("tokens.rotate.title"), kind: "primary", run }],
        });
    };
    const loadSessions = async () => {
        const { document } = await api.get(`${root}/sessions`, { signal });
        fill(
            sessions,
            table(
                texts,
                "sessions.title",
                ["sessions.name", "sessions.application", "tokens.used", "tokens.ends", ""],
                document.map(sessionRow),
            ),
        );
    };
    /** @param {any} session */
    const sessionRow = (session) =>
        h(
            "tr",
            {},
            h(
                "th",
                { scope: "row" },
                h("span", { title: session.person?.subject }, userText(personName(session))),
                session.current && h("span", { class: "badge added" }, texts.say("sessions.current")),
            ),
            h(
                "td",
                {},
                session.application,
                " ",
                (session.scopes ?? []).map((/** @type {string} */ scope) =>
                    h("code", { class: "badge" }, userText(scope)),
                ),
            ),
            h("td", {}, timeMark(texts, session.last_used_at)),
            h("td", {}, timeMark(texts, session.expires_at)),
            h(
                "td",
                { class: "row-actions" },
                button(texts.say("sessions.end"), () => end(session), "danger"),
            ),
        );
    /** @param {any} session */
    const end = (session) => {
        if (session.current) return context.signOut();
        withFreshSignIn(context, async () => {
            await api.send("DELETE", `${root}/sessions/${encodeURIComponent(session.id)}`);
            context.notify(texts.say("sessions.end.done", { name: personName(session) }));
            await loadSessions();
        });
    };
    const create = () => makeToken(context, loadTokens);
    const make = admin && button(texts.say("tokens.make"), create, "primary", "add");
    if (admin) context.keys.add({ keys: "n", label: "tokens.make", run: create, list: tokens }, signal);
    const element = h(
        "section",
        { class: "screen tokens" },
        admin && [
            heading(
                texts.say("tokens.title"),
                h("label", { class: "tick" }, past, texts.say("tokens.past")),
                make,
                curlButton(context, `${root}/tokens`),
            ),
            tokens,
        ],
        h(
            "header",
            { class: "heading" },
            h(admin ? "h2" : "h1", {}, texts.say("sessions.title")),
            h("div", { class: "actions" }, curlButton(context, `${root}/sessions`)),
        ),
        sessions,
    );
    await Promise.all([admin && loadTokens(), loadSessions().catch(showError)]);
    return { element };
}
