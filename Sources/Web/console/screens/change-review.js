/** The review of a change: the forecast, a message, and a confirmation in environments that need caution. */
import { Problem } from "../../shared/api.js";
import { fill, foreign, h } from "../../shared/dom.js";
import { forecastOf, forecastView } from "../forecast.js";
import { atRest, curlButton, field, mishap, releaseFragment, tellRelease } from "./parts.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../forecast.js").Proposal} Proposal */

/**
 * @typedef {object} ReviewForm
 * @property {string} label the button's label: a key of the texts, with the slot `version`
 * @property {string} message the field's initial text
 * @property {() => Proposal | string | null} propose returns null while there is nothing to do, or a text that says why
 * the change is impossible
 * @property {(late: boolean) => void} moved called when the config has changed since the base; `late` is true if the
 * change had been sent
 * @property {(result: any, proposal: Proposal) => void | Promise<void>} [done]
 * @property {(forecast: any) => void} [seen]
 * @property {(message: string) => void} [say] called when the message changes
 * @property {boolean} [small] true for a small change in a dialog, which places the forecast itself
 */

/** The debounce before the forecast, in milliseconds. */
const rest = 150;

/**
 * @param {Context} context
 * @param {ReviewForm} form
 */
export function review(context, form) {
    const { api, texts, environment, workspace, navigate, signal } = context;
    const { caution, name } = environment;
    const outlook = h(
        "section",
        { class: "outlook", "aria-live": "polite", "aria-label": texts.say("forecast") },
        h("p", { class: "hint" }, texts.say("forecast.loading")),
    );
    const problem = h("div", { role: "alert" });
    const message = h("input", {
        name: "message",
        value: form.message,
        maxlength: 500,
        dir: "auto",
        autocomplete: "off",
        placeholder: texts.say("plan.message.hint"),
        oninput: () => form.say?.(message.value),
    });
    const sure = h("input", form.small ? { type: "checkbox" } : { autocomplete: "off", spellcheck: "false" });
    sure.addEventListener("input", () => allow());
    const named = () => h("strong", {}, name);
    const consent = form.small
        ? h("label", { class: "tick" }, sure, h("span", {}, texts.parts("review.sure", { name: named() })))
        : field(texts.parts("plan.caution", { name: named() }), sure);
    const go = h("button", { type: "submit", class: caution ? "primary danger" : "primary" });
    /** @type {any} the latest forecast */
    let forecast = null;
    let asked = "";
    let saving = false;
    let asking = new AbortController();
    signal.addEventListener("abort", () => asking.abort());

    const allow = () => {
        const known = !caution || (form.small ? sure.checked : sure.value.trim() === name);
        go.disabled = saving || !forecast || forecast.bump === "none" || !known;
        fill(go, saving ? texts.say("review.saving") : texts.say(form.label, { version: forecast?.version ?? "…" }));
    };
    /** @param {unknown} failure */
    const refusal = (failure) =>
        mishap([h("strong", {}, texts.say("review.refused")), " ", foreign(context.wording(failure))]);
    const look = async () => {
        if (saving) return;
        const proposal = form.propose();
        const question = JSON.stringify(proposal);
        // An unchanged proposal keeps its forecast, so the button stays enabled.
        if (forecast && question === asked) return;
        asked = question;
        asking.abort();
        asking = new AbortController();
        const turn = asking.signal;
        forecast = null;
        allow();
        if (!proposal) return fill(outlook, h("p", { class: "faint" }, texts.say("plan.nothing")));
        if (typeof proposal === "string") return fill(outlook, mishap(proposal));
        outlook.setAttribute("aria-busy", "true");
        try {
            const found = await forecastOf(api, proposal, turn);
            if (turn.aborted) return;
            forecast = found;
            fill(outlook, forecastView(texts, forecast));
            form.seen?.(forecast);
        } catch (failure) {
            if (turn.aborted) return;
            if (isMoved(failure)) return form.moved(false);
            fill(outlook, refusal(failure));
        } finally {
            outlook.removeAttribute("aria-busy");
            allow();
        }
    };
    /** @param {SubmitEvent} event */
    const submit = async (event) => {
        event.preventDefault();
        const proposal = form.propose();
        if (go.disabled || !proposal || typeof proposal === "string") return;
        saving = true;
        allow();
        fill(problem);
        try {
            const { method, path, query, body } = proposal;
            const question = { query, body, ifMatch: forecast.cursor, message: message.value.trim() || undefined };
            const result = (await api.send(method, path, question)).document;
            saving = false;
            if (!form.small) sure.value = "";
            const told = form.small ? "review.done" : "plan.done";
            tellRelease(context, texts.say(told, { version: result.version, environment: name }), result.revision);
            await form.done?.(result, proposal);
            // The next screen must show the release, though its event may still be on the way.
            if (workspace.revision < result.revision) await workspace.refresh(result.revision);
            if (!form.done) navigate(releaseFragment(name, result.revision));
        } catch (failure) {
            saving = false;
            if (isMoved(failure)) {
                forecast = null;
                form.moved(true);
            } else fill(problem, refusal(failure));
        }
        allow();
    };
    const curl = curlButton(context, () => {
        const proposal = form.propose();
        if (!proposal || typeof proposal === "string") return null;
        const { method, path, query, body, base } = proposal;
        return api.call(method, path, { query, body, ifMatch: base, message: message.value.trim() || undefined });
    });
    allow();
    const element = h(
        "form",
        { class: "plan", "aria-label": texts.say("forecast"), onsubmit: submit },
        !form.small && [
            h("h2", {}, texts.parts("plan.into", { name: h("strong", { class: "environment-name" }, name) })),
            outlook,
        ],
        problem,
        field(texts.say("review.message"), message),
        caution && h("div", { class: "caution-field" }, consent),
        h("div", { class: "actions" }, go, curl),
    );
    const lookAtRest = atRest(look, rest, signal);
    const renew = () => {
        // A change without a forecast must not be saved, so disable the button at once.
        if (!saving && JSON.stringify(form.propose()) !== asked) {
            asking.abort();
            forecast = null;
            allow();
        }
        lookAtRest();
    };
    if (form.small) look();
    else renew();
    /** @param {string} text */
    const warn = (text) => fill(problem, mishap(text));
    return { element, outlook, message, renew, warn };
}

/** @param {unknown} failure */
function isMoved(failure) {
    return failure instanceof Problem && failure.status === 412;
}
