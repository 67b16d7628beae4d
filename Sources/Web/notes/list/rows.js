/** The visible rows of the list, with selection and moves by keyboard and pointer. */
import { fill, h, userText } from "../../shared/dom.js";
import { keyName } from "../../shared/keys.js";
import { RowWindow } from "../../shared/row-window.js";
import { icon } from "../icons.js";
import { statusMark } from "../status.js";
import { formatNoteDate } from "./note-date.js";

/** @import { Summary } from "../engine/types.js" */
/** @import { NoteStatus } from "../status.js" */
/** @import { NoteView } from "./note-view.js" */

/** A row's height in pixels at the browsers' default font size, and the number of rows in a usual window. */
const defaultRowHeight = 82;
const defaultRowCount = 10;
/** The drag data type of notes, for a place in the list or a tag. */
export const dragged = "application/x-almanac-notes";

/**
 * @typedef {object} RowsForm
 * @property {import("../../shared/texts.js").Texts} texts
 * @property {NoteView} view
 * @property {(id: string) => void} open
 * @property {() => void} onSelectionChange runs when the selection changes
 * @property {(id: string, place: number) => void} place moves a note to a place in the list
 * @property {() => boolean} isByHand
 * @property {() => void} trash moves the selected notes to the trash
 * @property {(id: string) => boolean} isUnsaved returns true if the note has text that exists only in this tab
 */

export class NoteRows extends RowWindow {
    /** @param {RowsForm} form */
    constructor(form) {
        const body = h("div", { role: "presentation", class: "note-rows-body" });
        const element = h(
            "div",
            {
                role: "listbox",
                class: "note-rows",
                id: "notes",
                tabindex: "0",
                "aria-multiselectable": "true",
                "aria-label": form.texts.say("list.notes"),
            },
            body,
        );
        super(element, body, 0);
        this.form = form;
        /** @type {Set<string>} */
        this.selected = new Set();
        /** True if a click selects instead of opening. */
        this.isSelecting = false;
        this.anchor = 0;
        this.opened = "";
        this.activeId = "";
        /** False after the active note has left the list, until the user chooses a row. */
        this.hasTarget = true;
        this.dragging = "";
        /** The content that each row shows. @type {WeakMap<HTMLElement, string>} */
        this.renderedKeys = new WeakMap();
        this.line = h("div", { class: "note-drop", hidden: true });
        element.append(this.line);
        element.addEventListener("click", (event) => this.click(event));
        element.addEventListener("dragstart", (event) => this.drag(event));
        element.addEventListener("dragover", (event) => this.dragOver(event));
        element.addEventListener("dragleave", () => this.showDropPosition(null));
        element.addEventListener("dragend", () => this.endDrag());
        element.addEventListener("drop", (event) => this.drop(event));
    }

    get ids() {
        return this.form.view.listing.ids;
    }

    /** The id of the note that keys act on, or empty. */
    get targetId() {
        return this.hasTarget && this.count > 0 ? this.activeId : "";
    }

    /** Leaves no row as the target, so that the next key does not act on another note than the last one. */
    release() {
        this.hasTarget = false;
        this.render(true);
    }

    /** Shows the current list. The active note stays active while it is in the list. */
    show() {
        const { ids } = this;
        this.count = ids.length;
        const at = this.activeId === "" ? -1 : ids.indexOf(this.activeId);
        if (this.activeId !== "" && at < 0 && document.activeElement === this.element) this.hasTarget = false;
        this.active = at >= 0 ? at : Math.max(0, Math.min(this.active, ids.length - 1));
        this.activeId = ids[this.active] ?? "";
        if (this.selected.size > 0) {
            const there = new Set(ids);
            for (const id of this.selected) if (!there.has(id)) this.selected.delete(id);
        }
        this.render(true);
    }

    /** Shows another list from the top. */
    restart() {
        this.top = this.element.scrollTop = 0;
        this.active = 0;
        this.activeId = "";
        this.hasTarget = true;
        this.selected.clear();
        this.show();
    }

    /** Marks the open note and makes it active. @param {string} id empty for none */
    open(id) {
        if (id === this.opened) return;
        this.opened = id;
        const at = this.ids.indexOf(id);
        if (at >= 0) this.move(at);
        this.render(true);
    }

    /** @override */
    resize() {
        const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
        const own = Number.parseFloat(getComputedStyle(this.element).getPropertyValue("--note-row"));
        this.rowHeight = own * root || defaultRowHeight;
        super.resize();
    }

    /** Shows the rows before the browser has laid out the page. */
    showEarly() {
        this.rowHeight ||= defaultRowHeight;
        this.height ||= defaultRowCount * defaultRowHeight;
        this.show();
    }

    /**
     * Renders the rows. Row elements are reused, because an element that is pressed or dragged must not disappear.
     * @override
     * @param {boolean} isChanged
     */
    render(isChanged) {
        if (isChanged) for (const [at, row] of this.shown) if (at < this.count) this.renderRow(row, at);
        super.render(false);
        if (this.targetId) this.element.setAttribute("aria-activedescendant", `note-row-${this.active}`);
        else this.element.removeAttribute("aria-activedescendant");
        this.form.view.requestSummaries([...this.shown.keys()].map((at) => this.ids[at]));
    }

    /** @override @param {number} at */
    row(at) {
        const row = h("div", { role: "option", id: `note-row-${at}`, "data-at": at, draggable: "true" });
        this.renderRow(row, at);
        return row;
    }

    /**
     * @param {HTMLElement} row
     * @param {number} at
     */
    renderRow(row, at) {
        const id = this.ids[at];
        const summary = this.form.view.summary(id);
        const status = this.form.isUnsaved(id) ? "inThisTab" : (summary?.status ?? null);
        const isActive = at === this.active && this.hasTarget;
        row.className = `note-row${isActive ? " active" : ""}${summary?.pinned ? " pinned" : ""}`;
        row.style.setProperty("transform", `translateY(${at * this.rowHeight}px)`);
        row.setAttribute("aria-selected", String(this.selected.has(id)));
        if (id === this.opened) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
        row.setAttribute("aria-setsize", String(this.count));
        row.setAttribute("aria-posinset", String(at + 1));
        const key = JSON.stringify([summary, status]);
        if (this.renderedKeys.get(row) === key) return;
        this.renderedKeys.set(row, key);
        fill(row, summary ? this.content(summary, status) : h("span", { class: "note-row-title" }, "…"));
    }

    /**
     * @param {Summary} summary
     * @param {NoteStatus | null} status
     */
    content(summary, status) {
        const { texts } = this.form;
        const { title, excerpt, tags, pinned, matches } = summary;
        const heading = title.trim() !== "" ? marked(title, matches?.title) : marked(excerpt, matches?.excerpt);
        const text = title.trim() !== "" ? marked(excerpt, matches?.excerpt) : null;
        const pin = [icon("pin"), h("span", { class: "spoken" }, texts.say("list.pinned"))];
        return [
            h(
                "div",
                { class: "note-row-head" },
                pinned ? pin : null,
                h(
                    "span",
                    { class: "note-row-title", dir: "auto" },
                    heading ?? h("span", { class: "hint" }, texts.say("list.untitled")),
                ),
                status && statusMark(texts, status, { short: true }),
                this.time(summary),
            ),
            text &&
                h("div", { class: tags.length > 0 ? "note-row-excerpt" : "note-row-excerpt long", dir: "auto" }, text),
            tags.length > 0 &&
                h(
                    "div",
                    { class: "note-row-foot" },
                    h("span", { class: "spoken" }, texts.say("list.tagged")),
                    tags.map((tag) => h("span", { class: "badge" }, userText(tag))),
                ),
        ];
    }

    /** @param {Summary} summary */
    time({ updatedAt, moment }) {
        const time = new Date(updatedAt);
        if (Number.isNaN(time.getTime())) return null;
        const { short, full } = moment ?? formatNoteDate(this.form.texts, time);
        return h("time", { datetime: time.toISOString(), title: full }, short);
    }

    /** @override @param {number} at */
    move(at) {
        this.hasTarget = true;
        super.move(at);
        this.activeId = this.ids[this.active] ?? "";
    }

    /** @override @param {string} key */
    target(key) {
        // Without a target, the row in the place of the removed one comes next.
        return key === "ArrowDown" && !this.hasTarget && this.count > 0 ? this.active : super.target(key);
    }

    /** @override @param {KeyboardEvent} event */
    press(event) {
        if (event.target !== this.element || event.isComposing) return;
        const { altKey, shiftKey } = event;
        const key = keyName(event);
        const modified = event.metaKey || event.ctrlKey;
        const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
        const target = this.target(key);
        if (altKey) {
            if (step === 0 || modified || !this.targetId) return;
            this.form.place(this.activeId, step > 0 ? this.active + 2 : this.active - 1);
        } else if (target !== undefined && !modified) {
            if (!shiftKey || !this.hasTarget) this.anchor = target;
            this.move(target);
            if (shiftKey) this.selectRange();
        } else if (!this.pressRow(key, modified)) return;
        event.preventDefault();
    }

    /**
     * Handles a key for the active row or for all rows.
     * @param {string} key
     * @param {boolean} modified
     * @returns {boolean} `true` if the key has an effect
     */
    pressRow(key, modified) {
        if (modified && key === "a") this.selectAll();
        else if (modified || this.count === 0) return false;
        else if (key === "Delete" || key === "Backspace") this.form.trash();
        else if (key === "Escape" && (this.selected.size > 0 || this.isSelecting)) this.clearSelection();
        else if (!this.targetId) return false;
        else if (key === "Enter") this.form.open(this.activeId);
        else if (key === " ") this.toggle(this.active);
        else return false;
        return true;
    }

    /** @param {MouseEvent} event */
    click(event) {
        const row = event.target instanceof Element ? event.target.closest(".note-row") : null;
        if (!(row instanceof HTMLElement)) return;
        const at = Number(row.dataset.at);
        this.move(at);
        if (event.shiftKey) this.selectRange();
        else if (this.isSelecting || event.metaKey || event.ctrlKey) this.toggle(at);
        else {
            this.anchor = at;
            this.selected.clear();
            this.chose();
            this.form.open(this.ids[at]);
        }
    }

    /** @param {number} at */
    toggle(at) {
        const id = this.ids[at];
        this.anchor = at;
        if (!this.selected.delete(id)) this.selected.add(id);
        this.chose();
    }

    /** Selects all rows between the anchor and the active row. */
    selectRange() {
        const [from, to] = [Math.min(this.anchor, this.active), Math.max(this.anchor, this.active)];
        this.selected = new Set(this.ids.slice(from, to + 1));
        this.chose();
    }

    selectAll() {
        this.selected = new Set(this.ids);
        this.chose();
    }

    clearSelection() {
        this.isSelecting = false;
        this.selected.clear();
        this.chose();
    }

    chose() {
        for (const [at, row] of this.shown) row.setAttribute("aria-selected", String(this.selected.has(this.ids[at])));
        this.form.onSelectionChange();
    }

    /** @param {DragEvent} event */
    drag(event) {
        const row = event.target instanceof Element ? event.target.closest(".note-row") : null;
        if (!(row instanceof HTMLElement) || !event.dataTransfer) return;
        this.dragging = this.ids[Number(row.dataset.at)];
        const ids = this.selected.has(this.dragging) ? [...this.selected] : [this.dragging];
        event.dataTransfer.setData(dragged, JSON.stringify(ids));
        event.dataTransfer.effectAllowed = "copyMove";
    }

    /** @param {DragEvent} event */
    dragOver(event) {
        if (this.dragging === "" || !this.form.isByHand()) return;
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = "move";
        this.showDropPosition(this.placeAt(event));
    }

    /** @param {DragEvent} event */
    drop(event) {
        const id = this.dragging;
        if (id === "" || !this.form.isByHand()) return;
        event.preventDefault();
        this.endDrag();
        this.form.place(id, this.placeAt(event));
    }

    endDrag() {
        this.dragging = "";
        this.showDropPosition(null);
    }

    /** @param {DragEvent} event */
    placeAt(event) {
        const { top } = this.body.getBoundingClientRect();
        return Math.max(0, Math.min(Math.round((event.clientY - top) / this.rowHeight), this.count));
    }

    /** @param {number | null} place the drop position */
    showDropPosition(place) {
        this.line.hidden = place === null;
        if (place !== null) this.line.style.setProperty("transform", `translateY(${place * this.rowHeight}px)`);
    }
}

/**
 * Returns a text with the matches marked, or null for an empty text.
 * @param {string} text
 * @param {[number, number][]} [ranges]
 */
function marked(text, ranges = []) {
    if (text.trim() === "") return null;
    const piece = (/** @type {number} */ from, /** @type {number} */ to) => [
        ...userText(text.slice(from, to)).childNodes,
    ];
    let end = 0;
    /** @type {Node[]} */
    const whole = [];
    for (const [from, to] of ranges) {
        whole.push(...piece(end, from), h("mark", {}, piece(from, to)));
        end = to;
    }
    return [...whole, ...piece(end, text.length)];
}
