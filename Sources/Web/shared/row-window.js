/** A long list of which only what is seen stands in the page. */

/** Above and below what is seen there are rows for so many pixels; with a very tall window, never more than `most` in all. */
const spareHeight = 264;
const most = 150;

/** Rows of one height, one of them active. Who extends it makes a row, and says what moving to one means. */
export class RowWindow {
    /**
     * @param {HTMLElement} element that scrolls
     * @param {HTMLElement} body of all rows
     * @param {number} head how many rows what stands above them takes
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
        // Where the list stands and how high it is. Asking for these after a change would have the page laid out twice.
        this.top = 0;
        this.height = 0;
        this.frame = 0;
        element.addEventListener("scroll", () => this.plan(), { passive: true });
        element.addEventListener("keydown", (event) => this.press(event));
        this.resizes = new ResizeObserver(() => this.resize());
        this.resizes.observe(element);
    }

    close() {
        this.resizes.disconnect();
        cancelAnimationFrame(this.frame);
    }

    resize() {
        this.look();
        this.render(true);
    }

    look() {
        this.top = this.element.scrollTop;
        this.height = this.element.clientHeight;
    }

    plan() {
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => {
            this.look();
            this.render(false);
        });
    }

    /** @param {boolean} anew whether what the rows say may have changed */
    render(anew) {
        // Until its size is known, which is before it is seen, the list is empty.
        if (this.height === 0) return;
        this.body.style.setProperty("height", `${this.count * this.rowHeight}px`);
        const seen = Math.ceil(this.height / this.rowHeight);
        const spare = Math.ceil(spareHeight / this.rowHeight);
        const top = Math.max(0, Math.min(Math.floor(this.top / this.rowHeight), this.count - seen));
        const first = Math.max(0, top - spare);
        const last = Math.min(this.count, top + seen + spare, first + most);
        for (const [at, row] of this.shown) {
            if ((at >= first && at < last) || (at === this.active && at < this.count)) {
                if (anew) this.replace(at, row);
                continue;
            }
            row.remove();
            this.shown.delete(at);
        }
        const wanted = Array.from({ length: last - first }, (_, place) => first + place);
        if (this.count > 0 && this.active < first) wanted.unshift(this.active);
        if (this.count > 0 && this.active >= last) wanted.push(this.active);
        // One that stays is never moved, since it would lose the focus.
        for (const [place, at] of wanted.entries()) {
            const row = this.shown.get(at) ?? this.place(at);
            if (this.body.children[place] !== row) this.body.insertBefore(row, this.body.children[place] ?? null);
        }
    }

    /**
     * Replaces a row whose content has changed. Every other row stays, because a press is no click when its element goes
     * before the press has ended.
     * @param {number} at
     * @param {HTMLElement} row
     */
    replace(at, row) {
        const next = this.place(at);
        // The number of rows and the words for a time ("1 minute ago") change while the content stays.
        row.ariaSetSize = next.ariaSetSize;
        const times = next.querySelectorAll("time");
        for (const [place, time] of row.querySelectorAll("time").entries())
            time.textContent = times[place]?.textContent ?? "";
        if (row.isEqualNode(next) && !row.querySelector("input")) this.shown.set(at, row);
        else row.replaceWith(next);
    }

    /** @param {number} at */
    place(at) {
        const row = this.row(at);
        row.style.setProperty("transform", `translateY(${at * this.rowHeight}px)`);
        this.shown.set(at, row);
        return row;
    }

    /**
     * Scrolls to a row.
     * @param {number} at
     */
    reveal(at) {
        const top = at * this.rowHeight;
        const room = this.height - this.rowHeight * (1 + this.head);
        if (top < this.top) this.top = this.element.scrollTop = top;
        else if (top > this.top + room) this.top = this.element.scrollTop = top - room;
        this.render(false);
    }

    /**
     * The row that a key leads to; undefined for other keys.
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
        throw new Error("who extends it makes rows");
    }

    /** @param {KeyboardEvent} _event */
    press(_event) {}
}
