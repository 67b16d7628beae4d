// The screen of proposals: the list by what they wait for, and one proposal.

import { button, fill, h, userText } from "../../shared/dom.js";
import { curlButton, emptyPlaceholder, heading, table, timeMark } from "../controls/controls.js";
import { grouped } from "../state/proposals.js";
import { routeFragment } from "../state/route.js";
import { proposalView } from "./proposal.js";
import { marks } from "./proposal-words.js";
import { calendarView } from "./proposals-calendar.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/proposals.js").Proposal} Proposal */

/** The number of ended proposals that are read at once. */
const pageSize = 20;

/** @param {Context} context */
export async function open(context) {
    const { api, texts, environment, workspace, navigate, signal } = context;
    const path = `${workspace.root}/proposals`;
    const body = h("div", { class: "proposals-body" });
    const element = h("section", { class: "screen proposals" }, body);
    /** @type {Proposal[]} drafts and open ones */
    let pending = [];
    /** @type {Proposal[]} applied and closed ones, newest first */
    let over = [];
    let hasMore = true;
    /** The number of the open proposal, `calendar`, or empty for the list. */
    let number = "";
    /** @type {{ renew: (proposal: import("../state/proposals.js").ProposalDetail) => void } | null} */
    let opened = null;
    /** Increases with each request for what is shown, so that late answers are dropped. */
    let turn = 0;

    /** @param {Record<string, string | number | undefined>} query @returns {Promise<Proposal[]>} */
    const read = async (query) => (await api.get(path, { query, signal })).document;
    const readList = async () => {
        const lists = await Promise.all(["draft", "open"].map((state) => read({ state, limit: 100 })));
        pending = lists.flat();
    };
    const readOver = async () => {
        const before = over.at(-1)?.number;
        const lists = await Promise.all(["applied", "closed"].map((state) => read({ state, before, limit: pageSize })));
        hasMore = lists.some((list) => list.length === pageSize);
        // A page of one state may end before one of the other.
        over.push(
            ...lists
                .flat()
                .sort((one, other) => other.number - one.number)
                .slice(0, pageSize),
        );
    };
    const list = async () => {
        over = [];
        await Promise.all([readList(), readOver()]);
        if (!number) draw();
    };
    const draw = () => {
        const viewer = environment.session;
        const groups = grouped([...pending, ...over], viewer);
        fill(
            body,
            head(curlButton(context, path)),
            groups.length === 0 && h("div", { class: "empty stack" }, h("h2", {}, texts.say("proposals.none")), hint()),
            groups.map(([stage, found]) => {
                const title = `proposals.${stage}`;
                const heads = ["proposals.title", "proposals.by", "proposals.keys", "proposals.changed"];
                return h(
                    "section",
                    { class: "part" },
                    h("h2", {}, texts.say(title), " ", h("span", { class: "count" }, texts.number(found.length))),
                    h("div", { class: "table-box" }, table(texts, title, heads, found.map(row))),
                    stage === "over" && hasMore && button(texts.say("more.show"), more, "quiet", "down"),
                );
            }),
        );
    };
    /** Creates the heading of the list and of the calendar. @param {HTMLElement} tool */
    const head = (tool) => {
        /** @param {string} name @param {string} [one] */
        const view = (name, one) =>
            h(
                "a",
                { class: "button", href: address(one), "aria-current": one === (number || undefined) ? "page" : null },
                texts.say(`proposals.${name}`),
            );
        const views = { class: "proposal-views", "aria-label": texts.say("proposals.views") };
        return heading(
            texts.say("screen.proposals"),
            h("nav", views, view("list"), view("calendar", "calendar")),
            tool,
        );
    };
    const calendar = async () => {
        const { document } = await api.get(`${workspace.root}/calendar`, { signal });
        if (number === "calendar")
            fill(body, head(curlButton(context, `${workspace.root}/calendar`)), calendarView(context, document));
    };
    const hint = () => h("p", {}, texts.say("proposals.none.hint"));
    const more = () => readOver().then(draw, context.showError);
    /** @param {Proposal} proposal */
    const row = (proposal) => {
        const { keys } = proposal;
        return h(
            "tr",
            {},
            h(
                "th",
                { scope: "row" },
                h(
                    "span",
                    { class: "proposal-title" },
                    h(
                        "a",
                        { href: address(String(proposal.number)) },
                        h("span", { class: "faint" }, texts.say("proposal.number", { n: proposal.number })),
                        " ",
                        userText(proposal.title || texts.say("proposal.untitled")),
                    ),
                    marks(texts, proposal),
                ),
            ),
            h("td", {}, userText(proposal.author.name)),
            h("td", {}, keys.length === 1 ? h("code", {}, userText(keys[0])) : texts.number(keys.length)),
            h("td", {}, timeMark(texts, proposal.changed_at)),
        );
    };
    /** @param {string} [one] */
    const address = (one) =>
        routeFragment({ environment: environment.name, screen: "proposals", path: one ? [one] : [] });

    const detail = async () => {
        turn += 1;
        const now = turn;
        const { document } = await api.get(`${path}/${encodeURIComponent(number)}`, { signal });
        if (now !== turn) return;
        if (opened) return opened.renew(document);
        const view = proposalView(context, document, () => navigate(address()));
        opened = view;
        fill(body, view.element);
    };
    const load = () => (number === "calendar" ? calendar() : number ? detail() : list());
    const renew = () => load().catch((failure) => signal.aborted || context.showError(failure));
    /** @param {import("../state/route.js").Route} route */
    const show = async (route) => {
        const wanted = route.path[0] ?? "";
        if (wanted && wanted === number) return;
        turn += 1;
        number = wanted;
        opened = null;
        fill(body, h("p", { class: "empty", "aria-busy": "true" }, texts.say("loading")));
        try {
            await load();
        } catch (failure) {
            if (!signal.aborted) fill(body, emptyPlaceholder(context.messageOf(failure)));
        }
    };
    for (const event of ["proposal", "release", "open"]) workspace.addEventListener(event, renew, { signal });
    await show(context.route);
    return { element, show };
}
