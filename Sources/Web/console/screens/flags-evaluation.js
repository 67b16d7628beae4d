/** The evaluation of a flag for a given context, and the number of sampled users that the draft would move. */
import { fill, h, userText } from "../../shared/dom.js";
import { pretty } from "../../shared/json-forms.js";
import { curlButton, debounced, errorMessage, field as labelled } from "../controls/controls.js";
import { fieldError } from "../controls/field-error.js";
import { attributesOf, readContext } from "../state/flags-contexts.js";
import { localZone, readLocalTime } from "../state/flags-times.js";
import { readTree, writeTree } from "../state/flags-tree.js";
import { explain, hintKey } from "../state/flags-why.js";
import { sampleView } from "./flags-sample.js";

/** @typedef {{ key: string, path: string, message: string }} Fault */

/** The debounce before the requests, in milliseconds. */
const requestDebounce = 400;
/** The limit on the sentences of an explanation; the last ones are shown. */
const maxSentences = 20;

/**
 * @param {import("../frame.js").Context} context
 * @param {string} key
 * @param {object} question
 * @param {import("./flags-shares-bar.js").Palette} question.palette
 * @param {() => string | null} question.draft returns the definition, or null if it is unchanged
 * @param {() => string} question.definition returns the definition, with the draft or without
 * @param {Map<string, import("../state/flags-tree.js").Tree>} question.evaluators the rules that all flags share
 * @param {boolean} question.changesEvaluators true if the draft changes the shared rules
 * @param {(faults: Fault[]) => void} question.onFaults
 */
export function evaluationPanel(context, key, { palette, draft, definition, evaluators, changesEvaluators, onFaults }) {
    const { api, texts, workspace, messageOf, signal } = context;
    const root = `${workspace.root}/flags/${encodeURIComponent(key)}`;
    let request = new AbortController();
    const explanation = h("div", { class: "parts", role: "status" });
    const impact = h("div", { class: "outlook parts", role: "status" });
    /** The names of the flag's attributes, one line each. */
    let suggested = "";
    const field = h("textarea", {
        class: "code",
        dir: "ltr",
        spellcheck: "false",
        "aria-label": texts.say("flag.context"),
        "data-trial": true,
    });
    const { element: error, report } = fieldError(field);
    const time = h("input", { type: "datetime-local" });
    const { element: timeError, report: reportTime } = fieldError(time);
    /** Reports an invalid context or time; returns true if both are valid. */
    const check = () => {
        const good = readContext(field.value) !== null;
        report(!good && texts.say("flag.context.fault"));
        const isTime = !time.validity.badInput && (!time.value || readLocalTime(time.value) !== "");
        reportTime(!isTime && texts.say("flag.time.fault", { zone: localZone() }));
        return good && isTime;
    };
    /** Follows the attributes of the rules, until the user types. */
    const suggest = () => {
        if (field.value !== suggested) return;
        const names = [...attributesOf(readTree(definition()), new Set(["targetingKey"]))];
        field.value = suggested = names.map((name) => `${name}: `).join("\n");
        field.rows = Math.min(12, names.length + 1);
    };
    const body = () => {
        const now = draft();
        const at = readLocalTime(time.value);
        return `{${[
            `"context": ${writeTree(readContext(field.value) ?? new Map())}`,
            now && `"definition": ${now}`,
            changesEvaluators && `"$evaluators": ${writeTree(evaluators)}`,
            at && `"time": "${at}"`,
        ]
            .filter(Boolean)
            .join(", ")}}`;
    };
    /**
     * @param {string} path
     * @param {HTMLElement} place
     * @param {(document: any, text: string) => import("../../shared/dom.js").Children} show
     */
    const load = async (path, place, show) => {
        try {
            const { document, text } = await api.send("POST", `${root}/${path}`, {
                body: body(),
                signal: request.signal,
            });
            fill(place, show(document, text));
            if (document.faults) onFaults(document.faults);
        } catch (failure) {
            if (failure instanceof DOMException) return;
            onFaults(/** @type {any} */ (failure).document?.faults ?? []);
            fill(place, errorMessage(userText(messageOf(failure))));
        }
    };
    const evaluate = () => {
        request.abort();
        request = new AbortController();
        suggest();
        onFaults([]);
        if (check()) load("explain", explanation, explained);
        else fill(explanation);
        load("sample", impact, (found) => [
            sampleView(texts, palette, found, draft() !== null || changesEvaluators),
            h("p", { class: "hint" }, texts.say("flag.sample.context")),
        ]);
    };
    const update = debounced(evaluate, requestDebounce, signal);
    for (const one of [field, time])
        one.addEventListener("input", () => {
            check();
            update();
        });
    signal.addEventListener("abort", () => request.abort());

    const dot = (/** @type {string | null} */ variant) =>
        h("span", { class: `variant ${variant ? palette.color(variant) : ""}` });
    const name = (/** @type {string | null} */ variant) => (variant ? userText(variant) : texts.say("flag.none"));
    /** @param {any} one a text of a user, or a sentence @returns {HTMLElement} */
    const told = (one) => {
        if (!Array.isArray(one)) return userText(one);
        const slots = Object.entries(one[1]).map(([name, slot]) => [name, told(slot)]);
        return h("span", {}, texts.parts(one[0], Object.fromEntries(slots)));
    };
    /** @param {any} found @param {string} text */
    const explained = ({ variant, value, reason, error_details: details }, text) => {
        const answer = /** @type {import("../state/flags-tree.js").Members} */ (readTree(text));
        const trial = readContext(field.value) ?? new Map();
        const question = { key, definition: readTree(definition()), evaluators, context: trial };
        const json = h("pre", { class: "curl", tabindex: "0", "aria-label": texts.say("flag.diff") });
        const show = () => fill(json, h("code", {}, userText(pretty(writeTree(answer.get("steps"))))));
        return [
            h(
                "p",
                { class: "flag-line" },
                dot(variant),
                h("b", {}, name(variant)),
                value !== undefined && h("code", {}, userText(value)),
                h("span", { class: "badge", title: reason }, texts.say(`flag.reason.${reason}`)),
            ),
            details && errorMessage(userText(details)),
            h(
                "ul",
                { class: "reasons" },
                explain(texts, answer, question)
                    .slice(-maxSentences)
                    .map((one) => h("li", { class: one[0] === hintKey && "hint" }, told(one))),
            ),
            h("details", { ontoggle: show }, h("summary", {}, texts.say("flag.diff")), json),
        ];
    };
    const curl = curlButton(context, () => ({
        method: "POST",
        path: `${root}/explain`,
        headers: { "Content-Type": "application/json" },
        body: body(),
    }));
    const element = [
        h("section", { class: "card-box" }, h("h2", {}, texts.say("forecast")), impact),
        h(
            "section",
            { class: "card-box" },
            h("div", { class: "flag-line" }, h("h2", {}, texts.say("flag.who")), h("span", { class: "space" }), curl),
            field,
            error,
            h("small", { class: "hint" }, texts.say("flag.context")),
            labelled(texts.say("flag.when"), time, texts.say("flag.when.hint", { zone: localZone() })),
            timeError,
            explanation,
        ),
    ];
    return { element, update, evaluate };
}
