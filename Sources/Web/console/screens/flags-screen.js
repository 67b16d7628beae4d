/** The screen of the flags: their list with its filters, and the form of one flag. */
import { Unreachable } from "../../shared/api.js";
import { button, fill, h, icon, whenIdle } from "../../shared/dom.js";
import { replaceAddress } from "../../shared/layer-history.js";
import { curlButton, emptyPlaceholder } from "../controls/controls.js";
import { DraftBar } from "../entries/draft-bar.js";
import { review } from "../entries/draft-review.js";
import { showWait } from "../entries/placeholders.js";
import { isFlag } from "../state/entries.js";
import { filters, fits, setKey, wordsOf } from "../state/flags.js";
import { routeFragment } from "../state/route.js";
import { mayWriteSomething } from "../state/scopes.js";
import { flags as english } from "../texts/flags.en.js";
import { introduceKey } from "./clients.js";
import { flagReview } from "./flags-changes.js";
import { FlagSelection } from "./flags-selection.js";
import { FlagTable, flagCells } from "./flags-table.js";
import { transferButton } from "./flags-transfer.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/entries.js").Row} Row */
/** @typedef {import("../state/flags.js").Usage} Usage */

/** The interval at which evaluation statistics are loaded, in milliseconds. */
const usageInterval = 60_000;
/** The delay before the address has a typed filter, in milliseconds: browsers take long to replace an address. */
const addressDelay = 200;

/** @typedef {typeof import("./flags-forms.js")} Forms */

/**
 * The forms of flags once they are loaded: a dialog then opens at once, so that no typed letter is lost.
 * @type {Forms | undefined}
 */
let forms;

/** Loads the forms of flags. */
async function loadForms() {
    try {
        forms ??= await import("./flags-forms.js");
    } catch (cause) {
        throw new Unreachable("part missing", { cause });
    }
    return forms;
}

/** Adds the texts of flags. @param {import("../../shared/texts.js").Texts} texts */
export async function loadTexts(texts) {
    texts.add(texts.language === "de" ? (await import("../texts/flags.de.js")).flags : english);
}

/**
 * Adds the texts of flags, and returns the function that shows a flag's change.
 * @param {Context} context
 * @param {boolean} isDraft
 */
export async function loadFlagReview(context, isDraft) {
    await loadTexts(context.texts);
    return flagReview(context, isDraft);
}

/** Opens the dialog for a new flag. @param {Context} context */
export async function addFlag(context) {
    await loadTexts(context.texts);
    (await loadForms()).openFlagDialog(context);
}

/** @param {Context} context */
export function open(context) {
    const { api, texts, workspace, environment, messageOf, keys, navigate, signal, showError } = context;
    const { table, bookmarks } = workspace;
    const { scopes } = environment.session;
    /** @type {Map<string, Usage>} */
    let uses = new Map();
    /** @type {Row[]} */
    let shown = [];
    let key = "";
    /** @type {Awaited<ReturnType<Forms["detail"] | Forms["audiences"]>> | null} */
    let opened = null;
    let leaving = new AbortController();

    const search = h("input", {
        type: "search",
        "aria-label": texts.say("flags.filter"),
        placeholder: texts.say("flags.filter"),
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
    const openReview = () =>
        review(context, {
            open: go,
            introduce: (one) => introduceKey(context, one, body),
            warn: (text) => bar.warn(text),
            loadFlagReview,
        });
    const bar = new DraftBar(context, { filter: () => navigate(fragment("", { show: "draft" })), review: openReview });

    const find = () => {
        if (key) return;
        const words = wordsOf(search.value);
        const show = /** @type {import("../state/flags.js").FlagFilter} */ (choice.value);
        const flags = table.rows.filter(isFlag);
        shown = flags.filter((row) => fits(row, uses.get(row.key), words, show, workspace.now(), bookmarks.favorites));
        const ready = workspace.status === "ready";
        const count = { n: shown.length, of: flags.length };
        found.textContent = ready ? texts.say("found.some", count) : "";
        const isFiltered = search.value.trim() !== "" || show !== "all";
        rows.element.hidden = shown.length === 0;
        // The list without any flag has the button in its middle.
        for (const one of [start, toolbarAdd]) if (one) one.hidden = ready && flags.length === 0;
        if (shown.length > 0) fill(none);
        else if (workspace.failure || !ready) showWait(context, none);
        else fill(none, isFiltered && flags.length > 0 ? noMatches() : noFlags());
        rows.update(shown.length);
        selection?.update();
    };
    const noMatches = () => {
        const clear = () => {
            search.value = "";
            choice.value = "all";
            filter();
            search.focus();
        };
        return empty("past.none", button(texts.say("empty.filter.clear"), clear));
    };
    /** @param {string} title a key of the texts @param {...import("../../shared/dom.js").Children} inside */
    const empty = (title, ...inside) => h("div", { class: "empty stack" }, h("h2", {}, texts.say(title)), ...inside);
    const noFlags = () => empty("flags.none", h("p", {}, texts.say("flags.none.hint")), addButton());
    const add = () => {
        if (forms) forms.openFlagDialog(context);
        else loadForms().then(({ openFlagDialog }) => openFlagDialog(context), showError);
    };
    const addButton = () => mayWriteSomething(scopes) && button(texts.say("flags.add"), add, "primary", "add");
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let typing;
    const filter = () => {
        find();
        clearTimeout(typing);
        typing = setTimeout(settle, addressDelay);
    };
    /** Replaces the address without an event: after a click on a flag, the address must already be the flag's. */
    const settle = () => {
        clearTimeout(typing);
        if (!key && location.hash.split("?")[0] === fragment("", {})) replaceAddress(fragment(""));
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
    const found = h("p", { class: "found", role: "status" });
    const none = h("div", {});
    /** @type {FlagTable} */
    const rows = new FlagTable(texts, {
        facts: (index) => {
            const row = shown[index];
            const { key, entry, change } = row;
            const isFavorite = bookmarks.favorites.has(key);
            return [key, entry, entry?.full, change, uses.get(key), isFavorite, rows.chosen?.has(key)];
        },
        place: (one) => shown.findIndex((row) => row.key === one),
        href: (index) => fragment(shown[index].key),
        keyAt: (at) => shown[at]?.key,
        cells: (at) => flagCells(context, shown[at], uses.get(shown[at].key), fragment(shown[at].key), rows.chosen),
        press: (at, event) => selection?.press(at, event) ?? false,
    });
    const selection = mayWriteSomething(scopes)
        ? new FlagSelection(context, rows, () => shown.map((row) => row.key))
        : undefined;
    const start = selection?.startButton("flags.select");
    const toolbarAdd = addButton();
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
            transferButton(context),
            button(texts.say("screen.audiences"), () => navigate(fragment(setKey)), "quiet"),
            start,
            toolbarAdd,
            curlButton(context, `${workspace.root}/flags`),
        ),
        none,
        rows.element,
        selection?.element,
    );
    // A button of the list may replace the address after this.
    list.addEventListener("click", settle, true);
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
        if (!key) {
            // The command palette opens the dialog by the address.
            if (route.query.new) replaceAddress(fragment(""));
            if (route.query.new && toolbarAdd) add();
            return find();
        }
        const both = AbortSignal.any([signal, leaving.signal]);
        while (workspace.status === "loading" && !both.aborted)
            await new Promise((done) => workspace.addEventListener("change", done, { once: true }));
        try {
            const inner = { ...context, route, signal: both };
            const { audiences, detail } = await loadForms();
            const one = await (wanted === setKey ? audiences(inner) : detail(inner, wanted, () => uses.get(wanted)));
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
    whenIdle(readUses);
    show(context.route);
    const close = () => {
        clearInterval(clock);
        clearTimeout(typing);
        leaving.abort();
        bar.close();
    };
    return { element: h("section", { class: "flags" }, body, bar.element), show, close };
}
