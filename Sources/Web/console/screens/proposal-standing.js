// The standing of a proposal: what it has, and what its release waits for.

import { h, icon, userText } from "../../shared/dom.js";
import { releaseFragment } from "../controls/controls.js";
import { localTime, namesOf } from "../state/proposals.js";
import { routeFragment } from "../state/route.js";
import { scheduled } from "./proposal-words.js";

/** @typedef {import("../../shared/dom.js").Children} Children */

/** The icons of the tones. */
const signs = /** @type {const} */ ({ good: "check", bad: "close", wait: "clock" });

/**
 * Creates a line for each thing that the release has or waits for.
 * @param {import("../frame.js").Context} context
 * @param {import("../state/proposals.js").ProposalDetail} proposal
 */
export function standingLines(context, proposal) {
    const { texts } = context;
    /** @param {keyof typeof signs} tone @param {Children} words @param {...Children} hints */
    const line = (tone, words, ...hints) =>
        h(
            "li",
            { class: tone },
            icon(signs[tone]),
            h(
                "span",
                {},
                h("span", {}, words),
                hints.map((hint) => hint && h("small", { class: "hint" }, hint)),
            ),
        );
    const { state, applied_revision: revision, approved, conflicts, failure } = proposal;
    if (state === "applied") {
        if (revision === null) return [line("good", texts.say("proposal.same"))];
        const text = texts.say("release.revision", { n: revision });
        const link = h("a", { href: releaseFragment(context.environment.name, revision) }, text);
        return [line("good", texts.parts("proposal.released", { link }))];
    }
    if (state === "closed") return [];
    const [approvers, rejecters] = [namesOf(proposal, "approve"), namesOf(proposal, "reject")];
    return [
        failure && [
            line("bad", texts.say(`proposal.failure.${failure.reason}`), ...(failure.faults ?? []).map(userText)),
        ],
        state === "draft" && line("wait", texts.say("proposal.not-submitted")),
        rejecters && line("bad", texts.parts("proposal.rejected", { names: rejecters })),
        conflicts.length > 0 && line("bad", texts.say("proposal.conflicted", { n: conflicts.length })),
        approvers && line("good", texts.parts("proposal.approved", { names: approvers })),
        approved && !approvers && line("good", texts.say("proposal.no-approval-needed")),
        unmetLines(context, proposal, line),
        predecessorLine(context, proposal, line),
        proposal.apply_at && line("wait", ...time(context, proposal)),
    ];
}

/** @typedef {(tone: keyof typeof signs, words: Children, ...hints: Children[]) => HTMLElement} Line */

/**
 * @param {import("../frame.js").Context} context
 * @param {import("../state/proposals.js").ProposalDetail} proposal
 * @param {Line} line
 */
function unmetLines({ texts }, { unmet, may_approve: people }, line) {
    const names = [...new Set(people.map(({ name }) => name))].join(", ");
    return unmet.map(({ keys, required, has }, at) =>
        line(
            "wait",
            texts.parts("proposal.unmet", { n: required - has, keys: keys.slice(0, 5).join(", ") }),
            at === unmet.length - 1 &&
                (names ? texts.parts("proposal.approvers", { names }) : texts.say("proposal.approvers.none")),
        ),
    );
}

/**
 * @param {import("../frame.js").Context} context
 * @param {import("../state/proposals.js").ProposalDetail} proposal
 * @param {Line} line
 */
function predecessorLine({ texts, environment }, { blocked, after_proposal: number }, line) {
    if (!blocked || !number) return null;
    const path = [String(number)];
    const href = routeFragment({ environment: environment.name, screen: "proposals", path });
    const link = h("a", { href }, texts.say("proposal.number", { n: number }));
    return line("wait", texts.parts("proposal.blocked.before", { link }));
}

/**
 * Returns the time of the release in the author's zone, then relative to now, and in the viewer's zone if it differs.
 * @param {import("../frame.js").Context} context
 * @param {import("../state/proposals.js").ProposalDetail} proposal
 * @returns {[Children, ...Children[]]}
 */
function time({ texts }, proposal) {
    const { apply_at: instant, zone } = proposal;
    if (!instant || !zone) return [null];
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const isElsewhere = localTime(instant, zone) !== localTime(instant, here);
    return [
        texts.parts("proposal.at", { time: h("time", { datetime: instant }, scheduled(texts, proposal)), zone }),
        texts.relative(instant),
        isElsewhere && texts.say("proposal.at.here", { time: scheduled(texts, { apply_at: instant, zone: here }) }),
    ];
}
