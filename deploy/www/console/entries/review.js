/** What saving the draft will do, before it is done: each difference, the version and why, who keeps what. */
import { Problem } from "../../shared/api.js";
import { fill, foreign, h, icon } from "../../shared/dom.js";
import { openDialog } from "../dialog.js";
import { curlButton, mishap, tellRelease } from "../screens/parts.js";
import { readable, valueDifference } from "./difference.js";

/** @typedef {import("../frame.js").Context} Context */

/** So many changes are shown with their values at once; the others when they are asked for. */
const most = 40;

/**
 * @param {Context} context
 * @param {{ open: (key: string) => void }} form
 */
export function review(context, { open }) {
    const { texts, workspace, environment, notify, frame } = context;
    const { draft } = workspace;
    const closing = new AbortController();
    const { signal } = closing;
    const outlook = h("section", { class: "outlook", "aria-live": "polite", "aria-label": texts.say("forecast") });
    const list = h("ul", { class: "changes" });
    const problem = h("div", { role: "alert" });
    const message = h("input", {
        id: "message",
        maxlength: "512",
        dir: "auto",
        autocomplete: "off",
        placeholder: texts.say("review.message.hint"),
        value: draft.draft.message,
        oninput: () => draft.say(message.value),
    });
    const sure = h("input", { type: "checkbox", id: "sure" });
    const consent = environment.caution
        ? h(
              "label",
              { class: "consent", for: "sure" },
              sure,
              h("span", {}, texts.parts("review.sure", { name: environment.name })),
          )
        : null;
    const save = h(
        "button",
        { type: "button", class: environment.caution ? "primary careful" : "primary", id: "save" },
        texts.say("review.save"),
    );
    const curl = curlButton(context, () => ({
        method: "PATCH",
        path: `${workspace.root}/config?replace=true&form=entries`,
        headers: {
            "Content-Type": "application/json",
            "If-Match": `"${workspace.cursor}"`,
            ...(message.value ? { "Almanac-Message": message.value } : {}),
        },
        body: draft.body,
    }));
    curl.disabled = true;
    /** @type {any} */
    let forecast = null;
    let saving = false;
    let asked = new AbortController();
    let limit = most;

    const ready = () => {
        const blocked =
            draft.conflicts.length > 0 || draft.size === 0 || saving || !forecast || forecast.changes.length === 0;
        save.disabled = blocked || (environment.caution && !sure.checked);
        fill(
            save,
            saving
                ? texts.say("review.saving")
                : forecast
                  ? texts.say("review.save.as", { version: forecast.version })
                  : texts.say("review.save"),
        );
    };

    const foresee = async () => {
        asked.abort();
        asked = new AbortController();
        forecast = null;
        ready();
        if (draft.size === 0) return fill(outlook);
        if (draft.conflicts.length > 0)
            return fill(outlook, mishap(texts.say("review.conflicts", { n: draft.conflicts.length })));
        fill(outlook, h("p", { class: "hint" }, texts.say("forecast.loading")));
        try {
            forecast = await workspace.forecast(asked.signal);
            fill(outlook, forecastView(texts, forecast));
            curl.disabled = false;
        } catch (failure) {
            if (failure instanceof DOMException) return;
            if (failure instanceof Problem && failure.status === 412) return void workspace.refresh();
            fill(outlook, refusal(failure));
        }
        ready();
        show();
    };

    /** @param {unknown} failure */
    const refusal = (failure) =>
        mishap([h("strong", {}, texts.say("review.refused")), " ", foreign(frame.wording(failure))]);

    const show = () => {
        const keys = Object.keys(draft.changes).sort();
        if (keys.length === 0 && !saving) return dialog.close();
        const reasons = new Map((forecast?.changes ?? []).map((/** @type {any} */ one) => [one.key, one]));
        const shown = keys.slice(0, limit).map((key) => changeView(key, reasons.get(key)));
        const more = () => {
            limit += most * 5;
            show();
        };
        const rest =
            keys.length > limit
                ? h(
                      "li",
                      {},
                      h(
                          "button",
                          { type: "button", onclick: more },
                          texts.say("review.more", { n: keys.length - limit }),
                      ),
                  )
                : null;
        fill(list, shown, rest);
    };

    /**
     * @param {string} key
     * @param {any} reason of the forecast
     */
    const changeView = (key, reason) => {
        const change = draft.changes[key];
        const { before, after, theirs } = change;
        const kind =
            theirs !== undefined ? "conflict" : after === null ? "removed" : before === null ? "added" : "edited";
        const undo = () => {
            const gone = draft.undo(key);
            if (gone)
                notify(texts.say("draft.undone", { key }), {
                    label: texts.say("draft.redo"),
                    run: () => draft.redo(key, gone),
                });
        };
        const go = () => {
            dialog.close();
            open(key);
        };
        const values =
            after && before && before.value === after.value
                ? null
                : valueDifference(texts, before?.value ?? null, after?.value ?? null);
        const words =
            after && after.description !== (before?.description ?? "")
                ? valueDifference(texts, JSON.stringify(before?.description ?? ""), JSON.stringify(after.description))
                : null;
        return h(
            "li",
            { class: `change ${kind}` },
            h(
                "div",
                { class: "label-row" },
                h("button", { type: "button", class: "link key", onclick: go }, key),
                h("span", { class: `badge ${kind === "edited" ? "changed" : kind}` }, texts.say(`state.${kind}`)),
                reason ? h("span", { class: `badge ${reason.bump}` }, texts.say(`bump.${reason.bump}`)) : null,
                h("span", { class: "space" }),
                h(
                    "button",
                    {
                        type: "button",
                        class: "quiet small",
                        "aria-label": texts.say("draft.undo", { key }),
                        onclick: undo,
                    },
                    icon("undo"),
                    texts.say("draft.undo.short"),
                ),
            ),
            reason ? h("p", { class: "hint" }, reasonText(texts, reason)) : null,
            values,
            words ? [h("h3", {}, texts.say("column.description")), words] : null,
        );
    };

    const release = async () => {
        if (save.disabled) return;
        saving = true;
        ready();
        fill(problem);
        try {
            const result = await workspace.save();
            saving = false;
            if (!result) {
                const key = draft.conflicts.length > 0 ? "review.moved.conflicts" : "review.moved";
                fill(problem, mishap(texts.say(key, { n: draft.conflicts.length })));
                return foresee();
            }
            dialog.close();
            tellRelease(context, texts.say("review.done", { version: result.version }), result.revision);
        } catch (failure) {
            saving = false;
            fill(problem, refusal(failure));
            ready();
        }
    };

    save.addEventListener("click", release);
    sure.addEventListener("change", ready);
    workspace.addEventListener(
        "change",
        () => {
            if (!saving) {
                show();
                foreseeSoon();
            }
        },
        { signal },
    );
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let soon;
    const foreseeSoon = () => {
        clearTimeout(soon);
        soon = setTimeout(foresee, 150);
    };
    const dialog = openDialog({
        title: texts.say("review.title", { n: draft.size }),
        kind: environment.caution ? "review careful" : "review",
        close: texts.say("close"),
        body: [problem, outlook, list],
        actions: [
            h(
                "div",
                { class: "review-foot" },
                h("label", { for: "message" }, texts.say("review.message")),
                message,
                consent,
            ),
            curl,
            save,
        ],
        closed: () => {
            closing.abort();
            asked.abort();
            clearTimeout(soon);
        },
    });
    dialog.element.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || event.target === message)) return;
        event.preventDefault();
        release();
    });
    show();
    foresee();
    message.focus();
}

/**
 * Version, reasons, and what each older major keeps.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {any} forecast of a dry run
 */
export function forecastView(texts, forecast) {
    const { bump, version, current_version: current, majors = [], warnings = [] } = forecast;
    if (bump === "none") return [h("p", { class: "hint" }, texts.say("forecast.nothing"))];
    const breaking = forecast.changes.filter((/** @type {any} */ change) => change.bump === bump);
    const reasons = breaking
        .slice(0, 5)
        .map((/** @type {any} */ change) => h("li", {}, reasonText(texts, change, true)));
    if (breaking.length > 5) reasons.push(h("li", {}, texts.say("forecast.more", { n: breaking.length - 5 })));
    const kept = majors.flatMap((/** @type {any} */ major) => {
        const keeps = major.keeps.slice(0, 5).map((/** @type {any} */ one) => {
            const value = short(one.value);
            return h(
                "li",
                {},
                texts.parts("forecast.keeps", {
                    major: String(major.major),
                    key: h("code", {}, one.key),
                    value: h("code", {}, foreign(value)),
                }),
            );
        });
        const more =
            major.keeps.length > 5
                ? [
                      h(
                          "li",
                          {},
                          texts.say("forecast.keeps.more", { major: String(major.major), n: major.keeps.length - 5 }),
                      ),
                  ]
                : [];
        return [...keeps, ...more];
    });
    return [
        h(
            "p",
            { class: "version" },
            h("span", {}, current),
            h("span", { "aria-hidden": "true" }, "→"),
            h("strong", {}, version),
            h("span", { class: `badge ${bump}` }, texts.say(`bump.${bump}`)),
        ),
        h("p", {}, texts.say(`forecast.${bump}`)),
        h("ul", { class: "reasons" }, reasons, kept),
        warnings.map((/** @type {string} */ warning) =>
            h("p", { class: "warning" }, icon("alert"), h("span", {}, foreign(warning))),
        ),
    ];
}

/** @param {string} value */
function short(value) {
    const text = readable(value);
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {any} change of a forecast
 * @param {boolean} [named] whether the key is said too
 */
export function reasonText(texts, change, named = false) {
    const values = {
        key: h("code", {}, change.key),
        path: h("code", {}, foreign(change.path ?? "")),
        from: texts.say(`type.${change.from}`),
        to: texts.say(`type.${change.to}`),
    };
    return texts.parts(`reason.${change.reason}${named ? "" : ".short"}`, values);
}
