/** The settings: account, storage, appearance, import and export. */
import { button, fill, h } from "../../shared/dom.js";
import { choice } from "../../shared/page-frame.js";
import { openHelp } from "../help.js";
import { routeFragment } from "../route.js";
import { textLooks } from "../text-looks.js";
import { healthSection } from "./health.js";

/** @import { Context } from "../frame.js" */

/** @type {import("../panes.js").Module["open"]} */
export function open(context) {
    const { texts, keys, environment } = context;
    const move = h(
        "a",
        { class: "button", href: routeFragment({ environment, place: "move" }) },
        texts.say("settings.move"),
    );
    const help = button(texts.say("help.title"), () => openHelp(texts, keys));
    const element = h(
        "section",
        { class: "settings" },
        h("h1", {}, texts.say("settings.settings")),
        accountSection(context),
        healthSection(context),
        looksSection(context),
        h(
            "section",
            { class: "setting", "aria-labelledby": "moving" },
            h("h2", { id: "moving" }, texts.say("settings.move")),
            h("p", { class: "hint" }, texts.say("settings.moving.hint")),
            h("div", { class: "ways" }, move, help),
        ),
    );
    return { element };
}

/** @param {Context} context */
function accountSection(context) {
    const { texts, account, environment, signInAgain, signOut, events, signal } = context;
    const who = h("p", {});
    const ways = h("div", { class: "ways" });
    const others = h("div", { class: "here" });
    const render = () => {
        const until = context.session?.session?.expires_at;
        fill(
            who,
            texts.parts("settings.who", { name: account, environment }),
            until ? h("small", {}, texts.say("settings.until", { time: texts.time(until) })) : null,
        );
        const again = button(texts.say("access.again"), () => signInAgain(), "primary");
        const out = button(texts.say("settings.sign-out"), signOut);
        fill(ways, context.session ? null : again, out);
        fill(others, otherAccounts(context));
    };
    events.addEventListener("account", render, { signal });
    render();
    return h(
        "section",
        { class: "setting", "aria-labelledby": "account" },
        h("h2", { id: "account" }, texts.say("settings.account")),
        who,
        ways,
        others,
    );
}

/** Lists the notes of other users or environments on this device. @param {Context} context */
function otherAccounts({ texts, device, account, environment, navigate }) {
    const others = device.others(environment, account);
    if (others.length === 0) return [];
    return [
        h("h3", {}, texts.say("settings.others")),
        h("p", { class: "hint" }, texts.say("settings.others.hint")),
        others.map((one) => {
            const open = () => {
                device.use(one.environment, one.name);
                navigate(routeFragment({ environment: one.environment }));
            };
            const name = texts.parts("settings.others.open", { name: one.name, environment: one.environment });
            return button(name, open);
        }),
    ];
}

/** @param {Context} context */
function looksSection({ texts, looks, settings }) {
    const ways = ["live", "all"].map((way) => [way, texts.say(`settings.marks.${way}`)]);
    const marks = choice(texts.say("settings.marks"), ways, settings.get("marks") ?? "live", (way) =>
        settings.set("marks", way === "live" ? null : way),
    );
    return h(
        "section",
        { class: "setting", "aria-labelledby": "looks" },
        h("h2", { id: "looks" }, texts.say("settings.looks")),
        looks(),
        textLooks(texts, settings),
        marks,
    );
}
