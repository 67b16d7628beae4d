/** The evaluation of a flag for a given context, and the number of sampled users that the draft would move. */
import { fill, h, userText } from "../../shared/dom.js";
import { curlButton, debounced, errorMessage } from "../controls/controls.js";
import { fieldError } from "../controls/field-error.js";
import { attributesOf, readContext } from "../state/flags-rules.js";
import { readTree, writeTree } from "../state/flags-tree.js";
import { shareBar } from "./flags-shares-bar.js";

/** @typedef {{ key: string, path: string, message: string }} Fault */

/** The debounce before the requests, in milliseconds. */
const requestDebounce = 400;

/**
 * @param {import("../frame.js").Context} context
 * @param {string} key
 * @param {object} question
 * @param {import("./flags-shares-bar.js").Palette} question.palette
 * @param {() => string | null} question.draft returns the definition, or null if it is unchanged
 * @param {string} question.definition the definition when the form was opened
 * @param {(faults: Fault[]) => void} question.onFaults
 */
export function evaluationPanel(context, key, { palette, draft, definition, onFaults }) {
    const { api, texts, workspace, messageOf, signal } = context;
    const root = `${workspace.root}/flags/${encodeURIComponent(key)}`;
    let request = new AbortController();
    const explanation = h("div", { class: "parts", role: "status" });
    const impact = h("div", { class: "outlook parts", role: "status" });
    const names = ["targetingKey", ...attributesOf(readTree(definition))];
    const field = h("textarea", {
        class: "code",
        rows: Math.min(12, names.length + 1),
        dir: "ltr",
        spellcheck: "false",
        "aria-label": texts.say("flag.context"),
        "data-trial": true,
        value: names.map((name) => `${name}: `).join("\n"),
        oninput: () => {
            check();
            update();
        },
    });
    const { element: error, report } = fieldError(field);
    /** Reports an invalid context; returns true if it is valid. */
    const check = () => {
        const good = readContext(field.value) !== null;
        report(!good && texts.say("flag.context.fault"));
        return good;
    };
    const body = () => {
        const now = draft();
        return `{"context": ${writeTree(readContext(field.value) ?? new Map())}${now ? `, "definition": ${now}` : ""}}`;
    };
    /** @param {string} path @param {HTMLElement} place @param {(document: any) => import("../../shared/dom.js").Children} show */
    const load = async (path, place, show) => {
        try {
            const { document } = await api.send("POST", `${root}/${path}`, {
                body: body(),
                signal: request.signal,
            });
            fill(place, show(document));
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
        onFaults([]);
        if (check()) load("explain", explanation, explained);
        else fill(explanation);
        load("sample", impact, sampled);
    };
    const update = debounced(evaluate, requestDebounce, signal);
    signal.addEventListener("abort", () => request.abort());

    const dot = (/** @type {string | null} */ variant) =>
        h("span", { class: `variant ${palette.color(variant || null)}` });
    const name = (/** @type {string | null} */ variant) => (variant ? userText(variant) : texts.say("flag.none"));
    /** @param {any} found */
    const explained = ({ variant, value, reason, branch, steps = [], error_details: details }) => [
        h(
            "p",
            { class: "flag-line" },
            dot(variant),
            h("b", {}, name(variant)),
            value !== undefined && h("code", {}, userText(value)),
            h("span", { class: "badge" }, reason),
        ),
        details && errorMessage(userText(details)),
        branch && h("p", {}, userText(branch)),
        steps.length > 0 &&
            h(
                "details",
                {},
                h("summary", {}, texts.say("flag.steps", { n: steps.length })),
                steps
                    .slice(0, 200)
                    .map((/** @type {any} */ { path, words }) =>
                        h("p", { class: "hint" }, h("code", {}, userText(path)), " ", userText(words ?? "")),
                    ),
            ),
    ];
    /** @param {any} found */
    const sampled = ({ sampled: of, variants, moved, moves }) => {
        const shares = variants.map((/** @type {any} */ one) => ({
            variant: one.name || null,
            share: one.count / (of || 1),
        }));
        const text = draft() ? (moved ? "flag.moved" : "flag.moved.nobody") : "flag.moved.unchanged";
        return [
            shareBar(texts, { ...palette, name: (variant) => variant ?? texts.say("flag.none") }, shares).element,
            h("p", { class: moved ? "moved" : "" }, texts.say(text, { n: moved, of })),
            moves
                .slice(0, 12)
                .map((/** @type {any} */ { from, to, count }) =>
                    h(
                        "p",
                        { class: "flag-line" },
                        dot(from),
                        name(from),
                        "→",
                        dot(to),
                        name(to),
                        h("strong", {}, texts.number(count)),
                    ),
                ),
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
            explanation,
        ),
    ];
    return { element, update, evaluate };
}
