/** The review of a change: the forecast, a message, and a confirmation in environments that need caution. */
import { Problem } from "../../shared/api.js";
import { button, fill, h, userText } from "../../shared/dom.js";
import { curlButton, debounced, errorMessage, field, notifyRelease, releaseFragment } from "../controls/controls.js";
import { routeFragment } from "../state/route.js";
import { forecastOf, forecastView } from "./forecast.js";

/** @typedef {import("./forecast.js").Proposal} Proposal */

/**
 * @typedef {object} ReviewForm
 * @property {string} label the button's label: a key of the texts, with the slot `version`
 * @property {string} message the field's initial text
 * @property {() => Proposal | string | null} propose returns null while there is nothing to do, or a text that says why
 * the change is impossible
 * @property {(late: boolean) => void} onConflict called when the config has changed since the base; `late` is true if the
 * change had been sent
 * @property {(result: any, proposal: Proposal) => void | Promise<void>} [done]
 * @property {(forecast: any) => void} [onResult]
 * @property {(message: string) => void} [onMessage] called when the message changes
 * @property {() => void} [cancel] closes the dialog of a small change, which places the forecast itself
 */

/** The debounce before the forecast, in milliseconds. */
const forecastDebounce = 150;

/**
 * @param {import("../frame.js").Context} context
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
        oninput: () => form.onMessage?.(message.value),
    });
    const confirmation = h("input", form.cancel ? { type: "checkbox" } : { autocomplete: "off", spellcheck: "false" });
    confirmation.addEventListener("input", () => updateButton());
    const named = () => h("strong", {}, name);
    const consent = form.cancel
        ? h("label", { class: "tick" }, confirmation, h("span", {}, texts.parts("review.sure", { name: named() })))
        : field(texts.parts("plan.caution", { name: named() }), confirmation);
    const saveButton = h("button", { type: "submit", class: caution ? "primary danger" : "primary" });
    const requestButton = button(texts.say("review.request"), () => requestReview(), "");
    /** @type {any} the latest forecast */
    let forecast = null;
    let lastProposal = "";
    let saving = false;
    let request = new AbortController();
    signal.addEventListener("abort", () => request.abort());

    const updateButton = () => {
        const isConfirmed = !caution || (form.cancel ? confirmation.checked : confirmation.value.trim() === name);
        requestButton.disabled = saving || !forecast || forecast.bump === "none";
        saveButton.disabled = requestButton.disabled || !isConfirmed;
        // A release that needs approvals can only be proposed.
        saveButton.hidden = forecast?.unmet?.length > 0;
        consent.hidden = saveButton.hidden;
        requestButton.className = saveButton.hidden ? "primary" : "";
        fill(
            saveButton,
            saving ? texts.say("review.saving") : texts.say(form.label, { version: forecast?.version ?? "…" }),
        );
    };
    /** @param {unknown} failure */
    const errorView = (failure) =>
        errorMessage([h("strong", {}, texts.say("review.refused")), " ", userText(context.messageOf(failure))]);
    const loadForecast = async () => {
        if (saving) return;
        const proposal = form.propose();
        const question = JSON.stringify(proposal);
        // An unchanged proposal keeps its forecast, so the button stays enabled.
        if (forecast && question === lastProposal) return;
        lastProposal = question;
        request.abort();
        request = new AbortController();
        const requestSignal = request.signal;
        forecast = null;
        updateButton();
        if (!proposal) return fill(outlook, h("p", { class: "faint" }, texts.say("plan.nothing")));
        if (typeof proposal === "string") return fill(outlook, errorMessage(proposal));
        outlook.setAttribute("aria-busy", "true");
        try {
            const found = await forecastOf(api, proposal, requestSignal);
            if (requestSignal.aborted) return;
            forecast = found;
            fill(outlook, forecastView(texts, forecast));
            form.onResult?.(forecast);
        } catch (failure) {
            if (requestSignal.aborted) return;
            if (isConflict(failure)) return form.onConflict(false);
            fill(outlook, errorView(failure));
        } finally {
            outlook.removeAttribute("aria-busy");
            updateButton();
        }
    };
    /** @param {SubmitEvent} event */
    const submit = async (event) => {
        event.preventDefault();
        const proposal = form.propose();
        if (saveButton.disabled || !proposal || typeof proposal === "string") return;
        saving = true;
        updateButton();
        fill(problem);
        try {
            const { method, path, query, body } = proposal;
            const question = { query, body, ifMatch: forecast.cursor, message: message.value.trim() || undefined };
            const result = (await api.send(method, path, question)).document;
            saving = false;
            if (!form.cancel) confirmation.value = "";
            const textKey = form.cancel ? "review.done" : "plan.done";
            notifyRelease(context, texts.say(textKey, { version: result.version, environment: name }), result.revision);
            await form.done?.(result, proposal);
            // The next screen must show the release, though its event may still be on the way.
            if (workspace.revision < result.revision) await workspace.refresh(result.revision);
            if (!form.done) navigate(releaseFragment(name, result.revision));
        } catch (failure) {
            saving = false;
            if (isConflict(failure)) {
                forecast = null;
                form.onConflict(true);
            } else fill(problem, errorView(failure));
        }
        updateButton();
    };
    /** Makes a proposal of the change, and asks for its review. */
    const requestReview = async () => {
        const proposal = form.propose();
        if (!proposal || typeof proposal === "string") return;
        saving = true;
        updateButton();
        fill(problem);
        try {
            const { method, path, query, body, changes } = proposal;
            const text = message.value.trim() || undefined;
            const question = { query: { ...query, propose: true }, body, ifMatch: forecast.cursor, message: text };
            const { document: draft } = await api.send(method, path, question);
            form.cancel?.();
            if (changes) workspace.draft.saved(changes);
            navigate(routeFragment({ environment: name, screen: "proposals", path: [String(draft.number)] }));
            const step = `${workspace.root}/proposals/${draft.number}/submit`;
            await api.send("POST", step, { ifMatch: String(draft.version) });
            context.notify(texts.say("review.requested"));
        } catch (failure) {
            if (isConflict(failure)) form.onConflict(true);
            else if (element.isConnected) fill(problem, errorView(failure));
            else context.showError(failure);
        }
        saving = false;
        updateButton();
    };
    const curl = curlButton(context, () => {
        const proposal = form.propose();
        if (!proposal || typeof proposal === "string") return null;
        const { method, path, query, body, base } = proposal;
        return api.call(method, path, { query, body, ifMatch: base, message: message.value.trim() || undefined });
    });
    updateButton();
    const element = h(
        "form",
        { class: "plan", "aria-label": texts.say("forecast"), onsubmit: submit },
        !form.cancel && [
            h("h2", {}, texts.parts("plan.into", { name: h("strong", { class: "environment-name" }, name) })),
            outlook,
        ],
        problem,
        field(texts.say("review.message"), message),
        caution && h("div", { class: "caution-field" }, consent),
        h(
            "div",
            { class: "actions" },
            curl,
            form.cancel && button(texts.say("cancel"), form.cancel),
            requestButton,
            saveButton,
        ),
    );
    const scheduleForecast = debounced(loadForecast, forecastDebounce, signal);
    const update = () => {
        // A change without a forecast must not be saved, so disable the button at once.
        if (!saving && JSON.stringify(form.propose()) !== lastProposal) {
            request.abort();
            forecast = null;
            updateButton();
        }
        scheduleForecast();
    };
    if (form.cancel) loadForecast();
    else update();
    /** @param {string} text */
    const warn = (text) => fill(problem, errorMessage(text));
    return { element, outlook, message, update, warn };
}

/** @param {unknown} failure */
function isConflict(failure) {
    return failure instanceof Problem && failure.status === 412;
}
