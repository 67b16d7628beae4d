// The screen that compares two environments and copies selected lines in one release.

import { button, fill, h, icon, userText } from "../../shared/dom.js";
import { keyName } from "../../shared/keys.js";
import { review } from "../changes/change-review.js";
import { contentDifference } from "../changes/difference.js";
import { entriesProposal } from "../changes/forecast.js";
import { ControlRows } from "../controls/control-rows.js";
import { curlButton, emptyPlaceholder, heading, keyLink, searchField, shortValue } from "../controls/controls.js";
import { choosing, compare, counts, filtered, promotion, rebase } from "../state/comparison.js";
import { isOfFlags, kindOf } from "../state/entries.js";
import { routeFragment } from "../state/route.js";
import { mayWrite, mayWriteSomething } from "../state/scopes.js";
import { flagWords } from "./release.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/comparison.js").Line} Line */
/** @typedef {import("../state/comparison.js").Config} Config */

const kinds = /** @type {const} */ (["changed", "added", "removed"]);
/** The number of attempts to read both forms of a config at the same cursor. */
const maxAttempts = 4;

/**
 * Reads a config with its descriptions, its values as JSON texts.
 * @param {import("../../shared/api.js").API} api
 * @param {string} environment
 * @param {AbortSignal} signal
 * @returns {Promise<{cursor: string, version: string, config: Config}>}
 */
export async function readConfig(api, environment, signal) {
    const path = `/${encodeURIComponent(environment)}/config`;
    for (let attempt = 1; ; attempt++) {
        const [values, summary] = await Promise.all([
            api.get(path, { signal }),
            api.get(path, { query: { form: "summary" }, signal }),
        ]);
        if (values.cursor !== summary.cursor && attempt < maxAttempts) continue;
        const described = new Map(summary.document.map((/** @type {any} */ entry) => [entry.key, entry.description]));
        /** @type {Config} */
        const config = new Map();
        for (const { key, value, ...rest } of values.document)
            config.set(key, { value, description: described.get(key) ?? "", ...kindOf(rest) });
        return { cursor: values.cursor, version: values.version, config };
    }
}

/** @param {Context} context */
export async function open(context) {
    const { texts, environment, environments, navigate, route } = context;
    const others = environments.filter(
        (one) => one.name !== environment.name && (one.session || one.config_read === "public"),
    );
    const other = others.find((one) => one.name === route.path[0]);
    const body = h("div", { class: "compare-body" });
    const choose = h(
        "select",
        { "aria-label": texts.say("compare.source"), onchange: () => go(environment.name, choose.value) },
        !other && h("option", { value: "" }, texts.say("compare.choose")),
        others.map((one) => h("option", { value: one.name, selected: one === other }, one.name)),
    );
    /** @param {string} target @param {string} source */
    const go = (target, source) => navigate(routeFragment({ environment: target, screen: "compare", path: [source] }));
    const swap =
        other?.session && button(texts.say("compare.swap"), () => go(other.name, environment.name), "quiet", "undo");
    const curl =
        other &&
        curlButton(
            context,
            `${context.workspace.root}/diff/${encodeURIComponent(other.name)}?replace=true&form=entries`,
        );
    const element = h(
        "section",
        { class: "screen compare" },
        heading(texts.say("screen.compare"), swap, curl),
        h(
            "p",
            { class: "direction" },
            h("span", {}, texts.say("filter.since")),
            choose,
            h("span", {}, texts.say("compare.into")),
            h("strong", { class: "into" }, environment.caution && icon("alert"), environment.name),
        ),
        body,
    );
    if (other) fill(body, await comparison(context, other.name));
    else
        fill(
            body,
            h(
                "div",
                { class: "empty stack" },
                texts.say(others.length > 0 ? "compare.choose" : "compare.none"),
                others.map(({ name }) => button(name, () => go(environment.name, name))),
            ),
        );
    return { element };
}

/**
 * @param {Context} context
 * @param {string} source
 */
async function comparison(context, source) {
    const { api, texts, environment, notify, route, showError, workspace, signal } = context;
    const read = () => Promise.all([readConfig(api, source, signal), readConfig(api, environment.name, signal)]);
    let [from, into] = await read();
    let { lines, same } = compare(from.config, into.config);
    const loadWords = () =>
        flagWords(
            context,
            lines.some(({ source, target }) => isOfFlags((source ?? target)?.kind)),
        );
    let words = await loadWords();
    /** @type {Set<import("../state/comparison.js").Kind>} */
    const wanted = new Set(kinds);
    let anchor = 0;
    const writable = (/** @type {Line} */ line) => mayWrite(environment.session.scopes, line.key);
    // The address can select keys, which then come first.
    const keys = route.query.keys?.split(",") ?? [];
    const isPicked = (/** @type {Line} */ line) => keys.includes(line.key);
    lines.sort((one, other) => Number(isPicked(other)) - Number(isPicked(one)));
    let choice = choosing(
        new Map(),
        lines.filter((line) => isPicked(line) && writable(line)),
        true,
    );
    /** @type {Line[]} */
    let shown = lines;

    const filter = searchField(context, () => draw());
    const everything = h("input", {
        type: "checkbox",
        "aria-label": texts.say("compare.all"),
        onchange: () => choose(shown, everything.checked),
    });
    const chips = h("div", { class: "chips", role: "group", "aria-label": texts.say("filter.title") });
    const status = h("span", { class: "faint", role: "status" });
    const detail = h("div", { class: "line-detail" });
    const equal = emptyPlaceholder(texts.say("compare.equal"));
    const rows = new ControlRows({
        label: texts.say("compare.lines"),
        height: 44,
        make: (index) => row(index),
        press: (index, event) => {
            if (keyName(event) === "a") choose(shown, !shown.every(({ key }) => choice.has(key)));
            else if (event.key === "Enter") showLine(shown[index]);
            else if (event.shiftKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
                const next = Math.max(0, Math.min(shown.length - 1, index + (event.key === "ArrowDown" ? 1 : -1)));
                choose([shown[index], shown[next]], true);
                rows.focus(next);
            } else return false;
            return true;
        },
    });
    /** @param {Line[]} some @param {boolean} chosen */
    const choose = (some, chosen) => {
        choice = choosing(choice, some.filter(writable), chosen);
        draw();
        panel.update();
    };
    /** @param {number} index @param {MouseEvent} event @param {boolean} checked */
    const tick = (index, event, checked) => {
        const range = event.shiftKey
            ? shown.slice(Math.min(anchor, index), Math.max(anchor, index) + 1)
            : [shown[index]];
        anchor = index;
        choose(range, checked);
    };
    /** @param {Line} line */
    const showLine = ({ key, kind, source: there, target: here }) =>
        fill(
            detail,
            h("div", { class: "change-head" }, keyLink(environment.name, key), kindMark(texts, kind)),
            contentDifference(texts, key, here, there, words),
        );
    /** @param {number} index */
    const row = (index) => {
        const line = shown[index];
        const box = h("input", {
            type: "checkbox",
            class: "primary-control",
            checked: choice.has(line.key),
            disabled: !writable(line),
            "aria-label": texts.say(`compare.line.${line.kind}`, { key: line.key }),
            onclick: (/** @type {MouseEvent} */ event) => tick(index, event, box.checked),
            onfocus: () => showLine(line),
        });
        const side = (/** @type {import("../state/comparison.js").Entry | undefined} */ entry) =>
            entry ? shortValue(entry.value, 60) : h("span", { class: "faint" }, "–");
        const { source: there, target: here } = line;
        const isDescription = there?.value === here?.value && there?.description !== here?.description;
        const values = h(
            "span",
            { class: "line-values" },
            isDescription
                ? h("span", {}, texts.say("reason.description-changed"))
                : [side(here), h("span", { class: "arrow", "aria-hidden": "true" }, "→"), side(there)],
        );
        const name = button(userText(line.key), () => showLine(line), "line-key quiet");
        return h("div", { class: `line ${line.kind}` }, box, kindMark(texts, line.kind), name, values);
    };
    const draw = () => {
        shown = filtered(lines, wanted, filter.value);
        const count = counts(lines);
        fill(
            chips,
            kinds.map((kind) => chip(kind, count[kind])),
        );
        fill(status, texts.say("compare.chosen", { n: choice.size }), " · ", texts.say("diff.same", { n: same }));
        const chosen = shown.filter((line) => choice.has(line.key)).length;
        everything.checked = chosen > 0 && chosen === shown.length;
        everything.indeterminate = chosen > 0 && chosen < shown.length;
        equal.hidden = lines.length > 0;
        rows.update(shown.length);
    };
    /** @param {import("../state/comparison.js").Kind} kind @param {number} count */
    const chip = (kind, count) => {
        const press = () => {
            if (!wanted.delete(kind)) wanted.add(kind);
            draw();
            /** @type {HTMLElement | null} */ (chips.querySelector(`.${kind}`))?.focus();
        };
        return h(
            "button",
            { type: "button", class: `chip ${kind}`, "aria-pressed": String(wanted.has(kind)), onclick: press },
            texts.say(`compare.${kind}`, { n: count }),
        );
    };
    const reload = async () => {
        try {
            [from, into] = await read();
        } catch (failure) {
            return showError(failure);
        }
        ({ lines, same } = compare(from.config, into.config));
        words ||= await loadWords();
        const rebased = rebase(choice, lines);
        choice = rebased.choice;
        draw();
        panel.update();
        if (rebased.moved.length > 0)
            notify(texts.say("compare.moved", { n: rebased.moved.length, keys: rebased.moved.slice(0, 3).join(", ") }));
        else if (rebased.settled.length > 0) notify(texts.say("compare.settled", { n: rebased.settled.length }));
    };
    const panel = review(context, {
        label: "compare.go",
        message: texts.say("compare.message", { source, version: from.version }),
        propose: () => {
            if (choice.size === 0) return null;
            return entriesProposal(workspace.root, promotion(lines.filter(({ key }) => choice.has(key))), into.cursor);
        },
        onConflict: reload,
        done: () => {
            choice = new Map();
            reload();
        },
    });
    workspace.addEventListener("release", reload, { signal });
    draw();
    panel.update();
    if (lines.length > 0) showLine(lines[0]);
    return [
        h(
            "div",
            { class: "comparison" },
            h("div", { class: "tools-row" }, everything, filter, chips, status),
            equal,
            rows.element,
        ),
        h(
            "div",
            { class: "beside" },
            detail,
            mayWriteSomething(environment.session.scopes)
                ? panel.element
                : h("p", { class: "faint" }, texts.say("compare.closed", { name: environment.name })),
        ),
    ];
}

/** @param {import("../../shared/texts.js").Texts} texts @param {string} kind */
const kindMark = (texts, kind) => h("span", { class: `badge ${kind}` }, texts.say(`line.${kind}`));
