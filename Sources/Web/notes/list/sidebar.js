/** The sidebar with the places of notes and the tags. */
import { button, fill, h, squareButton, userText } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { routeFragment } from "../route.js";
import { dragged } from "./rows.js";
import { tagRows } from "./tag-rows.js";
import { changeTag } from "./tags.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../engine/types.js").Place} Place */
/** @typedef {import("./tag-rows.js").TagRow} TagRow */

/** The number of tags shown without a request for more. */
const maxInitialTags = 200;
/** The time between two reads after changes, in milliseconds. */
const refreshInterval = 250;

/** @param {Context} context */
export function open(context) {
    return new Sidebar(context);
}

class Sidebar {
    /** @param {Context} context */
    constructor(context) {
        const { texts, engine, signal } = context;
        this.context = context;
        this.route = context.route;
        this.showsAllTags = false;
        /** The tags whose children are hidden. @type {Set<string>} */
        this.closed = new Set();
        /** The name of the element among the tags that Tab reaches. */
        this.tagStop = "";
        this.renderedKey = "";
        /**
         * The known numbers; a missing number is not counted yet.
         * @type {{ families: [string, number][], places: Partial<Record<Place, number>> }}
         */
        this.known = { families: [], places: {} };
        this.isReading = false;
        this.isStale = false;
        this.places = h("ul", { class: "side-places" });
        this.tags = h("ul", { class: "side-tags", "aria-labelledby": "tags-title" });
        this.head = h("h2", { class: "side-title", id: "tags-title" }, texts.say("list.tags"));
        this.element = h(
            "nav",
            { class: "side-nav", "aria-label": texts.say("list.places") },
            h("h1", { class: "spoken" }, texts.say("list.places")),
            h("button", { type: "button", class: "side-skip", onclick: () => this.skip() }, texts.say("list.skip")),
            this.places,
            this.head,
            this.tags,
        );
        this.tags.addEventListener("keydown", (event) => this.walk(event));
        this.tags.addEventListener("focusin", ({ target }) => this.stopAt(/** @type {HTMLElement} */ (target)));
        this.tags.addEventListener("dragover", (event) => this.dragOver(event));
        this.tags.addEventListener("dragleave", () => this.highlight(null));
        this.tags.addEventListener("drop", (event) => this.drop(event));
        engine.addEventListener("changed", () => this.read(), { signal });
        this.read();
    }

    /** @param {import("../route.js").Route} route */
    show(route) {
        this.route = route;
        this.render();
    }

    async read() {
        this.isStale = true;
        if (this.isReading) return;
        this.isReading = true;
        try {
            while (this.isStale && !this.context.signal.aborted) {
                this.isStale = false;
                const { families, places } = await this.context.engine.list({
                    place: "list",
                    order: "edited",
                    limit: 0,
                });
                this.known = { families, places };
                this.render();
                await new Promise((done) => setTimeout(done, refreshInterval));
            }
        } catch (failure) {
            this.context.fail(failure);
        } finally {
            this.isReading = false;
        }
    }

    /** Rebuilds the sidebar if its content has changed. The focus stays on the same item. */
    render() {
        if (this.context.signal.aborted) return;
        const { place, tag } = this.route;
        const key = JSON.stringify([this.known, place, tag, this.showsAllTags, ...this.closed]);
        if (key === this.renderedKey) return;
        this.renderedKey = key;
        const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
        const name = this.element.contains(focused) ? focused?.dataset.name : undefined;
        const { families, places } = this.known;
        const tags = tagRows(families, this.closed);
        fill(
            this.places,
            this.link("list.place.list", "list", places.list, { place: "list" }),
            this.link("list.place.trash", "remove", places.trash, { place: "trash" }),
        );
        this.head.hidden = this.tags.hidden = tags.length === 0;
        fill(
            this.tags,
            tags.slice(0, this.showsAllTags ? tags.length : maxInitialTags).map((row) => this.tag(row)),
            tags.length > maxInitialTags && !this.showsAllTags && this.more(tags.length),
        );
        const stops = this.tagStops();
        const named = (/** @type {string} */ sought) => stops.find((each) => each.dataset.name === sought);
        const stop = named(this.tagStop) ?? named(`tag ${tag}`) ?? stops[0];
        if (stop) this.stopAt(stop);
        if (name === undefined) return;
        const all = /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll("[data-name]"));
        [...all].find((each) => each.dataset.name === name)?.focus();
    }

    /** Moves the focus to the list of notes. */
    skip() {
        document.getElementById("notes")?.focus();
    }

    /** Returns the controls of the tags. @returns {HTMLElement[]} */
    tagStops() {
        return [...this.tags.querySelectorAll(":is(a, button)")].map((each) => /** @type {HTMLElement} */ (each));
    }

    /** Makes a control the only stop of Tab among the tags. @param {HTMLElement} stop */
    stopAt(stop) {
        this.tagStop = stop.dataset.name ?? "";
        for (const each of this.tagStops()) each.tabIndex = each === stop ? 0 : -1;
    }

    /**
     * Moves the focus among the tags: up and down between the tags, to the left to the parent, to the right to the
     * button of a tag. To the left and right also hide and show the children of a tag.
     * @param {KeyboardEvent} event
     */
    walk(event) {
        const { target, key, ctrlKey, metaKey, altKey } = event;
        const row = target instanceof Element ? target.closest("li") : null;
        if (!row || ctrlKey || metaKey || altKey) return;
        const rows = [...this.tags.children];
        const at = rows.indexOf(row);
        const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[key];
        const link = row.querySelector("a");
        if (to !== undefined) focusOn(rows[to]);
        else if (key === "ArrowRight" && link) {
            if (this.closed.has(row.dataset.tag ?? "")) this.toggle(row.dataset.tag ?? "");
            else focusOn(row, ".side-edit");
        } else if (key === "ArrowLeft" && link) {
            const { tag = "", parent } = row.dataset;
            if (target !== link) link.focus();
            else if (row.querySelector(".side-toggle") && !this.closed.has(tag)) this.toggle(tag);
            else focusOn(rows.find((each) => /** @type {HTMLElement} */ (each).dataset.tag === parent));
        } else return;
        event.preventDefault();
    }

    /** Hides or shows the children of a tag. @param {string} tag */
    toggle(tag) {
        if (!this.closed.delete(tag)) this.closed.add(tag);
        this.render();
    }

    /**
     * @param {string} text
     * @param {"list" | "remove"} picture
     * @param {number | undefined} count
     * @param {{ place: Place }} there
     */
    link(text, picture, count, { place }) {
        const { texts, environment } = this.context;
        const here = this.route.place === place || (place === "list" && this.route.place === "search");
        return h(
            "li",
            {},
            h(
                "a",
                {
                    class: "side-link",
                    href: routeFragment({ environment, place }),
                    "aria-current": here ? "page" : null,
                    "data-name": ` ${place}`,
                },
                icon(picture),
                h("span", { class: "side-name" }, texts.say(text)),
                count === undefined ? null : this.count(count),
            ),
        );
    }

    /** @param {TagRow} row */
    tag({ tag, count, depth, path, name, isParent }) {
        const { texts, environment, fail } = this.context;
        const here = this.route.place === "tags" && this.route.tag === tag;
        const link = h(
            "a",
            {
                class: "side-link",
                href: routeFragment({ environment, place: "tags", tag }),
                "aria-current": here ? "page" : null,
                "aria-label": path === "" ? null : `${tag} ${texts.say("list.count", { n: count })}`,
                "data-name": `tag ${tag}`,
            },
            isParent ? h("span", { class: "side-gap" }) : icon("tag"),
            h("span", { class: "side-name" }, userText(name)),
            this.count(count),
        );
        const change = () => changeTag(this.context, tag).catch(fail);
        const edit = squareButton(texts.say("list.tag.edit", { tag }), icon("edit"), change, {
            class: "quiet square side-edit",
            title: texts.say("list.tag.edit.short"),
            "data-name": `edit ${tag}`,
        });
        const toggle = squareButton(texts.say("list.tag.under", { tag }), icon("up"), () => this.toggle(tag), {
            class: "quiet square side-toggle",
            "aria-expanded": String(!this.closed.has(tag)),
            "data-name": `toggle ${tag}`,
        });
        const data = { "data-tag": tag, "data-parent": path.slice(0, -1) };
        const row = h("li", { class: "side-tag", ...data }, isParent && toggle, link, edit);
        row.style.setProperty("--depth", String(depth));
        return row;
    }

    /** @param {number} n */
    count(n) {
        const { texts } = this.context;
        return [
            h("span", { class: "side-count", "aria-hidden": "true" }, texts.number(n)),
            h("span", { class: "spoken" }, texts.say("list.count", { n })),
        ];
    }

    /** @param {number} n */
    more(n) {
        const show = () => {
            this.showsAllTags = true;
            this.render();
        };
        const text = this.context.texts.say("list.tags.all", { n });
        return h("li", {}, button(text, show, "quiet"));
    }

    // Dropping notes on a tag adds the tag.

    /** @param {DragEvent} event */
    dragOver(event) {
        const row = event.target instanceof Element ? event.target.closest("[data-tag]") : null;
        if (!row || !event.dataTransfer?.types.includes(dragged)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        this.highlight(row);
    }

    /** @param {Element | null} row */
    highlight(row) {
        for (const each of this.tags.querySelectorAll(".aimed")) if (each !== row) each.classList.remove("aimed");
        row?.classList.add("aimed");
    }

    /** @param {DragEvent} event */
    async drop(event) {
        const row = event.target instanceof Element ? event.target.closest("[data-tag]") : null;
        const given = event.dataTransfer?.getData(dragged);
        this.highlight(null);
        if (!(row instanceof HTMLElement) || !given) return;
        event.preventDefault();
        const { engine, texts, notify, fail } = this.context;
        const tag = row.dataset.tag ?? "";
        try {
            /** @type {string[]} */
            const ids = JSON.parse(given);
            await engine.retag(ids, { add: [tag], remove: [] });
            notify(texts.say("list.tags.saved", { n: ids.length }));
        } catch (failure) {
            fail(failure);
        }
    }
}

/** @param {Element | undefined} row @param {string} [part] */
const focusOn = (row, part = "a, button:not(.side-toggle)") =>
    /** @type {HTMLElement | null | undefined} */ (row?.querySelector(part))?.focus();
