/** The form of one flag: variants, rules, shares. Changes go into the draft, but the switch takes effect at once. */

import { confirm } from "../../shared/confirm.js";
import { button, fill, h, icon, userText } from "../../shared/dom.js";
import { pretty, same } from "../../shared/json-forms.js";
import { errorMessage, field, stateMark, timeMark } from "../controls/controls.js";
import { conflictView } from "../entries/conflict.js";
import { valueEditor } from "../entries/editors.js";
import { stateOf } from "../state/filter.js";
import {
    editableDefinition,
    isPublic,
    renamed,
    setKey,
    stateWord,
    typeOfVariants,
    withMember,
    withPublic,
} from "../state/flags.js";
import { attributesOf, mapVariants, readTargeting, withTargeting } from "../state/flags-rules.js";
import { formatValue, parseValue, readTree, writeTree } from "../state/flags-tree.js";
import { routeFragment } from "../state/route.js";
import { mayWrite } from "../state/scopes.js";
import { evaluationPanel } from "./flags-evaluation.js";
import { addButton, choice, iconButton, input, limitedList } from "./flags-fields.js";
import { rulesView } from "./flags-form.js";
import { paletteOf } from "./flags-shares-bar.js";

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
        notify(texts.say(`flag.${name}.done`, { key, version: document.version }), back);
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
    const { texts, workspace, environment, signal, route } = context;
    const { draft, table } = workspace;
    const readOnly = !mayWrite(environment.session.scopes, key);
    let stored = await workspace.content(key);
    const set = draft.change(setKey)?.after ?? (await workspace.content(setKey));
    /** The value in the form. */
    let shown = "";
    let description = "";
    let asJSON = false;
    let isInvalid = false;

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
    const uses = h("section", { class: "card-box" });
    const faults = h("div", { role: "status" });
    const attributes = h("datalist", { id: "flag-attributes" });
    const shared = set && /** @type {any} */ (readTree(set.value))?.get?.("$evaluators");
    const form = {
        texts,
        palette,
        readOnly,
        limit: 40,
        shared: shared instanceof Map ? [...shared.keys()] : [],
        now: workspace.now,
        variants: () => [...variants().keys()],
        redraw: () => redraw(),
    };
    const evaluation = evaluationPanel(context, key, {
        palette,
        definition: content()?.value ?? "{}",
        draft: () => {
            const now = content();
            return now && !(stored && same(now.value, stored.value)) ? now.value : null;
        },
        onFaults: (found) => {
            for (const one of body.querySelectorAll(".faulty")) one.classList.remove("faulty");
            const messages = found
                .slice(0, 5)
                .map(({ path, message }) => [h("code", {}, userText(path)), " ", userText(message)]);
            fill(
                faults,
                messages.map((one) => errorMessage(one)),
            );
            const places = /** @type {HTMLElement[]} */ ([...body.querySelectorAll("[data-path]")]);
            for (const { path } of found)
                places.findLast(({ dataset }) => `${path}/`.startsWith(`${dataset.path}/`))?.classList.add("faulty");
        },
    });

    /** Renders the form again and restores the focus. */
    const redraw = () => {
        const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.at;
        draw();
        const places = /** @type {HTMLElement[]} */ ([...body.querySelectorAll("[data-at]")]);
        if (focused) places.find(({ dataset }) => dataset.at === focused)?.focus();
        renderHead();
    };
    const draw = () => {
        const now = content();
        shown = now?.value ?? "";
        if (!now) return fill(body, h("p", { class: "empty" }, texts.say("entry.missing")));
        description = now.description;
        isInvalid = false;
        const known = attributesOf(definition().get("targeting")).add("$flagd.timestamp");
        fill(
            attributes,
            [...known].map((value) => h("option", { value })),
        );
        const take = (/** @type {string} */ text) => {
            description = text;
            edit(shown);
        };
        const words = input(form, "", "column.description", description, take, { rows: 1 });
        fill(
            body,
            field(texts.say("column.description"), words),
            asJSON || !editableDefinition(readTree(shown))
                ? jsonView()
                : [variantsView(), rulesSection(), visibility()],
        );
    };
    const jsonView = () =>
        valueEditor("json", {
            texts,
            label: texts.say("kind.json"),
            value: shown,
            readOnly: readOnly || change()?.after === null,
            change: (text) => {
                isInvalid = text === null;
                if (text !== null) edit(text);
                renderHead();
            },
        }).element;
    /** @param {string} title @param {...import("../../shared/dom.js").Children} inside */
    const section = (title, ...inside) => {
        const heading = h("h2", { id: `h-${title}` }, texts.say(title));
        return h("section", { class: "card-box", "aria-labelledby": heading.id }, heading, ...inside);
    };
    const variantsView = () => {
        const row = (/** @type {[string, Tree]} */ [name, value]) => {
            const path = `/variants/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
            const rename = input(form, path, "flag.variant", name, () => {}, { class: "variant-name" });
            rename.addEventListener("change", () => {
                const to = rename.value;
                if (!to || variants().has(to)) return rename.setAttribute("aria-invalid", `${to !== name}`);
                const next = withMember(definition(), "variants", renamed(variants(), name, to));
                if (next.get("defaultVariant") === name) next.set("defaultVariant", to);
                const targeting = next.get("targeting");
                if (targeting)
                    next.set(
                        "targeting",
                        mapVariants(targeting, (one) => (one === name ? to : one)),
                    );
                edit(writeTree(next));
                redraw();
            });
            const set = (/** @type {Tree | undefined} */ to) => setMember("variants", withMember(variants(), name, to));
            const text = value instanceof Map ? pretty(writeTree(value)) : formatValue(value);
            return h(
                "div",
                { class: "flag-line", "data-path": path },
                h("span", { class: `variant ${palette.color(name)}` }),
                rename,
                input(form, path, "column.value", text, (entered) => set(parseValue(entered))),
                iconButton(form, texts.say("flag.variant.remove", { name }), () => set(undefined)),
            );
        };
        const fresh = () => {
            let number = variants().size + 1;
            while (variants().has(`variant-${number}`)) number += 1;
            return `variant-${number}`;
        };
        const add = () =>
            setMember("variants", withMember(variants(), fresh(), variants().values().next().value ?? true));
        const names = /** @type {[string, string][]} */ (form.variants().map((name) => [`=${name}`, name]));
        const standard = definition().get("defaultVariant");
        return section(
            "flag.variants",
            limitedList(form, [...variants()], row),
            h(
                "div",
                { class: "flag-line", "data-path": "/defaultVariant" },
                h("span", { class: "hint" }, texts.say("flag.then.default")),
                choice(
                    form,
                    "/defaultVariant",
                    "flag.then.default",
                    [...names, ["", texts.say("flag.none")]],
                    typeof standard === "string" ? `=${standard}` : "",
                    (to) => setMember("defaultVariant", to ? to.slice(1) : null),
                ),
                h("span", { class: "badge" }, texts.say(`type.${typeOfVariants(variants())}`)),
                h("span", { class: "space" }),
                addButton(form, "flag.variant.add", add),
            ),
        );
    };
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
        const isOpenToChange = content() !== null && !readOnly && !removed;
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
                disabled: isInvalid,
                onclick,
            };
            return h("button", attributes, texts.say(label));
        };
        const lever = button(texts.say(off ? "flag.on" : "flag.off"), toggle, off ? "primary" : "danger");
        lever.id = "flag-switch";
        fill(
            head,
            h("a", { class: "back", href: home() }, icon("back"), texts.say("flag.all")),
            h(
                "div",
                { class: "flag-line" },
                h("h1", { class: "key" }, userText(key)),
                h(
                    "span",
                    { class: `badge ${{ on: "added", off: "removed", unknown: "" }[state]}` },
                    texts.say(`flag.state.${state}`),
                ),
                row && stateMark(texts, stateOf(row)),
                h("span", { class: "space" }),
                view("flag-form", false, "flag.form"),
                view("flag-json", true, "kind.json"),
                change() && button(texts.say("draft.undo.short"), () => draft.undo(key), "quiet", "undo"),
                isOpenToChange && [
                    button(texts.say("entry.remove"), remove, "quiet danger", "remove"),
                    state !== "unknown" && lever,
                ],
            ),
            readOnly && h("p", { class: "hint" }, texts.say("entry.fixed")),
            removed && errorMessage(texts.say("entry.removed")),
            change()?.theirs !== undefined &&
                conflictView(texts, /** @type {any} */ (change()), (after) => draft.resolve(key, after)),
            isInvalid && h("p", { class: "hint" }, texts.say("entry.unfinished")),
        );
        if (focused) document.getElementById(focused)?.focus();
        const known = use();
        const never = texts.say("never");
        const time = (/** @type {string | null | undefined} */ last) => timeMark(texts, last, never);
        fill(
            uses,
            h("h2", {}, texts.say("flag.last")),
            known?.fault &&
                errorMessage([h("code", {}, userText(known.fault.path)), " ", userText(known.fault.message)]),
            h("p", {}, time(known?.last_evaluated_at)),
            known?.variants
                .slice(0, 50)
                .map(({ name, evaluations, last_evaluated_at: last }) =>
                    h(
                        "p",
                        { class: "flag-line" },
                        h("span", { class: `variant ${palette.color(name)}` }),
                        userText(name),
                        h("strong", {}, evaluations > 0 && `${texts.number(evaluations)} ×`),
                        time(last),
                    ),
                ),
        );
    };
    /** @param {string[] | null} keys */
    const renew = async (keys) => {
        if (keys && !keys.includes(key)) return renderHead();
        const newest = await workspace.content(key).catch(() => stored);
        if (signal.aborted) return;
        const news = newest && stored && !same(newest.value, stored.value);
        stored = newest;
        const now = content();
        if (!now || !shown || !same(now.value, shown) || now.description !== description) redraw();
        if (news) evaluation.update();
        renderHead();
    };
    draw();
    renderHead();
    evaluation.evaluate();
    const side = h("div", { class: "flag-column flag-side" }, evaluation.element, uses);
    const element = h(
        "article",
        { class: "flag" },
        head,
        faults,
        attributes,
        h("div", { class: "flag-columns" }, body, side),
    );
    return { element, renew };
}
