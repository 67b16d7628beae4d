/** Offers to copy the files of a text that was copied in another account's page. */

import { markOf } from "../account/accounts.js";
import { copyFiles, missingHere, OtherAttachments } from "../attachments/copying.js";
import { attachmentsIn } from "../attachments/references.js";

/** @import { Account } from "../account/accounts.js" */
/** @import { PastedReferences } from "../attachments/copying.js" */
/** @import { Context } from "../frame.js" */

/**
 * Returns the account that a copied text is from, or null unless its user is signed in to this browser.
 * @param {string} mark the clipboard's mark, which any page can write
 * @param {Account[]} accounts the accounts of this device
 */
export const sourceOf = (mark, accounts) =>
    accounts.find(({ environment, name, left }) => !left && markOf(environment, name) === mark) ?? null;

/**
 * Shows a notice if the other account has files of the text that this account lacks. Its button copies them.
 * @param {Pick<Context, "engine" | "texts" | "device" | "notify" | "fail">} context
 * @param {PastedReferences & { text: string, mark: string, changed: () => void }} pasted `changed` reports that a
 *     reference is gone
 */
export async function offerFiles({ engine, texts, device, notify, fail }, { text, mark, changed, ...references }) {
    const openSource = () => {
        const account = sourceOf(mark, device.accounts());
        return account && new OtherAttachments(account);
    };
    const source = openSource();
    const files = source ? await missingHere(attachmentsIn(text), engine, source) : [];
    if (files.length === 0) return;
    const copy = async () => {
        // The user may have signed out since the paste.
        const { away, isChanged } = await copyFiles(files, engine, openSource(), references);
        if (isChanged) changed();
        if (away.length === 0) return;
        notify(texts.say("file.copy.away", { names: away.join(", ") }), undefined, "failure");
    };
    const action = { label: texts.say("file.copy"), run: () => copy().catch(fail) };
    notify(texts.say("file.copy.offer", { n: files.length }), action);
}
