// The calendar of proposals: what will be released and which flags will change, by day in the viewer's time zone.

import { h, userText } from "../../shared/dom.js";
import { byDay, daysUntil, differs } from "../state/calendar.js";
import { localZone } from "../state/flags-times.js";
import { routeFragment } from "../state/route.js";
import { mark } from "./proposal-words.js";

/** @typedef {import("../state/calendar.js").Item} Item */
/** @typedef {import("../../shared/dom.js").Children} Children */

/** The class of the badge of each state. */
const kinds = { draft: "", open: "patch", approved: "added", conflicted: "conflict", blocked: "conflict" };

/**
 * @param {import("../frame.js").Context} context
 * @param {{ items: Item[], truncated: boolean }} calendar
 */
export function calendarView(context, { items, truncated }) {
    const { texts } = context;
    if (items.length === 0)
        return h(
            "div",
            { class: "empty stack" },
            h("h2", {}, texts.say("calendar.none")),
            h("p", {}, texts.say("calendar.none.hint")),
        );
    const now = texts.now();
    const zone = localZone();
    const relative = new Intl.RelativeTimeFormat(texts.language, { numeric: "auto" });
    const full = new Intl.DateTimeFormat(texts.locale, { dateStyle: "full", timeZone: "UTC" });
    return h(
        "div",
        { class: "calendar" },
        h("p", { class: "hint" }, texts.say("calendar.zone", { zone })),
        byDay(items, now, zone).map(([day, found]) =>
            h(
                "section",
                { class: "part" },
                h(
                    "h2",
                    {},
                    full.format(Date.parse(day)),
                    " ",
                    h("span", { class: "count" }, relative.format(daysUntil(day, now, zone), "day")),
                ),
                h(
                    "ul",
                    { class: "calendar-day" },
                    found.map((item) => row(context, item, zone)),
                ),
            ),
        ),
        truncated && h("p", { class: "hint" }, texts.say("calendar.truncated")),
    );
}

/** @param {import("../frame.js").Context} context @param {Item} item @param {string} zone */
function row(context, item, zone) {
    const { texts } = context;
    const hasBegun = Date.parse(item.at) <= texts.now();
    return h(
        "li",
        {},
        h(
            "time",
            { datetime: item.at },
            hasBegun ? texts.say("calendar.now") : clock(texts, item.at, zone),
            item.kind === "proposal" &&
                differs(item.at, item.zone, zone) &&
                h(
                    "small",
                    {},
                    texts.say("calendar.there", { time: moment(texts, item.at, item.zone), zone: item.zone }),
                ),
        ),
        h("div", {}, content(context, item, zone)),
    );
}

/** @param {import("../frame.js").Context} context @param {Item} item @param {string} zone @returns {Children} */
function content({ texts, environment }, item, zone) {
    /** @param {string} screen @param {string | number} place */
    const address = (screen, place) => routeFragment({ environment: environment.name, screen, path: [String(place)] });
    if (item.kind === "proposal") {
        const { number, title, state, keys } = item;
        return [
            h(
                "span",
                { class: "proposal-title" },
                h(
                    "a",
                    { href: address("proposals", number) },
                    h("span", { class: "faint" }, texts.say("proposal.number", { n: number })),
                    " ",
                    userText(title || texts.say("proposal.untitled")),
                ),
                mark(texts, kinds[state], state),
            ),
            h("small", {}, userText(keys.slice(0, 5).join(", ")), keys.length > 5 && " …"),
        ];
    }
    const link = h("a", { class: "key-link", href: address("flags", item.key) }, userText(item.key));
    if (item.kind !== "ramp") return [link, h("small", {}, texts.say("calendar.time"))];
    const share = new Intl.NumberFormat(texts.locale, { style: "percent", maximumFractionDigits: 3 });
    const [from, to] = [item.from, item.to].map((percent) => share.format(percent / 100));
    const until = moment(texts, item.until, zone);
    return [
        link,
        h(
            "small",
            {},
            item.variant === null
                ? texts.say("calendar.ramp", { from, to, until })
                : texts.parts("calendar.ramp.variant", {
                      variant: h("code", {}, userText(item.variant)),
                      from,
                      to,
                      until,
                  }),
        ),
    ];
}

/** @param {import("../../shared/texts.js").Texts} texts @param {string} time @param {string} timeZone */
const clock = (texts, time, timeZone) =>
    new Intl.DateTimeFormat(texts.locale, { timeStyle: "short", timeZone }).format(new Date(time));

/** @param {import("../../shared/texts.js").Texts} texts @param {string} time @param {string} timeZone */
const moment = (texts, time, timeZone) =>
    new Intl.DateTimeFormat(texts.locale, { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(time));
