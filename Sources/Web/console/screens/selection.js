/** A selection of rows of a list, and the bar with its operations. */
import { menu } from "../../shared/dialog.js";
import { button, h, icon, squareButton } from "../../shared/dom.js";
import { moveEntries } from "../entries/moves.js";
import { mayWrite } from "../state/scopes.js";

/**
 * @typedef {object} SelectableList a list whose rows have their index in `data-at`
 * @property {HTMLElement} element
 * @property {Set<string> | null} chosen the selected keys; null outside the selection
 * @property {(at: number) => string | undefined} keyAt returns the key of a row that can be selected
 * @property {(isChanged: boolean) => void} render
 * @property {() => void} takeFocus
 */

/** The time after which a touched row is selected, in milliseconds. */
const holdDelay = 500;

/**
 * Returns the index of the row in which an event occurred, or -1.
 * @param {Event} event
 */
export const rowAt = ({ target }) =>
    Number(/** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-at]"))?.dataset.at ?? -1);

export class Selection {
    /**
     * @param {import("../frame.js").Context} context
     * @param {SelectableList} list
     * @param {() => string[]} shown returns the keys that the filter finds
     */
    constructor(context, list, shown) {
        this.context = context;
        this.list = list;
        this.shown = shown;
        const { texts } = context;
        this.count = h("strong", { role: "status" });
        const opener = h("button", { type: "button" }, texts.say("palette.actions"), icon("down"));
        this.menu = menu(opener, () => this.actions());
        this.element = h(
            "div",
            { class: "toolbar selection", hidden: true },
            squareButton(texts.say("close"), icon("close"), () => this.set()),
            this.count,
            button(texts.say("compare.all"), () => this.set([...this.keys, ...shown()]), "quiet"),
            this.menu,
        );
        // An open menu of the bar has its own Escape.
        this.element.addEventListener(
            "keydown",
            (event) => event.key === "Escape" && !event.defaultPrevented && this.set(),
        );
        // Notices stand above the bar. The height is 0 while the bar is hidden or removed.
        new ResizeObserver(() =>
            document.documentElement.style.setProperty("--selection", `${this.element.offsetHeight}px`),
        ).observe(this.element);
        this.addTouch();
    }

    /** Selects a row that is touched for a while. */
    addTouch() {
        const { element } = this.list;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        let timer;
        let isHeld = false;
        const stop = () => clearTimeout(timer);
        element.addEventListener("pointerdown", (event) => {
            const at = rowAt(event);
            isHeld = false;
            stop();
            if (event.pointerType === "touch" && this.list.keyAt(at) !== undefined)
                timer = setTimeout(() => {
                    isHeld = true;
                    this.toggle(at, at);
                }, holdDelay);
        });
        element.addEventListener("pointerup", stop);
        element.addEventListener("pointercancel", stop);
        // The end of the touch must not toggle the row again.
        element.addEventListener("click", (event) => isHeld && suppress(event), true);
        element.addEventListener(
            "contextmenu",
            (event) => /** @type {PointerEvent} */ (event).pointerType === "touch" && suppress(event),
            true,
        );
    }

    /**
     * Creates the button that starts the selection.
     * @param {string} label a key of the texts
     */
    startButton(label) {
        const text = this.context.texts.say(label);
        const start = button(text, () => this.set(this.keys), "", "check");
        // Narrow screens hide the text.
        start.ariaLabel = text;
        return start;
    }

    /**
     * Creates the items of the menu.
     * @returns {import("../../shared/dom.js").Children}
     */
    actions() {
        return [];
    }

    /**
     * @param {string} label
     * @param {() => unknown} run
     * @param {string} [kind] CSS classes
     */
    item(label, run, kind = "") {
        const onclick = () => {
            // A dialog returns the focus to the list.
            this.list.takeFocus();
            run();
        };
        return button(label, onclick, `quiet ${kind}`);
    }

    /** The selected keys, sorted. */
    get keys() {
        return [...(this.list.chosen ?? [])].sort();
    }

    /**
     * Selects these keys, except those that the user cannot change.
     * @param {Iterable<string>} [keys] absent to leave the selection
     */
    set(keys) {
        const { texts, notify, environment } = this.context;
        const wanted = [...(keys ?? [])];
        const chosen = wanted.filter((key) => mayWrite(environment.session.scopes, key));
        if (chosen.length < wanted.length) notify(texts.say("entry.fixed"));
        this.list.chosen = keys ? new Set(chosen) : null;
        this.element.hidden = !keys;
        this.update();
        this.list.render(true);
        this.list.takeFocus();
    }

    /** Shows the number of selected rows, and of those that the filter hides. Keys without an entry lose their selection. */
    update() {
        const { chosen } = this.list;
        if (!chosen) return;
        const { texts, workspace } = this.context;
        for (const key of chosen) if (!workspace.table.byKey.has(key)) chosen.delete(key);
        const shown = new Set(this.shown());
        const n = [...chosen].filter((key) => !shown.has(key)).length;
        const text =
            texts.say("compare.chosen", { n: chosen.size }) + (n ? ` · ${texts.say("select.hidden", { n })}` : "");
        // A screen reader would read the same text again.
        if (this.count.textContent !== text) this.count.textContent = text;
        this.menu.hidden = chosen.size === 0;
    }

    /**
     * Selects a range of rows; a single row that is selected loses its selection.
     * @param {number} from
     * @param {number} to
     */
    toggle(from, to) {
        const chosen = new Set(this.list.chosen);
        for (let at = Math.min(from, to); at <= Math.max(from, to); at += 1) {
            const key = this.list.keyAt(at);
            if (key !== undefined && (from !== to || !chosen.delete(key))) chosen.add(key);
        }
        this.set(chosen);
    }

    /** @param {(key: string) => string} next returns the new key of an entry, empty to remove the entry */
    move(next) {
        const { keys } = this;
        this.set();
        moveEntries(
            this.context,
            keys.map((key) => [key, next(key)]),
        );
    }

    remove() {
        this.move(() => "");
    }
}

/** @param {Event} event */
function suppress(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
}
