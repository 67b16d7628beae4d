/** Swipes and long presses on the rows of the list, and the menu of a row. */
import { fill, h } from "../../shared/dom.js";
import { icon } from "../icons.js";

/** @import { NoteAction } from "./note-actions.js" */
/** @import { NoteRows } from "./rows.js" */

/** The distance at which a touch becomes a swipe or a scroll, in pixels. */
const startDistance = 10;
/** The part of a row's width at which the action of a swipe runs. */
const actionShare = 0.3;
/** The time until a touch opens the menu, in milliseconds. */
const pressDuration = 500;

/** @typedef {{ x: number, y: number }} Point */

/**
 * @typedef {object} Touch
 * @property {number} pointerId
 * @property {HTMLElement} row
 * @property {string} id the id of the row's note
 * @property {Point} start
 * @property {ReturnType<typeof setTimeout>} timer opens the menu
 * @property {NoteAction[] | null} swipes null until the touch is a swipe
 * @property {NoteAction | null} action the action that the swipe shows
 * @property {number} distance
 */

export class RowGestures {
    /** @type {Touch | null} */
    #touch = null;
    /** The row that has left the list by a swipe. @type {HTMLElement | null} */
    #gone = null;
    /** True if the present press must not open a note. */
    #isHandled = false;
    #rows;
    #form;

    /**
     * @param {NoteRows} rows
     * @param {object} form
     * @param {(id: string) => NoteAction[]} form.swipes returns the actions of the swipes along and against the
     * direction of the text, or none
     * @param {(id: string, point: Point) => void} form.openMenu
     */
    constructor(rows, form) {
        this.#rows = rows;
        this.#form = form;
        const { element } = rows;
        /** The colored ground under a swiped row. */
        this.ground = h("div", { class: "note-swipe", "aria-hidden": "true", hidden: true });
        element.prepend(this.ground);
        element.addEventListener("pointerdown", (event) => this.#press(event));
        element.addEventListener("pointermove", (event) => this.#move(event));
        element.addEventListener("pointerup", () => this.#release());
        element.addEventListener("pointercancel", () => this.#release(true));
        element.addEventListener("contextmenu", (event) => this.#onContextMenu(event));
        // A long press must not start a drag.
        element.addEventListener("dragstart", (event) => this.#touch && stop(event), { capture: true });
        element.addEventListener("click", (event) => this.#isHandled && stop(event), { capture: true });
        // A row shows another note as soon as its note has left the list.
        rows.form.view.addEventListener("shown", () => this.#gone && this.#clear(this.#gone));
    }

    /** @param {PointerEvent} event */
    #press(event) {
        this.#isHandled = false;
        this.#release(true);
        const row = rowOf(event);
        if (!row || event.pointerType === "mouse" || !event.isPrimary) return;
        const id = this.#rows.ids[Number(row.dataset.at)];
        const start = { x: event.clientX, y: event.clientY };
        const timer = setTimeout(() => this.#openMenu(id, start), pressDuration);
        const { pointerId } = event;
        this.#touch = { pointerId, row, id, start, timer, swipes: null, action: null, distance: 0 };
    }

    /** @param {PointerEvent} event */
    #move(event) {
        const touch = this.#touch;
        if (touch?.pointerId !== event.pointerId) return;
        const [dx, dy] = [event.clientX - touch.start.x, event.clientY - touch.start.y];
        if (!touch.swipes) {
            if (Math.hypot(dx, dy) < startDistance) return;
            clearTimeout(touch.timer);
            const swipes = this.#form.swipes(touch.id);
            if (Math.abs(dx) <= Math.abs(dy) || swipes.length === 0) {
                this.#touch = null;
                return;
            }
            touch.swipes = swipes;
            touch.row.dataset.swipe = "";
            this.#isHandled = true;
            // A new content of the row must not end the swipe.
            this.#rows.element.setPointerCapture(event.pointerId);
        }
        touch.distance = dx;
        const isAlong = dx > 0 === (getComputedStyle(this.#rows.element).direction === "ltr");
        this.#show(touch, touch.swipes[isAlong ? 0 : 1], isAlong);
    }

    /**
     * @param {Touch} touch
     * @param {NoteAction} action
     * @param {boolean} isAlong
     */
    #show(touch, action, isAlong) {
        const { ground } = this;
        if (touch.action !== action) fill(ground, icon(action.picture), h("span", {}, action.label));
        touch.action = action;
        const isReady = Math.abs(touch.distance) >= touch.row.offsetWidth * actionShare;
        const classes = { along: isAlong, ready: isReady, danger: action.isDanger === true };
        for (const [name, isSet] of Object.entries(classes)) ground.classList.toggle(name, isSet);
        ground.style.setProperty("transform", touch.row.style.transform);
        ground.hidden = false;
        touch.row.style.setProperty("translate", `${touch.distance}px`);
    }

    /** Ends the touch, and runs the action of the swipe. @param {boolean} [isCancelled] */
    async #release(isCancelled = false) {
        const touch = this.#touch;
        this.#touch = null;
        clearTimeout(touch?.timer);
        if (!touch?.action) return;
        const { row, action, distance } = touch;
        // The list may have changed during the swipe.
        const isSame = this.#rows.ids[Number(row.dataset.at)] === touch.id;
        const isReady = this.ground.classList.contains("ready") && isSame && !isCancelled;
        row.dataset.swipe = "end";
        if (!isReady || !action.isLeaving) {
            row.style.removeProperty("translate");
            if (isReady) action.run();
            await Promise.allSettled(row.getAnimations().map(({ finished }) => finished));
            // The next swipe of the row may have begun.
            if (row.dataset.swipe === "end") this.#clear(row);
            return;
        }
        this.#gone = row;
        row.style.setProperty("translate", distance > 0 ? "100%" : "-100%");
        if (!(await action.run())) this.#clear(row);
    }

    /** Shows a row in its place. @param {HTMLElement} row */
    #clear(row) {
        if (this.#gone === row) this.#gone = null;
        delete row.dataset.swipe;
        row.style.removeProperty("translate");
        if (!this.#touch?.action) this.ground.hidden = true;
    }

    /** @param {PointerEvent | MouseEvent} event Firefox and Safari send a MouseEvent */
    #onContextMenu(event) {
        const row = rowOf(event);
        const { targetId, shown, active, ids } = this.#rows;
        // The right button beside the rows is for no note, and the menu key for the active one.
        const isByKey = event.button !== 2;
        if (!row && !(isByKey && targetId)) return;
        event.preventDefault();
        if (this.#isHandled && row) return;
        if (row) this.#openMenu(ids[Number(row.dataset.at)], { x: event.clientX, y: event.clientY });
        else {
            const box = shown.get(active)?.getBoundingClientRect();
            if (box) this.#openMenu(targetId, { x: box.left, y: box.bottom });
        }
    }

    /** @param {string} id @param {Point} point */
    #openMenu(id, point) {
        clearTimeout(this.#touch?.timer);
        this.#touch = null;
        this.#isHandled = true;
        this.#form.openMenu(id, point);
    }
}

/** @param {Event} event @returns {HTMLElement | null} */
const rowOf = ({ target }) => (target instanceof Element ? target.closest(".note-row") : null);

/** @param {Event} event */
function stop(event) {
    event.preventDefault();
    event.stopPropagation();
}
