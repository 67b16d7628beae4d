/** Operations on several entries of the list. */
import { newKeyFault, openKeyDialog } from "../entries/add.js";
import { copyLinks } from "../entries/places.js";
import { refusal } from "../state/kinds.js";
import { movedKey, sharedPath } from "../state/tree.js";
import { Selection } from "./selection.js";

export class EntrySelection extends Selection {
    /** @override */
    actions() {
        const { context, keys } = this;
        const { texts } = context;
        return [
            this.item(texts.say("select.rename"), () => this.rename()),
            copyLinks(context, keys),
            this.item(texts.say("select.remove"), () => this.remove(), "danger"),
        ];
    }

    rename() {
        const { context, keys } = this;
        const prefix = sharedPath(keys[0], keys[keys.length - 1]);
        /** @param {string} to */
        const fault = (to) =>
            refusal(
                keys.map((key) => movedKey(key, prefix, to)),
                (one) => {
                    const isTaken = (/** @type {string} */ key) =>
                        context.workspace.table.has(key) && (to === prefix || !this.list.chosen?.has(key));
                    return newKeyFault(context, one, isTaken);
                },
            );
        const done = (/** @type {string} */ to) => this.move((key) => movedKey(key, prefix, to));
        openKeyDialog(context, prefix, done, fault, "select.rename", "entry.rename.hint", "select.rename", "select.to");
    }
}
