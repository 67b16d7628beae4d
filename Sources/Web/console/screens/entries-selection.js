/** Operations on several entries of the list. */
import { menu } from "../../shared/dialog.js";
import { button, fill, h, icon, squareButton } from "../../shared/dom.js";
import { newKeyFault, openKeyDialog } from "../entries/add.js";
import { moveEntries } from "../entries/moves.js";
import { copyLinks } from "../entries/places.js";
import { refusal } from "../state/kinds.js";
import { mayWrite } from "../state/scopes.js";
import { movedKey, sharedPath } from "../state/tree.js";

export class Selection {
    /**
     * @param {import("../frame.js").Context} context
     * @param {import("../entries/list.js").EntryList} list
     * @param {() => string[]} shown returns the keys that the filter finds
     */
    constructor(context, list, shown) {
        this.context = context;
        this.list = list;
        const { texts } = context;
        this.count = h("strong", { role: "status" });
        const copy = h("button", { type: "button" }, texts.say("select.copy"), icon("down"));
        this.tools = h(
            "div",
            { class: "together" },
            button(texts.say("select.rename"), () => this.rename()),
            copyLinks(context, []).length > 0 && menu(copy, () => copyLinks(context, this.keys)),
            button(texts.say("select.remove"), () => this.move(() => ""), "danger"),
        );
        this.element = h(
            "div",
            { class: "toolbar", hidden: true },
            this.count,
            button(texts.say("compare.all"), () => this.set(shown()), "quiet"),
            this.tools,
            h("span", { class: "space" }),
            squareButton(texts.say("close"), icon("close"), () => this.set()),
        );
        this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.set());
    }

    /** The selected keys, sorted. */
    get keys() {
        return [...(this.list.chosen ?? [])].sort();
    }

    /**
     * Selects these keys, except those that the user cannot change.
     * @param {Iterable<string>} [keys] absent to leave the selection
     */
    set(keys) {
        const { texts, notify, environment } = this.context;
        const { element } = this.list;
        const wanted = [...(keys ?? [])];
        const chosen = wanted.filter((key) => mayWrite(environment.session.scopes, key));
        if (chosen.length < wanted.length) notify(texts.say("entry.fixed"));
        this.list.chosen = keys ? new Set(chosen) : null;
        element.ariaMultiSelectable = String(!!keys);
        this.element.hidden = !keys;
        this.tools.hidden = chosen.length === 0;
        fill(this.count, texts.say("compare.chosen", { n: chosen.length }));
        this.list.render(true);
        element.focus();
    }

    /**
     * Selects a range of lines; a single line that is selected loses its selection.
     * @param {number} from
     * @param {number} to
     */
    toggle(from, to) {
        const chosen = new Set(this.list.chosen);
        for (const line of this.list.lines.slice(Math.min(from, to), Math.max(from, to) + 1))
            if (line.kind === "entry" && (from !== to || !chosen.delete(line.row.key))) chosen.add(line.row.key);
        this.set(chosen);
    }

    /** @param {(key: string) => string} next returns the new key of an entry, empty to remove the entry */
    move(next) {
        const { keys } = this;
        this.set();
        moveEntries(
            this.context,
            keys.map((key) => [key, next(key)]),
        );
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
