/** The list of entries: a window of rows, moved by keyboard or pointer. */
import { fill, h, icon, userText } from "../../shared/dom.js";
import { RowWindow } from "../../shared/row-window.js";
import { favoriteMark, stateMark, timeMark } from "../controls/controls.js";
import { plainText, searchTextOf, shownDescription, shownText, shownType, stateOf } from "../state/filter.js";
import { kindOf } from "../state/kinds.js";

/** @typedef {import("../state/tree.js").Line} Line */
/** @typedef {import("../state/entries.js").Row} Row */

/** The minimum length of a value's text in a row, in UTF-16 units, and the list's width per unit, in pixels. */
const shownLength = 80;
const pixelsPerUnit = 12;

/**
 * @typedef {object} ListForm
 * @property {{ favorites: ReadonlySet<string> }} bookmarks
 * @property {import("../../shared/texts.js").Texts} texts
 * @property {(key: string) => void} open opens an entry
 * @property {(key: string) => void} settle called when an entry has been active for a moment
 * @property {(path: string, open: boolean) => void} toggle opens or closes a group
 * @property {(key: string) => void} remove removes an entry
 * @property {() => void} close leaves the selection, or closes the open entry
 * @property {(from: number, to: number) => void} select selects lines, or removes the selection of a single line
 */

export class EntryList extends RowWindow {
    /** @param {ListForm} form */
    constructor(form) {
        const { texts } = form;
        const head = ["key", "value", "description", "changed"].map((column) =>
            h("div", { role: "columnheader", class: `cell-${column}` }, texts.say(`column.${column}`)),
        );
        const body = h("div", { role: "rowgroup", class: "rows" });
        const element = h(
            "div",
            {
                role: "treegrid",
                class: "list",
                id: "entries",
                tabindex: "0",
                "aria-label": texts.say("screen.entries"),
            },
            h("div", { role: "rowgroup", class: "head" }, h("div", { role: "row", "aria-rowindex": "1" }, head)),
            body,
        );
        super(element, body, 1);
        this.form = form;
        /** @type {Line[]} */
        this.lines = [];
        /** @type {string[]} the words of the filter, to be marked */
        this.words = [];
        this.opened = "";
        /** @type {Set<string> | null} the selected keys; null outside the selection */
        this.chosen = null;
        this.shownLength = shownLength;
        element.addEventListener("click", (event) => this.click(event));
    }

    /** @param {HTMLElement} container the container; the list starts at its top */
    mount(container) {
        fill(container, this.element);
        this.top = 0;
    }

    /**
     * Shows other lines. The active line stays active if it is among them.
     * @param {Line[]} lines
     * @param {string[]} words
     */
    show(lines, words) {
        const was = this.lines[this.active];
        this.lines = lines;
        this.count = lines.length;
        this.words = words;
        const there = was && lines[this.active] && isSame(was, lines[this.active]);
        const at = there ? this.active : was ? lines.findIndex((line) => isSame(was, line)) : -1;
        this.active = at >= 0 ? at : Math.min(this.active, Math.max(lines.length - 1, 0));
        this.render(true);
    }

    /**
     * Returns the index of an entry's line, or -1.
     * @param {string} key
     */
    find(key) {
        return this.lines.findIndex((line) => line.kind === "entry" && line.row.key === key);
    }

    /**
     * Returns the key of a line, or undefined for a group.
     * @param {number} at
     */
    keyAt(at) {
        const line = this.lines[at];
        return line?.kind === "entry" ? line.row.key : undefined;
    }

    takeFocus() {
        this.element.focus();
    }

    /** @param {string} key */
    setOpen(key) {
        this.opened = key;
        const at = this.find(key);
        if (at >= 0) this.move(at, false);
        this.render(true);
    }

    /** @override */
    resize() {
        this.rowHeight = Number.parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) * 16 || 40;
        this.shownLength = Math.max(shownLength, Math.ceil(this.element.clientWidth / pixelsPerUnit));
        const place = this.active * this.rowHeight - this.top;
        const wasSeen = place >= 0 && place <= this.height - this.rowHeight * (1 + this.head);
        const wasHidden = this.height === 0;
        super.resize();
        // A list without a height cannot scroll to the open entry, and one that becomes lower would hide it.
        if (wasHidden || wasSeen) this.reveal(this.active);
    }

    /** @override @param {boolean} anew */
    render(anew) {
        super.render(anew);
        this.element.setAttribute("aria-rowcount", String(this.count + 1));
        this.element.ariaMultiSelectable = String(!!this.chosen);
        if (this.count > 0) this.element.setAttribute("aria-activedescendant", `row-${this.active}`);
        else this.element.removeAttribute("aria-activedescendant");
    }

    /** @override @param {number} at */
    row(at) {
        const line = this.lines[at];
        const element = line.kind === "group" ? this.groupRow(line) : this.entryRow(line.row, line.label);
        element.id = `row-${at}`;
        element.setAttribute("role", "row");
        element.setAttribute("aria-rowindex", String(at + 2));
        element.setAttribute("aria-level", String(line.depth + 1));
        element.dataset.at = String(at);
        element.classList.toggle("active", at === this.active);
        element.style.setProperty("--depth", String(line.depth));
        return element;
    }

    /** @param {import("../state/tree.js").GroupLine} line */
    groupRow(line) {
        const label = h("span", { class: "label" }, this.marked(line.label));
        const count = h("span", { class: "badge" }, this.form.texts.number(line.count));
        const cell = h(
            "div",
            { role: "gridcell", class: "cell-key", "aria-colspan": "4" },
            icon("right"),
            label,
            count,
        );
        return h("div", { class: "row group", "aria-expanded": String(line.open) }, cell);
    }

    /**
     * @param {Row} row
     * @param {string} label
     */
    entryRow(row, label) {
        const { texts } = this.form;
        const state = stateOf(row);
        const { kind } = row.change?.after ?? row.entry ?? {};
        const when = row.entry ? timeMark(texts, row.entry.updated_at) : texts.say("changed.not-yet");
        const author = row.entry?.author ? h("span", { class: "author" }, userText(row.entry.author)) : null;
        return h(
            "div",
            { class: `row ${state}`, "aria-selected": String(this.chosen?.has(row.key) ?? row.key === this.opened) },
            h(
                "div",
                { role: "gridcell", class: "cell-key", title: row.key },
                // The row itself says that it is selected.
                this.chosen && h("input", { type: "checkbox", checked: this.chosen.has(row.key), inert: true }),
                h("span", { class: "label" }, this.marked(label)),
                kind && h("span", { class: "badge" }, texts.say(`kind.${kind}`)),
                stateMark(texts, state),
                favoriteMark(texts, this.form.bookmarks.favorites.has(row.key)),
            ),
            h("div", { role: "gridcell", class: `cell-value ${shownType(row)}` }, this.value(row)),
            h("div", { role: "gridcell", class: "cell-description" }, this.marked(shownDescription(row))),
            h("div", { role: "gridcell", class: "cell-changed" }, when, author),
        );
    }

    /** @param {Row} row */
    value(row) {
        const text = shownText(row);
        if (shownType(row) === "boolean") {
            const on = text.trim() === "true";
            return [h("span", { class: on ? "lamp on" : "lamp" }), on ? "true" : "false"];
        }
        const plain = text.length > 2100 ? text.slice(shownType(row) === "string" ? 1 : 0, 2100) : plainText(text);
        const start = this.visibleStart(row, plain);
        const end = start + this.shownLength;
        const shown =
            (start > 0 ? "…" : "") +
            plain.slice(start, end).replaceAll("\n", " ⏎ ").replaceAll("\t", " ⇥ ") +
            (end < plain.length ? "…" : "");
        const content =
            plain === "" ? h("span", { class: "nothing" }, this.form.texts.say("value.empty")) : this.marked(shown);
        if (shownType(row) !== "string" || text.length > 12 || kindOf(text) !== "color") return [content];
        const swatch = h("span", { class: "swatch" });
        swatch.style.setProperty("background-color", plain);
        return [swatch, content];
    }

    /**
     * Returns the start of the visible part of a value: its beginning, or a little before the first match.
     * @param {Row} row
     * @param {string} plain
     */
    visibleStart(row, plain) {
        const word = this.words[0];
        if (!word || plain.length <= 60) return 0;
        searchTextOf(row);
        const found = plain.toLowerCase().indexOf(word);
        return found > 40 ? found - 20 : 0;
    }

    /**
     * Returns the text with its first match marked.
     * @param {string} text
     */
    marked(text) {
        const lower = text.toLowerCase();
        const word = this.words.find((one) => lower.includes(one));
        // Some letters change their length in lower case, so the offset of a match would be wrong.
        if (!word || lower.length !== text.length) return userText(text);
        const at = lower.indexOf(word);
        const before = userText(text.slice(0, at));
        return h(
            "bdi",
            { dir: "auto" },
            before,
            h("mark", {}, userText(text.slice(at, at + word.length))),
            userText(text.slice(at + word.length)),
        );
    }

    /**
     * @override
     * @param {number} at
     * @param {boolean} [settle] true if the move calls `settle`
     */
    move(at, settle = true) {
        super.move(at);
        const line = this.lines[this.active];
        if (settle && line?.kind === "entry") this.form.settle(line.row.key);
    }

    /** @override @param {KeyboardEvent} event */
    press(event) {
        if (event.target !== this.element || event.metaKey || event.ctrlKey || event.altKey) return;
        const line = this.lines[this.active];
        const target = this.target(event.key);
        if (target !== undefined) this.move(target);
        else if (!this.pressRow(event.key, line)) return;
        event.preventDefault();
    }

    /**
     * Applies a key to the active row.
     * @param {string} key
     * @param {Line | undefined} line
     * @returns {boolean} true if the key was handled
     */
    pressRow(key, line) {
        const group = line?.kind === "group" ? line : null;
        switch (key) {
            case "ArrowRight":
                if (group && !group.open) this.form.toggle(group.path, true);
                else if (group) this.move(this.active + 1);
                else if (line) this.act(line);
                break;
            case "ArrowLeft":
                if (group?.open) this.form.toggle(group.path, false);
                else this.moveToGroup();
                break;
            case " ":
                if (line?.kind === "entry") this.form.select(this.active, this.active);
                else if (line) this.act(line);
                break;
            case "Enter":
                if (line) this.act(line);
                break;
            case "Escape":
                this.form.close();
                break;
            case "Delete":
            case "Backspace":
                if (line?.kind === "entry") this.form.remove(line.row.key);
                break;
            default:
                return false;
        }
        return true;
    }

    moveToGroup() {
        const depth = this.lines[this.active]?.depth ?? 0;
        for (let at = this.active - 1; at >= 0 && depth > 0; at -= 1) {
            if (this.lines[at].kind === "group" && this.lines[at].depth < depth) return this.move(at);
        }
    }

    /** @param {MouseEvent} event */
    click(event) {
        const row = event.target instanceof Element ? event.target.closest(".row") : null;
        if (!(row instanceof HTMLElement) || (!event.shiftKey && getSelection()?.type === "Range")) return;
        const at = Number(row.dataset.at);
        const from = event.shiftKey ? this.active : at;
        this.move(at, false);
        const isSelecting = this.chosen !== null || event.shiftKey || event.ctrlKey || event.metaKey;
        if (isSelecting && this.lines[at].kind === "entry") this.form.select(from, at);
        else this.act(this.lines[at]);
    }

    /** @param {Line} line */
    act(line) {
        if (line.kind === "group") this.form.toggle(line.path, !line.open);
        else this.form.open(line.row.key);
    }
}

/**
 * @param {Line} one
 * @param {Line} other
 */
function isSame(one, other) {
    if (one.kind === "group") return other.kind === "group" && one.path === other.path;
    return other.kind === "entry" && (one.row === other.row || one.row.key === other.row.key);
}
