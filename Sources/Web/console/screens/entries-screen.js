/** The screen of the entries: filtered while typing, edited in a draft, saved as one release. */
import { button, fill, h, icon, squareButton } from "../../shared/dom.js";
import { addEntry } from "../entries/add.js";
import { DraftBar } from "../entries/draft-bar.js";
import { review } from "../entries/draft-review.js";
import { EntryList } from "../entries/list.js";
import { moveEntries } from "../entries/moves.js";
import { EntryPanel } from "../entries/panel.js";
import { nothingFits, showWait } from "../entries/placeholders.js";
import { isFlag } from "../state/entries.js";
import { Filter, readQuery, searchWords } from "../state/filter.js";
import { routeFragment } from "../state/route.js";
import { mayWrite, mayWriteSomething } from "../state/scopes.js";
import { flatLines, Trees } from "../state/tree.js";
import { introduceKey, openClientCode, showWelcome } from "./clients.js";
import { filterMenu, orderSelect } from "./entries-filters.js";
import { EntrySelection } from "./entries-selection.js";

/** The debounce before the address follows the filter, in milliseconds. The server search uses half of it. */
const addressDebounce = 400;
/** The interval at which relative times are updated, in milliseconds. */
const timesInterval = 60_000;
/** The number of entries up to which all groups are open at first. */
const maxOpenEntries = 300;

class EntriesScreen {
    /** @param {import("../frame.js").Context} context */
    constructor(context) {
        this.context = context;
        const { texts, settings, signal, environment } = context;
        const { bookmarks } = context.workspace;
        this.filter = new Filter(bookmarks);
        this.order = /** @type {import("../state/filter.js").Order} */ (settings.get("order") ?? "key");
        this.arrangement = settings.get("arrangement") ?? "tree";
        this.trees = new Trees();
        /** @type {{ text: string, keys: Set<string> } | null} the keys that the server search found */
        this.hits = null;
        this.request = new AbortController();
        /** @type {Record<string, ReturnType<typeof setTimeout>>} */
        this.timers = {};
        this.address = location.hash;
        this.writes = mayWriteSomething(environment.session.scopes);

        this.search = h("input", {
            id: "filter",
            type: "search",
            placeholder: texts.say("filter.hint"),
            "aria-label": texts.say("filter"),
            "aria-describedby": "found",
            autocomplete: "off",
            autocapitalize: "off",
            spellcheck: "false",
            oninput: () => this.type(),
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.pressInFilter(event),
        });
        this.found = h("p", { class: "found", id: "found", role: "status" });
        /** @type {EntryList} */
        this.list = new EntryList({
            texts,
            bookmarks,
            open: (key) => this.open(key),
            settle: (key) => this.settle(key),
            toggle: (path, open) => {
                this.trees.toggle(path, open);
                this.update();
            },
            remove: (key) => this.remove(key),
            close: () => (this.list.chosen ? this.selection.set() : this.open("")),
            select: (from, to) => this.selection.toggle(from, to),
        });
        this.selection = new EntrySelection(context, this.list, () => this.filter.found.map(({ key }) => key));
        this.panel = new EntryPanel(context, {
            open: (key) => this.open(key),
            use: (key) => openClientCode(context, key),
        });
        this.draftBar = new DraftBar(context, { filter: () => this.showDraft(), review: () => this.review() });
        this.body = h("div", { class: "list-box" });
        this.bars = h("div", {}, this.toolbar());
        this.element = h(
            "section",
            { class: "entries" },
            h("h1", { class: "spoken" }, texts.say("screen.entries")),
            this.bars,
            h("div", { class: "split" }, this.body, this.panel.element),
            this.selection.element,
            this.draftBar.element,
        );
        context.workspace.addEventListener(
            "change",
            (event) => this.change(/** @type {CustomEvent} */ (event).detail.keys),
            { signal },
        );
        context.workspace.addEventListener("depth", () => this.update(), { signal });
        this.clock = setInterval(() => this.list.render(true), timesInterval);
        this.addKeys();
    }

    toolbar() {
        const { texts } = this.context;
        this.tree = squareButton(texts.say("list.tree"), icon("tree"), () => this.rearrange(), {
            class: "square",
            id: "arrangement",
            "aria-pressed": String(this.arrangement === "tree"),
        });
        const add = button(texts.say("key.button"), () => this.add(), "primary", "add");
        add.id = "add-entry";
        // Narrow screens hide the text.
        add.ariaLabel = texts.say("key.button");
        return h(
            "div",
            { class: "toolbar" },
            h("div", { class: "filter-box" }, icon("search"), this.search, h("kbd", { "aria-hidden": "true" }, "/")),
            filterMenu(
                this.context,
                () => this.search.value.trim(),
                (query) => this.setQuery(query),
            ),
            this.found,
            orderSelect(texts, this.order, (order) => this.sort(order)),
            this.tree,
            this.writes && [this.selection.startButton("select.start"), add],
        );
    }

    addKeys() {
        const { keys, signal } = this.context;
        const list = this.body;
        keys.add({ keys: "/", label: "filter", run: () => this.search.select() }, signal);
        keys.add({ keys: "Mod+Shift+f", label: "filter", run: () => this.search.select() }, signal);
        keys.add({ keys: "t", label: "list.tree", run: () => this.rearrange(), list }, signal);
        keys.add({ keys: "j", label: "key.down", run: () => this.step(1), list }, signal);
        keys.add({ keys: "k", label: "key.up", run: () => this.step(-1), list }, signal);
        if (!this.writes) return;
        keys.add({ keys: "n", label: "key.button", run: () => this.add(), list }, signal);
        keys.add({ keys: "Mod+s", label: "review.open", run: () => this.review() }, signal);
        keys.add({ keys: "Mod+Enter", label: "review.open", run: () => this.review() }, signal);
    }

    /** @param {number} step */
    step(step) {
        this.list.element.focus();
        this.list.move(this.list.active + step);
    }

    /** @param {import("../state/route.js").Route} route */
    show(route) {
        this.address = location.hash;
        const query = route.query.q ?? "";
        const typing = document.activeElement === this.search || this.timers.address !== undefined;
        if (!typing && query !== this.search.value) {
            this.search.value = query;
            this.update();
        }
        this.showEntry(route.path[0] ?? "", false);
    }

    /**
     * Opens an entry beside the list, or closes it.
     * @param {string} key empty to close
     * @param {boolean} focus true if the focus moves too
     */
    showEntry(key, focus) {
        if (this.isFlag(key)) return this.context.navigate(this.fragment(key), true);
        if (key !== this.panel.key) {
            if (key && this.list.find(key) < 0) {
                this.trees.reveal(key);
                this.update();
            }
            this.list.setOpen(key);
            this.element.classList.toggle("with-panel", key !== "");
        }
        if (key) this.panel.open(key, focus);
        else this.panel.close();
        if (!key && focus) this.list.element.focus();
    }

    /**
     * @param {string} key empty to close
     * @param {boolean} [replace] true if the Back button shall skip the present address; the focus then stays
     */
    open(key, replace = false) {
        if (!this.isFlag(key)) this.showEntry(key, !replace);
        this.context.navigate(this.fragment(key), replace);
    }

    /**
     * Returns true if the key is a flag, which has its own screen.
     * @param {string} key
     */
    isFlag(key) {
        const row = this.context.workspace.table.byKey.get(key);
        return row !== undefined && isFlag(row);
    }

    /** @param {string} key */
    fragment(key) {
        const { environment } = this.context;
        if (this.isFlag(key)) return routeFragment({ environment: environment.name, screen: "flags", path: [key] });
        return routeFragment({
            environment: environment.name,
            path: key ? [key] : [],
            query: { q: this.search.value },
        });
    }

    /**
     * Opens the active entry after a debounce if the panel is open.
     * @param {string} key
     */
    settle(key) {
        if (this.panel.element.hidden || this.isFlag(key) || matchMedia("(max-width: 60rem)").matches) return;
        this.debounce("settle", 120, () => this.open(key, true));
    }

    /**
     * @param {string} name
     * @param {number} milliseconds
     * @param {() => void} run
     */
    debounce(name, milliseconds, run) {
        clearTimeout(this.timers[name]);
        this.timers[name] = setTimeout(() => {
            delete this.timers[name];
            // The event of another address may not have come yet.
            const isLeft = name !== "server" && location.hash !== this.address;
            if (!this.context.signal.aborted && !isLeft) run();
        }, milliseconds);
    }

    /** @param {string} query */
    setQuery(query) {
        this.search.value = query;
        this.type();
    }

    type() {
        this.update();
        this.debounce("address", addressDebounce, () => this.context.navigate(this.fragment(this.panel.key), true));
        if (this.context.workspace.depth === "server")
            this.debounce("server", addressDebounce / 2, () => this.queryServer());
    }

    /** @param {KeyboardEvent} event */
    pressInFilter(event) {
        if (
            event.key === "ArrowDown" ||
            (event.key === "Enter" && !event.isComposing && !event.ctrlKey && !event.metaKey)
        ) {
            event.preventDefault();
            this.list.element.focus();
            if (event.key === "Enter" && this.list.lines.length === 1) this.list.act(this.list.lines[0]);
        } else if (event.key === "Escape") {
            event.preventDefault();
            if (this.search.value === "") this.list.element.focus();
            this.setQuery("");
        }
    }

    /** Searches values on the server, because the page does not hold all of them. */
    async queryServer() {
        const text = this.search.value;
        const words = readQuery(text).filter((term) => !term.not && (term.field === "any" || term.field === "value"));
        this.request.abort();
        if (words.length === 0) return;
        this.request = new AbortController();
        const { workspace, api, showError } = this.context;
        try {
            const query = { form: "summary", q: words[0].word };
            const answer = await api.get(`${workspace.root}/config`, { query, signal: this.request.signal });
            if (text !== this.search.value) return;
            this.hits = { text, keys: new Set(answer.document.map((/** @type {any} */ item) => item.key)) };
            this.update();
        } catch (failure) {
            showError(failure);
        }
    }

    update() {
        const { workspace, texts } = this.context;
        const { table } = workspace;
        const text = this.search.value;
        if (workspace.status !== "ready") {
            this.found.textContent = "";
            return showWait(this.context, this.body);
        }
        const hits = this.hits?.text === text ? this.hits.keys : null;
        const rows = this.filter.run(table, text, this.order, hits);
        const grouped = this.arrangement === "tree" && this.order === "key";
        const filtered = text.trim() !== "";
        const open = filtered || table.rows.length <= maxOpenEntries;
        const lines = grouped ? this.trees.lines(rows, open) : flatLines(rows);
        const depth = filtered && workspace.depth !== "whole" ? ` · ${texts.say(`depth.${workspace.depth}`)}` : "";
        const count = filtered
            ? texts.say("found.some", { n: rows.length, of: table.rows.length })
            : texts.say("found.all", { n: table.rows.length });
        this.found.textContent = count + depth;
        this.bars.hidden = !filtered && rows.length === 0;
        this.selection.update();
        if (rows.length > 0) {
            if (this.body.firstElementChild !== this.list.element) this.list.mount(this.body);
            this.list.show(lines, searchWords(this.filter.terms));
        } else this.empty(filtered);
    }

    /** @param {boolean} filtered */
    empty(filtered) {
        const clear = () => {
            this.setQuery("");
            this.search.focus();
        };
        if (filtered) fill(this.body, nothingFits(this.context.texts, clear));
        else
            showWelcome(
                this.context,
                this.body,
                () => this.add(),
                () => this.addFlag(),
            );
    }

    /** @param {string[] | null} keys */
    change(keys) {
        // A change of the draft that affects no visible row needs no new search.
        if (keys === null || keys.length > 0 || this.list.lines.length === 0) this.update();
        const { key } = this.panel;
        if (key && !this.panel.row) this.panel.missing();
        else if (keys === null || keys.includes(key)) {
            if (key && !this.panel.shown) {
                // The panel's entry was missing until now.
                this.panel.key = "";
                this.showEntry(key, false);
            } else this.panel.refresh();
        }
        this.draftBar.show();
    }

    showDraft() {
        this.setQuery(this.search.value === "is:draft" ? "" : "is:draft");
    }

    review() {
        review(this.context, {
            open: (key) => this.open(key),
            introduce: (key) => introduceKey(this.context, key, this.bars),
            warn: (text) => this.draftBar.warn(text),
            loadFlagReview: async (...how) => (await import("./flags-screen.js")).loadFlagReview(...how),
        });
    }

    add() {
        const line = this.list.lines[this.list.active];
        const group = line?.kind === "group" ? line.path : (line?.row.key.replace(/[^.]+$/, "") ?? "");
        addEntry(this.context, group, (key) => this.open(key));
    }

    async addFlag() {
        (await import("./flags-screen.js")).addFlag(this.context);
    }

    /** @param {string} key */
    remove(key) {
        if (this.list.chosen) return this.selection.remove();
        const { environment, notify, texts } = this.context;
        if (mayWrite(environment.session.scopes, key)) moveEntries(this.context, [[key, ""]]);
        else notify(texts.say("entry.fixed"));
    }

    rearrange() {
        this.arrangement = this.arrangement === "tree" ? "list" : "tree";
        this.context.settings.set("arrangement", this.arrangement);
        this.tree?.setAttribute("aria-pressed", String(this.arrangement === "tree"));
        this.update();
    }

    /** @param {import("../state/filter.js").Order} order */
    sort(order) {
        this.order = order;
        this.context.settings.set("order", order);
        this.update();
    }

    close() {
        this.list.close();
        clearInterval(this.clock);
        this.request.abort();
        this.draftBar.close();
        for (const timer of Object.values(this.timers)) clearTimeout(timer);
    }
}

/** @param {import("../frame.js").Context} context */
export function open(context) {
    const screen = new EntriesScreen(context);
    screen.search.value = context.route.query.q ?? "";
    screen.update();
    screen.draftBar.show();
    screen.show(context.route);
    return screen;
}
