// A change before it is made: what it will do, a message, and for environments to be careful with, their name.

import { Problem } from "../../shared/api.js";
import { fill, h } from "../../shared/dom.js";
import { forecastView } from "../entries/review.js";
import { atRest, curlButton, field, mishap, releaseFragment, tellRelease } from "./parts.js";

/** @typedef {import("../frame.js").Context} Context */

/**
 * What is to be asked of the server; `base` is the cursor that it was made for.
 * @typedef {{method: string, path: string, query: Record<string, string | boolean>, body?: string,
 *     base: string}} Proposal
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
    const { api, texts, environment, navigate, fail, signal } = context;
    const outcome = h("div", { class: "outlook", role: "status", "aria-live": "polite" });
    const message = h("input", {
        name: "message",
        value: form.message,
        maxlength: 500,
        placeholder: texts.say("plan.message.hint"),
    });
    const name = h("input", { name: "confirmation", autocomplete: "off", spellcheck: "false", oninput: () => allow() });
    const go = h("button", {
        type: "submit",
        class: environment.caution ? "primary danger" : "primary",
        disabled: true,
    });
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
        if (!proposal) return fill(outcome, h("p", { class: "faint" }, texts.say("plan.nothing")));
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
            fill(outcome, mishap(context.frame.wording(failure)));
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
            const text = texts.say("plan.done", { version: result.version, environment: environment.name });
            tellRelease(context, text, result.revision);
            if (form.done) form.done();
            else navigate(releaseFragment(environment.name, result.revision));
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
    label("…");
    const element = h(
        "form",
        { class: "plan", "aria-label": texts.say("plan.title"), onsubmit: submit },
        h("h2", {}, texts.parts("plan.into", { name: h("strong", { class: "environment-name" }, environment.name) })),
        outcome,
        field(texts.say("review.message"), message),
        environment.caution &&
            h(
                "div",
                { class: "caution-field" },
                field(texts.parts("plan.caution", { name: h("strong", {}, environment.name) }), name),
            ),
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
