/** The form of one flag: variants, rules, shares. Changes go into the draft, but the switch takes effect at once. */

import { confirm } from "../../shared/confirm.js";
import { button, fill, h, userText } from "../../shared/dom.js";
import { same } from "../../shared/json-forms.js";
import { errorMessage, favoriteButton, field, stateMark } from "../controls/controls.js";
import { focusInvalid } from "../controls/field-error.js";
import { conflictView } from "../entries/conflict.js";
import { valueEditor } from "../entries/editors.js";
import { keyMenu } from "../entries/panel-top.js";
import { stateOf } from "../state/filter.js";
import {
    editableDefinition,
    isArchived,
    isPublic,
    setKey,
    stateWord,
    targetingsOf,
    withMember,
    withPublic,
} from "../state/flags.js";
import { audiencesOf } from "../state/flags-references.js";
import { readTargeting, withTargeting } from "../state/flags-rules.js";
import { readTree, replacedIn, writeTree } from "../state/flags-tree.js";
import { routeFragment } from "../state/route.js";
import { mayWrite } from "../state/scopes.js";
import { openClientCode } from "./clients.js";
import { aboutView, flagActions } from "./flags-about.js";
import { flagReview } from "./flags-changes.js";
import { evaluationPanel } from "./flags-evaluation.js";
import { attributeOptions, backLink, descriptionInput, redrawn } from "./flags-fields.js";
import { rulesView } from "./flags-form.js";
import { paletteOf } from "./flags-shares-bar.js";
import { usesView } from "./flags-uses.js";
import { variantsView } from "./flags-variants.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/flags-tree.js").Tree} Tree */

/**
 * Turns a flag on or off for everybody, at once.
 * @param {Context} context
 * @param {string} key
 * @param {boolean} on
 */
async function setEnabled(context, key, on) {
    const { api, texts, workspace, notify, showError } = context;
    const name = on ? "on" : "off";
    try {
        const path = `${workspace.root}/flags/${encodeURIComponent(key)}/${on ? "enable" : "disable"}`;
        const { document } = await api.send("POST", path, { message: texts.say(`flag.${name}.title`, { key }) });
        await workspace.refresh(document.revision);
        const back = { label: texts.say("draft.undo.short"), run: () => void setEnabled(context, key, !on) };
        notify(texts.say(`flag.${name}.done`, { key }), back);
    } catch (failure) {
        showError(failure);
    }
}

/**
 * @param {Context} context
 * @param {string} key
 * @param {() => import("../state/flags.js").Usage | undefined} use
 */
export async function detail(context, key, use) {
    const { api, texts, workspace, environment, signal, route } = context;
    const { draft, table } = workspace;
    const readOnly = !mayWrite(environment.session.scopes, key);
    let stored = await workspace.content(key);
    const changedSet = draft.change(setKey)?.after;
    const set = changedSet ?? (await workspace.content(setKey));
    /** The value in the form. */
    let shown = "";
    let description = "";
    const { invalid } = draft;
    const words = flagReview(context, false);
    let asJSON = invalid.get(key, "json") !== undefined;
    let isDrawing = false;
    /** The invalid fields of the form. */
    let places = new Set(invalid.fields(key));

    const change = () => draft.change(key);
    const content = () => change()?.after ?? change()?.before ?? stored;
    const definition = () => editableDefinition(readTree(content()?.value ?? "{}")) ?? new Map();
    /** @returns {import("../state/flags-tree.js").Members} */
    const variants = () => definition().get("variants") ?? new Map();
    /** @param {string} value */
    const edit = (value) => {
        shown = value;
        draft.edit(key, stored, { value, description, kind: "flag" });
        evaluation.update();
    };
    /** @param {string} name @param {Tree | undefined} value */
    const setMember = (name, value) => edit(writeTree(withMember(definition(), name, value)));
    /** @type {import("./flags-shares-bar.js").Palette} */
    const palette = {
        color: (variant) => paletteOf(texts, variants(), definition().get("defaultVariant")).color(variant),
        name: (variant) => variant ?? texts.say("flag.then.default"),
    };
    const head = h("div", {});
    const body = h("div", { class: "flag-column" });
    const uses = usesView(context, key, palette);
    const faults = h("div", { role: "status" });
    const attributes = h("datalist", { id: "flag-attributes" });
    const shared = audiencesOf(set);
    const otherRules = [...targetingsOf(table.rows), shared];
    const form = {
        texts,
        palette,
        readOnly,
        limit: 40,
        shared: [...shared.keys()],
        now: workspace.now,
        variants: () => [...variants().keys()],
        redraw: () => redraw(),
        countMoved: async (/** @type {string} */ path, /** @type {Tree} */ next) => {
            const body = `{"definition": ${writeTree(replacedIn(definition(), path.split("/").slice(1), next))}}`;
            return (await api.send("POST", `${workspace.root}/flags/${encodeURIComponent(key)}/sample`, { body }))
                .document;
        },
        invalid: {
            get: (/** @type {string} */ place) => invalid.get(key, place),
            set: (
                /** @type {string} */ place,
                /** @type {import("../invalid-texts.js").InvalidText | null} */ text,
            ) => {
                // A stored definition is no input of the user.
                if (isDrawing && !change()) return;
                if (text === null) places.delete(place);
                else places.add(place);
                draft.setInvalid(key, place, text);
            },
            rename: (/** @type {(place: string) => string | null} */ rename) => {
                invalid.rename(key, rename);
                places = new Set(invalid.fields(key));
            },
        },
    };
    const evaluation = evaluationPanel(context, key, {
        palette,
        definition: () => content()?.value ?? "{}",
        evaluators: shared,
        changesEvaluators: Boolean(changedSet),
        draft: () => {
            const now = content();
            return now && !(stored && same(now.value, stored.value)) ? now.value : null;
        },
        onFaults: (all) => {
            // Invalid fields show their own errors, once the user has left them.
            const found = places.size > 0 ? [] : all;
            for (const one of body.querySelectorAll(".faulty")) one.classList.remove("faulty");
            const messages = found
                .slice(0, 5)
                .map(({ path, message }) => [h("code", {}, userText(path)), " ", userText(message)]);
            fill(
                faults,
                messages.map((one) => errorMessage(one)),
            );
            const parts = /** @type {HTMLElement[]} */ ([...body.querySelectorAll("[data-path]")]);
            for (const { path } of found)
                parts.findLast(({ dataset }) => `${path}/`.startsWith(`${dataset.path}/`))?.classList.add("faulty");
        },
    });

    /** Renders the form again and restores the focus. */
    const redraw = () => {
        // A field that is gone has no text.
        const shownPlaces = new Set(redrawn(body, draw).map(({ dataset }) => dataset.at));
        form.invalid.rename((place) => (shownPlaces.has(place) || (asJSON && place === "json") ? place : null));
        renderHead();
    };
    const draw = () => {
        isDrawing = true;
        drawParts();
        isDrawing = false;
    };
    const drawParts = () => {
        const now = content();
        shown = now?.value ?? "";
        if (!now) return fill(body, h("p", { class: "empty" }, texts.say("entry.missing")));
        description = now.description;
        fill(attributes, attributeOptions(texts, [definition().get("targeting"), ...otherRules]));
        const take = (/** @type {string} */ text) => {
            description = text;
            edit(shown);
        };
        fill(
            body,
            field(texts.say("column.description"), descriptionInput(form, description, take)),
            asJSON || !editableDefinition(readTree(shown))
                ? jsonView()
                : [aboutView(form, { definition, edit }), variantsSection(), rulesSection(), visibility()],
        );
    };
    const jsonView = () =>
        valueEditor("json", {
            texts,
            label: texts.say("kind.json"),
            value: shown,
            typed: form.invalid.get("json")?.text,
            readOnly: readOnly || change()?.after === null,
            change: (text, typed) => {
                form.invalid.set("json", text === null && typed !== null ? { text: typed } : null);
                if (text !== null) edit(text);
                renderHead();
            },
        }).element;
    /** @param {string} title @param {...import("../../shared/dom.js").Children} inside */
    const section = (title, ...inside) => {
        const heading = h("h2", { id: `h-${title}` }, texts.say(title));
        return h("section", { class: "card-box", "aria-labelledby": heading.id }, heading, ...inside);
    };
    const variantsSection = () => section("flag.variants", variantsView(form, { definition, edit }));
    const rulesSection = () =>
        section(
            "flag.rules",
            rulesView(
                form,
                "/targeting",
                () => readTargeting(definition().get("targeting")),
                (rules) => edit(writeTree(withTargeting(definition(), rules))),
            ),
        );
    const visibility = () => {
        const box = h("input", {
            type: "checkbox",
            checked: isPublic(definition()),
            disabled: readOnly,
            onchange: () => edit(writeTree(withPublic(definition(), box.checked))),
        });
        return h("label", { class: "tick" }, box, h("span", {}, texts.say("flag.public")));
    };

    const toggle = () => {
        const on = definition().get("state") === "DISABLED";
        if (!stored) return setMember("state", on ? "ENABLED" : "DISABLED");
        if (!environment.caution) return setEnabled(context, key, on);
        const name = on ? "on" : "off";
        confirm(texts, {
            title: texts.say(`flag.${name}.title`, { key }),
            kind: "careful",
            body: h("p", {}, texts.say("flag.sure", { name: environment.name })),
            answers: [{ label: texts.say(`flag.${name}`), kind: "danger", run: () => setEnabled(context, key, on) }],
        });
    };
    const home = () => routeFragment({ environment: environment.name, screen: "flags", query: route.query });
    const isOpenToChange = () => content() !== null && !readOnly && change()?.after !== null;
    const actions = () =>
        isOpenToChange() &&
        editableDefinition(readTree(shown)) !== null &&
        flagActions(context, key, definition(), edit);
    // Not in the part that is rendered again, which would close the open menu.
    const top = h(
        "div",
        { class: "flag-line" },
        backLink(texts, home()),
        h("span", { class: "space" }),
        favoriteButton(context, key),
        keyMenu(context, key, () => openClientCode(context, key), actions),
    );
    const remove = () => {
        draft.edit(key, stored, null);
        if (!stored) context.navigate(home());
    };
    /** Updates the part above the form (switch and draft's state) and the statistics of evaluations. */
    const renderHead = () => {
        const row = table.byKey.get(key);
        const state = stateWord(definition().get("state"));
        const off = state === "off";
        const removed = change()?.after === null;
        const focused = document.activeElement?.id;
        /** @param {string} id @param {boolean} json @param {string} label */
        const view = (id, json, label) => {
            const onclick = () => {
                asJSON = json;
                redraw();
            };
            const attributes = {
                type: "button",
                id,
                "aria-pressed": `${asJSON === json}`,
                disabled: places.size > 0,
                onclick,
            };
            return h("button", attributes, texts.say(label));
        };
        const lever = button(texts.say(off ? "flag.on" : "flag.off"), toggle, off ? "primary" : "danger");
        lever.id = "flag-switch";
        fill(
            head,
            h(
                "div",
                { class: "flag-line" },
                h("h1", { class: "key" }, userText(key)),
                h(
                    "span",
                    { class: `badge ${{ on: "added", off: "", unknown: "" }[state]}` },
                    texts.say(`flag.state.${state}`),
                ),
                row && stateMark(texts, stateOf(row)),
                h("span", { class: "space" }),
                h(
                    "span",
                    { class: "flag-line" },
                    view("flag-form", false, "flag.form"),
                    view("flag-json", true, "kind.json"),
                ),
                (change() || places.size > 0) &&
                    button(texts.say("draft.undo.short"), () => draft.undo(key), "quiet", "undo"),
                isOpenToChange() && [
                    button(texts.say("entry.remove"), remove, "quiet danger", "remove"),
                    state !== "unknown" && lever,
                ],
            ),
            isArchived(definition()) && h("p", { class: "hint" }, texts.say("flag.archive.hint")),
            readOnly && h("p", { class: "hint" }, texts.say("entry.fixed")),
            removed && errorMessage(texts.say("entry.removed")),
            change()?.theirs !== undefined &&
                conflictView(texts, key, /** @type {any} */ (change()), (after) => draft.resolve(key, after), words),
            [...places].some((place) => !invalid.get(key, place)?.isFresh) &&
                h("p", { class: "hint" }, texts.say("entry.unfinished")),
        );
        if (focused) document.getElementById(focused)?.focus();
        uses.show(use());
    };
    /** @param {string[] | null} keys */
    const renew = async (keys) => {
        if (keys && !keys.includes(key)) return renderHead();
        const newest = await workspace.content(key).catch(() => stored);
        if (signal.aborted) return;
        const news = newest && stored && !same(newest.value, stored.value);
        stored = newest;
        const now = content();
        const kept = invalid.fields(key);
        const others = kept.length !== places.size || kept.some((place) => !places.has(place));
        places = new Set(kept);
        if (others) asJSON = places.has("json") || (asJSON && places.size === 0);
        if (others || !now || !shown || !same(now.value, shown) || now.description !== description) redraw();
        if (news) evaluation.update();
        renderHead();
    };
    draw();
    renderHead();
    evaluation.evaluate();
    const side = h("div", { class: "flag-column flag-side" }, evaluation.element, uses.element);
    const element = h(
        "article",
        { class: "flag" },
        top,
        head,
        faults,
        attributes,
        h("div", { class: "flag-columns" }, body, side),
    );
    /** Focuses the first invalid field if the review leads to this flag. */
    const focusWanted = () => {
        if (draft.wantedKey !== key) return;
        draft.wantedKey = "";
        if (focusInvalid(body)) return;
        // The field is in a part of a long list that is not shown yet.
        form.limit = Number.POSITIVE_INFINITY;
        draw();
        // A new flag has no invalid field.
        if (!focusInvalid(body)) body.querySelector("textarea")?.focus();
    };
    return { element, renew, focusWanted };
}
