/** The history of a note: a slider over its versions, the changes of each, the age of each paragraph, and restoring. */

import { Problem, Unreachable } from "../../shared/api.js";
import { button, fill, h } from "../../shared/dom.js";
import { icon } from "../icons.js";
import { routeFragment } from "../route.js";
import { carry, paragraphs, pieces } from "./blame.js";
import { readPast } from "./versions.js";

/** @import { Context } from "../frame.js" */
/** @import { Route } from "../route.js" */
/** @import { Delta, Span } from "./blame.js" */
/** @import { Version } from "./versions.js" */

/** @param {Context} context */
export function open(context) {
    const element = h("section", { class: "note-pane" });
    /** @type {Past | null} */
    let past = null;
    return {
        element,
        /** @param {Route} route */
        show(route) {
            if (past?.id === route.note) return;
            past = new Past(context, route.note);
            fill(element, past.element);
            past.load();
        },
    };
}

class Past {
    #context;
    #texts;
    /** @type {Version[]} oldest first */
    #versions = [];
    /** The revision before which older versions begin. @type {number | undefined} */
    #next;
    /** @type {Map<number, { delta: Delta, spans: Span[] }>} by index of the version */
    #changes = new Map();
    #chosen = 0;
    #view = "changes";
    /** The number of the latest request, to drop results of earlier ones. */
    #readNumber = 0;

    /**
     * @param {Context} context
     * @param {string} id
     */
    constructor(context, id) {
        this.#context = context;
        this.#texts = context.texts;
        this.id = id;
        const say = (/** @type {string} */ key) => this.#texts.say(key);
        const back = routeFragment({ environment: context.environment, note: id });
        this.message = h("p", { class: "past-message", role: "status" }, say("history.loading"));
        this.retry = h("button", { type: "button", hidden: true, onclick: () => this.load() }, say("retry"));
        this.slider = h("input", { type: "range", min: 0, step: 1, "aria-label": say("history.version") });
        this.slider.addEventListener("input", () => this.#choose(Number(this.slider.value)));
        this.when = h("p", { class: "past-when" });
        this.older = h(
            "button",
            { type: "button", class: "quiet", hidden: true, onclick: () => this.load() },
            say("history.older"),
        );
        const kinds = ["changes", "blame"].map((kind) => {
            const radio = h("input", { type: "radio", name: "past-view", value: kind, checked: kind === this.#view });
            radio.addEventListener("change", () => {
                this.#view = kind;
                this.#show();
            });
            return h("label", {}, radio, " ", say(`history.${kind}`));
        });
        this.restore = button(say("list.restore"), () => this.#restore());
        this.copy = button(say("history.copy"), () => this.#restoreCopy());
        this.title = h("h2", { class: "past-title" });
        this.text = h("div", { class: "past-text", tabindex: "0", role: "region", "aria-label": say("history.text") });
        this.tools = h(
            "div",
            { class: "past-tools", hidden: true },
            h("div", { class: "past-slider" }, this.slider, this.older),
            this.when,
            h("fieldset", { class: "past-views" }, h("legend", { class: "spoken" }, say("history.view")), kinds),
            h("div", { class: "past-acts" }, this.restore, this.copy),
        );
        this.element = h(
            "article",
            { class: "past" },
            h(
                "header",
                { class: "note-bar" },
                h("a", { href: back, class: "past-back" }, icon("back"), " ", say("history.back")),
                h("h1", {}, say("history.title")),
            ),
            this.message,
            this.retry,
            this.tools,
            this.title,
            this.text,
        );
    }

    /** Reads the latest versions, or the versions before the oldest shown one. */
    async load() {
        const { api, environment, signal } = this.#context;
        const path = `/${encodeURIComponent(environment)}/notes/${encodeURIComponent(this.id)}`;
        const isFirst = this.#versions.length === 0;
        this.retry.hidden = true;
        this.older.disabled = true;
        if (isFirst) fill(this.message, this.#texts.say("history.loading"));
        try {
            const { versions, next } = await readPast(
                async (query) => (await api.get(`${path}/history`, { query, signal })).document,
                async (revision) => (await api.get(path, { query: { revision }, signal })).document,
                this.#next,
            );
            if (signal.aborted) return;
            this.#changes.clear();
            this.#versions = [...versions, ...this.#versions];
            this.#next = next;
            this.#chosen = isFirst ? this.#versions.length - 1 : this.#chosen + versions.length;
            fill(this.message, this.#versions.length === 0 ? this.#texts.say("history.none") : null);
            this.tools.hidden = this.#versions.length === 0;
            this.older.hidden = next === undefined;
            this.slider.max = String(Math.max(0, this.#versions.length - 1));
            this.slider.hidden = this.#versions.length < 2;
            this.#choose(this.#chosen);
        } catch (failure) {
            if (signal.aborted) return;
            fill(this.message, this.#wording(failure));
            this.retry.hidden = false;
        }
        this.older.disabled = false;
    }

    /** @param {unknown} failure */
    #wording(failure) {
        if (failure instanceof Unreachable) return this.#texts.say("history.offline");
        if (failure instanceof Problem && failure.status === 401) return this.#texts.say("history.signed.out");
        if (failure instanceof Problem && failure.kind === "note-gone") return this.#texts.say("history.unknown");
        return failure instanceof Error ? failure.message : String(failure);
    }

    /** @param {number} index */
    #choose(index) {
        const version = this.#versions[index];
        if (!version) return;
        this.#chosen = index;
        const time = this.#texts.time(version.time);
        const words = this.#texts.say("history.of", { k: index + 1, n: this.#versions.length, time });
        this.slider.value = String(index);
        this.slider.setAttribute("aria-valuetext", words);
        fill(this.when, words, " · ", this.#texts.relative(version.time));
        this.#show();
    }

    async #show() {
        this.#readNumber += 1;
        const number = this.#readNumber;
        const index = this.#chosen;
        const version = this.#versions[index];
        const before = this.#versions[index - 1];
        try {
            const { delta, spans } = await this.#change(index);
            const isBlame = this.#view === "blame";
            const titleDelta = before && !isBlame ? await this.#difference(before.title, version.title) : [];
            if (number !== this.#readNumber) return;
            const first = isBlame || !before;
            fill(this.title, first ? version.title : marked(before.title, titleDelta));
            this.title.hidden = this.title.textContent === "";
            if (isBlame) fill(this.text, this.#paragraphs(version, spans));
            else
                fill(
                    this.text,
                    h("div", { class: "past-body", dir: "auto" }, first ? version.body : marked(before.body, delta)),
                );
            if (this.text.textContent === "")
                fill(this.text, h("p", { class: "hint" }, this.#texts.say("history.empty")));
            if (version.tags.length > 0)
                this.text.append(
                    h(
                        "p",
                        { class: "hint" },
                        version.tags.flatMap((tag) => [h("bdi", {}, tag), " "]),
                    ),
                );
        } catch (failure) {
            this.#context.fail(failure);
        }
    }

    /**
     * Returns the delta of a version and the authorship of its text.
     * @param {number} index
     * @returns {Promise<{ delta: Delta, spans: Span[] }>}
     */
    async #change(index) {
        for (let at = 0; at <= index; at += 1) {
            if (this.#changes.has(at)) continue;
            const { body } = this.#versions[at];
            const delta = at === 0 ? [body] : await this.#difference(this.#versions[at - 1].body, body);
            this.#changes.set(at, { delta, spans: carry(this.#changes.get(at - 1)?.spans ?? [], delta, at) });
        }
        return this.#changes.get(index) ?? { delta: [], spans: [] };
    }

    /**
     * @param {string} from
     * @param {string} to
     * @returns {Promise<Delta>}
     */
    async #difference(from, to) {
        return from === to ? [] : await this.#context.engine.diff(from, to);
    }

    /**
     * @param {Version} version
     * @param {Span[]} spans
     */
    #paragraphs({ body }, spans) {
        return paragraphs(body, spans).map(({ from, to, version }) => {
            const { time } = this.#versions[version];
            const exactly = this.#texts.time(time);
            return h(
                "div",
                { class: "past-paragraph" },
                h("time", { datetime: time, title: exactly }, this.#texts.relative(time)),
                h("p", { dir: "auto" }, body.slice(from, to)),
            );
        });
    }

    /** Restores a version by an edit, which is merged like any other. */
    async #restore() {
        const { engine, navigate, notify, fail } = this.#context;
        const { title, body, tags, time } = this.#versions[this.#chosen];
        try {
            const record = await engine.note(this.id);
            if (!record) return notify(this.#texts.say("history.gone"), undefined, "failure");
            await engine.edit(this.id, record.text, { ...record.text, title, body, tags });
            notify(this.#texts.say("history.restored", { time: this.#texts.time(time) }));
            navigate({ note: this.id });
        } catch (failure) {
            fail(failure);
        }
    }

    async #restoreCopy() {
        const { engine, navigate, notify, fail } = this.#context;
        const { title, body, tags, time } = this.#versions[this.#chosen];
        try {
            const { id } = await engine.create({ title, body, tags });
            notify(this.#texts.say("history.copied", { time: this.#texts.time(time) }));
            navigate({ note: id });
        } catch (failure) {
            fail(failure);
        }
    }
}

/**
 * @param {string} before
 * @param {Delta} delta
 */
function marked(before, delta) {
    const tags = /** @type {const} */ ({ added: "ins", removed: "del" });
    return pieces(before, delta).map(({ kind, text }) => (kind === "same" ? text : h(tags[kind], {}, text)));
}
