// The screen of API tokens and sessions.

import { confirm } from "../../shared/confirm.js";
import { openDialog } from "../../shared/dialog.js";
import { button, fill, h, icon, userText } from "../../shared/dom.js";
import {
    copy,
    curlButton,
    emptyPlaceholder,
    field,
    heading,
    table,
    timeMark,
    withFreshSignIn,
} from "../controls/controls.js";
import { fieldError, focusInvalid } from "../controls/field-error.js";
import { allows } from "../state/scopes.js";
import { expiryOf, isValid, scopesFor, sorted, stateOf } from "../state/tokens.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/tokens.js").Token} Token */

const ends = ["30", "90", "365", "never", "date"];
const accesses = /** @type {const} */ (["read", "evaluate", "some", "write", "admin"]);

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
        const heads = ["tokens.label", "tokens.scopes", "tokens.used", "tokens.ends", ""];
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
        return h(
            "tr",
            { class: good ? "" : "over" },
            h("th", { scope: "row" }, userText(token.label), h("small", { class: "faint" }, token.id)),
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
                good && button(texts.say("tokens.rotate"), () => rotate(token), "quiet"),
                good && button(texts.say("tokens.revoke"), () => revoke(token), "danger"),
            ),
        );
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
                reveal(context, document);
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
                userText(session.name),
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
            context.notify(texts.say("sessions.end.done", { name: session.name }));
            await loadSessions();
        });
    };
    const make =
        admin && button(texts.say("tokens.make"), () => makeToken(context, root, loadTokens), "primary", "add");
    if (admin)
        context.keys.add(
            { keys: "n", label: "tokens.make", run: () => makeToken(context, root, loadTokens), list: tokens },
            signal,
        );
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

/**
 * @param {Context} context
 * @param {string} root
 * @param {() => Promise<void>} made
 */
function makeToken(context, root, made) {
    const { api, texts } = context;
    const label = h("input", { name: "label", maxlength: 100, dir: "auto", autofocus: true });
    const access = h(
        "select",
        { name: "access" },
        accesses.map((one) => h("option", { value: one }, texts.say(`tokens.access.${one}`))),
    );
    const prefixes = h("input", {
        name: "prefixes",
        placeholder: "app.banner.* app.theme",
        spellcheck: "false",
        autocapitalize: "off",
    });
    const end = h(
        "select",
        { name: "end" },
        h("option", { value: "" }, texts.say("tokens.end.needed")),
        ends.map((one) => h("option", { value: one }, texts.say(`tokens.end.${one}`))),
    );
    const date = h("input", { name: "date", type: "date" });
    const scopes = () => scopesFor(/** @type {import("../state/tokens.js").Access} */ (access.value), prefixes.value);
    const expiry = () => expiryOf(end.value === "date" ? date.value : end.value, Date.now());
    /** @type {(() => void)[]} */
    const checks = [];
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
    const prefixFault = () => {
        const { scopes: list, wrong } = scopes();
        if (wrong.length > 0) return texts.say("tokens.prefixes.wrong", { prefix: wrong[0] });
        return list.length === 0 && texts.say("tokens.prefixes.needed");
    };
    const some = checked("tokens.prefixes", prefixes, prefixFault, texts.say("tokens.prefixes.hint"));
    const dayFault = () => end.value === "date" && expiry() === undefined && texts.say("tokens.end.past");
    const day = checked("tokens.end.day", date, dayFault);
    const updateFields = () => {
        some.hidden = access.value !== "some";
        day.hidden = end.value !== "date";
        for (const check of checks) check();
    };
    const read = () =>
        focusInvalid(form) ? null : { label: label.value.trim(), scopes: scopes().scopes, expires_at: expiry() };
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
            reveal(context, document);
        });
        isSending = false;
    };
    const form = h(
        "form",
        { class: "token-form", id: "token-form", novalidate: true, oninput: updateFields, onsubmit: submit },
        checked(
            "tokens.label",
            label,
            () => !label.value.trim() && texts.say("tokens.label.needed"),
            texts.say("tokens.label.hint"),
        ),
        field(texts.say("tokens.access"), access),
        some,
        checked("tokens.ends", end, () => !end.value && texts.say("tokens.end.needed")),
        day,
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
 * Shows a new token, which cannot be shown again. Asks before the dialog closes while the token has not been copied.
 * @param {Context} context
 * @param {{label: string, token: string}} made
 */
function reveal(context, made) {
    const { texts } = context;
    let isCopied = false;
    const copyToken = async () => {
        if (await copy(context, made.token)) isCopied = true;
    };
    const lead = () => h("p", {}, texts.parts("tokens.made.lead", { label: made.label }));
    const secret = h("input", {
        class: "exact",
        value: made.token,
        readonly: true,
        "aria-label": texts.say("tokens.token"),
        onfocus: () => secret.select(),
        oncopy: () => {
            isCopied = true;
        },
    });
    const mayClose = () => {
        if (isCopied) return true;
        confirm(texts, {
            title: texts.say("tokens.made.close"),
            body: lead(),
            answers: [
                { label: texts.say("tokens.made.close"), kind: "danger", run: () => dialog.close() },
                { label: texts.say("copy"), kind: "primary", run: copyToken },
            ],
        });
        return false;
    };
    const dialog = openDialog(texts, {
        title: texts.say("tokens.made.title"),
        body: [lead(), secret],
        actions: button(texts.say("copy"), copyToken, "primary", "copy"),
        cancel: null,
        mayClose,
        onClose: () => {
            secret.value = "";
        },
    });
    secret.focus();
}
