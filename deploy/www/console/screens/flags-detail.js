/** One flag: variants, rules, who gets what. Every change goes into the draft; the switch works at once. */
import { fill, foreign, h, icon } from "../../shared/dom.js";
import { failureOf, same } from "../../shared/json.js";
import { openDialog } from "../dialog.js";
import { contradiction } from "../entries/contradiction.js";
import { valueEditor } from "../entries/editors.js";
import { stateOf } from "../state/filter.js";
import {
    blank,
    formable,
    freshName,
    isPublic,
    renamed,
    setKey,
    typeOfVariants,
    types,
    withMember,
    withPublic,
} from "../state/flags.js";
import { attributesOf, mapVariants, readTargeting, withTargeting } from "../state/flags-rules.js";
import { Digits, readTree, writeTree } from "../state/flags-tree.js";
import { faultOf } from "../state/kinds.js";
import { routeFragment } from "../state/route.js";
import { mayWrite } from "../state/scopes.js";
import { asking } from "./flags-asking.js";
import { choice, input, jsonField, rulesView, some } from "./flags-form.js";
import { percent } from "./flags-shares.js";
import { button, curlButton, field, mishap, timeMark } from "./parts.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/draft.js").Content} Content */
/** @typedef {import("../state/flags-tree.js").Tree} Tree */
/** @typedef {import("../state/flags-tree.js").Members} Members */

/** How many colours there are for variants. */
const colors = 6;

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string[]} variants
 * @param {string | null} [standard] the default variant
 * @returns {import("./flags-shares.js").Palette}
 */
export function paletteOf(texts, variants, standard) {
    const color = (/** @type {string | null} */ variant) => {
        const at = variants.indexOf(variant ?? standard ?? "");
        return at < 0 ? "nothing" : `v${at % colors}`;
    };
    return { color, name: (variant) => variant ?? texts.say("flag.then.default") };
}

/**
 * Turns a flag off or on for everybody, at once.
 * @param {Context} context
 * @param {string} key
 * @param {boolean} on
 */
export async function flip(context, key, on) {
    const { api, texts, workspace, notify, fail } = context;
    const name = on ? "on" : "off";
    try {
        const question = { message: texts.say(`flag.${name}.message`, { key }) };
        const path = `${workspace.root}/flags/${encodeURIComponent(key)}/${on ? "enable" : "disable"}`;
        const { document } = await api.send("POST", path, question);
        await workspace.refresh(document.revision);
        const back = { label: texts.say("flag.back"), run: () => void flip(context, key, !on) };
        notify(texts.say(`flag.${name}.done`, { key, version: document.version }), back);
    } catch (failure) {
        fail(failure);
    }
}

/**
 * @param {Context} context
 * @param {string} key
 * @param {() => import("../state/flags.js").Use | undefined} use
 */
export async function detail(context, key, use) {
    const { texts, workspace, environment, signal, frame } = context;
    const { draft, table } = workspace;
    const fixed = !mayWrite(environment.session.scopes, key);
    /** @type {Content | null} */
    let stored = await workspace.content(key);
    /** @type {string} what the form shows */
    let shown = "";
    let description = "";
    /** @type {"form" | "json"} */
    let view = "form";
    let half = false;
    const sharedNames = await namesOfShared(context);

    const content = () => {
        const change = draft.change(key);
        return change ? (change.after ?? change.before ?? stored) : stored;
    };
    const isRemoved = () => draft.change(key)?.after === null;
    const tree = () => readTree(content()?.value ?? "null");
    /** @param {Tree} definition */
    const put = (definition) => edit(writeTree(definition));
    /** @param {string} value */
    const edit = (value) => {
        shown = value;
        draft.edit(key, stored, { value, description, kind: "flag" });
        ask.later();
    };
    const parts = () => formable(tree());
    const definition = () => parts()?.definition ?? new Map();
    const variants = () => parts()?.variants ?? new Map();
    const standard = () => {
        const name = definition().get("defaultVariant");
        return typeof name === "string" ? name : null;
    };
    /** @type {import("./flags-shares.js").Palette} */
    const palette = {
        color: (variant) => paletteOf(texts, [...variants().keys()], standard()).color(variant),
        name: (variant) => variant ?? texts.say("flag.then.default"),
    };

    const head = h("div", { class: "flag-head" });
    const state = h("div", { class: "flag-state" });
    const body = h("div", { class: "flag-body" });
    const uses = h("div", {});
    const faults = h("div", { role: "status" });
    const datalist = h("datalist", { id: "flag-attributes" });
    const form = {
        texts,
        palette,
        fixed,
        shared: sharedNames,
        now: workspace.now,
        variants: () => [...variants().keys()],
        redraw: () => redraw(),
    };
    const ask = asking(context, {
        key,
        palette,
        definition: () => {
            const now = content();
            return now && (!stored || !same(now.value, stored.value)) ? now.value : null;
        },
        attributes: () => attributesOf(definition().get("targeting")),
        blame: (found) => {
            for (const one of body.querySelectorAll(".faulty")) one.classList.remove("faulty");
            fill(
                faults,
                found
                    .slice(0, 5)
                    .map(({ path, message }) => mishap([h("code", {}, foreign(path)), " ", foreign(message)])),
            );
            const places = /** @type {HTMLElement[]} */ ([...body.querySelectorAll("[data-path]")]);
            for (const { path } of found) {
                const around = places.filter(({ dataset }) => `${path}/`.startsWith(`${dataset.path}/`));
                around.at(-1)?.classList.add("faulty");
            }
        },
    });

    /** Draws the form anew; the keyboard stays where it was. */
    const redraw = () => {
        const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.at;
        draw();
        if (focused)
            /** @type {HTMLElement | undefined} */ (
                [...body.querySelectorAll("[data-at]")].find(
                    (one) => /** @type {HTMLElement} */ (one).dataset.at === focused,
                )
            )?.focus();
    };
    const draw = () => {
        const now = content();
        if (!now) return fill(body, h("p", { class: "empty" }, texts.say("entry.missing")));
        shown = now.value;
        description = now.description;
        half = false;
        const whole = formable(tree());
        fill(
            datalist,
            [...attributesOf(definition().get("targeting")), "$flagd.timestamp"].map((value) => h("option", { value })),
        );
        const words = h("textarea", {
            rows: "2",
            dir: "auto",
            readOnly: fixed,
            value: description,
            "data-at": "description",
            placeholder: texts.say("entry.description.hint"),
            oninput: () => {
                description = words.value;
                edit(shown);
            },
        });
        fill(
            body,
            field(texts.say("column.description"), words),
            whole && view === "form"
                ? [variantsView(whole), rulesSection(), visibility()]
                : [!whole && h("p", { class: "hint" }, texts.say("flag.no-form")), jsonView()],
        );
    };
    const jsonView = () => {
        const editor = valueEditor("json", {
            texts,
            label: texts.say("flag.definition"),
            value: shown,
            fixed: fixed || isRemoved(),
            change: (text) => {
                half = text === null;
                if (text !== null) edit(text);
                tell();
            },
        });
        return h("section", { class: "card-box", "aria-label": texts.say("flag.definition") }, editor.element);
    };

    /** @param {NonNullable<ReturnType<typeof formable>>} whole */
    const variantsView = ({ variants: all }) => {
        const type = typeOfVariants(all);
        const row = (/** @type {[string, Tree]} */ [name, value]) => {
            const slot = {
                path: `/variants/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
                get: () => variants().get(name) ?? null,
                set: (/** @type {Tree} */ next) =>
                    put(withMember(definition(), "variants", withMember(variants(), name, next))),
            };
            const rename = input(form, slot, "flag.variant", name, () => undefined, { class: "subject" });
            rename.addEventListener("change", () => {
                const to = rename.value;
                if (to === name) return;
                if (to === "" || variants().has(to)) return rename.setAttribute("aria-invalid", "true");
                let next = withMember(definition(), "variants", renamed(variants(), name, to));
                if (standard() === name) next = withMember(next, "defaultVariant", to);
                const targeting = next.get("targeting");
                if (targeting instanceof Map)
                    next = withMember(
                        next,
                        "targeting",
                        mapVariants(targeting, (one) => (one === name ? to : one)),
                    );
                put(next);
                redraw();
            });
            const remove = () => {
                put(withMember(definition(), "variants", withMember(variants(), name, undefined)));
                redraw();
            };
            return h(
                "div",
                { class: "variant", "data-path": slot.path },
                h("span", { class: `dot ${palette.color(name)}` }),
                rename,
                valueField(slot, value),
                !fixed &&
                    h(
                        "button",
                        {
                            type: "button",
                            class: "quiet square",
                            "aria-label": texts.say("flag.variant.remove", { name }),
                            onclick: remove,
                        },
                        icon("close"),
                    ),
            );
        };
        const add = () => {
            const name = freshName(variants());
            put(withMember(definition(), "variants", new Map([...variants(), [name, types[type]?.[0] ?? true]])));
            redraw();
        };
        /** @type {[string, string][]} */
        const defaults = [
            ...[...all.keys()].map((name) => /** @type {[string, string]} */ ([`=${name}`, name])),
            ["", texts.say("flag.default.none")],
        ];
        const name = definition().get("defaultVariant");
        if (typeof name === "string" && !all.has(name)) defaults.push([`=${name}`, name]);
        const place = { path: "/defaultVariant", get: () => null, set: () => {} };
        const standardChoice = choice(
            form,
            place,
            "flag.default",
            defaults,
            typeof name === "string" ? `=${name}` : "",
            (to) => {
                put(withMember(definition(), "defaultVariant", to ? to.slice(1) : null));
                redraw();
            },
        );
        const typeChoice =
            !stored &&
            choice(
                form,
                { ...place, path: "/type" },
                "flag.type",
                Object.keys(types).map((one) => [one, texts.say(`type.${one}`)]),
                type,
                (to) => {
                    put(withMember(blank(to), "metadata", definition().get("metadata")));
                    redraw();
                },
            );
        return h(
            "section",
            { class: "card-box", "aria-labelledby": "flag-variants" },
            h(
                "div",
                { class: "label-row" },
                h("h2", { id: "flag-variants" }, texts.say("flag.variants")),
                typeChoice || h("span", { class: "badge" }, texts.say(`type.${type}`)),
            ),
            some(form, [...all], row),
            h(
                "div",
                { class: "foot" },
                h(
                    "label",
                    { class: "by", "data-path": place.path },
                    h("span", { class: "hint" }, texts.say("flag.default")),
                    standardChoice,
                ),
                !fixed && button(texts.say("flag.variant.add"), add, "quiet small", "add"),
            ),
        );
    };
    /**
     * @param {import("./flags-form.js").Slot} slot
     * @param {Tree} value
     */
    const valueField = (slot, value) => {
        if (typeof value === "boolean")
            return choice(
                form,
                slot,
                "column.value",
                [
                    ["true", "true"],
                    ["false", "false"],
                ],
                String(value),
                (to) => slot.set(to === "true"),
            );
        if (typeof value === "string")
            return input(form, slot, "column.value", value, (text) => slot.set(text), { class: "compared" });
        if (!(value instanceof Digits)) return jsonField(form, slot);
        return input(
            form,
            slot,
            "column.value",
            value.text,
            (text) => {
                const good = faultOf("number", text.trim()) === null;
                if (good) slot.set(new Digits(text.trim()));
                return good;
            },
            { class: "compared", inputmode: "decimal", dir: "ltr" },
        );
    };

    const rulesSection = () =>
        h(
            "section",
            { class: "card-box rules", "aria-labelledby": "flag-rules" },
            h("h2", { id: "flag-rules" }, texts.say("flag.rules")),
            rulesView(
                form,
                { path: "/targeting", get: () => definition().get("targeting") ?? null, set: () => {} },
                () => readTargeting(definition().get("targeting")),
                (rules) => put(withTargeting(definition(), rules)),
            ),
        );
    const visibility = () => {
        const box = h("input", {
            type: "checkbox",
            checked: isPublic(definition()),
            disabled: fixed,
            "data-at": "public",
            onchange: () => put(withPublic(definition(), box.checked)),
        });
        return h(
            "section",
            { class: "card-box" },
            h(
                "label",
                { class: "tick" },
                box,
                h("span", {}, texts.say("flag.public"), h("small", { class: "hint" }, texts.say("flag.public.hint"))),
            ),
        );
    };

    const turn = () => {
        const on = definition().get("state") === "DISABLED";
        if (!stored) return put(withMember(definition(), "state", on ? "ENABLED" : "DISABLED"));
        if (!environment.caution) return flip(context, key, on);
        const name = on ? "on" : "off";
        const sure = button(
            texts.say(`flag.${name}`),
            () => {
                dialog.close();
                flip(context, key, on);
            },
            on ? "primary careful" : "danger",
        );
        const dialog = openDialog({
            title: texts.say(`flag.${name}.title`, { key }),
            kind: "careful",
            body: h("p", {}, texts.parts("flag.sure", { name: environment.name })),
            actions: sure,
            close: texts.say("close"),
        });
        sure.focus();
    };
    const remove = () => {
        draft.edit(key, stored, null);
        if (!stored) context.navigate(routeFragment({ environment: environment.name, screen: "flags" }));
        else redraw();
    };
    const undo = () => {
        const gone = draft.undo(key);
        if (gone)
            context.notify(texts.say("draft.undone", { key }), {
                label: texts.say("draft.redo"),
                run: () => draft.redo(key, gone),
            });
    };

    /** What stands over the form: the switch, the draft's state, a contradiction. */
    const tell = () => {
        const row = table.byKey.get(key);
        const change = draft.change(key);
        const said = row ? stateOf(row) : "";
        const off = definition().get("state") === "DISABLED";
        const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.id;
        const views = /** @type {const} */ (["form", "json"]).map((one) =>
            h(
                "button",
                {
                    type: "button",
                    id: `flag-view-${one}`,
                    class: "small",
                    "aria-pressed": String(view === one),
                    disabled: half && one === "form",
                    onclick: () => {
                        view = one;
                        redraw();
                        tell();
                    },
                },
                texts.say(one === "form" ? "flag.form" : "kind.json"),
            ),
        );
        fill(
            head,
            h(
                "a",
                {
                    class: "back",
                    href: routeFragment({ environment: environment.name, screen: "flags", query: context.route.query }),
                },
                icon("back"),
                texts.say("flag.all"),
            ),
            h(
                "div",
                { class: "flag-title" },
                h("h1", { class: "key" }, foreign(key)),
                h(
                    "span",
                    { class: off ? "badge removed" : "badge added" },
                    texts.say(off ? "flag.state.off" : "flag.state.on"),
                ),
                said &&
                    h("span", { class: `badge ${said === "edited" ? "changed" : said}` }, texts.say(`state.${said}`)),
                h("span", { class: "space" }),
                h("div", { class: "together views", role: "group", "aria-label": texts.say("flag.view") }, views),
                change && button(texts.say("draft.undo.short"), undo, "quiet", "undo"),
                !fixed && stored && !isRemoved() && button(texts.say("entry.remove"), remove, "quiet danger", "remove"),
                !fixed &&
                    !isRemoved() &&
                    h(
                        "button",
                        { type: "button", id: "flag-switch", class: off ? "primary" : "danger", onclick: turn },
                        texts.say(off ? "flag.on" : "flag.off"),
                    ),
            ),
        );
        fill(
            state,
            fixed && h("p", { class: "hint" }, texts.say("entry.fixed")),
            isRemoved() && mishap(texts.say("entry.removed")),
            change?.theirs !== undefined && contradiction(texts, change, (after) => draft.settle(key, after)),
            half && h("p", { class: "hint" }, texts.say("entry.unfinished")),
        );
        if (focused) document.getElementById(focused)?.focus();
        const known = use();
        const sum = known?.variants.reduce((total, one) => total + one.evaluations, 0) ?? 0;
        fill(
            uses,
            known?.fault && mishap([h("code", {}, foreign(known.fault.path)), " ", foreign(known.fault.message)]),
            h(
                "p",
                {},
                texts.say("flag.last"),
                ": ",
                timeMark(texts, known?.last_evaluated_at, texts.say("flag.never")),
            ),
            h(
                "ul",
                { class: "moves" },
                known?.variants
                    .slice(0, 50)
                    .map(({ name, evaluations, last_evaluated_at: last }) =>
                        h(
                            "li",
                            {},
                            h("span", { class: `dot ${palette.color(name)}` }),
                            foreign(name),
                            h("span", { class: "space" }),
                            sum > 0 &&
                                h(
                                    "span",
                                    { class: "faint" },
                                    percent(texts, Math.round((1000 * evaluations) / sum) / 1000),
                                ),
                            timeMark(texts, last, texts.say("flag.never")),
                        ),
                    ),
            ),
        );
    };

    const element = h(
        "article",
        { class: "flag" },
        head,
        state,
        faults,
        datalist,
        h(
            "div",
            { class: "flag-columns" },
            body,
            h(
                "div",
                { class: "flag-side" },
                ask.element,
                h(
                    "section",
                    { class: "card-box" },
                    h(
                        "div",
                        { class: "label-row" },
                        h("h2", {}, texts.say("flag.uses")),
                        h("span", { class: "space" }),
                        curlButton(context, () => ({ method: "GET", path: `${workspace.root}/flags` })),
                    ),
                    uses,
                ),
            ),
        ),
    );
    /** @param {string[] | null} keys */
    const renew = async (keys) => {
        if (keys && !keys.includes(key)) return tell();
        const newest = await workspace.content(key).catch(() => stored);
        if (signal.aborted) return;
        const news = newest && stored && !same(newest.value, stored.value);
        stored = newest;
        const now = content();
        if (
            !now ||
            (now.value !== shown && (failureOf(shown) !== null || !same(now.value, shown))) ||
            now.description !== description
        )
            redraw();
        if (news) {
            const name = table.byKey.get(key)?.entry?.author ?? "";
            frame.notices.say(texts.say("entry.others", { name }));
            ask.later();
        }
        tell();
    };
    draw();
    tell();
    ask.ask();
    return { element, renew };
}

/**
 * The names of the rules that flags share.
 * @param {Context} context
 * @returns {Promise<string[]>}
 */
async function namesOfShared({ workspace }) {
    const change = workspace.draft.change(setKey);
    const set = change?.after ?? (await workspace.content(setKey).catch(() => null));
    const all = set && readTree(set.value);
    const evaluators = all instanceof Map ? all.get("$evaluators") : null;
    return evaluators instanceof Map ? [...evaluators.keys()] : [];
}
