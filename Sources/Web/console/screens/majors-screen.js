// The screen that shows the values of every major side by side, and retires majors.

import { confirm } from "../../shared/confirm.js";
import { button, fill, h, userText } from "../../shared/dom.js";
import { limitedItems } from "../changes/forecast.js";
import { ControlRows } from "../controls/control-rows.js";
import {
    curlButton,
    emptyPlaceholder,
    errorMessage,
    heading,
    keyLink,
    searchField,
    shortValue,
    timeMark,
    withFreshSignIn,
} from "../controls/controls.js";
import { wordsOf } from "../state/filter.js";
import { rowsLostWith, sideBySide, usageOf } from "../state/majors.js";
import { allows } from "../state/scopes.js";

/** @typedef {import("../state/majors.js").Major} Major */

/** @param {import("../frame.js").Context} context */
export async function open(context) {
    const { api, texts, environment, workspace, showError, signal } = context;
    const { root } = context.workspace;
    /** @type {Major[]} */
    let majors = [];
    /** @type {Major[]} */
    let served = [];
    /** @type {import("../state/majors.js").MajorRow[]} */
    let all = [];
    /** @type {import("../state/majors.js").MajorRow[]} */
    let found = [];
    const cards = h("ul", { class: "majors" });
    const filter = searchField(context, () => draw());
    const only = h("input", { type: "checkbox", checked: true, onchange: () => draw() });
    const head = h("div", { class: "majors-head", "aria-hidden": "true" });
    const nothing = h("p", { class: "empty" });
    const rows = new ControlRows({ label: texts.say("majors.table"), height: 44, make: (index) => row(found[index]) });

    /** @param {import("../state/majors.js").MajorRow} one */
    const row = ({ key, values }) => {
        const [newest] = values;
        const link = keyLink(environment.name, key);
        link.classList.add("primary-control");
        const cells = values.map((value, column) => {
            const differs = value !== newest;
            const name = h("span", { class: "spoken" }, texts.say("majors.cell", { n: served[column].major }));
            return h(
                "span",
                { class: differs ? "cell differs" : "cell" },
                name,
                value === undefined ? h("span", { class: "faint" }, "–") : shortValue(value, 80),
            );
        });
        return h("div", { class: "majors-row" }, link, cells);
    };
    const draw = () => {
        const words = wordsOf(filter.value);
        found = all.filter(
            ({ key, values, differs }) =>
                (differs || !only.checked) &&
                words.every((word) => `${key} ${values.join(" ")}`.toLowerCase().includes(word)),
        );
        fill(nothing, texts.say(only.checked && words.length === 0 ? "majors.same" : "past.none"));
        nothing.hidden = found.length > 0;
        head.hidden = found.length === 0;
        rows.element.style.setProperty("--columns", String(served.length));
        head.style.setProperty("--columns", String(served.length));
        fill(
            head,
            h("span", {}, texts.say("filter.key")),
            served.map(({ version }) => h("span", {}, version)),
        );
        rows.update(found.length);
    };
    const load = async () => {
        majors = (await api.get(`${root}/majors`, { signal })).document;
        majors.reverse();
        served = majors.filter((major) => !major.retired_at);
        const seen = await Promise.all(
            served.map(async ({ major, current }) => {
                const query = current ? {} : { version: major };
                const { document } = await api.get(`${root}/config`, { query, signal });
                return new Map(document.map((/** @type {any} */ entry) => [entry.key, entry.value]));
            }),
        );
        all = seen.length > 0 ? sideBySide(seen) : [];
        const now = Date.now();
        fill(
            cards,
            majors.map((major) => card(major, now)),
        );
        draw();
    };
    /** @param {Major} major @param {number} now */
    const card = (major, now) => {
        const state = usageOf(major, now);
        const retirable = state !== "current" && state !== "retired" && allows(environment.session.scopes, "admin");
        return h(
            "li",
            { class: `major-card ${state}` },
            h(
                "h2",
                {},
                texts.say("majors.major", { n: major.major }),
                h("span", { class: "version-number" }, major.version),
            ),
            h(
                "p",
                { class: "faint" },
                texts.say(`majors.${state}`),
                major.last_asked_at && state !== "retired" && [" · ", timeMark(texts, major.last_asked_at)],
            ),
            state !== "current" &&
                state !== "retired" &&
                h("p", {}, texts.say("majors.keeps", { n: major.keeps.length })),
            major.lacks.length > 0 && [
                h("p", {}, texts.say("majors.lacks", { n: major.lacks.length })),
                h(
                    "ul",
                    { class: "reasons" },
                    limitedItems(
                        major.lacks,
                        ({ key, reason }) => [h("code", {}, key), ": ", userText(reason)],
                        (n) => texts.say("forecast.more", { n }),
                    ),
                ),
            ],
            retirable && button(texts.say("majors.retire"), () => retire(major), "danger"),
        );
    };
    /** @param {Major} major */
    const retire = (major) => {
        const going = rowsLostWith(all, served.indexOf(major));
        const asked = usageOf(major, Date.now()) === "asked";
        const path = `${root}/majors/${major.major}`;
        const run = () =>
            withFreshSignIn(context, async () => {
                await api.send("DELETE", path, { ifMatch: workspace.cursor });
                context.notify(texts.say("majors.retired.done", { n: major.major }));
                await load();
            });
        confirm(texts, {
            title: texts.say("majors.retire.title", { n: major.major }),
            body: [
                h("p", {}, texts.say("majors.retire.lead", { n: major.major })),
                asked && errorMessage([texts.say("majors.retire.asked"), " ", timeMark(texts, major.last_asked_at)]),
                h("h3", {}, texts.say("majors.retire.goes", { n: going.length })),
                h(
                    "ul",
                    { class: "going" },
                    going
                        .slice(0, 20)
                        .map(({ key, values }) =>
                            h(
                                "li",
                                {},
                                h("code", {}, userText(key)),
                                " ",
                                shortValue(values[served.indexOf(major)] ?? "", 60),
                            ),
                        ),
                    going.length > 20 && h("li", { class: "faint" }, texts.say("more", { n: going.length - 20 })),
                ),
            ],
            tool: curlButton(context, () => ({ method: "DELETE", path })),
            answers: [{ label: texts.say("majors.retire.go", { n: major.major }), kind: "danger", run }],
        });
    };
    workspace.addEventListener("release", () => load().catch(showError), { signal });
    const element = h(
        "section",
        { class: "screen majors-screen" },
        heading(texts.say("screen.majors"), curlButton(context, `${root}/majors`)),
        h("p", { class: "lead" }, texts.say("majors.lead")),
        cards,
        h("div", { class: "tools-row" }, filter, h("label", { class: "tick" }, only, texts.say("majors.only"))),
        head,
        nothing,
        rows.element,
    );
    await load();
    if (majors.length === 0) fill(cards, h("li", {}, emptyPlaceholder(texts.say("majors.none"))));
    return { element };
}
