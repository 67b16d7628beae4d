/** The sidebar with the places of notes and the tags. */
import { button, fill, h, squareButton, userText } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { routeFragment } from "../route.js";
import { dragged } from "./rows.js";
import { changeTag } from "./tags.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../engine/types.js").Place} Place */

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
        this.renderedKey = "";
        /**
         * The known numbers; a missing number is not counted yet.
         * @type {{ tags: [string, number][], places: Partial<Record<Place, number>> }}
         */
        this.known = { tags: [], places: {} };
        this.isReading = false;
        this.isStale = false;
        this.places = h("ul", { class: "side-places" });
        this.tags = h("ul", { class: "side-tags", "aria-labelledby": "tags-title" });
        this.head = h("h2", { class: "side-title", id: "tags-title" }, texts.say("list.tags"));
        this.element = h(
            "nav",
            { class: "side-nav", "aria-label": texts.say("list.places") },
            h("h1", { class: "spoken" }, texts.say("list.places")),
            this.places,
            this.head,
            this.tags,
        );
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
                const { tags, places } = await this.context.engine.list({ place: "list", order: "edited", limit: 0 });
                this.known = { tags, places };
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
        const key = JSON.stringify([this.known, place, tag, this.showsAllTags]);
        if (key === this.renderedKey) return;
        this.renderedKey = key;
        const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
        const name = this.element.contains(focused) ? focused?.dataset.name : undefined;
        const { tags, places } = this.known;
        fill(
            this.places,
            this.link("list.place.list", "list", places.list, { place: "list" }),
            this.link("list.place.trash", "remove", places.trash, { place: "trash" }),
        );
        this.head.hidden = this.tags.hidden = tags.length === 0;
        fill(
            this.tags,
            tags
                .slice(0, this.showsAllTags ? tags.length : maxInitialTags)
                .map(([each, count]) => this.tag(each, count)),
            tags.length > maxInitialTags && !this.showsAllTags && this.more(tags.length),
        );
        if (name === undefined) return;
        const all = /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll("[data-name]"));
        [...all].find((each) => each.dataset.name === name)?.focus();
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

    /**
     * @param {string} tag
     * @param {number} count
     */
    tag(tag, count) {
        const { texts, environment, fail } = this.context;
        const here = this.route.place === "tags" && this.route.tag === tag;
        const link = h(
            "a",
            {
                class: "side-link",
                href: routeFragment({ environment, place: "tags", tag }),
                "aria-current": here ? "page" : null,
                "data-name": `tag ${tag}`,
            },
            icon("tag"),
            h("span", { class: "side-name" }, userText(tag)),
            this.count(count),
        );
        const change = () => changeTag(this.context, tag).catch(fail);
        const edit = squareButton(texts.say("list.tag.edit", { tag }), icon("edit"), change, {
            class: "quiet square side-edit",
            title: texts.say("list.tag.edit.short"),
            "data-name": `edit ${tag}`,
        });
        return h("li", { class: "side-tag", "data-tag": tag }, link, edit);
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
