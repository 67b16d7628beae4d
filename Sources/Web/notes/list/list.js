/** The list pane: search, order, rows, and the actions for selected notes. */
import { button, fill, h, userText } from "../../shared/dom.js";
import { icon, iconButton } from "../icons.js";
import { partOf, readRoute } from "../route.js";
import { CachedRows } from "./cached-rows.js";
import { emptyListView } from "./empty.js";
import { newNotesMenu, openDailyNote } from "./new-notes.js";
import { noteActions, openRowMenu, selectionTools, swipeActions } from "./note-actions.js";
import { destinationOf, listQueryOf, NoteView, orders } from "./note-view.js";
import { RowGestures } from "./row-gestures.js";
import { NoteRows } from "./rows.js";
import { emptyTrash } from "./trash-actions.js";

/** @typedef {import("../frame.js").Context} Context */

/** The pause after the last key press before the search words enter the address, in milliseconds. */
const addressDelay = 300;

/** @param {Context} context */
export function open(context) {
    return new ListPane(context);
}

class ListPane {
    /** @param {Context} context */
    constructor(context) {
        const { texts, engine, device, unsaved, environment, account } = context;
        this.context = context;
        this.view = new NoteView(engine, new CachedRows(device, environment, account, texts));
        this.route = context.route;
        this.queryKey = "";
        /** The state that the header shows. */
        this.head = "";
        /** True if the cached rows are shown. */
        this.isCached = false;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.typing = undefined;
        this.rows = new NoteRows({
            texts,
            view: this.view,
            open: (id) => this.openNote(id),
            onSelectionChange: () => this.renderSelection(),
            place: (id, place) => this.place(id, place),
            isByHand: () => this.isByHand(),
            trash: () => this.trash(),
            isUnsaved: (id) => unsaved.find(id)?.lifetime.isRefused === true,
        });
        new RowGestures(this.rows, {
            swipes: (id) => (this.rows.isSelecting ? [] : swipeActions(context, this.notes([id]))),
            openMenu: (id, point) => openRowMenu(context, this, id, point),
        });
        this.search = h("input", {
            type: "search",
            id: "search",
            "aria-label": texts.say("list.search"),
            placeholder: texts.say("list.search"),
            autocomplete: "off",
            dir: "auto",
            oninput: () => this.onSearchInput(),
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.pressSearch(event),
        });
        this.title = h("h1", { class: "note-list-title" });
        this.make = iconButton(texts, "add", "list.new", () => this.newNote(), "primary square");
        this.more = newNotesMenu(context);
        this.order = h("select", { "aria-label": texts.say("list.order"), onchange: () => this.reorder() });
        this.several = button(texts.say("list.choose"), () => this.toggleSelecting(), "quiet");
        this.empty = button(texts.say("list.trash.empty"), () => emptyTrash(context), "quiet danger");
        this.selectionBar = h("div", {
            class: "note-chosen",
            role: "toolbar",
            "aria-label": texts.say("list.chosen"),
            hidden: true,
        });
        this.nothing = h("div", { class: "empty note-list-empty", hidden: true });
        this.count = h("span", { id: "notes-count", hidden: true });
        this.rows.element.setAttribute("aria-describedby", this.count.id);
        this.found = h("span", { class: "spoken", role: "status" });
        this.element = h(
            "div",
            { class: "note-list" },
            h(
                "header",
                { class: "note-list-head" },
                h("div", { class: "note-list-top" }, this.title, this.more, this.make),
                h("div", { class: "note-search" }, icon("search"), this.search),
            ),
            h("div", { class: "note-list-tools" }, this.order, this.several, this.empty),
            this.selectionBar,
            this.nothing,
            this.rows.element,
            this.count,
            this.found,
        );
        this.view.addEventListener("shown", () => this.shown());
        this.view.addEventListener("read", () => this.rows.render(true));
        unsaved.addEventListener("changed", () => this.rows.render(true), { signal: context.signal });
        this.listen();
    }

    listen() {
        const { keys, signal, navigate } = this.context;
        // A letter that misses the text of an open note must not become a command.
        const when = () => this.hasFocus() || partOf(this.route) === "nothing";
        /** @type {[string, string, () => void][]} */
        const all = [
            ["n", "list.new", () => this.newNote()],
            ["t", "list.new.today", () => openDailyNote(this.context)],
            ["/", "list.search", () => this.focusSearch()],
            ["Mod+Shift+f", "list.search", () => this.focusSearch()],
            ["j", "list.next", () => this.step(1)],
            ["k", "list.previous", () => this.step(-1)],
            ["Mod+Shift+j", "list.next", () => this.step(1)],
            ["Mod+Shift+k", "list.previous", () => this.step(-1)],
            ["p", "list.pin", () => this.pin()],
            ["#", "list.trash.move", () => this.trash()],
            ["g s", "settings.settings", () => navigate({ place: "settings" })],
        ];
        for (const [key, label, run] of all) {
            const shortcut = { keys: key, label, run, group: "list" };
            keys.add(key.startsWith("Mod+") ? shortcut : { ...shortcut, when }, signal);
        }
    }

    hasFocus() {
        return this.element.contains(document.activeElement);
    }

    close() {
        clearTimeout(this.typing);
        this.view.close();
        this.rows.close();
    }

    /** @param {import("../route.js").Route} route */
    show(route) {
        const isElsewhere = route.place !== this.route.place || route.tag !== this.route.tag;
        this.route = route;
        if (isElsewhere) this.endTyping();
        // Places without notes leave the list and its search unchanged.
        if (!["settings", "move", "unknown"].includes(route.place) || this.queryKey === "") {
            // Words that are being typed are newer than the address.
            if (this.typing === undefined && this.search.value.trim() !== (route.query.q ?? "").trim())
                this.search.value = route.query.q ?? "";
            this.runQuery(false);
        }
        this.rows.open(route.note);
        this.renderSelection();
        if (route.place === "search" && !route.note && !route.query.q && this.typing === undefined) this.search.focus();
    }

    /**
     * Runs the query of the route and the search field if it has changed.
     * @param {boolean} again true to run an unchanged query too
     */
    runQuery(again) {
        const known = this.context.settings.get("order");
        const routeQuery = { ...this.route.query, q: this.search.value };
        const query = listQueryOf({ ...this.route, query: routeQuery }, known);
        const queryKey = JSON.stringify(query);
        if (queryKey === this.queryKey && !again) return;
        this.isOther = queryKey !== this.queryKey;
        this.isCached = false;
        this.queryKey = queryKey;
        this.view.runQuery(query).catch((failure) => this.context.fail(failure));
        this.renderHead(query);
    }

    /** @param {import("./note-view.js").ListQuery} query */
    renderHead({ place, tag, words, order }) {
        const key = JSON.stringify([place, tag, words !== "", order]);
        if (key === this.head) return;
        this.head = key;
        const { texts } = this.context;
        const inTrash = place === "trash";
        fill(
            this.title,
            tag === undefined
                ? texts.say(inTrash ? "list.place.trash" : words ? "list.place.search" : "list.place.list")
                : userText(tag),
        );
        fill(
            this.order,
            orders
                .filter((each) => !inTrash || each !== "hand")
                .map((each) => h("option", { value: each, selected: each === order }, texts.say(`list.order.${each}`))),
        );
        // Search results are ordered by score.
        this.order.hidden = words !== "";
        this.make.hidden = inTrash;
        this.more.hidden = inTrash;
    }

    /** Shows a new list or a new order. */
    shown() {
        const { texts } = this.context;
        const { ids, places } = this.view.listing;
        const { query } = this.view;
        if (!query) return this.showCached();
        // Keep the scroll position if the user may already have scrolled the cached rows.
        if (this.isOther && !this.isCached) this.rows.restart();
        else this.rows.show();
        this.isCached = false;
        const count = texts.say(query.words ? "list.found" : "list.count", { n: ids.length });
        fill(this.count, count);
        // Screen readers announce the number of another list, and no number that has changed since.
        if (this.isOther) fill(this.found, count);
        else if (this.found.textContent !== count) fill(this.found);
        this.isOther = false;
        const focused = document.activeElement === this.rows.element;
        this.rows.element.hidden = ids.length === 0;
        this.nothing.hidden = ids.length > 0;
        if (ids.length === 0) fill(this.nothing, emptyListView(this.context, this.view));
        if (ids.length === 0 && focused) this.search.focus();
        this.empty.hidden = query?.place !== "trash" || places.trash === 0;
        this.several.hidden = ids.length === 0;
        this.rows.open(this.route.note);
        this.renderSelection();
    }

    /** Shows the cached rows. */
    showCached() {
        this.isCached = true;
        this.rows.showEarly();
        // Only rows with a layout can be scrolled into view.
        if (this.route.note) this.rows.resize();
        this.rows.open(this.route.note);
    }

    onSearchInput() {
        clearTimeout(this.typing);
        this.typing = setTimeout(() => this.updateAddress(), addressDelay);
        this.runQuery(false);
    }

    /** Puts the search words into the address, and so into the browser history. */
    updateAddress() {
        this.endTyping();
        // The user may just have left this route.
        if (JSON.stringify(readRoute(location.hash)) !== JSON.stringify(this.route)) return;
        const q = this.search.value.trim();
        const { place, tag, note, query } = this.route;
        const isOfList = place !== "tags" && place !== "trash";
        const there = isOfList ? (q ? "search" : "list") : place;
        if (q === (query.q ?? "").trim() && there === place) return;
        this.context.navigate({ place: there, tag, note, query: { q } }, true);
    }

    endTyping() {
        clearTimeout(this.typing);
        this.typing = undefined;
    }

    focusSearch() {
        if (this.route.note) this.context.navigate({ ...this.route, note: "", history: false });
        this.search.focus();
        this.search.select();
    }

    /** @param {KeyboardEvent} event */
    pressSearch(event) {
        if (event.isComposing) return;
        if (event.key === "Escape" && this.search.value !== "") {
            this.search.value = "";
            this.onSearchInput();
            this.updateAddress();
        } else if (event.key === "ArrowDown" || event.key === "Enter") {
            if (this.rows.count === 0) return;
            this.updateAddress();
            this.rows.element.focus();
            if (event.key === "Enter") this.openNote(this.rows.activeId);
        } else return;
        event.preventDefault();
    }

    /** @param {string} id */
    openNote(id) {
        this.endTyping();
        const { place, tag } = this.route;
        const q = this.search.value.trim();
        const there = place === "tags" || place === "trash" ? place : q ? "search" : "list";
        this.context.navigate({ place: there, tag, note: id, query: { q } });
    }

    newNote() {
        const { place, tag } = this.route;
        this.context.navigate({ place: "new", query: place === "tags" ? { tag } : {} });
    }

    /** @param {number} by */
    step(by) {
        if (this.rows.count === 0) return;
        this.rows.move(this.rows.target(by > 0 ? "ArrowDown" : "ArrowUp") ?? 0);
        if (this.route.note) this.openNote(this.rows.activeId);
        else this.rows.element.focus();
    }

    reorder() {
        this.context.settings.set("order", this.order.value);
        this.runQuery(false);
    }

    isByHand() {
        const { query } = this.view;
        return query?.place === "list" && query.order === "hand" && query.words === "";
    }

    /** Moves a note to a place in the list. @param {string} id @param {number} place */
    async place(id, place) {
        const { engine, texts, say, fail } = this.context;
        if (!this.isByHand()) {
            say(texts.say("list.move.no"));
            return;
        }
        const there = destinationOf(this.view.listing, id, place);
        if (!there) return;
        try {
            this.rows.activeId = id;
            await engine.move(id, there.after);
            const values = { at: there.at + 1, n: this.rows.count };
            say(texts.say("list.moved", values));
            if (this.rows.activeId === id) this.rows.reveal(there.at);
        } catch (failure) {
            fail(failure);
        }
    }

    /** Returns the notes that keys act on: the selected ones, else the target of the focused rows. */
    targets() {
        if (!this.hasFocus()) return [];
        if (this.rows.selected.size > 0) return [...this.rows.selected];
        const id = document.activeElement === this.rows.element ? this.rows.targetId : "";
        return id ? [id] : [];
    }

    /** Pins notes, or unpins them if all are pinned. @param {boolean} [isPinned] the wanted state */
    async pin(ids = this.targets(), isPinned) {
        const { engine, texts, notify, fail } = this.context;
        if (ids.length === 0 || this.view.query?.place === "trash") return;
        try {
            const pinned = isPinned ?? !(await engine.summaries(ids)).every((each) => each.pinned);
            await engine.pin(ids, pinned);
            notify(texts.say(pinned ? "list.pinned.done" : "list.unpinned.done", { n: ids.length }));
        } catch (failure) {
            fail(failure);
        }
    }

    trash() {
        const ids = this.targets();
        if (ids.length > 0) noteActions(this.context, this.notes(ids)).at(-1)?.run();
    }

    /** Describes notes to their actions. @param {string[]} ids */
    notes(ids) {
        const inTrash = this.view.query?.place === "trash";
        const isPinned = ids.every((id) => this.view.summary(id)?.pinned);
        const pin = (/** @type {boolean} */ wanted) => this.pin(ids, wanted);
        const leave = () => {
            this.leave(ids);
            this.rows.clearSelection();
        };
        return { ids, inTrash, isPinned, pin, leave };
    }

    /** Releases the target, and closes the open note if it is among the moved ones. @param {string[]} ids */
    leave(ids) {
        this.rows.release();
        const { note } = this.route;
        if (!ids.includes(note)) return;
        this.context.navigate({ ...this.route, note: "", history: false });
        this.rows.element.focus();
    }

    toggleSelecting() {
        this.rows.isSelecting = !this.rows.isSelecting;
        if (this.rows.isSelecting) this.renderSelection();
        else this.rows.clearSelection();
    }

    /** Shows the number of selected notes, with their actions. */
    renderSelection() {
        const inTrash = this.view.query?.place === "trash";
        const single = inTrash && this.route.note && this.rows.ids.includes(this.route.note) ? [this.route.note] : [];
        const ids = this.rows.selected.size > 0 ? [...this.rows.selected] : single;
        this.several.setAttribute("aria-pressed", String(this.rows.isSelecting));
        const at = [...this.selectionBar.children].indexOf(/** @type {Element} */ (document.activeElement));
        this.selectionBar.hidden = ids.length === 0;
        if (ids.length === 0) {
            if (at >= 0) this.rows.element.focus();
            return;
        }
        const clearSelection = this.rows.selected.size > 0 ? () => this.rows.clearSelection() : null;
        fill(this.selectionBar, selectionTools(this.context, this.notes(ids), clearSelection));
        if (at >= 0) /** @type {HTMLElement | null} */ (this.selectionBar.children[Math.max(at, 1)])?.focus();
    }
}
