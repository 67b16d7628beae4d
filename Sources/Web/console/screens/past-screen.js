// The config at any revision, and the difference between two revisions.

import { fill, h, userText } from "../../shared/dom.js";
import { ControlRows } from "../controls/control-rows.js";
import {
    authorMark,
    backLinks,
    debounced,
    emptyPlaceholder,
    keyLink,
    releaseFragment,
    searchField,
    shortValue,
    timeMark,
} from "../controls/controls.js";
import { compare } from "../state/comparison.js";
import { wordsOf } from "../state/filter.js";
import { bump } from "../state/releases.js";
import { changeList, flagWords, isFlagChange } from "./release.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("./releases-screen.js").Releases} Releases */
/** @typedef {{key: string, value: string, kind?: string, updated_at: string}} PastEntry */

/** The limit on cached revisions. */
const maxCachedRevisions = 20;
/** @type {WeakMap<Releases, Map<number, PastEntry[]>>} */
const states = new WeakMap();

/**
 * @param {Context} context
 * @param {Releases} releases
 * @param {number} revision
 * @returns {Promise<PastEntry[]>}
 */
async function stateAt({ api, signal }, releases, revision) {
    const known = states.get(releases) ?? new Map();
    states.set(releases, known);
    if (!known.has(revision)) {
        const { document } = await api.get(`${releases.root}/config`, { query: { at: revision }, signal });
        known.set(revision, document);
        if (known.size > maxCachedRevisions) known.delete(known.keys().next().value);
    }
    return known.get(revision) ?? [];
}

/**
 * Shows a slider over all revisions, and the config at the selected one.
 * @param {Context} context
 * @param {Releases} releases
 * @param {string[]} path
 */
export async function past(context, releases, [start]) {
    const { texts, environment, workspace, navigate, showError, signal } = context;
    let revision = Math.max(1, Math.min(Number(start) || 1, workspace.revision));
    /** @type {PastEntry[]} */
    let all = [];
    /** @type {PastEntry[]} */
    let found = [];
    const title = h("h2", { id: "past-title" });
    const by = h("p", { class: "faint", role: "status" });
    const nothing = emptyPlaceholder(texts.say("past.none"));
    const slider = h("input", {
        type: "range",
        min: 1,
        max: Math.max(1, workspace.revision),
        value: revision,
        "aria-label": texts.say("health.revision"),
    });
    const filter = searchField(context, () => draw());
    const rows = new ControlRows({
        label: texts.say("past.list"),
        height: 44,
        make: (index) => {
            const { key, value, updated_at: time } = found[index];
            const link = keyLink(environment.name, key);
            link.classList.add("primary-control");
            const fresh = time === releases.at(revision)?.released_at;
            return h(
                "div",
                { class: fresh ? "past-row fresh" : "past-row" },
                link,
                shortValue(value),
                fresh && h("span", { class: "tag" }, texts.say("past.changed")),
            );
        },
    });
    const draw = () => {
        const words = wordsOf(filter.value);
        found = all.filter(({ key, value }) =>
            words.every((word) => key.toLowerCase().includes(word) || value.toLowerCase().includes(word)),
        );
        nothing.hidden = found.length > 0;
        rows.update(found.length);
    };
    const renderHead = () => {
        const release = releases.at(revision);
        fill(title, release ? release.version : texts.say("release.revision", { n: revision }));
        slider.setAttribute(
            "aria-valuetext",
            release ? `${release.version}, ${texts.time(release.released_at)}` : String(revision),
        );
        if (!release) return fill(by, texts.say("release.revision", { n: revision }));
        fill(
            by,
            texts.say("release.revision", { n: revision }),
            " · ",
            timeMark(texts, release.released_at),
            " · ",
            authorMark(release),
            release.message && [" · ", userText(release.message)],
        );
    };
    const load = async () => {
        const wanted = revision;
        try {
            const [state] = await Promise.all([stateAt(context, releases, wanted), loadRelease(releases, wanted)]);
            if (wanted !== revision || signal.aborted) return;
            all = state;
            renderHead();
            draw();
            navigate(releaseFragment(environment.name, revision, "state"), true);
        } catch (failure) {
            if (wanted === revision) showError(failure);
        }
    };
    const later = debounced(load, 90, signal);
    slider.addEventListener("input", () => {
        revision = Number(slider.value);
        renderHead();
        later();
    });
    renderHead();
    await load();
    const to = (/** @type {string[]} */ ...path) => releaseFragment(environment.name, ...path);
    return h(
        "article",
        { class: "revision-state", "aria-labelledby": "past-title" },
        backLinks(context, start),
        title,
        by,
        h("div", { class: "timeline" }, releaseBars(releases, workspace.revision), slider),
        h(
            "div",
            { class: "actions" },
            filter,
            link(texts.say("past.open"), () => to(String(revision))),
            link(texts.say("past.compare"), () => to(String(revision), "diff", String(workspace.revision))),
        ),
        nothing,
        rows.element,
    );
}

/**
 * Creates a link whose target is computed just before the user follows it.
 * @param {string} text
 * @param {() => string} target
 */
function link(text, target) {
    const element = h("a", { class: "button", href: target() }, text);
    const aim = () => element.setAttribute("href", target());
    element.addEventListener("pointerenter", aim);
    element.addEventListener("focus", aim);
    element.addEventListener("click", aim, { capture: true });
    return element;
}

/**
 * Loads a release that is not in the list yet.
 * @param {Releases} releases
 * @param {number} revision
 */
async function loadRelease(releases, revision) {
    if (releases.at(revision)) return;
    const { changes, ...release } = await releases.detail(String(revision));
    releases.all.push({ ...release, keys: changes.map((/** @type {any} */ change) => change.key) });
    releases.all.sort((one, other) => other.revision - one.revision);
}

/** The limit on the bars above the slider. */
const maxBars = 240;

/**
 * Creates a bar for each release: its height shows the number of changed keys, its colour the raised part of the
 * version.
 * @param {Releases} releases
 * @param {number} newest
 */
function releaseBars({ all }, newest) {
    const picture = h("div", { class: "strip", "aria-hidden": "true" });
    for (const { revision, version, keys } of all.slice(0, maxBars)) {
        const bar = h("span", { class: bump(version) });
        bar.style.setProperty("inset-inline-start", `${newest > 1 ? ((revision - 1) / (newest - 1)) * 100 : 0}%`);
        bar.style.setProperty("block-size", `${Math.min(100, 20 + 22 * Math.log2(1 + keys.length))}%`);
        picture.append(bar);
    }
    return picture;
}

/**
 * @param {Context} context
 * @param {Releases} releases
 * @param {string[]} path
 */
export async function diff(context, releases, [one, , other = one]) {
    const { texts, environment } = context;
    const [from, to] = [Number(one), Number(other)].sort((first, second) => first - second);
    const [before, after] = await Promise.all([stateAt(context, releases, from), stateAt(context, releases, to)]);
    /** @param {PastEntry[]} state */
    const config = (state) => new Map(state.map(({ key, value, kind }) => [key, { value, description: "", kind }]));
    const { lines, same } = compare(config(after), config(before));
    const changes = lines.map(({ key, source, target }) => ({
        key,
        kind: (source ?? target)?.kind,
        before: target?.value,
        after: source?.value,
    }));
    const words = await flagWords(context, changes.some(isFlagChange));
    /** @param {number} revision */
    const name = (revision) =>
        h("a", { href: releaseFragment(environment.name, revision) }, texts.say("release.revision", { n: revision }));
    return h(
        "article",
        { class: "two-revisions" },
        backLinks(context, one, "diff"),
        h("h2", {}, texts.parts("diff.title", { from: name(from), to: name(to) })),
        h(
            "p",
            { class: "faint" },
            texts.say("diff.count", { n: lines.length }),
            " · ",
            texts.say("diff.same", { n: same }),
        ),
        changes.length > 0 ? changeList(context, changes, words) : emptyPlaceholder(texts.say("diff.none")),
    );
}
