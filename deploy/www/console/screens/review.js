// A change before it is made: what it will do, a message, and for environments to be careful with, their name.

import { Problem } from "../../shared/api.js";
import { fill, foreign, h, icon } from "../../shared/dom.js";
import { routeFragment } from "../state/route.js";
import { shortValue } from "./difference.js";
import { atRest, bumpMark, button, curlButton } from "./parts.js";

/** @typedef {import("../frame.js").Context} Context */

/**
 * What is to be asked of the server; `base` is the cursor that it was made for.
 * @typedef {{method: string, path: string, query: Record<string, string | boolean>, body?: string, base: string}} Proposal
 * @typedef {object} ReviewForm
 * @property {string} label of the button, as a key of the texts with the slot `version`
 * @property {string} message what stands in its field at first
 * @property {() => Proposal | null} propose null while there is nothing to do
 * @property {() => void} moved the config has moved on since the base
 * @property {() => void} [done]
 */

/** How long a choice rests before its forecast is asked for, in milliseconds. */
const rest = 150;

/**
 * @param {Context} context
 * @param {ReviewForm} form
 */
export function review(context, form) {
    const { api, texts, environment, navigate, notify, fail, signal } = context;
    const outcome = h("div", { class: "forecast", role: "status", "aria-live": "polite" });
    const message = h("input", { name: "message", value: form.message, maxlength: 500, placeholder: texts.say("review.message.hint") });
    const name = h("input", { name: "confirmation", autocomplete: "off", spellcheck: "false", oninput: () => allow() });
    const go = h("button", { type: "submit", class: environment.caution ? "primary danger" : "primary", disabled: true });
    /** @type {any} the newest forecast */
    let forecast = null;
    let asking = new AbortController();
    signal.addEventListener("abort", () => asking.abort());

    /** @param {string} version */
    const label = (version) => fill(go, texts.say(form.label, { version }));
    const allow = () => {
        const known = !environment.caution || name.value.trim() === environment.name;
        go.disabled = !forecast || forecast.bump === "none" || !known;
    };
    const look = async () => {
        asking.abort();
        asking = new AbortController();
        forecast = null;
        allow();
        const proposal = form.propose();
        if (!proposal) return fill(outcome, h("p", { class: "faint" }, texts.say("review.nothing")));
        outcome.setAttribute("aria-busy", "true");
        try {
            const { method, path, query, body, base } = proposal;
            const question = { query: { ...query, dry_run: true }, body, ifMatch: base, signal: asking.signal };
            forecast = (await api.send(method, path, question)).document;
            fill(outcome, forecastView(texts, forecast));
            label(forecast.version);
        } catch (failure) {
            if (asking.signal.aborted) return;
            if (isMoved(failure)) return form.moved();
            fill(outcome, h("p", { class: "error" }, icon("alert"), h("span", {}, context.frame.wording(failure))));
        } finally {
            outcome.removeAttribute("aria-busy");
            allow();
        }
    };
    /** @param {SubmitEvent} event */
    const submit = async (event) => {
        event.preventDefault();
        const proposal = form.propose();
        if (go.disabled || !proposal) return;
        go.disabled = true;
        try {
            const { method, path, query, body } = proposal;
            const question = { query, body, ifMatch: forecast.cursor, message: message.value.trim() || undefined };
            const result = (await api.send(method, path, question)).document;
            name.value = "";
            const fragment = routeFragment({ environment: environment.name, screen: "releases", path: [String(result.revision)] });
            notify(texts.say("review.done", { version: result.version, environment: environment.name }), {
                label: texts.say("review.show"),
                run: () => navigate(fragment),
            });
            if (form.done) form.done();
            else navigate(fragment);
        } catch (failure) {
            if (isMoved(failure)) form.moved();
            else fail(failure);
            allow();
        }
    };
    const curl = curlButton(context, () => {
        const proposal = form.propose();
        if (!proposal) return null;
        const { method, path, query, body, base } = proposal;
        return { ...api.call(method, path, { query, body, ifMatch: base }) };
    });
    label("");
    const element = h(
        "form",
        { class: "review", "aria-label": texts.say("review.title"), onsubmit: submit },
        h("h2", {}, texts.parts("review.into", { name: h("strong", { class: "environment-name" }, environment.name) })),
        outcome,
        h("label", { class: "field" }, h("span", {}, texts.say("review.message")), message),
        environment.caution &&
            h("label", { class: "field caution" }, h("span", {}, texts.parts("review.caution", { name: h("strong", {}, environment.name) })), name),
        h("div", { class: "actions" }, go, curl),
    );
    const renew = atRest(look, rest, signal);
    renew();
    return { element, renew };
}

/** @param {unknown} failure */
function isMoved(failure) {
    return failure instanceof Problem && failure.status === 412;
}

/**
 * What a release will do, as the server foresees it.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {any} forecast
 */
export function forecastView(texts, { version, current_version: current, bump, changes, majors, warnings }) {
    if (bump === "none") return h("p", { class: "faint" }, texts.say("review.equal"));
    const reasons = changes.filter((/** @type {any} */ change) => change.bump === bump);
    const shown = reasons.slice(0, 8);
    return [
        h(
            "p",
            { class: "versions" },
            h("span", { class: "version" }, current),
            h("span", { class: "arrow", "aria-label": texts.say("review.becomes"), role: "img" }, "→"),
            h("strong", { class: "version" }, version),
            bumpMark(texts, bump),
        ),
        h("p", { class: "faint" }, texts.say("review.changes", { n: changes.length })),
        h(
            "ul",
            { class: "reasons" },
            shown.map((/** @type {any} */ change) => h("li", {}, reason(texts, change))),
            reasons.length > shown.length && h("li", { class: "faint" }, texts.say("more", { n: reasons.length - shown.length })),
        ),
        majors.filter((/** @type {any} */ one) => one.keeps.length > 0).map((/** @type {any} */ one) => keeps(texts, one)),
        (warnings ?? []).map((/** @type {string} */ warning) => h("p", { class: "error" }, icon("alert"), foreign(warning))),
    ];
}

/**
 * Why a change raises the version.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {{key: string, reason: string, from?: string, to?: string, path?: string}} change
 */
export function reason(texts, { key, reason: kind, from = "", to = "", path = "" }) {
    const types = { from: from && texts.say(`type.${from}`), to: to && texts.say(`type.${to}`) };
    return texts.parts(`reason.${kind}`, { key: h("code", {}, foreign(key)), path: h("code", {}, foreign(path)), from: types.from, to: types.to });
}

/** @param {import("../../shared/texts.js").Texts} texts @param {any} one */
function keeps(texts, { major, keeps: kept }) {
    return h(
        "div",
        { class: "keeps" },
        h("p", {}, icon("history"), h("span", {}, texts.say("review.keeps", { major, n: kept.length }))),
        h(
            "ul",
            {},
            kept.slice(0, 6).map((/** @type {any} */ entry) => h("li", {}, h("code", {}, foreign(entry.key)), " ", shortValue(entry.value, 60))),
            kept.length > 6 && h("li", { class: "faint" }, texts.say("more", { n: kept.length - 6 })),
        ),
    );
}
