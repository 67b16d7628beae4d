// The screen part of a release: its changes, the reason for its version, and its actions.

import { button, h, userText } from "../../shared/dom.js";
import { contentDifference } from "../changes/difference.js";
import { reasonText } from "../changes/forecast.js";
import {
    authorMark,
    backLinks,
    bumpMark,
    curlButton,
    field,
    keyLink,
    releaseFragment,
    timeMark,
} from "../controls/controls.js";
import { isOfFlags } from "../state/entries.js";
import { bump, reasonOf } from "../state/releases.js";
import { covers, mayWriteSomething } from "../state/scopes.js";

/** The number of changes shown at once. */
const pageSize = 50;

/**
 * @param {import("../frame.js").Context} context
 * @param {import("./releases-screen.js").Releases} releases
 * @param {string[]} path
 */
export async function release(context, releases, [revision]) {
    const { texts, environment, navigate } = context;
    const detail = await releases.detail(revision);
    /** @param {...string} more */
    const to = (...more) => releaseFragment(environment.name, revision, ...more);
    const raised = bump(detail.version);
    const newest = detail.revision === context.workspace.revision;
    const words = await flagWords(context, detail.changes.some(isFlagChange));
    const writes = mayWriteSomething(environment.session.scopes) && detail.changes.length > 0;
    const title = h(
        "h2",
        { id: "release-title", tabindex: -1 },
        detail.message ? userText(detail.message) : texts.say(`release.kind.${detail.kind}`),
    );
    const bypass = detail.bypass ? bypassParts(context, releases, detail, title) : null;
    return h(
        "article",
        { class: "release-detail", "aria-labelledby": "release-title" },
        backLinks(context, revision),
        h(
            "header",
            {},
            h(
                "p",
                { class: "versions" },
                h("strong", { class: "version-number" }, detail.version),
                bumpMark(texts, raised),
                h("span", { class: "faint" }, texts.say("release.revision", { n: detail.revision })),
            ),
            title,
            h(
                "p",
                { class: "faint" },
                authorMark(detail),
                " · ",
                timeMark(texts, detail.released_at),
                " · ",
                texts.time(detail.released_at),
            ),
            bypass?.note,
        ),
        h(
            "div",
            { class: "actions" },
            bypass?.action,
            writes && h("a", { class: "button", href: to("undo") }, texts.say("release.undo")),
            writes && !newest && h("a", { class: "button", href: to("restore") }, texts.say("release.restore")),
            h("a", { class: "button", href: to("state") }, texts.say("release.state")),
            compareWith(context, detail.revision, (other) => navigate(to("diff", other))),
            curlButton(context, `${releases.root}/releases/${revision}`),
        ),
        h("h3", {}, texts.say("draft.count", { n: detail.changes.length })),
        changeList(context, detail.changes, words),
    );
}

/** @param {import("../../shared/texts.js").Texts} texts */
export const unreviewedMark = (texts) => h("span", { class: "badge conflict" }, texts.say("release.unreviewed"));

/**
 * Creates the reason for a release without approvals, and the button by which somebody else who may approve its keys
 * acknowledges it.
 * @param {import("../frame.js").Context} context
 * @param {import("./releases-screen.js").Releases} releases
 * @param {{ revision: number, author: string, changes: Change[], bypass: string, unreviewed: boolean }} detail
 * @param {HTMLElement} title takes the focus of the button
 */
function bypassParts({ texts, environment, notify, showError }, releases, detail, title) {
    const { scopes, person } = environment.session;
    const mayAcknowledge =
        detail.unreviewed &&
        person &&
        person.subject !== detail.author &&
        detail.changes.length > 0 &&
        detail.changes.every(({ key }) => covers(scopes, "config:approve", key));
    const mark = detail.unreviewed ? unreviewedMark(texts) : null;
    const acknowledge = async () => {
        try {
            await releases.acknowledge(detail.revision);
            notify(texts.say("release.acknowledged"));
            mark?.remove();
            action?.remove();
            title.focus();
        } catch (failure) {
            showError(failure);
        }
    };
    const action = mayAcknowledge ? button(texts.say("release.acknowledge"), acknowledge, "primary") : null;
    return { note: h("p", {}, mark, " ", texts.parts("release.bypass", { reason: detail.bypass })), action };
}

/**
 * Creates the form that asks for a revision to compare with.
 * @param {import("../frame.js").Context} context
 * @param {number} revision
 * @param {(other: string) => void} go
 */
function compareWith({ texts, workspace }, revision, go) {
    const other = h("input", {
        type: "number",
        min: 0,
        max: workspace.revision,
        value: revision === workspace.revision ? revision - 1 : workspace.revision,
    });
    const submit = (/** @type {Event} */ event) => {
        event.preventDefault();
        go(other.value);
    };
    return h(
        "form",
        { class: "together", onsubmit: submit },
        field(texts.say("release.compare"), other),
        h("button", { type: "submit" }, texts.say("release.compare.go")),
    );
}

/** @typedef {import("../state/undo.js").Change} Change */
/** @typedef {import("../changes/difference.js").FlagReview | null} FlagReview */

/** Returns true for a change of a flag or of the audiences. @param {Change} change */
export const isFlagChange = ({ kind, kind_before: was }) => isOfFlags(kind) || isOfFlags(was);

/**
 * Returns the function that shows flags' changes in words. It is in the part of the flags, which is loaded only if there
 * is a flag; without it, the differences of values are shown.
 * @param {import("../frame.js").Context} context
 * @param {boolean} hasFlags
 * @returns {Promise<FlagReview>}
 */
export const flagWords = async (context, hasFlags) =>
    hasFlags
        ? import("./flags-screen.js").then(
              ({ loadFlagReview }) => loadFlagReview(context, false),
              () => null,
          )
        : null;

/** @param {string | undefined} value undefined for no entry @param {string} description @param {string} [kind] */
export const contentOf = (value, description, kind) => (value === undefined ? null : { value, description, kind });

/**
 * Lists changes of keys with the values before and after.
 * @param {import("../frame.js").Context} context
 * @param {Change[]} changes
 * @param {FlagReview} [words]
 */
export function changeList({ texts, environment }, changes, words = null) {
    return pagedList(texts, changes, (change) => {
        const { key, kind, before, after, purged, description = "", description_before: was } = change;
        const isFlag = kind === "flag" || change.kind_before === "flag";
        const why = purged ? null : reasonOf(before, after, isFlag ? "/variants" : "");
        return h(
            "li",
            {},
            h("div", { class: "change-head" }, keyLink(environment.name, key), why && bumpMark(texts, why.bump)),
            !(why && (isFlag || ["value-changed", "removed"].includes(why.reason))) &&
                h("p", { class: "faint" }, why ? reasonText(texts, why) : texts.say("release.purged")),
            !purged &&
                contentDifference(
                    texts,
                    key,
                    contentOf(before, was ?? description, change.kind_before ?? kind),
                    contentOf(after, description, kind),
                    words,
                ),
        );
    });
}

/**
 * Creates a list that shows a number of items, and a button for more.
 * @template T
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {T[]} all
 * @param {(one: T) => HTMLElement} make
 */
export function pagedList(texts, all, make) {
    const list = h("ul", { class: "change-list" });
    let count = 0;
    const more = button(texts.say("more.show"), () => add(), "quiet", "down");
    const add = () => {
        list.append(...all.slice(count, count + pageSize).map(make));
        count = Math.min(count + pageSize, all.length);
        more.hidden = count === all.length;
    };
    add();
    return h("div", {}, list, more);
}
