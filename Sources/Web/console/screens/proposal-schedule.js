// The dialog for the time of a proposal's release.

import { openDialog } from "../../shared/dialog.js";
import { button, fill, h } from "../../shared/dom.js";
import { errorMessage, field } from "../controls/controls.js";
import { localTime, withOffset } from "../state/proposals.js";

/**
 * @param {import("../frame.js").Context} context
 * @param {import("../state/proposals.js").Proposal} proposal
 * @param {(members: object) => Promise<any>} change sends the changed members
 */
export function openSchedule({ texts }, proposal, change) {
    const zone = proposal.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    const time = h("input", {
        type: "datetime-local",
        step: "any",
        required: true,
        value: proposal.apply_at ? localTime(proposal.apply_at, zone) : "",
    });
    const problem = h("div", { role: "alert" });
    /** @param {SubmitEvent} event */
    const submit = (event) => {
        event.preventDefault();
        if (!time.value) return;
        const at = withOffset(time.value, zone);
        if (Date.parse(at) <= Date.now()) return fill(problem, errorMessage(texts.say("proposal.schedule.past")));
        dialog.close();
        change({ apply_at: at, zone });
    };
    const remove = () => {
        dialog.close();
        change({ apply_at: null });
    };
    const form = h(
        "form",
        { id: "schedule-form", onsubmit: submit },
        field(texts.say("proposal.schedule.time"), time, texts.say("proposal.schedule.zone", { zone })),
        problem,
        h("p", { class: "hint" }, texts.say("proposal.schedule.hint")),
    );
    const dialog = openDialog(texts, {
        title: texts.say("proposal.schedule.title"),
        body: form,
        tool: proposal.apply_at ? button(texts.say("proposal.schedule.remove"), remove, "danger") : null,
        actions: h("button", { type: "submit", class: "primary", form: form.id }, texts.say("proposal.schedule.set")),
    });
    time.focus();
}
