/** The page of an invitation, and the offer of a second passkey after it. */
import { button, fill, h, icon, userText } from "../../shared/dom.js";
import { errorMessage } from "../controls/controls.js";
import { personName } from "../state/people.js";
import { call, ceremonyMessage, createPasskey, hasPasskeys, signInByPasskey } from "./ceremonies.js";

/**
 * @typedef {object} InvitationPage
 * @property {import("../../shared/api.js").API} api
 * @property {import("../../shared/texts.js").Texts} texts
 * @property {string} environment
 * @property {import("../../shared/page-frame.js").Session | null} session the present session
 * @property {string} secret empty after a reload, because the address no longer has it
 * @property {() => Promise<void>} accepted renews the frame after the sign-in
 * @property {() => void} leave opens the environment
 */

/** @param {InvitationPage} page */
export async function invitationView(page) {
    const { texts } = page;
    const element = h("section", { class: "sign-in invitation" });
    const problem = !page.secret ? "gone" : hasPasskeys() ? "" : "unsupported";
    if (problem) fill(element, refusal(page, texts.say(`invitation.${problem}`)));
    else await showInvitation(page, element);
    return element;
}

/**
 * @param {InvitationPage} page
 * @param {string} text
 */
const refusal = ({ texts, leave }, text) => [
    h("h1", {}, texts.say("invitation.refused")),
    errorMessage(text, "alert"),
    h("div", { class: "actions" }, button(texts.say("sign-in.button"), leave)),
];

/**
 * @param {InvitationPage} page
 * @param {HTMLElement} element
 */
async function showInvitation(page, element) {
    const { api, texts, environment, secret, session } = page;
    const invitation = { environment, secret };
    const reason = h("p", { class: "error", role: "alert" });
    /** @type {HTMLButtonElement[]} */
    let buttons = [];
    /**
     * Runs a ceremony; the invitation stays valid if it fails.
     * @param {() => Promise<unknown>} run
     * @param {() => void} then
     */
    const accept = async (run, then) => {
        for (const one of buttons) one.disabled = true;
        fill(reason);
        try {
            await run();
            await page.accepted();
            then();
        } catch (failure) {
            fill(reason, icon("alert"), h("span", {}, ceremonyMessage(texts, failure)));
        } finally {
            for (const one of buttons) one.disabled = false;
        }
    };
    const create = () =>
        accept(
            () => createPasskey(api, { invitation }),
            () => offerAnother(page, element),
        );
    const use = () => accept(() => signInByPasskey(api, invitation), page.leave);
    try {
        const { name, role, created_by: by } = (await call(api, "challenge", { invitation })).invitation;
        buttons = [
            button(texts.say("passkey.create"), create, "primary", "key"),
            button(texts.say("invitation.use"), use),
        ];
        fill(
            element,
            h(
                "h1",
                {},
                texts.parts("invitation.title", { name: h("span", { class: "environment-name" }, environment) }),
            ),
            h(
                "p",
                {},
                texts.parts("invitation.lead", {
                    by,
                    name: h("strong", {}, userText(name)),
                    role: texts.say(`role.${role}`),
                }),
            ),
            h("p", { class: "hint" }, texts.say(`role.${role}.hint`)),
            session && h("p", { class: "hint" }, texts.parts("sign-in.replaces", { name: personName(session) })),
            reason,
            h("div", { class: "actions" }, buttons),
            h("p", { class: "hint" }, texts.say("passkey.lead")),
        );
    } catch (failure) {
        fill(element, refusal(page, ceremonyMessage(texts, failure)));
    }
}

/**
 * Offers a second passkey, because a person with one key loses access with the device.
 * @param {InvitationPage} page
 * @param {HTMLElement} element
 */
function offerAnother({ api, texts, environment, leave }, element) {
    const reason = h("p", { class: "error", role: "alert" });
    const add = button(
        texts.say("passkeys.add"),
        async () => {
            add.disabled = true;
            try {
                await createPasskey(api, { environment });
                leave();
            } catch (failure) {
                fill(reason, icon("alert"), h("span", {}, ceremonyMessage(texts, failure)));
            } finally {
                add.disabled = false;
            }
        },
        "primary",
        "key",
    );
    const title = h("h1", { tabindex: "-1" }, texts.parts("invitation.done", { name: environment }));
    fill(
        element,
        title,
        h("p", {}, texts.say("invitation.another")),
        reason,
        h("div", { class: "actions" }, add, button(texts.say("invitation.later"), leave)),
        h("p", { class: "hint" }, texts.say("invitation.another.hint")),
    );
    title.focus();
}
