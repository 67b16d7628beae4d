// The conflicts of a proposal: the value that others released, the proposed one, and a choice for each.

import { h } from "../../shared/dom.js";
import { valueDifference } from "../changes/difference.js";
import { keyLink } from "../controls/controls.js";
import { placeOf } from "../state/proposals.js";
import { partTitle } from "./proposal-words.js";

/** @typedef {"mine" | "theirs"} Side */

/**
 * @param {import("../frame.js").Context} context
 * @param {import("../state/proposals.js").Conflict[]} conflicts
 * @param {(keep: Record<string, Side>) => void} resolve
 */
export function conflictChoices({ texts, environment }, conflicts, resolve) {
    /** @type {Record<string, Side>} */
    const keep = {};
    const save = h("button", { type: "submit", class: "primary", disabled: true }, texts.say("proposal.rebase"));
    /** @param {import("../state/proposals.js").Conflict} conflict @param {number} index */
    const item = (conflict, index) => {
        const place = placeOf(conflict);
        /** @param {Side} side @param {string} value */
        const choice = (side, value) => {
            const onchange = () => {
                keep[place] = side;
                save.disabled = Object.keys(keep).length < conflicts.length;
            };
            const before = conflict.before === "null" ? null : conflict.before;
            return h(
                "div",
                { class: "conflict-side" },
                h(
                    "label",
                    { class: "tick" },
                    h("input", { type: "radio", name: `conflict-${index}`, onchange }),
                    h("strong", {}, texts.say(`proposal.${side}`)),
                ),
                value === "null" ? h("p", {}, texts.say("proposal.absent")) : valueDifference(texts, before, value),
            );
        };
        return h(
            "fieldset",
            {},
            h("legend", {}, keyLink(environment.name, conflict.key), " ", partTitle(texts, conflict.path)),
            choice("theirs", conflict.now),
            choice("mine", conflict.after),
        );
    };
    return h(
        "form",
        {
            class: "card-box contradiction",
            "aria-label": texts.say("proposal.conflicts"),
            onsubmit: (/** @type {Event} */ event) => {
                event.preventDefault();
                resolve(keep);
            },
        },
        h("h2", {}, texts.say("proposal.conflicts")),
        h("p", {}, texts.say("proposal.conflicts.lead")),
        conflicts.map(item),
        h("div", { class: "actions" }, save),
    );
}
