// The health of an environment: server, database, streams, backups.

import { fill, h, icon, svgElement, userText } from "../../shared/dom.js";
import { curlButton, heading, timeMark } from "../controls/controls.js";
import { checks, pollDelay, recorded, sparkline, worst } from "../state/health.js";

/** @param {import("../frame.js").Context} context */
export async function open(context) {
    const { api, texts, signal } = context;
    const { root } = context.workspace;
    const body = h("div", { class: "health-body" });
    const lead = h("p", { class: "health-lead", role: "status" });
    let failures = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** @type {Record<"milliseconds" | "streams", number[]>} */
    const measures = { milliseconds: [], streams: [] };

    const poll = async () => {
        clearTimeout(timer);
        try {
            const [status, events] = await Promise.all([
                api.get(`${root}/status`, { signal }).then((answer) => answer.document),
                api.get(`${root}/events/status`, { signal }).then(
                    (answer) => answer.document,
                    () => undefined,
                ),
            ]);
            failures = 0;
            measures.milliseconds = recorded(measures.milliseconds, status.database.milliseconds);
            measures.streams = recorded(measures.streams, events?.streams);
            draw(status, events);
        } catch (failure) {
            if (signal.aborted) return;
            failures += 1;
            fill(lead, icon("alert"), context.messageOf(failure));
            lead.className = "health-lead bad";
        }
        schedulePoll();
    };
    const schedulePoll = () => {
        clearTimeout(timer);
        const wait = pollDelay(document.hidden, failures);
        if (wait !== undefined && !signal.aborted) timer = setTimeout(poll, wait);
    };
    document.addEventListener("visibilitychange", () => (document.hidden ? clearTimeout(timer) : poll()), { signal });
    signal.addEventListener("abort", () => clearTimeout(timer));

    /**
     * @param {import("../state/health.js").Status} status
     * @param {import("../state/health.js").EventsStatus | undefined} events
     */
    const draw = (status, events) => {
        const list = checks(status, events);
        const level = worst(list);
        fill(lead, icon(level === "good" ? "check" : "alert"), texts.say(`health.${level}`));
        lead.className = `health-lead ${level}`;
        const { database } = status;
        const of = (/** @type {string} */ name) => list.find((check) => check.name === name)?.level ?? "good";
        const limit = status.limits?.entries ?? 10_000;
        fill(
            body,
            card("config", of("config"), [
                ["version", status.config_version],
                ["revision", texts.number(status.revision)],
                ["lineage", h("code", {}, status.lineage)],
                ["entries", [texts.say("health.of", { n: status.entries, most: limit }), meter(status.entries, limit)]],
            ]),
            card("database", of("database"), [
                [
                    "reachable",
                    texts.say(
                        database.reachable ? (database.is_standby ? "health.standby" : "health.yes") : "health.no",
                    ),
                ],
                [
                    "answer",
                    database.milliseconds === undefined
                        ? "–"
                        : [texts.say("health.milliseconds", { n: database.milliseconds }), line(measures.milliseconds)],
                ],
                ["server", userText(database.server_version ?? "–")],
                ["schema", database.schema === undefined ? "–" : String(database.schema)],
                ["bytes", database.bytes === undefined ? "–" : texts.size(database.bytes)],
            ]),
            card("events", of("events"), [
                ["streams", events ? [texts.number(events.streams), line(measures.streams)] : texts.say("health.no")],
                ["program", userText(events?.version ?? "–")],
                ["started", timeMark(texts, events?.started_at)],
            ]),
            card("server", worst(list.filter(({ name }) => name === "room" || name === "backup")), [
                ["program", userText(status.version)],
                ["started", timeMark(texts, status.started_at)],
                [
                    "backup",
                    status.backup_age_seconds === null
                        ? texts.say("health.backup.none")
                        : h(
                              "span",
                              { class: of("backup") },
                              texts.relative(new Date(Date.now() - status.backup_age_seconds * 1000).toISOString()),
                          ),
                ],
            ]),
        );
    };
    /** @param {string} name @param {string} level @param {[string, import("../../shared/dom.js").Children][]} facts */
    const card = (name, level, facts) =>
        h(
            "section",
            { class: `health-card ${level}` },
            h(
                "h2",
                {},
                h("span", { class: "dot", "aria-hidden": "true" }),
                texts.say(`health.${name}`),
                level !== "good" && h("span", { class: "badge" }, texts.say(`health.level.${level}`)),
            ),
            h(
                "dl",
                {},
                facts.map(([term, fact]) => h("div", {}, h("dt", {}, texts.say(`health.${term}`)), h("dd", {}, fact))),
            ),
        );
    const element = h(
        "section",
        { class: "screen health" },
        heading(texts.say("screen.health"), curlButton(context, `${root}/status`)),
        lead,
        body,
        h("p", { class: "faint" }, texts.say("health.polite")),
    );
    await poll();
    return { element };
}

/** @param {number} value @param {number} limit */
function meter(value, limit) {
    const bar = h("span", { class: "meter", "aria-hidden": "true" }, h("span", {}));
    bar.style.setProperty("--share", `${Math.min(100, (value / limit) * 100)}%`);
    return bar;
}

/** @param {number[]} values */
function line(values) {
    if (values.length < 2) return null;
    const picture = { viewBox: "0 0 100 20", preserveAspectRatio: "none", class: "sparkline", "aria-hidden": "true" };
    return svgElement("svg", picture, svgElement("polyline", { points: sparkline(values, 100, 20) }));
}
