// The screen of the releases: the list, and beside it one release, a past config, undo or restore.

import { Unreachable } from "../../shared/api.js";
import { fill, h, userText } from "../../shared/dom.js";
import { ControlRows } from "../controls/control-rows.js";
import {
    authorMark,
    curlButton,
    debounced,
    emptyPlaceholder,
    filterBar,
    heading,
    noMatches,
    timeMark,
} from "../controls/controls.js";
import { bump, everything, joined, pageSize, query } from "../state/releases.js";
import { routeFragment } from "../state/route.js";
import { diff, past } from "./past-screen.js";
import { release, unreviewedMark } from "./release.js";
import { restore, undo } from "./undo-screen.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/releases.js").Release} Release */
/** @typedef {import("../state/route.js").Route} Route */

/**
 * The parts beside the list, by their path segment.
 * @type {Record<string, (context: Context, list: Releases, path: string[]) => Promise<HTMLElement>>}
 */
const sides = { "": release, undo, restore, state: past, diff };

/** The loaded releases, read page by page. */
export class Releases {
    /** @param {Context} context */
    constructor(context) {
        this.context = context;
        this.root = context.workspace.root;
        /** @type {Release[]} newest first */
        this.all = [];
        this.filter = everything;
        this.complete = false;
        /** @type {Promise<void> | null} */
        this.reading = null;
        /** @type {Map<string, any>} */
        this.details = new Map();
        /** Called after a release in the list has changed. */
        this.changed = () => {};
    }

    /** @param {import("../state/releases.js").Filter} filter */
    async begin(filter) {
        this.filter = filter;
        this.all = [];
        this.complete = false;
        this.reading = null;
        await this.more();
    }

    /** Reads the next page. */
    more() {
        this.reading ??= this.page(this.all.at(-1)?.revision).finally(() => {
            this.reading = null;
        });
        return this.reading;
    }

    /** @param {number} [before] */
    async page(before) {
        const { api, signal } = this.context;
        const filter = this.filter;
        const answer = await api.get(`${this.root}/releases`, { query: query(filter, before), signal });
        if (filter !== this.filter) return;
        if (answer.document.length < pageSize) this.complete = true;
        this.all = joined(this.all, answer.document);
    }

    /** Reads the releases made since the last read. */
    async newest() {
        const complete = this.complete;
        await this.page();
        this.complete = complete || this.complete;
    }

    /**
     * Returns one release with its changes.
     * @param {string} revision
     */
    async detail(revision) {
        const known = this.details.get(revision);
        if (known) return known;
        const path = `${this.root}/releases/${encodeURIComponent(revision)}`;
        const { document } = await this.context.api.get(path, { signal: this.context.signal });
        this.details.set(revision, document);
        return document;
    }

    /**
     * Acknowledges a release that was made without approvals.
     * @param {number} revision
     */
    async acknowledge(revision) {
        await this.context.api.send("POST", `${this.root}/releases/${revision}/acknowledge`);
        for (const release of [this.at(revision), this.details.get(String(revision))]) {
            if (release) release.unreviewed = false;
        }
        this.changed();
    }

    /** @param {number} revision */
    at(revision) {
        return this.all.find((release) => release.revision === revision);
    }
}

/** @param {Context} context */
export async function open(context) {
    const { texts, navigate, workspace, showError, signal } = context;
    const releases = new Releases(context);
    let route = context.route;
    let shown = "";
    const side = h("div", { class: "beside" });
    const none = h("div", {});
    const list = new ControlRows({
        label: texts.say("screen.releases"),
        height: 60,
        make: (index) => row(context, releases.all[index], route, shown),
        nearEnd: () => releases.complete || releases.more().then(draw, fail),
    });
    const draw = () => {
        list.element.hidden = releases.all.length === 0;
        list.update(releases.all.length);
        const isFiltered = names.some((name) => route.query[name]);
        fill(
            none,
            releases.all.length === 0 &&
                (isFiltered
                    ? noMatches(texts, texts.say("releases.none"), bar)
                    : emptyPlaceholder(texts.say("releases.first"))),
        );
    };
    releases.changed = draw;
    /** True if an outage may have kept releases away. */
    let isStale = false;
    let isPartMissing = false;
    /** @param {unknown} failure */
    const fail = (failure) => {
        isStale ||= failure instanceof Unreachable;
        showError(failure);
    };
    /** Reads again after an outage. */
    const reload = async () => {
        if (!isStale) return;
        isStale = false;
        await releases.newest().then(draw, () => {
            isStale = true;
        });
        if (isPartMissing) await showPart(shown.split("/"), shown);
    };
    /** @param {Record<string, string>} filter */
    const begin = (filter) => releases.begin({ ...everything, ...filter }).then(draw, fail);
    const names = Object.keys(everything);
    const later = debounced(() => navigate(routeFragment({ ...route, query: filter })), 300, signal);
    /** @type {Record<string, string>} */
    let filter = Object.fromEntries(names.map((name) => [name, route.query[name] ?? ""]));
    const bar = filterBar(
        texts,
        [
            { name: "key", type: "text" },
            { name: "author", type: "text" },
            { name: "since", type: "date" },
            { name: "until", type: "date" },
        ],
        filter,
        (values) => {
            filter = values;
            later();
        },
    );
    suggestKeys(/** @type {HTMLInputElement} */ (bar.elements.namedItem("key")), workspace);
    const element = h(
        "section",
        { class: "screen releases" },
        h(
            "div",
            { class: "release-list" },
            heading(texts.say("screen.releases"), curlButton(context, `${releases.root}/releases`)),
            h(
                "details",
                { class: "filtering", open: names.some((name) => route.query[name]) },
                h("summary", {}, texts.say("filter.title")),
                bar,
            ),
            none,
            list.element,
        ),
        side,
    );

    /** Matches if the list or the part beside it is hidden. */
    const narrow = matchMedia("(max-width: 56rem)");
    /** @param {Route} now */
    const show = async (now) => {
        const changed = names.some((name) => (now.query[name] ?? "") !== (route.query[name] ?? ""));
        route = now;
        if (changed) await begin(now.query);
        element.classList.toggle("aside", now.path.length > 0);
        // Wide windows show the newest release beside the list until one is selected.
        const newest = narrow.matches ? [] : releases.all.slice(0, 1);
        const path = now.path.length > 0 ? now.path : newest.map((one) => String(one.revision));
        const wanted = path.join("/");
        if (wanted !== shown) await showPart(path, wanted);
    };
    /** @param {string[]} path @param {string} wanted */
    const showPart = async (path, wanted) => {
        const before = shown.split("/")[0];
        shown = wanted;
        isPartMissing = false;
        mark(before, path[0]);
        if (path.length === 0) return fill(side);
        try {
            const part = await (sides[path[1] ?? ""] ?? sides[""])(context, releases, path);
            if (shown !== wanted) return;
            const inside = side.contains(document.activeElement) || !list.element.checkVisibility();
            fill(side, part);
            side.scrollTop = 0;
            // Replacing the part has removed the focused element.
            if (inside) focusHeading(part);
        } catch (failure) {
            if (signal.aborted || shown !== wanted) return;
            isPartMissing = failure instanceof Unreachable;
            isStale ||= isPartMissing;
            fill(side, emptyPlaceholder(context.messageOf(failure)));
        }
    };
    /** @param {string} before @param {string | undefined} now */
    const mark = (before, now) => {
        for (const revision of [before, now]) {
            const index = releases.all.findIndex((release) => String(release.revision) === revision);
            const link = list.shown.get(index)?.querySelector("a");
            if (revision === now) link?.setAttribute("aria-current", "true");
            else link?.removeAttribute("aria-current");
            if (revision === now && index >= 0) requestAnimationFrame(() => list.reveal(index));
        }
    };
    const renew = () => {
        draw();
        if (route.path.length === 0) show(route);
    };
    narrow.addEventListener("change", () => show(route), { signal });
    workspace.addEventListener("release", () => releases.newest().then(renew, fail), { signal });
    const lose = () => {
        isStale = true;
    };
    workspace.addEventListener("lost", lose, { signal });
    for (const name of ["open", "change"]) workspace.addEventListener(name, reload, { signal });
    context.keys.add({ keys: "j", label: "key.older", run: () => step(1), list: list.element }, signal);
    context.keys.add({ keys: "k", label: "key.newer", run: () => step(-1), list: list.element }, signal);
    /** @param {number} by */
    const step = (by) => {
        const at = releases.all.findIndex((release) => String(release.revision) === route.path[0]);
        const next = releases.all[at < 0 ? 0 : at + by];
        if (next) navigate(routeFragment({ ...route, path: [String(next.revision), ...route.path.slice(1, 2)] }));
    };
    await begin(filter);
    await show(route);
    return { element, show };
}

const maxSuggestions = 20;

/**
 * Suggests keys that contain the typed text.
 * @param {HTMLInputElement} input
 * @param {import("../workspace.js").Workspace} workspace
 */
function suggestKeys(input, workspace) {
    const list = h("datalist", { id: "known-keys" });
    input.after(list);
    input.setAttribute("list", list.id);
    input.addEventListener("input", () => {
        const found = workspace.table.rows.filter(({ key }) => key.includes(input.value));
        fill(
            list,
            found.slice(0, maxSuggestions).map(({ key }) => h("option", { value: key })),
        );
    });
}

/** @param {HTMLElement} part */
function focusHeading(part) {
    const title = part.querySelector("h2");
    title?.setAttribute("tabindex", "-1");
    title?.focus();
}

/**
 * @param {Context} context
 * @param {Release} release
 * @param {Route} route
 * @param {string} shown the path of the part beside the list
 */
function row({ texts, environment }, release, route, shown) {
    const { revision, version, message, keys, released_at: time, kind, unreviewed } = release;
    const path = [String(revision)];
    return h(
        "a",
        {
            class: "primary-control release",
            href: routeFragment({ environment: environment.name, screen: "releases", path, query: route.query }),
            "aria-current": shown.split("/")[0] === path[0] ? "true" : null,
        },
        h("span", { class: `version-number ${bump(version)}` }, version),
        h(
            "span",
            { class: "message" },
            message ? userText(message) : h("span", { class: "faint" }, texts.say(`release.kind.${kind}`)),
        ),
        timeMark(texts, time),
        h(
            "span",
            { class: "by" },
            authorMark(release),
            " · ",
            keys.length === 1 ? userText(keys[0]) : texts.say("keys.count", { n: keys.length }),
            unreviewed && [" ", unreviewedMark(texts)],
        ),
    );
}
