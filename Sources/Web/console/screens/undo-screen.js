// Undo of one release, which keeps later changes, and restore of a whole past config.

import { fill, h } from "../../shared/dom.js";
import { review } from "../changes/change-review.js";
import { contentDifference } from "../changes/difference.js";
import { entriesProposal } from "../changes/forecast.js";
import { authorMark, backLinks, keyLink } from "../controls/controls.js";
import { mayWrite } from "../state/scopes.js";
import { isPossible, undoBody, undoLines } from "../state/undo.js";
import { contentOf, flagWords, isFlagChange, pagedList } from "./release.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("./releases-screen.js").Releases} Releases */

/**
 * Reads the present config, its values as JSON texts.
 * @param {Context} context
 * @returns {Promise<{cursor: string, entries: Map<string, {value: string}>}>}
 */
async function current({ api, workspace, signal }) {
    const answer = await api.get(`${workspace.root}/config`, { signal });
    return {
        cursor: answer.cursor,
        entries: new Map(answer.document.map((/** @type {any} */ entry) => [entry.key, entry])),
    };
}

/**
 * @param {Context} context
 * @param {Releases} releases
 * @param {string[]} path
 */
export async function undo(context, releases, [revision]) {
    const { texts, environment, notify } = context;
    const release = await releases.detail(revision);
    let now = await current(context);
    const words = await flagWords(context, release.changes.some(isFlagChange));
    let lines = undoLines(release.changes, now.entries);
    /** @type {Set<string>} */
    const chosen = new Set(
        lines
            .filter((line) => line.kind === "plain" && mayWrite(environment.session.scopes, line.key))
            .map(({ key }) => key),
    );
    const list = h("div", {});
    const draw = () =>
        fill(
            list,
            pagedList(texts, lines, (line) => item(context, line, words, chosen, () => panel.update())),
        );
    const panel = review(context, {
        label: "release.undo.go",
        message: [texts.say("release.undo.message", { version: release.version }), release.message]
            .filter(Boolean)
            .join(": "),
        propose: () => {
            const picked = lines.filter(({ key }) => chosen.has(key));
            return picked.length > 0 ? entriesProposal(releases.root, undoBody(picked), now.cursor) : null;
        },
        onConflict: async () => {
            now = await current(context);
            lines = undoLines(release.changes, now.entries);
            for (const { key, kind } of lines) if (kind !== "plain") chosen.delete(key);
            draw();
            notify(texts.say("plan.moved"));
            panel.update();
        },
    });
    draw();
    const kinds = new Set(lines.map(({ kind }) => kind));
    return h(
        "article",
        { class: "way-back" },
        backLinks(context, revision, "undo"),
        h("h2", {}, texts.say("release.undo.title", { version: release.version })),
        h("p", {}, texts.say("release.undo.lead")),
        kinds.has("changed") && h("p", { class: "warning" }, texts.say("release.undo.changed")),
        list,
        panel.element,
    );
}

/**
 * @param {Context} context
 * @param {import("../state/undo.js").UndoLine} line
 * @param {import("./release.js").FlagReview} words
 * @param {Set<string>} chosen
 * @param {() => void} change
 */
function item({ texts, environment }, line, words, chosen, change) {
    const { key, kind, now, was, entryKind, description = "", descriptionNow = description } = line;
    const possible = isPossible(line) && mayWrite(environment.session.scopes, key);
    const toggle = () => {
        if (box.checked) chosen.add(key);
        else chosen.delete(key);
        change();
    };
    const box = h("input", {
        type: "checkbox",
        checked: chosen.has(key),
        disabled: !possible,
        onchange: toggle,
        "aria-label": key,
    });
    return h(
        "li",
        { class: possible ? "" : "impossible" },
        h(
            "div",
            { class: "change-head" },
            box,
            keyLink(environment.name, key),
            h("span", { class: `undo-kind ${kind}` }, texts.say(`undo.${kind}`)),
        ),
        possible &&
            contentDifference(
                texts,
                key,
                contentOf(now, descriptionNow, entryKind),
                contentOf(was, description, entryKind),
                words,
            ),
    );
}

/**
 * @param {Context} context
 * @param {Releases} releases
 * @param {string[]} path
 */
export async function restore(context, releases, [revision]) {
    const { texts, workspace, notify } = context;
    const release = await releases.detail(revision);
    const panel = review(context, {
        label: "release.restore.go",
        message: texts.say("release.restore.message", { version: release.version }),
        propose: () => ({
            method: "POST",
            path: `${releases.root}/releases/${revision}/restore`,
            query: {},
            base: workspace.cursor,
        }),
        onConflict: async () => {
            await workspace.refresh();
            notify(texts.say("plan.moved"));
            panel.update();
        },
    });
    return h(
        "article",
        { class: "way-back" },
        backLinks(context, revision, "restore"),
        h("h2", {}, texts.say("release.restore.title", { version: release.version })),
        h(
            "p",
            {},
            texts.parts("release.restore.lead", {
                time: h("strong", {}, texts.time(release.released_at)),
                author: authorMark(release),
            }),
        ),
        panel.element,
    );
}
