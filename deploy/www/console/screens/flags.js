/** The flags of an environment: a list with who gets what at a glance, and one of them to be changed. */
import { fill, foreign, h, icon } from "../../shared/dom.js";
import { askKey } from "../entries/add.js";
import { DraftBar } from "../entries/draft-bar.js";
import { review } from "../entries/review.js";
import { isFlag } from "../state/entries.js";
import { stateOf } from "../state/filter.js";
import { blank, definitionOf, fits, isPublic, isQuiet, setKey, shows, typeOfVariants } from "../state/flags.js";
import { outlookOf } from "../state/flags-shares.js";
import { writeTree } from "../state/flags-tree.js";
import { keyFault } from "../state/kinds.js";
import { routeFragment } from "../state/route.js";
import { mayWrite, mayWriteSomething } from "../state/scopes.js";
import { detail, paletteOf } from "./flags-detail.js";
import { shareBar, sharesText } from "./flags-shares.js";
import { button, curlButton, empty, timeMark } from "./parts.js";
import { Rows } from "./rows.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/entries.js").Row} Row */
/** @typedef {import("../state/flags.js").Use} Use */

/** Of a row, in pixels. */
const height = 56;
/** How often it is asked anew when flags were evaluated, in milliseconds. */
const aMinute = 60_000;

/** @type {Record<string, () => Promise<import("../../shared/texts.js").Table>>} */
const languages = {
    en: async () => (await import("../texts/flags.en.js")).flags,
    de: async () => (await import("../texts/flags.de.js")).flags,
};

/** The style sheet of this part, asked for once. */
function dress() {
    const href = document.querySelector("meta[name=flags-style]")?.getAttribute("content") ?? "";
    if (document.querySelector(`link[href="${href}"]`)) return;
    return new Promise((done) =>
        document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done })),
    );
}

/** @param {Context} context */
export async function open(context) {
    const { texts } = context;
    const [table] = await Promise.all([languages[texts.language](), dress()]);
    texts.add(table);
    return new FlagsScreen(context);
}

class FlagsScreen {
    /** @param {Context} context */
    constructor(context) {
        const { texts, workspace, environment, signal, route } = context;
        this.context = context;
        /** @type {Map<string, Use>} */
        this.uses = new Map();
        this.key = "";
        /** @type {Awaited<ReturnType<typeof detail>> | null} */
        this.detail = null;
        this.leaving = new AbortController();
        /** @type {Row[]} */
        this.shown = [];
        this.search = h("input", {
            type: "search",
            "aria-label": texts.say("flags.filter"),
            placeholder: texts.say("flags.filter"),
            value: route.query.q ?? "",
            autocomplete: "off",
            spellcheck: "false",
            oninput: () => this.refind(),
        });
        this.show_ = h(
            "select",
            { "aria-label": texts.say("flags.show"), onchange: () => this.refind() },
            shows.map((one) =>
                h("option", { value: one, selected: one === route.query.show }, texts.say(`flags.show.${one}`)),
            ),
        );
        this.found = h("p", { class: "found", role: "status" });
        this.rows = new Rows({
            label: texts.say("screen.flags"),
            height,
            make: (index) => this.row(this.shown[index]),
        });
        this.none = h("div", {});
        this.list = h(
            "div",
            { class: "flag-list" },
            h("h1", { class: "spoken" }, texts.say("screen.flags")),
            h(
                "div",
                { class: "toolbar" },
                h("div", { class: "filter-box" }, icon("search"), this.search),
                this.show_,
                this.found,
                curlButton(context, () => ({ method: "GET", path: `${workspace.root}/flags` })),
                button(texts.say("flags.shared"), () => this.openShared(), "quiet"),
                mayWriteSomething(environment.session.scopes) &&
                    button(texts.say("flags.add"), () => this.add(), "primary", "add"),
            ),
            this.none,
            this.rows.element,
        );
        this.body = h("div", { class: "flags-body" });
        const reviewing = () => review(context, { open: (key) => this.goTo(key) });
        this.draftBar = new DraftBar(context, {
            filter: () => context.navigate(this.fragment("", { show: "draft" })),
            review: reviewing,
        });
        this.element = h("section", { class: "flags" }, this.body, this.draftBar.element);
        workspace.addEventListener(
            "change",
            (event) => {
                this.draftBar.show();
                this.refind();
                this.detail?.renew(/** @type {CustomEvent} */ (event).detail.keys);
            },
            { signal },
        );
        workspace.addEventListener("depth", () => this.refind(), { signal });
        workspace.addEventListener("release", () => this.readUses(), { signal });
        this.clock = setInterval(() => this.readUses(), aMinute);
        context.keys.add({ keys: "/", label: "filter", run: () => this.search.select() }, signal);
        context.keys.add({ keys: "n", label: "flags.add", run: () => this.add() }, signal);
        for (const keys of ["Mod+s", "Mod+Enter"])
            context.keys.add(
                { keys, label: "review.open", run: () => workspace.draft.size > 0 && reviewing() },
                signal,
            );
        this.draftBar.show();
        this.readUses();
        this.show(route);
    }

    /** @param {string} key @param {Record<string, string>} [query] */
    fragment(key, query) {
        const shown = { q: this.search.value, show: this.show_.value === "all" ? "" : this.show_.value };
        const { name } = this.context.environment;
        return routeFragment({ environment: name, screen: "flags", path: key ? [key] : [], query: query ?? shown });
    }

    /** @param {string} key of any entry */
    goTo(key) {
        const row = this.context.workspace.table.byKey.get(key);
        const { name } = this.context.environment;
        if (row && isFlag(row)) this.context.navigate(this.fragment(key));
        else this.context.navigate(routeFragment({ environment: name, path: [key] }));
    }

    /** @param {import("../state/route.js").Route} route */
    async show(route) {
        const key = route.path[0] ?? "";
        this.search.value = route.query.q ?? "";
        this.show_.value = route.query.show ?? "all";
        if (key && key === this.key) return;
        this.leaving.abort();
        this.detail = null;
        this.key = key;
        if (!key) {
            fill(this.body, this.list);
            return this.refind();
        }
        this.leaving = new AbortController();
        const signal = AbortSignal.any([this.context.signal, this.leaving.signal]);
        fill(this.body, h("p", { class: "empty", "aria-busy": "true" }, this.context.texts.say("loading")));
        try {
            await this.ready(signal);
            const opened = await detail({ ...this.context, route, signal }, key, () => this.uses.get(key));
            if (signal.aborted) return;
            this.detail = opened;
            fill(this.body, opened.element);
        } catch (failure) {
            if (signal.aborted) return;
            fill(this.body, h("p", { class: "error", role: "alert" }, this.context.frame.wording(failure)));
        }
    }

    /**
     * Waits until the entries are there.
     * @param {AbortSignal} signal
     */
    async ready(signal) {
        const { workspace } = this.context;
        while (workspace.status === "loading" && !signal.aborted)
            await new Promise((done) => workspace.addEventListener("change", done, { once: true }));
        if (workspace.status === "failed") throw workspace.failure;
    }

    async readUses() {
        const { api, workspace, signal, fail } = this.context;
        try {
            const answer = await api.get(`${workspace.root}/flags`, { signal, quiet: true });
            this.uses = new Map(answer.document.flags.map((/** @type {Use} */ use) => [use.key, use]));
            this.refind();
            this.detail?.renew([]);
        } catch (failure) {
            if (!signal.aborted) fail(failure);
        }
    }

    refind() {
        const { workspace, texts } = this.context;
        if (this.key) return;
        const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const show = /** @type {import("../state/flags.js").Show} */ (this.show_.value);
        const flags = workspace.table.rows.filter(isFlag);
        this.shown = flags.filter((row) => fits(row, this.uses.get(row.key), words, show, workspace.now()));
        const ready = workspace.status === "ready";
        const count = { n: this.shown.length, of: flags.length };
        this.found.textContent = ready
            ? texts.say(this.shown.length === flags.length ? "flags.count" : "flags.some", count)
            : "";
        const lacking =
            workspace.status === "failed"
                ? "away.short"
                : !ready
                  ? "loading"
                  : flags.length > 0
                    ? "past.none"
                    : "flags.none";
        fill(this.none, this.shown.length === 0 && empty(texts.say(lacking)));
        this.rows.renew(this.shown.length);
        const address = this.fragment("");
        if (address !== location.hash && !this.context.signal.aborted) history.replaceState(null, "", address);
    }

    /** @param {Row} row */
    row(row) {
        const { texts, workspace } = this.context;
        const use = this.uses.get(row.key);
        const definition = definitionOf(row);
        const variants = definition?.get("variants");
        const names = variants instanceof Map ? [...variants.keys()] : (use?.variants.map(({ name }) => name) ?? []);
        const standard = definition?.get("defaultVariant");
        const palette = paletteOf(texts, names, typeof standard === "string" ? standard : null);
        const off = (definition?.get("state") ?? use?.state) === "DISABLED";
        const outlook = definition ? outlookOf(definition, workspace.now()) : { rules: 0, shares: null };
        const state = stateOf(row);
        const type = use?.type ?? (variants instanceof Map ? typeOfVariants(variants) : "");
        const description = row.change?.after?.description ?? row.entry?.description ?? "";
        const quiet = use !== undefined && isQuiet(use, workspace.now());
        const shares = names.length > 0 && !off ? outlook.shares : null;
        const bar = shares && shareBar(texts, palette, shares).element;
        bar?.setAttribute("aria-hidden", "true");
        const called =
            shares?.map(({ variant, share }) => ({ variant: variant ?? String(standard ?? ""), share })) ?? [];
        const said = shares ? [sharesText(texts, palette, called)] : [];
        if (outlook.rules > 0) said.push(texts.say("flag.rules.count", { n: outlook.rules }));
        return h(
            "div",
            { class: off ? "flag-row off" : "flag-row" },
            h(
                "div",
                { class: "flag-name" },
                h("span", { class: off ? "lamp" : "lamp on", "aria-hidden": "true" }),
                h("a", { class: "primary-control key-link", href: this.fragment(row.key) }, foreign(row.key)),
                h("span", { class: "spoken" }, texts.say(off ? "flag.state.off" : "flag.state.on")),
                state &&
                    h(
                        "span",
                        { class: `badge ${state === "edited" ? "changed" : state}` },
                        texts.say(`state.${state}`),
                    ),
                use?.fault && h("span", { class: "badge removed" }, texts.say("flag.faulty")),
                (definition ? isPublic(definition) : use?.public) &&
                    h("span", { class: "badge" }, texts.say("flag.public.short")),
                h("span", { class: "faint" }, foreign(description)),
            ),
            h("span", { class: "faint flag-type" }, type && texts.say(`type.${type}`)),
            h(
                "div",
                { class: "flag-shares" },
                bar,
                h("span", { class: "faint" }, foreign(off ? texts.say("flag.state.off") : said.join(", "))),
            ),
            h(
                "span",
                { class: quiet ? "flag-last quiet-long" : "flag-last" },
                timeMark(texts, use?.last_evaluated_at, texts.say("flag.never")),
            ),
        );
    }

    add() {
        const { workspace, environment, texts, frame } = this.context;
        const fault = (/** @type {string} */ key) =>
            keyFault(key, (one) => one === setKey || workspace.table.byKey.has(one)) ??
            (mayWrite(environment.session.scopes, key) ? null : "key.scope");
        const done = (/** @type {string} */ key) => {
            workspace.draft.edit(key, null, { value: writeTree(blank("boolean")), description: "", kind: "flag" });
            frame.notices.say(texts.say("key.added", { key }));
            this.context.navigate(this.fragment(key));
        };
        askKey(this.context, "", done, fault);
    }

    /** What all flags share, which is an entry with JSON as its value. */
    openShared() {
        const { workspace, environment } = this.context;
        if (!workspace.table.byKey.has(setKey) && mayWrite(environment.session.scopes, setKey))
            workspace.draft.edit(setKey, null, { value: '{"$evaluators": {}}', description: "", kind: "flag-set" });
        this.goTo(setKey);
    }

    close() {
        clearInterval(this.clock);
        this.leaving.abort();
        this.draftBar.close();
    }
}
