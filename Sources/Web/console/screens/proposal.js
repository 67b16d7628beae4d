// The screen of a proposal: impact, edits, conflicts, reviews, and the steps that the viewer may take.

import { Problem } from "../../shared/api.js";
import { confirm } from "../../shared/confirm.js";
import { button, fill, h, icon, userText } from "../../shared/dom.js";
import { valueDifference } from "../changes/difference.js";
import { forecastView } from "../changes/forecast.js";
import {
    curlButton,
    errorMessage,
    field,
    keyLink,
    notifyRelease,
    timeMark,
    withFreshSignIn,
} from "../controls/controls.js";
import { editsByKey, isContributor, isOwn, isWorthShowing, mayReview, verdictOf } from "../state/proposals.js";
import { mayPropose, mayWrite } from "../state/scopes.js";
import { conflictChoices } from "./proposal-conflicts.js";
import { bodyOf, openEdit } from "./proposal-edit.js";
import { openSchedule } from "./proposal-schedule.js";
import { standingLines } from "./proposal-standing.js";
import { mark, marks, partTitle } from "./proposal-words.js";

/** @typedef {import("../frame.js").Context} Context */
/** @typedef {import("../state/proposals.js").ProposalDetail} Proposal */
/** @typedef {import("../state/proposals.js").Edit} Edit */
/** @typedef {import("../state/proposals.js").Review} Review */

/**
 * @param {Context} context
 * @param {Proposal} first
 * @param {() => void} leave opens the list
 */
export function proposalView(context, first, leave) {
    const { api, texts, environment, workspace } = context;
    const viewer = environment.session;
    const path = `${workspace.root}/proposals/${first.number}`;
    const element = h("article", { class: "proposal", "aria-labelledby": "proposal-title" });
    const message = h("textarea", { rows: 3, maxlength: 2000, dir: "auto" });
    let proposal = first;
    /** The error of a step, and that of a review. */
    const [problem, reviewProblem] = [h("div", { role: "alert" }), h("div", { role: "alert" })];

    /**
     * Sends a step and shows the proposal after it.
     * @param {string} method @param {string} step @param {any} body @param {string | number} [ifMatch]
     */
    const send = async (method, step, body, ifMatch, place = problem) => {
        fill(place);
        try {
            const question = { body, ifMatch: ifMatch === undefined ? undefined : String(ifMatch) };
            const { document } = await api.send(method, path + step, question);
            if (document?.number) renew(document);
            return document;
        } catch (failure) {
            if (failure instanceof Problem && failure.status === 412) {
                renew((await api.get(path)).document);
                fill(place, errorMessage(texts.say("proposal.moved")));
            } else fill(place, errorMessage(userText(context.messageOf(failure))));
            return null;
        }
    };
    /** @param {string} name `submit`, `recall` or `withdraw` */
    const step = (name) => send("POST", `/${name}`, undefined, proposal.version);
    /** @param {Review["verdict"]} verdict */
    const review = async (verdict) => {
        const text = message.value.trim();
        if (verdict !== "approve" && !text) {
            fill(reviewProblem, errorMessage(texts.say(`proposal.${verdict}.why`)));
            return message.focus();
        }
        const effect = verdict === "comment" ? undefined : (proposal.effect ?? "");
        const body = { verdict, message: text };
        if (await send("POST", "/reviews", body, effect, reviewProblem)) message.value = "";
    };
    const apply = async (/** @type {Record<string, boolean>} */ query, /** @type {string | undefined} */ reason) => {
        fill(problem);
        const body = reason === undefined ? undefined : { reason };
        const question = { query, ifMatch: proposal.effect ?? "", body };
        const { document } = await api.send("POST", `${path}/apply`, question);
        if (document.version && document.revision) {
            notifyRelease(
                context,
                texts.say("plan.done", { version: document.version, environment: environment.name }),
                document.revision,
            );
        }
        renew((await api.get(path)).document);
    };
    const release = () => {
        const version = proposal.forecast?.version ?? "…";
        const run = () =>
            apply({}, undefined).catch((failure) => {
                fill(problem, errorMessage(userText(context.messageOf(failure))));
            });
        confirm(texts, {
            title: texts.say("proposal.release.title", { version, environment: environment.name }),
            body: h("p", {}, texts.say("proposal.release.lead", { n: editsByKey(proposal.edits).length })),
            tool: curlButton(context, () => ({
                method: "POST",
                path: `${path}/apply`,
                headers: { "If-Match": `"${proposal.effect}"` },
            })),
            answers: [{ label: texts.say("review.save.as", { version }), kind: "primary", run }],
        });
    };
    const bypass = () => {
        const reason = h("input", { maxlength: 500, required: true, dir: "auto", autocomplete: "off" });
        confirm(texts, {
            title: texts.say("proposal.bypass"),
            body: [h("p", {}, texts.say("proposal.bypass.lead")), field(texts.say("proposal.bypass.reason"), reason)],
            answers: [
                {
                    label: texts.say("proposal.bypass.go"),
                    kind: "danger",
                    run: () => withFreshSignIn(context, () => apply({ bypass: true }, reason.value.trim())),
                },
            ],
        });
    };

    const draw = () => {
        const { number, title, state, author, created_at: created, round } = proposal;
        const isUnapproved = state === "open" && !proposal.approved && !proposal.changes_requested;
        fill(
            element,
            h(
                "header",
                {},
                h("nav", { class: "aside-bar" }, button(texts.say("proposals.all"), leave, "quiet", "back")),
                h(
                    "h1",
                    { id: "proposal-title", tabindex: "-1" },
                    userText(title || texts.say("proposal.untitled")),
                    " ",
                    h("span", { class: "count" }, texts.say("proposal.number", { n: number })),
                ),
                h(
                    "p",
                    { class: "proposal-lead" },
                    isUnapproved && mark(texts, "patch", "open"),
                    marks(texts, proposal),
                    h(
                        "span",
                        { class: "faint" },
                        texts.parts("proposal.lead", { name: author.name, time: timeMark(texts, created) }),
                        round > 1 && ` · ${texts.say("proposal.round", { n: round })}`,
                    ),
                ),
                proposal.message &&
                    proposal.message !== title &&
                    h("p", { class: "message" }, userText(proposal.message)),
            ),
            h(
                "section",
                { class: "card-box proposal-standing", "aria-label": texts.say("proposal.standing") },
                h("ul", {}, standingLines(context, proposal)),
                problem,
                h("div", { class: "actions" }, steps(), curlButton(context, path)),
            ),
            h(
                "div",
                { class: "proposal-body" },
                proposal.conflicts.length > 0 && conflictChoices(context, proposal.conflicts, rebase),
                state !== "applied" &&
                    proposal.forecast &&
                    h(
                        "section",
                        { class: "outlook", "aria-label": texts.say("forecast") },
                        forecastView(texts, proposal.forecast),
                    ),
                changes(),
                proposal.reviews.length > 0 && discussion(),
            ),
            reviewForm(),
        );
    };
    const steps = () => {
        const { state, approved, conflicted, blocked, edits } = proposal;
        if (!mayPropose(viewer.scopes) || (state !== "draft" && state !== "open")) return [];
        const writes = edits.every(({ key }) => mayWrite(viewer.scopes, key));
        const isReady = state === "open" && approved && !conflicted && !blocked;
        return [
            state === "draft" && button(texts.say("proposal.submit"), () => step("submit"), "primary"),
            isReady && writes && button(texts.say("proposal.release"), release, proposal.apply_at ? "" : "primary"),
            writes && button(texts.say("proposal.schedule"), () => openSchedule(context, proposal, change), ""),
            state === "open" && button(texts.say("proposal.recall"), () => step("recall"), ""),
            button(texts.say("proposal.withdraw"), () => step("withdraw"), ""),
            state === "open" &&
                !approved &&
                writes &&
                viewer.scopes.includes("config:bypass") &&
                button(texts.say("proposal.bypass.open"), bypass, "danger"),
        ];
    };
    /** @param {object} members */
    const change = (members) => send("PATCH", "", members, proposal.version);
    /** @param {Record<string, "mine" | "theirs">} keep */
    const rebase = (keep) => send("POST", "/rebase", { keep });
    const changes = () =>
        h(
            "section",
            { class: "part" },
            h("h2", {}, texts.say("draft.count", { n: editsByKey(proposal.edits).length })),
            h(
                "ul",
                { class: "change-list" },
                editsByKey(proposal.edits).map(([key, edits]) =>
                    h(
                        "li",
                        {},
                        h("div", { class: "change-head" }, keyLink(environment.name, key)),
                        edits.filter(isWorthShowing).map(part),
                    ),
                ),
            ),
        );
    /** @param {Edit} edit */
    const part = (edit) => {
        const { path: place, before, after, author } = edit;
        const isPending = proposal.state === "draft" || proposal.state === "open";
        const open = () =>
            openEdit(context, edit, (value) =>
                send("PATCH", "", bodyOf(proposal.edits, edit, value), proposal.version),
            );
        return [
            h(
                "div",
                { class: "label-row" },
                h("h3", {}, partTitle(texts, place)),
                author.name !== proposal.author.name && h("small", { class: "faint" }, userText(author.name)),
                h("span", { class: "space" }),
                isPending && mayPropose(viewer.scopes) && button(texts.say("proposal.edit"), open, "quiet small"),
            ),
            after === "null"
                ? h("p", {}, texts.say("proposal.removed"))
                : valueDifference(texts, before === "null" ? null : before, after),
        ];
    };
    const discussion = () =>
        h(
            "section",
            { class: "part" },
            h("h2", {}, texts.say("proposal.discussion")),
            h("ol", { class: "reviews" }, proposal.reviews.map(entry)),
        );
    const reviewForm = () => {
        if (proposal.state !== "open" && proposal.state !== "draft") return null;
        const isReviewer = mayReview(proposal, viewer);
        const isApprover = viewer.scopes.some((scope) => scope.startsWith("config:approve"));
        const hasApproved = verdictOf(proposal, viewer)?.verdict === "approve";
        return h(
            "section",
            { class: "card-box proposal-review", "aria-label": texts.say("proposal.your-review") },
            field(texts.say("proposal.comment.field"), message),
            reviewProblem,
            isApprover && isContributor(proposal, viewer) && h("p", { class: "hint" }, texts.say("proposal.own")),
            h(
                "div",
                { class: "actions" },
                button(texts.say("proposal.comment"), () => review("comment"), ""),
                isReviewer && button(texts.say("proposal.reject"), () => review("reject"), "danger"),
                isReviewer &&
                    !hasApproved &&
                    button(texts.say("proposal.approve"), () => review("approve"), "primary", "check"),
            ),
        );
    };
    /** @param {Review} one */
    const entry = (one) => {
        const {
            id,
            verdict,
            message: words,
            reviewer,
            counts,
            round,
            reviewed_at: time,
            withdrawn_at: withdrawn,
        } = one;
        const isVerdict = verdict !== "comment";
        // Nothing counts once the proposal is over, but the verdicts of its last round are not outdated.
        const isOver = proposal.state === "applied" || proposal.state === "closed";
        const isPast = isVerdict && !counts && !(isOver && !withdrawn && round === proposal.round);
        return h(
            "li",
            { class: `review ${verdict} ${isPast ? "past" : ""}` },
            h(
                "p",
                {},
                isVerdict && icon(verdict === "approve" ? "check" : "close"),
                texts.parts(`proposal.by.${verdict}`, { name: reviewer.name, time: timeMark(texts, time) }),
                isPast &&
                    h(
                        "span",
                        { class: "badge" },
                        texts.say(withdrawn && round === proposal.round ? "proposal.withdrawn" : "proposal.outdated"),
                    ),
            ),
            words && h("p", { class: "message" }, userText(words)),
            isOwn(one, viewer) &&
                proposal.state === "open" &&
                button(
                    texts.say("proposal.review.withdraw"),
                    () => send("DELETE", `/reviews/${id}`, undefined),
                    "quiet small",
                ),
        );
    };
    /** @param {Proposal} next */
    const renew = (next) => {
        proposal = next;
        const focused = element.contains(document.activeElement) ? document.activeElement : null;
        draw();
        if (!focused || focused === document.activeElement) return;
        // The page has new elements, so the focus moves to the same field or button, or to the title without it.
        const buttons = [message, ...element.querySelectorAll("button")];
        const { tagName, textContent } = focused;
        const same = buttons.find((one) => one.tagName === tagName && one.textContent === textContent);
        (same ?? /** @type {HTMLElement} */ (element.querySelector("h1"))).focus({ preventScroll: true });
    };
    draw();
    return { element, renew };
}
