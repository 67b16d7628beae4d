/** The screen of the flags: a list with the share of each variant, and the form of one flag. */
import { button, fill, h, icon, userText } from "../../shared/dom.js";
import { ControlRows } from "../controls/control-rows.js";
import { curlButton, emptyPlaceholder, stateMark, timeMark } from "../controls/controls.js";
import { openKeyDialog } from "../entries/add.js";
import { DraftBar } from "../entries/draft-bar.js";
import { review } from "../entries/draft-review.js";
import { isFlag } from "../state/entries.js";
import { stateOf } from "../state/filter.js";
import {
    blank,
    definitionOf,
    filters,
    fits,
    isPublic,
    isUnused,
    setKey,
    stateWord,
    typeOfVariants,
} from "../state/flags.js";
import { sharesWithoutRule } from "../state/flags-shares.js";
import { keyFault } from "../state/kinds.js";
import { routeFragment } from "../state/route.js";
import { mayWrite, mayWriteSomething } from "../state/scopes.js";
import { flags as english } from "../texts/flags.en.js";
import { detail } from "./flags-detail.js";
import { paletteOf, shareBar, sharesText } from "./flags-shares-bar.js";
import { transferButton } from "./flags-transfer.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/entries.js").Row} Row */
/** @typedef {import("../state/flags.js").Usage} Usage */

/** The interval at which evaluation statistics are loaded, in milliseconds. */
const usageInterval = 60_000;

/** Loads the style sheet of this screen once. */
function loadStyles() {
    const href = document.querySelector("meta[name=flags-style]")?.getAttribute("content") ?? "";
    if (document.querySelector(`link[href="${href}"]`)) return;
    return new Promise((done) =>
        document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done })),
    );
}

/** @param {Context} context */
export async function open(context) {
    const { api, texts, workspace, environment, messageOf, keys, navigate, signal, showError } = context;
    await loadStyles();
    texts.add(texts.language === "de" ? (await import("../texts/flags.de.js")).flags : english);
    const { table, draft } = workspace;
    const { scopes } = environment.session;
    /** @type {Map<string, Usage>} */
    let uses = new Map();
    /** @type {Row[]} */
    let shown = [];
    let key = "";
    /** @type {Awaited<ReturnType<typeof detail>> | null} */
    let opened = null;
    let leaving = new AbortController();

    const search = h("input", {
        type: "search",
        "aria-label": texts.say("past.filter"),
        placeholder: texts.say("past.filter"),
        autocomplete: "off",
        spellcheck: "false",
        oninput: () => filter(),
    });
    const choice = h(
        "select",
        { "aria-label": texts.say("filter.title"), onchange: () => filter() },
        filters.map((one) => h("option", { value: one }, texts.say(`flags.show.${one}`))),
    );
    /** @param {string} one a flag, or empty for the list @param {Record<string, string>} [query] */
    const fragment = (one, query = { q: search.value, show: choice.value.replace("all", "") }) =>
        routeFragment({ environment: environment.name, screen: "flags", path: one ? [one] : [], query });
    /** @param {string} one the key of any entry */
    const go = (one) => {
        const row = table.byKey.get(one);
        navigate(row && isFlag(row) ? fragment(one) : routeFragment({ environment: environment.name, path: [one] }));
    };
    const openReview = () => review(context, { open: go, warn: (text) => bar.warn(text) });
    const bar = new DraftBar(context, { filter: () => navigate(fragment("", { show: "draft" })), review: openReview });

    const find = () => {
        if (key) return;
        const words = search.value.toLowerCase().split(/\s+/);
        const show = /** @type {import("../state/flags.js").FlagFilter} */ (choice.value);
        const flags = table.rows.filter(isFlag);
        shown = flags.filter((row) => fits(row, uses.get(row.key), words, show, workspace.now()));
        const ready = workspace.status === "ready";
        const count = { n: shown.length, of: flags.length };
        found.textContent = ready ? texts.say("found.some", count) : "";
        const lacking = ready ? (flags.length > 0 ? "past.none" : "flags.none") : "loading";
        fill(
            none,
            shown.length === 0 &&
                emptyPlaceholder(workspace.failure ? messageOf(workspace.failure) : texts.say(lacking)),
        );
        rows.update(shown.length);
    };
    /** Replaces the address without an event: after a click on a flag, the address must already be the flag's. */
    const filter = () => {
        find();
        history.replaceState(null, "", fragment(""));
    };
    const readUses = async () => {
        try {
            const { document } = await api.get(`${workspace.root}/flags`, { signal });
            uses = new Map(document.flags.map((/** @type {Usage} */ use) => [use.key, use]));
            find();
            opened?.renew([]);
        } catch (failure) {
            if (!signal.aborted) showError(failure);
        }
    };
    const add = () => {
        const exists = (/** @type {string} */ one) => one === setKey || table.byKey.has(one);
        const done = (/** @type {string} */ one) => {
            draft.edit(one, null, { value: blank, description: "", kind: "flag" });
            navigate(fragment(one));
        };
        const fault = (/** @type {string} */ one) =>
            keyFault(one, exists) ?? (mayWrite(scopes, one) ? null : "key.scope");
        openKeyDialog(context, "", done, fault, "flags.add", "flag.new.hint");
    };
    const found = h("p", { class: "found", role: "status" });
    const none = h("div", {});
    const rows = new ControlRows({
        label: texts.say("screen.flags"),
        height: 56,
        make: (index) => flagRow(context, shown[index], uses.get(shown[index].key), fragment(shown[index].key)),
    });
    const list = h(
        "div",
        { class: "flag-list" },
        h("h1", { class: "spoken" }, texts.say("screen.flags")),
        h(
            "div",
            { class: "toolbar" },
            h("div", { class: "filter-box" }, icon("search"), search),
            choice,
            found,
            curlButton(context, () => ({ method: "GET", path: `${workspace.root}/flags` })),
            transferButton(context),
            button(texts.say("flags.shared"), () => go(setKey), "quiet"),
            mayWriteSomething(scopes) && button(texts.say("flags.add"), add, "primary", "add"),
        ),
        none,
        rows.element,
    );
    const body = h("div", { class: "flags-body" });
    /** @param {import("../state/route.js").Route} route */
    const show = async (route) => {
        const wanted = route.path[0] ?? "";
        search.value = route.query.q ?? "";
        choice.value = route.query.show ?? "all";
        if (wanted && wanted === key) return;
        leaving.abort();
        leaving = new AbortController();
        opened = null;
        key = wanted;
        fill(body, key ? h("p", { class: "empty", "aria-busy": "true" }, texts.say("loading")) : list);
        if (!key) return find();
        const both = AbortSignal.any([signal, leaving.signal]);
        while (workspace.status === "loading" && !both.aborted)
            await new Promise((done) => workspace.addEventListener("change", done, { once: true }));
        try {
            const one = await detail({ ...context, route, signal: both }, wanted, () => uses.get(wanted));
            if (both.aborted) return;
            opened = one;
            fill(body, one.element);
            one.focusWanted();
        } catch (failure) {
            if (!both.aborted) fill(body, emptyPlaceholder(messageOf(failure)));
        }
    };
    /** @param {Event} event */
    const change = (event) => {
        bar.show();
        find();
        opened?.renew(/** @type {CustomEvent} */ (event).detail.keys);
    };
    workspace.addEventListener("change", change, { signal });
    workspace.addEventListener("depth", find, { signal });
    workspace.addEventListener("release", readUses, { signal });
    const clock = setInterval(readUses, usageInterval);
    keys.add({ keys: "/", label: "filter", run: () => search.select() }, signal);
    keys.add({ keys: "Mod+s", label: "review.open", run: openReview }, signal);
    keys.add({ keys: "Mod+Enter", label: "review.open", run: openReview }, signal);
    bar.show();
    readUses();
    show(context.route);
    const close = () => {
        clearInterval(clock);
        leaving.abort();
        bar.close();
    };
    return { element: h("section", { class: "flags" }, body, bar.element), show, close };
}

/**
 * @param {Context} context
 * @param {Row} row
 * @param {Usage | undefined} use
 * @param {string} href
 */
function flagRow({ texts, workspace }, row, use, href) {
    const now = workspace.now();
    const definition = definitionOf(row);
    const variants = definition?.get("variants");
    const standard = definition?.get("defaultVariant");
    const word = stateWord(row.change?.after || row.entry?.full ? definition?.get("state") : use?.state);
    const state = texts.say(`flag.state.${word}`);
    const isOn = word === "on";
    const { rules = 0, shares = null } =
        definition && isOn && variants instanceof Map ? sharesWithoutRule(definition, now) : {};
    const bar = shares && shareBar(texts, paletteOf(texts, variants, standard), shares).element;
    bar?.setAttribute("aria-hidden", "true");
    const called = shares?.map(({ variant, share }) => ({ variant: variant ?? standard ?? null, share }));
    const said = called ? [sharesText(texts, called)] : isOn ? [] : [state];
    if (rules > 0) said.push(texts.say("flag.rules.count", { n: rules }));
    const type = use?.type ?? (variants instanceof Map && typeOfVariants(variants));
    return h(
        "div",
        { class: "flag-row" },
        h(
            "div",
            { class: "flag-line" },
            h("span", { class: `lamp ${word}`, "aria-hidden": "true" }),
            h("a", { class: "primary-control key-link", href }, userText(row.key)),
            h("span", { class: "spoken" }, state),
            stateMark(texts, stateOf(row)),
            use?.fault && h("span", { class: "badge removed" }, texts.say("flags.show.faulty")),
            (definition ? isPublic(definition) : use?.public) &&
                h("span", { class: "badge" }, texts.say("flags.show.public")),
            h("span", { class: "faint" }, userText((row.change?.after ?? row.entry)?.description ?? "")),
        ),
        h("span", { class: "faint flag-type" }, type && texts.say(`type.${type}`)),
        h("div", { class: "flag-shares" }, bar, h("span", { class: "faint" }, userText(said.join(", ")))),
        h(
            "span",
            { class: use && isUnused(use, now) ? "flag-last badge conflict" : "flag-last" },
            timeMark(texts, use?.last_evaluated_at, texts.say("never")),
        ),
    );
}
