// The badges of a proposal, and the names of the parts of an entry.

import { h, icon, userText } from "../../shared/dom.js";
import { partOf } from "../state/proposals.js";

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string} kind a CSS class of badges
 * @param {string} word
 */
export const mark = (texts, kind, word) => h("span", { class: `badge ${kind}` }, texts.say(`proposal.is.${word}`));

/**
 * Creates badges for what a proposal's title does not tell.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {import("../state/proposals.js").Proposal} proposal
 */
export function marks(texts, proposal) {
    const { state, closed_as: end, approved, conflicted, changes_requested: isRejected } = proposal;
    return h(
        "span",
        { class: "proposal-marks" },
        state === "applied" && mark(texts, "added", "applied"),
        state === "closed" && mark(texts, "", end ?? "closed"),
        state === "draft" && mark(texts, "", "draft"),
        state === "open" && approved && !isRejected && mark(texts, "added", "approved"),
        state === "open" && isRejected && mark(texts, "removed", "rejected"),
        conflicted && mark(texts, "conflict", "conflicted"),
        proposal.failed && state === "open" && !proposal.scheduled && mark(texts, "removed", "failed"),
        state === "open" &&
            proposal.apply_at &&
            h("span", { class: "badge" }, icon("clock"), scheduled(texts, { apply_at: proposal.apply_at, zone: null })),
    );
}

/**
 * Names a part of an entry.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {string} path
 */
export function partTitle(texts, path) {
    const { kind, name } = partOf(path);
    return texts.parts(`proposal.part.${kind}`, { name: h("code", {}, userText(name)) });
}

/**
 * Returns the time of a proposal's release in its zone, or in the viewer's if it has none.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {Pick<import("../state/proposals.js").Proposal, "apply_at" | "zone">} proposal
 */
export function scheduled(texts, { apply_at: time, zone }) {
    const form = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });
    return new Intl.DateTimeFormat(texts.locale, { ...form, timeZone: zone ?? undefined }).format(new Date(time ?? 0));
}
