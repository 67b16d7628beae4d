/** A long list that renders only its visible rows. */

/** The height above and below the visible part that is rendered too, in pixels, and the limit on rendered rows. */
const overscanHeight = 264;
const maxRenderedRows = 150;

/** A list of rows of equal height, one of them active. A subclass creates the rows and defines `press`. */
export class RowWindow {
    /**
     * @param {HTMLElement} element the scroll container
     * @param {HTMLElement} body the container of the rows
     * @param {number} head the height above the rows, in rows
     */
    constructor(element, body, head) {
        this.element = element;
        this.body = body;
        this.head = head;
        this.count = 0;
        this.active = 0;
        /** @type {Map<number, HTMLElement>} */
        this.shown = new Map();
        this.rowHeight = 0;
        // The cached scroll position and height. Reading them after a change would force a second layout.
        this.top = 0;
        this.height = 0;
        this.frame = 0;
        element.addEventListener("scroll", () => this.schedule(), { passive: true });
        element.addEventListener("keydown", (event) => this.press(event));
        this.resizes = new ResizeObserver(() => this.resize());
        this.resizes.observe(element);
    }

    close() {
        this.resizes.disconnect();
        cancelAnimationFrame(this.frame);
    }

    resize() {
        this.measure();
        this.render(true);
    }

    measure() {
        this.top = this.element.scrollTop;
        this.height = this.element.clientHeight;
    }

    schedule() {
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => {
            this.measure();
            this.render(false);
        });
    }

    /** Gives the body the height of all rows. A list whose style sets no height takes it over. */
    fit() {
        this.body.style.setProperty("height", `${this.count * this.rowHeight}px`);
    }

    /** @param {boolean} isChanged true if the content of rows may have changed */
    render(isChanged) {
        this.fit();
        // The list is empty until the ResizeObserver reports its height, which happens before the first paint.
        if (this.height === 0) return;
        const seen = Math.ceil(this.height / this.rowHeight);
        const overscan = Math.ceil(overscanHeight / this.rowHeight);
        const top = Math.max(0, Math.min(Math.floor(this.top / this.rowHeight), this.count - seen));
        const first = Math.max(0, top - overscan);
        const last = Math.min(this.count, top + seen + overscan, first + maxRenderedRows);
        for (const [at, row] of this.shown) {
            if ((at >= first && at < last) || (at === this.active && at < this.count)) {
                if (isChanged) this.replace(at, row);
                continue;
            }
            row.remove();
            this.shown.delete(at);
        }
        const wanted = Array.from({ length: last - first }, (_, place) => first + place);
        if (this.count > 0 && this.active < first) wanted.unshift(this.active);
        if (this.count > 0 && this.active >= last) wanted.push(this.active);
        // A row that stays is never moved, because moving it would lose the focus.
        for (const [place, at] of wanted.entries()) {
            const row = this.shown.get(at) ?? this.place(at);
            if (this.body.children[place] !== row) this.body.insertBefore(row, this.body.children[place] ?? null);
        }
    }

    /**
     * Replaces a row if its content has changed. Other rows stay, because removing the pressed element would prevent
     * the click.
     * @param {number} at
     * @param {HTMLElement} row
     */
    replace(at, row) {
        const next = this.place(at);
        // The number of rows and relative times ("1 minute ago") change while the content stays.
        row.ariaSetSize = next.ariaSetSize;
        const times = next.querySelectorAll("time");
        for (const [place, time] of row.querySelectorAll("time").entries())
            time.textContent = times[place]?.textContent ?? "";
        if (row.isEqualNode(next) && !row.querySelector("input")) this.shown.set(at, row);
        else row.replaceWith(next);
    }

    /** @param {number} at */
    place(at, row = this.row(at)) {
        row.style.setProperty("transform", `translateY(${at * this.rowHeight}px)`);
        this.shown.set(at, row);
        return row;
    }

    /**
     * Scrolls a row into view.
     * @param {number} at
     */
    reveal(at) {
        // The body limits how far the list scrolls.
        this.fit();
        const top = at * this.rowHeight;
        const room = this.height - this.rowHeight * (1 + this.head);
        if (top < this.top) this.top = this.element.scrollTop = top;
        else if (top > this.top + room) this.top = this.element.scrollTop = top - room;
        this.render(false);
    }

    /**
     * Makes another row active, which gets the class `active`.
     * @param {number} at
     */
    move(at) {
        if (this.count === 0) return;
        this.shown.get(this.active)?.classList.remove("active");
        this.active = Math.max(0, Math.min(at, this.count - 1));
        this.reveal(this.active);
        this.shown.get(this.active)?.classList.add("active");
    }

    /**
     * Returns the row that a key leads to, or undefined for other keys.
     * @param {string} key
     */
    target(key) {
        const page = Math.max(1, Math.floor(this.height / this.rowHeight) - 1 - this.head);
        const last = this.count - 1;
        /** @type {Record<string, number>} */
        const targets = {
            ArrowDown: this.active + 1,
            ArrowUp: this.active - 1,
            PageDown: this.active + page,
            PageUp: this.active - page,
            Home: 0,
            End: last,
        };
        return this.count > 0 && key in targets ? Math.max(0, Math.min(targets[key], last)) : undefined;
    }

    /**
     * @param {number} _at
     * @returns {HTMLElement}
     */
    row(_at) {
        throw new Error("a subclass must implement row()");
    }

    /** @param {KeyboardEvent} _event */
    press(_event) {}
}
