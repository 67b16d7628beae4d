/** The review of a draft: each difference, the new version with its reason, and the values that older majors keep. */

import { openDialog } from "../../shared/dialog.js";
import { button, fill, h, icon } from "../../shared/dom.js";
import { review as reviewPanel } from "../changes/change-review.js";
import { contentDifference } from "../changes/difference.js";
import { reasonText } from "../changes/forecast.js";
import { bumpMark, stateMark, undoChange } from "../controls/controls.js";
import { focusInvalid } from "../controls/field-error.js";
import { isOfFlags } from "../state/entries.js";
import { stateOf } from "../state/filter.js";
import { setKey } from "../state/flags.js";
import { readRoute } from "../state/route.js";

/** The number of changes shown at first; a button shows more. */
const pageSize = 40;

/** @typedef {import("../changes/difference.js").FlagReview} FlagReview */
/**
 * @typedef {object} ReviewForm
 * @property {(key: string) => void} open opens an entry
 * @property {(key: string) => void} introduce called after the first release of an environment
 * @property {(text: string) => void} warn shows why the review does not open, or that it opens if the text is empty
 * @property {(context: import("../frame.js").Context, isDraft: boolean) => Promise<FlagReview>} loadFlagReview
 */

/**
 * Focuses the first invalid field, in the open entry or else in another one; returns false if there is none.
 * @param {import("../frame.js").Context} context
 * @param {ReviewForm} form
 */
function leadToInvalid({ texts, workspace }, { open, warn }) {
    const { draft, table, status } = workspace;
    const { invalid } = draft;
    for (const key of invalid.all.keys()) if (status === "ready" && !table.byKey.has(key)) invalid.clear(key);
    const trials = document.querySelectorAll("[data-trial][data-invalid]").length;
    const openKey = readRoute(location.hash).path[0] ?? "";
    // A rule without an attribute is invalid in the tab that created it; here, its form has to find that.
    const blank = Object.keys(draft.changes).filter(
        (key) => key !== openKey && !invalid.all.has(key) && /\{"var": ""\}/.test(`${draft.changes[key].after?.value}`),
    );
    const n = invalid.size + trials + blank.length;
    if (n === 0) return false;
    const [key = openKey] = invalid.fields(openKey).length > 0 ? [openKey] : [...invalid.all.keys(), ...blank];
    if ((key !== openKey && trials === 0) || !focusInvalid(document)) {
        draft.wantedKey = key;
        open(key);
    }
    warn(texts.say("review.invalid", { n }));
    return true;
}

/**
 * Opens the review, unless a field is invalid or nothing has changed.
 * @param {import("../frame.js").Context} context
 * @param {ReviewForm} form
 */
export function review(context, form) {
    const { texts, workspace, environment } = context;
    const { draft } = workspace;
    // Leaving the field takes a text that is taken on change, such as a variant's name.
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    active?.blur();
    active?.focus();
    if (leadToInvalid(context, form)) return;
    form.warn("");
    if (draft.size === 0) return context.notify(texts.say("review.nothing"));
    const closing = new AbortController();
    const { signal } = closing;
    const isFirst = workspace.status === "ready" && workspace.table.count === 0;
    const list = h("ul", { class: "changes" });
    /** @type {Map<string, any>} the forecast's member for each key */
    let reasons = new Map();
    let limit = pageSize;
    /** @type {FlagReview | null} */
    let flagReview = null;
    /** @type {Set<string>} the keys of flags whose JSON is shown */
    const opened = new Set();
    const show = () => {
        const keys = Object.keys(draft.changes).sort();
        if (keys.length === 0) return dialog.close();
        const more = () => {
            limit += pageSize * 5;
            show();
        };
        const rest = keys.length - limit;
        fill(
            list,
            keys.slice(0, limit).map((key) => changeView(key, reasons.get(key))),
            rest > 0 && h("li", {}, button(texts.say("review.more", { n: rest }), more)),
        );
    };

    /**
     * @param {string} key
     * @param {any} reason an element of the forecast's `changes`
     */
    const changeView = (key, reason) => {
        const change = draft.changes[key];
        const kind = stateOf({ change });
        const undo = () => undoChange(context, key);
        const go = () => {
            dialog.close();
            form.open(key);
        };
        const name = { type: "button", class: "quiet small", "aria-label": texts.say("draft.undo", { key }) };
        return h(
            "li",
            { class: `change ${kind}` },
            h(
                "div",
                { class: "label-row" },
                button(key, go, "link key"),
                stateMark(texts, kind),
                reason && bumpMark(texts, reason.bump),
                h("span", { class: "space" }),
                h("button", { ...name, onclick: undo }, icon("undo"), texts.say("draft.undo.short")),
            ),
            reason &&
                change.after &&
                change.after.kind !== "flag" &&
                h("p", { class: "hint" }, reasonText(texts, reason)),
            differenceView(key),
        );
    };
    /** Shows a flag's changes in words, and other changes as a difference of texts. @param {string} key */
    const differenceView = (key) => {
        const { before, after } = draft.changes[key];
        return contentDifference(texts, key, before, after, flagReview, {
            open: opened.has(key),
            ontoggle: (/** @type {any} */ { target }) => opened[target.open ? "add" : "delete"](key),
        });
    };
    const conflicts = () => draft.conflicts.length;
    const panel = reviewPanel(
        { ...context, signal },
        {
            cancel: () => dialog.close(),
            label: "review.save.as",
            message: draft.draft.message,
            onMessage: (message) => draft.setMessage(message),
            propose: () =>
                conflicts() > 0
                    ? texts.say("review.conflicts", { n: conflicts() })
                    : draft.size > 0
                      ? workspace.proposal
                      : null,
            onResult: (forecast) => {
                reasons = new Map(forecast.changes.map((/** @type {any} */ one) => [one.key, one]));
                show();
            },
            onConflict: async (late) => {
                await workspace.refresh();
                const key = conflicts() > 0 ? "review.moved.conflicts" : "review.moved";
                if (late) panel.warn(texts.say(key, { n: conflicts() }));
            },
            done: ({ revision }, { changes = {} }) => {
                dialog.close();
                workspace.saved(changes, revision);
                const key = Object.keys(changes).find((one) => one !== setKey);
                if (isFirst && key) form.introduce(key);
            },
        },
    );
    const dialog = openDialog(texts, {
        title: texts.say("review.title", { n: draft.size }),
        kind: environment.caution ? "review careful" : "review",
        body: [panel.outlook, list],
        actions: panel.element,
        cancel: null,
        onClose: () => closing.abort(),
    });
    dialog.element.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        panel.element.requestSubmit();
    });
    workspace.addEventListener(
        "change",
        () => {
            show();
            panel.update();
        },
        { signal },
    );
    show();
    panel.message.focus();
    if (Object.values(draft.changes).some(({ before, after }) => isOfFlags((after ?? before)?.kind)))
        form.loadFlagReview({ ...context, signal }, true).then(
            (loaded) => {
                flagReview = loaded;
                if (!signal.aborted) show();
            },
            // The JSON difference is already shown.
            () => {},
        );
}
