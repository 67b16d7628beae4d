// The screen of hooks: the receivers of events, with their deliveries.

import { confirm } from "../../shared/confirm.js";
import { openDialog } from "../../shared/dialog.js";
import { button, fill, h, icon, userText } from "../../shared/dom.js";
import {
    curlButton,
    emptyPlaceholder,
    field,
    heading,
    table,
    timeMark,
    withFreshSignIn,
} from "../controls/controls.js";
import { revealSecret } from "../controls/secret-dialog.js";
import { disabled, hostOf } from "../state/hooks.js";
import { openHookForm } from "./hook-form.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/hooks.js").Hook} Hook */
/** @typedef {import("../state/hooks.js").Delivery} Delivery */

/** The number of deliveries shown at first, and the most. */
const [pageSize, maxDeliveries] = [20, 100];
/** The CSS classes of the badges of deliveries. */
const marks = { open: "", retrying: "conflict", delivered: "added", failed: "removed" };
/** The interval between two reads while a delivery waits, in milliseconds. */
const refreshInterval = 2000;
/** The time before an attempt in which the table follows it, in milliseconds. */
const nearAttempt = 30_000;

/** @param {Context} context */
export async function open(context) {
    const { api, texts, workspace, signal } = context;
    const path = `${workspace.root}/hooks`;
    const list = h("div");
    const alerts = h("div", { class: "hook-alerts" });
    const lead = h("p", { class: "lead" }, texts.say("hooks.lead"));
    /** @type {Hook[]} */
    let hooks = [];

    const load = async () => {
        hooks = (await api.get(path, { signal })).document;
        draw();
    };
    const draw = () => {
        workspace.disabledHooks = disabled(hooks).length;
        workspace.dispatchEvent(new Event("hooks"));
        lead.hidden = creator.hidden = hooks.length === 0;
        fill(alerts, disabled(hooks).map(alert));
        if (hooks.length === 0)
            return fill(
                list,
                h(
                    "div",
                    { class: "empty stack" },
                    h("h2", {}, texts.say("hooks.none")),
                    h("p", {}, texts.say("hooks.none.hint")),
                    button(texts.say("hooks.create"), create, "primary", "add"),
                ),
            );
        const heads = ["hooks.label", "hooks.receiver", "hooks.events", "hooks.state", ""];
        fill(list, h("div", { class: "table-box" }, table(texts, "screen.hooks", heads, hooks.map(row))));
    };
    /** Creates the banner of a disabled hook. @param {Hook} hook */
    const alert = (hook) =>
        h(
            "div",
            { class: "hook-alert" },
            icon("alert"),
            h(
                "p",
                {},
                h("strong", {}, texts.parts("hooks.disabled", { label: hook.label })),
                " ",
                texts.say(`hooks.why.${hook.disabled_reason}`),
            ),
            button(texts.say("hooks.details"), () => openHook(hook)),
            button(texts.say("hooks.enable"), () => enable(hook), "primary"),
        );
    /** @param {Hook} hook */
    const enable = (hook) =>
        withFreshSignIn(context, async () => {
            await api.send("POST", `${path}/${hook.id}/enable`, { body: {} });
            context.notify(texts.say("hooks.enabled"));
            await load();
        });
    /** @param {Hook} hook */
    const row = (hook) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, userText(hook.label)),
            h("td", {}, h("code", {}, userText(hostOf(hook.url)))),
            h("td", {}, texts.say("hooks.events.count", { n: hook.types.length })),
            h("td", {}, stateMark(hook)),
            h(
                "td",
                { class: "row-actions" },
                h(
                    "button",
                    {
                        type: "button",
                        class: "quiet",
                        "aria-label": texts.say("hooks.open", { label: hook.label }),
                        onclick: () => openHook(hook),
                    },
                    texts.say("hooks.details"),
                    icon("right"),
                ),
            ),
        );
    /** @param {Hook} hook */
    const stateMark = ({ disabled_reason: reason }) =>
        h(
            "span",
            { class: `badge ${reason ? "removed" : "added"}` },
            texts.say(reason ? `hooks.is.${reason}` : "hooks.is.enabled"),
        );
    const create = () =>
        openHookForm(context, null, async (body) => {
            const { document } = await api.send("POST", path, { body });
            await load();
            reveal(document);
        });
    /** @param {Hook & { secret: string }} hook */
    const reveal = ({ label, secret }) =>
        revealSecret(context, {
            title: texts.say("hooks.secret.title"),
            lead: () => h("p", {}, texts.parts("hooks.secret.lead", { label: h("strong", {}, label) })),
            label: texts.say("hooks.secret"),
            secret,
        });

    /** Opens the dialog of one hook. @param {Hook} hook */
    const openHook = (hook) => {
        const one = `${path}/${hook.id}`;
        const deliveries = h("div", { class: "table-box" });
        /** Sends a step that needs a fresh sign-in. @param {string} step @param {string} said */
        const run = (step, said) =>
            withFreshSignIn(context, async () => {
                const { document } = await api.send("POST", `${one}/${step}`, { body: {} });
                context.notify(texts.say(said, { n: document.deliveries ?? 0 }));
                await Promise.all([load(), showDeliveries()]);
                return document;
            });
        let limit = pageSize;
        let shown = "";
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        let refresh;
        const showDeliveries = async () => {
            clearTimeout(refresh);
            /** @type {Delivery[]} */
            const found = (await api.get(`${one}/deliveries`, { query: { limit }, signal })).document;
            const isNear = (/** @type {string | null} */ time) => Date.parse(time ?? "") - texts.now() < nearAttempt;
            const isWaiting = found.some(({ state, next_attempt_at: next }) => state === "open" && isNear(next));
            if (isWaiting && dialog.element.open) refresh = setTimeout(renewDeliveries, refreshInterval);
            // Drawing again would take the focus from a button of the table.
            if (shown === JSON.stringify(found)) return;
            shown = JSON.stringify(found);
            if (found.length === 0) return fill(deliveries, emptyPlaceholder(texts.say("hooks.deliveries.none")));
            const heads = [
                "hooks.delivery.type",
                "hooks.delivery.state",
                "hooks.delivery.answer",
                "hooks.delivery.time",
                "",
            ];
            fill(
                deliveries,
                table(texts, "hooks.deliveries", heads, found.map(deliveryRow)),
                found.length === limit &&
                    limit < maxDeliveries &&
                    button(texts.say("more.show"), more, "quiet", "down"),
            );
        };
        const renewDeliveries = () => showDeliveries().catch((failure) => signal.aborted || context.showError(failure));
        const more = () => {
            limit = maxDeliveries;
            return renewDeliveries();
        };
        /** @param {Delivery} delivery */
        const deliveryRow = (delivery) => {
            const { id, type, state, attempts, created_at: time, next_attempt_at: next } = delivery;
            const mark = state === "open" && delivery.milliseconds !== null ? "retrying" : state;
            return h(
                "tr",
                {},
                h("th", { scope: "row" }, h("code", {}, type)),
                h(
                    "td",
                    {},
                    h("span", { class: `badge ${marks[mark]}` }, texts.say(`hooks.delivery.${mark}`)),
                    attempts > 1 && ` ${texts.say("hooks.delivery.attempts", { n: attempts })}`,
                    mark === "retrying" &&
                        next &&
                        h("small", {}, texts.parts("hooks.delivery.next", { time: timeMark(texts, next) })),
                ),
                h("td", {}, answerOf(delivery)),
                h("td", {}, timeMark(texts, time)),
                h(
                    "td",
                    { class: "row-actions" },
                    state !== "open" &&
                        !hook.disabled_reason &&
                        button(
                            texts.say("hooks.delivery.again"),
                            () => run(`deliveries/${id}/again`, "hooks.queued"),
                            "quiet small",
                        ),
                ),
            );
        };
        /** Returns the status and the duration of the last attempt. @param {Delivery} delivery */
        const answerOf = ({ status, milliseconds }) => {
            if (milliseconds === null) return "–";
            const duration = `${texts.number(milliseconds)} ms`;
            return status === null ? texts.say("hooks.delivery.unanswered", { duration }) : `${status}, ${duration}`;
        };
        const replay = () => {
            const since = h("input", { type: "number", min: 0, max: workspace.revision, value: workspace.revision });
            const send = () => run(`replay?since=${Number(since.value)}`, "hooks.queued");
            confirm(texts, {
                title: texts.say("hooks.replay"),
                body: field(texts.say("hooks.replay.since"), since, texts.say("hooks.replay.hint")),
                answers: [{ label: texts.say("hooks.replay"), kind: "primary", run: send }],
            });
        };
        const rotate = () =>
            withFreshSignIn(context, async () => {
                const { document } = await api.send("POST", `${one}/rotate`, { body: {} });
                dialog.close();
                reveal(document);
            });
        const edit = () => {
            dialog.close();
            openHookForm(context, hook, async (body) => {
                await api.send("PATCH", one, { body });
                context.notify(texts.say("hooks.saved"));
                await load();
            });
        };
        const remove = () =>
            confirm(texts, {
                title: texts.say("hooks.delete"),
                body: h("p", {}, texts.parts("hooks.delete.lead", { label: hook.label })),
                answers: [
                    {
                        label: texts.say("hooks.delete"),
                        kind: "danger",
                        run: () =>
                            withFreshSignIn(context, async () => {
                                await api.send("DELETE", one);
                                dialog.close();
                                context.notify(texts.say("hooks.deleted"));
                                await load();
                            }),
                    },
                ],
            });
        const dialog = openDialog(texts, {
            title: userText(hook.label),
            kind: "hook",
            body: [
                h("p", {}, h("code", {}, userText(hook.url))),
                h(
                    "p",
                    { class: "hint" },
                    texts.parts("hooks.by", { name: hook.created_by, time: timeMark(texts, hook.created_at) }),
                ),
                hook.disabled_reason &&
                    h(
                        "p",
                        { class: "warning" },
                        icon("alert"),
                        h("span", {}, texts.say(`hooks.why.${hook.disabled_reason}`)),
                    ),
                h(
                    "div",
                    { class: "actions" },
                    hook.disabled_reason
                        ? button(texts.say("hooks.enable"), () => enable(hook).then(dialog.close), "primary")
                        : button(texts.say("hooks.test"), () => run("test", "hooks.queued")),
                    !hook.disabled_reason && button(texts.say("hooks.replay.open"), replay),
                    button(texts.say("hooks.edit"), edit),
                    button(texts.say("hooks.rotate"), rotate),
                    button(texts.say("hooks.delete.open"), remove, "danger"),
                ),
                h("h3", {}, texts.say("hooks.deliveries")),
                deliveries,
            ],
            tool: curlButton(context, one),
            cancel: texts.say("close"),
            actions: [],
            onClose: () => clearTimeout(refresh),
        });
        renewDeliveries();
    };
    const creator = button(texts.say("hooks.create"), create, "primary", "add");
    context.keys.add({ keys: "n", label: "hooks.create", run: create, list }, signal);
    await load();
    return {
        element: h(
            "section",
            { class: "screen hooks" },
            heading(texts.say("screen.hooks"), curlButton(context, path), creator),
            lead,
            alerts,
            list,
        ),
    };
}
