/** Proposals: future releases, their edits and reviews, and what each of them waits for. */

import { samePerson } from "./people.js";
import { covers } from "./scopes.js";

/** @typedef {{ issuer: string | null, subject: string | null, name: string }} ReviewPerson */
/**
 * A change of one part of an entry; the values are JSON texts, `null` if there is no such part.
 * @typedef {{ key: string, path: string, before: string, after: string, author: ReviewPerson, round: number }} Edit
 * @typedef {{ key: string, path: string, before: string, after: string, now: string }} Conflict
 */
/**
 * @typedef {object} Review
 * @property {number} id
 * @property {"approve" | "reject" | "comment"} verdict
 * @property {string} message
 * @property {ReviewPerson} reviewer
 * @property {boolean} counts true if the verdict is about the release as it is now
 * @property {number} round the round in which it was given
 * @property {string} reviewed_at
 * @property {string | null} withdrawn_at
 */
/**
 * @typedef {object} Proposal an element of `GET /proposals`
 * @property {number} number
 * @property {string} title
 * @property {"draft" | "open" | "applied" | "closed"} state
 * @property {string | null} closed_as
 * @property {number} version
 * @property {number} round
 * @property {ReviewPerson} author
 * @property {string[]} keys
 * @property {ReviewPerson[]} contributors the people with an edit in the proposal
 * @property {ReviewPerson[]} reviewed_by the people whose verdict counts now
 * @property {boolean} failed true if the release was not made at its time
 * @property {string | null} apply_at
 * @property {string | null} zone
 * @property {number | null} after_proposal
 * @property {number | null} applied_revision
 * @property {string} created_at
 * @property {string} changed_at
 * @property {boolean} approved
 * @property {boolean} conflicted
 * @property {boolean} changes_requested
 * @property {boolean} scheduled
 */
/**
 * @typedef {object} Details more members, in `GET /proposals/{number}`
 * @property {string} message
 * @property {string | null} effect null if the proposal is not pending
 * @property {Edit[]} edits
 * @property {Review[]} reviews
 * @property {{ keys: string[], required: number, has: number }[]} unmet
 * @property {ReviewPerson[]} may_approve
 * @property {Conflict[]} conflicts
 * @property {{ reason: string, at?: string, conflicts?: Conflict[], faults?: string[] } | null} failure
 * @property {boolean} blocked
 * @property {any} forecast
 * @typedef {Proposal & Details} ProposalDetail
 */

/** The stages of proposals, in the order of the list: what each waits for. */
export const stages = /** @type {const} */ (["review", "changes", "ready", "others", "scheduled", "draft", "over"]);
/** @typedef {(typeof stages)[number]} Stage */

/** @typedef {{ scopes: readonly string[], person?: import("./people.js").Identity | null }} Viewer */

/**
 * Returns true if the viewer may approve or reject: a person who contributed no edit, with the scope for a changed key.
 * @param {Pick<Proposal, "state" | "keys" | "contributors">} proposal
 * @param {Viewer} viewer
 */
export function mayReview(proposal, viewer) {
    if (proposal.state !== "open" || !viewer.person || isContributor(proposal, viewer)) return false;
    return proposal.keys.some((key) => covers(viewer.scopes, "config:approve", key));
}

/** @param {ReviewPerson} author @param {Viewer["person"]} person */
const isPerson = ({ issuer, subject }, person) =>
    issuer !== null && subject !== null && samePerson({ issuer, subject }, person);

/** The viewer's verdict that counts now. @param {Pick<ProposalDetail, "reviews">} proposal @param {Viewer} viewer */
export const verdictOf = ({ reviews }, { person }) =>
    reviews.find(({ counts, verdict, reviewer }) => counts && verdict !== "comment" && isPerson(reviewer, person));

/**
 * Returns the names of the people whose verdict counts now.
 * @param {Pick<ProposalDetail, "reviews">} proposal
 * @param {Review["verdict"]} wanted
 */
export const namesOf = ({ reviews }, wanted) =>
    reviews
        .filter(({ counts, verdict }) => counts && verdict === wanted)
        .map(({ reviewer }) => reviewer.name)
        .join(", ");

/** Returns true if the viewer contributed an edit. @param {Pick<Proposal, "contributors">} proposal @param {Viewer} viewer */
export const isContributor = ({ contributors }, { person }) => contributors.some((one) => isPerson(one, person));

/**
 * Returns true if the review is the viewer's own and can be withdrawn.
 * @param {Review} review
 * @param {Viewer} viewer
 */
export const isOwn = ({ reviewer, verdict, withdrawn_at: withdrawn }, { person }) =>
    !withdrawn && verdict !== "comment" && isPerson(reviewer, person);

/**
 * Returns what a proposal waits for.
 * @param {Proposal} proposal
 * @param {Viewer} viewer
 * @returns {Stage}
 */
export function stageOf(proposal, viewer) {
    const { state, approved, conflicted, changes_requested: isRejected, failed, scheduled } = proposal;
    if (state === "draft") return "draft";
    if (state !== "open") return "over";
    if (conflicted || isRejected || (failed && !scheduled)) return "changes";
    if (approved) return scheduled ? "scheduled" : "ready";
    const hasReviewed = proposal.reviewed_by.some((one) => isPerson(one, viewer.person));
    return mayReview(proposal, viewer) && !hasReviewed ? "review" : "others";
}

/**
 * Groups proposals by what they wait for, without empty groups.
 * @param {Proposal[]} proposals
 * @param {Viewer} viewer
 * @returns {[Stage, Proposal[]][]}
 */
export function grouped(proposals, viewer) {
    const groups = /** @type {[Stage, Proposal[]][]} */ (stages.map((stage) => [stage, []]));
    const byStage = new Map(groups);
    for (const proposal of proposals) byStage.get(stageOf(proposal, viewer))?.push(proposal);
    return groups.filter(([, found]) => found.length > 0);
}

/**
 * Groups the edits by key, in the order of the keys.
 * @param {Edit[]} edits
 * @returns {[string, Edit[]][]}
 */
export function editsByKey(edits) {
    /** @type {Map<string, Edit[]>} */
    const byKey = new Map();
    for (const edit of edits) {
        const others = byKey.get(edit.key);
        if (others) others.push(edit);
        else byKey.set(edit.key, [edit]);
    }
    return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Returns false for the empty description and the usual kind of a new entry. @param {Edit} edit */
export const isWorthShowing = ({ path, before, after }) =>
    before !== "null" || !((path === "description" && after === '""') || (path === "kind" && after === '"value"'));

/** A part of an entry: a kind, and its name if the entry has several of them. */
const partNames = /** @type {const} */ ({ variants: "variant", metadata: "metadata", $evaluators: "audience" });

/**
 * Returns the kind of a part and its name, which is unescaped as in RFC 6901.
 * @param {string} path
 */
export function partOf(path) {
    const [first, ...rest] = path.split("/");
    const name = rest.join("/").replaceAll("~1", "/").replaceAll("~0", "~");
    return { kind: partNames[/** @type {keyof typeof partNames} */ (first)] ?? (first || "value"), name };
}

/** @param {{ key: string, path: string }} place */
export const placeOf = ({ key, path }) => `${key}/${path}`;

/**
 * Returns a time that a person chose, with the offset of a zone: `2026-12-01T09:00:00+01:00`. A time that the clocks
 * skip becomes the one an hour later; of one that they show twice, the earlier is returned.
 * @param {string} local `2026-12-01T09:00`, the value of a field
 * @param {string} zone such as `Europe/Berlin`
 */
export function withOffset(local, zone) {
    const wall = Date.parse(`${local}Z`);
    // The offset before the time itself is known: the one that gives this wall time, the larger first.
    const offsets = [...new Set([wall - day, wall + day].map((time) => offsetAt(time, zone)))].sort((a, b) => b - a);
    const offset = offsets.find((one) => offsetAt(wall - one * minute, zone) === one) ?? offsets[offsets.length - 1];
    const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
    const digits = [hours, minutes].map((part) => String(part).padStart(2, "0")).join(":");
    return `${new Date(wall).toISOString().slice(0, 19)}${offset < 0 ? "-" : "+"}${digits}`;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** Returns the offset of a zone at a time, in minutes. @param {number} time @param {string} zone */
function offsetAt(time, zone) {
    const form = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    const name = form.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const match = /^GMT([+-])(\d\d):(\d\d)/.exec(name);
    return match ? (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) : 0;
}

/**
 * Returns the text of a field for a time, in a zone: `2026-12-01T09:00`.
 * @param {string} time
 * @param {string} zone
 */
export function localTime(time, zone) {
    const instant = Date.parse(time);
    return new Date(instant + offsetAt(instant, zone) * minute).toISOString().slice(0, 16);
}
