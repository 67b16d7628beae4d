/** The dialog with the signed-in person's passkeys. */
import { confirm } from "../../shared/confirm.js";
import { openDialog } from "../../shared/dialog.js";
import { button, fill, h, userText } from "../../shared/dom.js";
import { errorMessage, timeMark, withFreshSignIn } from "../controls/controls.js";
import { CeremonyFailure, ceremonyMessage, createPasskey, hasPasskeys } from "./ceremonies.js";

/** @typedef {{ id: string, label: string, created_at: string, last_used_at: string | null }} Passkey */
/**
 * @typedef {Pick<import("../frame.js").Context, "api" | "texts" | "notify" | "showError" | "signInAgain">
 *     & { environment: string, isFresh: () => boolean }} Page
 */

/** @param {Page} page */
export async function openOwnPasskeys(page) {
    const { api, texts, environment, notify } = page;
    const root = `/${encodeURIComponent(environment)}/passkeys`;
    const list = h("ul", { class: "passkeys" });
    const reason = h("div", {});
    /** @type {Passkey[]} */
    let keys = [];
    const load = async () => {
        keys = (await api.get(root)).document;
        fill(list, keys.length > 0 ? keys.map(row) : h("li", { class: "hint" }, texts.say("passkeys.none")));
    };
    /** @param {Passkey} key */
    const row = (key) =>
        h(
            "li",
            {},
            h(
                "div",
                {},
                h("strong", {}, userText(key.label || texts.say("passkeys.unnamed"))),
                h(
                    "small",
                    {},
                    texts.parts("passkeys.times", {
                        created: timeMark(texts, key.created_at),
                        used: timeMark(texts, key.last_used_at, texts.say("never")),
                    }),
                ),
            ),
            button(texts.say("passkeys.remove"), () => remove(key), "danger"),
        );
    /** @param {Passkey} key */
    const remove = (key) => {
        const run = () =>
            withFreshSignIn(page, async () => {
                await api.send("DELETE", `${root}/${encodeURIComponent(key.id)}`);
                notify(texts.say("passkeys.removed"));
                await load();
            });
        confirm(texts, {
            title: texts.say("passkeys.remove.title"),
            body: h("p", {}, texts.say(keys.length > 1 ? "passkeys.remove.lead" : "passkeys.remove.last")),
            answers: [{ label: texts.say("passkeys.remove.title"), kind: "danger", run }],
        });
    };
    const create = () =>
        withFreshSignIn(page, async () => {
            fill(reason);
            try {
                const refused = await createPasskey(api, { environment });
                notify(
                    refused.length > 0
                        ? texts.say("passkeys.added.partly", { names: refused.join(", ") })
                        : texts.say("passkeys.added"),
                );
                await load();
            } catch (failure) {
                if (!(failure instanceof CeremonyFailure)) throw failure;
                fill(reason, errorMessage(ceremonyMessage(texts, failure), "alert"));
            }
        });
    // The browser must not create a passkey that the server then refuses.
    const add = () => (page.isFresh() ? create() : page.signInAgain(create));
    await load();
    openDialog(texts, {
        title: texts.say("passkeys.title"),
        body: [h("p", { class: "hint" }, texts.parts("passkeys.lead", { name: environment })), list, reason],
        actions: hasPasskeys() && button(texts.say("passkeys.add"), add, "primary", "key"),
        cancel: texts.say("close"),
    });
}
