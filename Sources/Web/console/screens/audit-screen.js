// The audit log.

import { button, fill, h, userText } from "../../shared/dom.js";
import { curlButton, debounced, filterBar, heading, noMatches, timeMark } from "../controls/controls.js";
import { accessOf, actions, everything, pairs, query } from "../state/audit.js";
import { authorName } from "../state/people.js";
import { routeFragment } from "../state/route.js";

/** The number of lines per request, and the limit on the lines shown. */
const pageSize = 50;
const maxLines = 200;

/** @param {import("../frame.js").Context} context */
export async function open(context) {
    const { api, texts, environment, navigate, showError, signal } = context;
    const { root } = context.workspace;
    let filter = { ...everything, ...context.route.query };
    /** @type {import("../state/audit.js").AuditLine[]} */
    let lines = [];
    let reading = 0;
    const list = h("ol", { class: "audit-lines" });
    const newer = button(texts.say("majors.current"), () => load(), "quiet", "back");
    const older = button(texts.say("older"), () => load(lines.at(-1)?.id), "quiet", "down");
    /** @param {number} [before] */
    const load = async (before) => {
        reading += 1;
        const mine = reading;
        try {
            const { document } = await api.get(`${root}/audit`, { query: query(filter, before, pageSize), signal });
            if (mine !== reading) return;
            lines = (before === undefined ? document : [...lines, ...document]).slice(-maxLines);
            newer.hidden = before === undefined;
            older.hidden = document.length < pageSize;
            if (lines.length === 0) fill(list, h("li", {}, noMatches(texts, texts.say("past.none"), bar)));
            else fill(list, lines.map(item));
        } catch (failure) {
            showError(failure);
        }
    };
    /** @param {import("../state/audit.js").AuditLine} line */
    const item = (line) => {
        const { recorded_at: time, action, author, author_kind: kind, subject, details } = line;
        const revision = action.startsWith("config.") ? details.revision : undefined;
        const path = [String(revision)];
        return h(
            "li",
            { class: "audit-line" },
            h(
                "p",
                {},
                texts.parts("audit.sentence", {
                    who: h(
                        "strong",
                        { title: `${author} (${texts.say(`author.${kind}`)})` },
                        userText(authorName(line)),
                    ),
                    what: texts.has(`audit.${action}`) ? texts.say(`audit.${action}`) : userText(action),
                    time: h("span", { class: "when" }, timeMark(texts, time)),
                }),
            ),
            h(
                "span",
                { class: "what" },
                subject && h("code", {}, userText(subject)),
                line.subject_name && h("span", {}, userText(line.subject_name)),
                revision !== undefined &&
                    h(
                        "a",
                        { href: routeFragment({ environment: environment.name, screen: "releases", path }) },
                        texts.say("release.revision", { n: String(revision) }),
                    ),
                pairs(details, (name, one) => wordsOf(texts, name, one))
                    .filter(([name]) => name !== "revision")
                    .map(([name, value]) =>
                        h(
                            "span",
                            { class: "pair" },
                            name !== "scopes" && h("small", { class: "faint" }, userText(detailName(texts, name))),
                            userText(value),
                        ),
                    ),
            ),
        );
    };
    const later = debounced(
        () => {
            navigate(routeFragment({ environment: environment.name, screen: "audit", query: filter }), true);
        },
        300,
        signal,
    );
    const choices = /** @type {[string, string][]} */ ([
        ["", texts.say("audit.every")],
        ...actions.map((one) => [one, texts.say(`audit.${one}`)]),
    ]);
    const bar = filterBar(
        texts,
        [
            { name: "action", type: "text", options: choices },
            { name: "author", type: "text" },
            { name: "since", type: "date" },
            { name: "until", type: "date" },
        ],
        filter,
        (values) => {
            filter = { ...everything, ...values };
            later();
        },
    );
    const element = h(
        "section",
        { class: "screen audit" },
        heading(
            texts.say("screen.audit"),
            curlButton(context, () => api.call("GET", `${root}/audit`, { query: query(filter, undefined, pageSize) })),
        ),
        bar,
        newer,
        list,
        older,
    );
    await load();
    return {
        element,
        /** @param {import("../state/route.js").Route} route */
        show: (route) => {
            filter = { ...everything, ...route.query };
            load();
        },
    };
}

/** @param {import("../../shared/texts.js").Texts} texts @param {string} name a newer server may write others */
function detailName(texts, name) {
    const key = `audit.detail.${name}`;
    return texts.has(key) ? texts.say(key) : name.replaceAll("_", " ");
}

/**
 * Returns a scope or a time as words, and other texts unchanged.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string} name
 * @param {string} text
 */
function wordsOf(texts, name, text) {
    if (name.endsWith("_at")) return texts.time(text);
    const key = `tokens.access.${accessOf(text)}`;
    return name === "scopes" && texts.has(key) ? texts.say(key) : text;
}
