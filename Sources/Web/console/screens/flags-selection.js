/** Operations on several flags of the list. All but the export change a draft. */
import { confirm } from "../../shared/confirm.js";
import { h, userText } from "../../shared/dom.js";
import { saveFile } from "../../shared/save-file.js";
import { openKeyDialog } from "../entries/add.js";
import { copyTargets } from "../entries/places.js";
import { definitionOf, readTags, setKey, tagsOf } from "../state/flags.js";
import {
    changedText,
    describing,
    flagFile,
    maxLength,
    missingAudiences,
    switching,
    tagging,
} from "../state/flags-edits.js";
import { audiencesOf } from "../state/flags-references.js";
import { refusal } from "../state/kinds.js";
import { mayWrite } from "../state/scopes.js";
import { rowAt, Selection } from "./selection.js";

/** @typedef {import("../state/draft.js").Content} Content */
/** @typedef {import("../workspace.js").Workspace} Workspace */

/** The attributes of a dialog's field for a text that is no key. Its errors explain a length that is too large. */
const plain = { class: "", dir: "auto", maxlength: null };

export class FlagSelection extends Selection {
    /** The index of the row that was selected last, where a range begins. */
    anchor = 0;

    /**
     * @param {import("../frame.js").Context} context
     * @param {import("./flags-table.js").FlagTable} table
     * @param {() => string[]} shown returns the keys that the filter finds
     */
    constructor(context, table, shown) {
        super(context, table, shown);
        this.table = table;
        table.element.addEventListener("click", (event) => this.click(event), true);
    }

    /**
     * Selects the clicked row. Outside the selection, a click without Shift follows the row's link, and so does Enter.
     * @param {MouseEvent} event
     */
    click(event) {
        const at = rowAt(event);
        const isEnter = event.detail === 0 && !(event.target instanceof HTMLInputElement);
        if (at < 0 || isEnter || !(this.table.chosen || event.shiftKey)) return;
        event.preventDefault();
        this.toggle(event.shiftKey && this.table.chosen ? this.anchor : at, at);
    }

    /** @override @param {number} from @param {number} to */
    toggle(from, to) {
        this.anchor = to;
        this.table.activate(to);
        super.toggle(from, to);
    }

    /**
     * Applies a key to the active row.
     * @param {number} at
     * @param {KeyboardEvent} event
     * @returns {boolean} true if the key was handled
     */
    press(at, { key, shiftKey, target }) {
        const next = shiftKey ? this.table.target(key) : undefined;
        if (next !== undefined) {
            if (next !== at) this.toggle(at, next);
            this.table.focus(next);
        } else if (key === " " && !(target instanceof HTMLInputElement)) this.toggle(at, at);
        else if (key === "Escape" && this.table.chosen) this.set();
        else return false;
        return true;
    }

    /** @override */
    actions() {
        const { texts } = this.context;
        /** @param {string} label @param {() => unknown} run @param {string} [kind] */
        const item = (label, run, kind) => this.item(texts.say(label), run, kind);
        /** @param {string} label @param {import("../state/flags-edits.js").Change} change */
        const change = (label, change) => item(label, () => this.apply(change));
        return [
            item("flags.tags.add", () => this.addTags()),
            this.keys.some((key) => this.tagsOf(key).length > 0) && item("flags.tags.remove", () => this.removeTags()),
            item("flags.owner", () => this.setOwner()),
            change("flags.on", switching(true)),
            change("flags.off", switching(false)),
            change("flags.archive", describing("archived", true)),
            change("flags.unarchive", describing("archived", false)),
            copyTargets(this.context).map((target) =>
                this.item(texts.say("places.copy", { name: target.name }), () => this.copyTo(target)),
            ),
            item("export", () => this.save()),
            item("entry.remove", () => this.remove(), "danger"),
        ];
    }

    /**
     * Returns the content of a key with the draft applied, and the released content.
     * @param {string} key
     * @param {Workspace} [workspace]
     */
    async read(key, workspace = this.context.workspace) {
        const stored = await workspace.content(key);
        const change = workspace.draft.change(key);
        return { stored, now: change ? change.after : stored };
    }

    /** Returns the selected flags that exist now; another user may have removed some. */
    async flags() {
        /** @type {{ key: string, stored: Content | null, now: Content }[]} */
        const flags = [];
        for (const key of this.keys) {
            const { stored, now } = await this.read(key);
            if (now?.kind === "flag") flags.push({ key, stored, now });
        }
        return flags;
    }

    /** @param {(flags: Awaited<ReturnType<FlagSelection["flags"]>>) => unknown} run */
    async withFlags(run) {
        try {
            await run(await this.flags());
        } catch (failure) {
            this.context.showError(failure);
        }
    }

    /**
     * Changes the selected flags in the draft, as one step.
     * @param {import("../state/flags-edits.js").Change} change
     */
    apply(change) {
        return this.withFlags((flags) => {
            /** @type {import("../state/draft.js").Edit[]} */
            const edits = [];
            /** @type {string[]} */
            const left = [];
            for (const { key, stored, now } of flags) {
                const value = changedText(now.value, change);
                if (value === null) left.push(key);
                else if (value !== now.value) edits.push([key, stored, { ...now, value }]);
            }
            const { texts, workspace } = this.context;
            this.finish(workspace.draft.editAll(edits), edits.length, texts.say("moves.done"), left);
            this.set(this.keys);
        });
    }

    /**
     * Shows the result of an action.
     * @param {() => void} run undoes the action
     * @param {number} n the number of changed flags
     * @param {string} text
     * @param {string[]} [left] the keys of flags whose form the page does not know
     */
    finish(run, n, text, left = []) {
        const { texts, notify } = this.context;
        const [reason, names] = refusal(left, () => "flags.unknown") ?? [];
        const said = n > 0 ? text : texts.say("forecast.nothing");
        notify(
            reason ? `${said} ${names}: ${texts.say(reason)}` : said,
            n > 0 ? { label: texts.say("draft.undo.short"), run } : undefined,
        );
    }

    /**
     * Returns the tags of a flag.
     * @param {string} key
     */
    tagsOf(key) {
        const row = this.context.workspace.table.byKey.get(key);
        return tagsOf(row && definitionOf(row));
    }

    addTags() {
        /** @param {string} text */
        const fault = (text) => {
            const added = readTags(text);
            if (added.length === 0) return "flags.tags.empty";
            const isLong = (/** @type {string} */ key) =>
                [...new Set([...this.tagsOf(key), ...added])].join(", ").length > maxLength;
            return refusal(this.keys, (key) => (isLong(key) ? "key.long" : null));
        };
        const done = (/** @type {string} */ text) => this.apply(tagging(readTags(text)));
        const [title, hint] = ["flags.tags.add", "flags.tags.hint"];
        openKeyDialog(this.context, "", done, fault, title, hint, title, "flags.column.tags", { ...plain, rows: 2 });
    }

    removeTags() {
        const { texts } = this.context;
        const tags = [...new Set(this.keys.flatMap((key) => this.tagsOf(key)))].sort();
        const boxes = tags.map((value) => h("input", { type: "checkbox", value }));
        const label = texts.say("flags.tags.remove");
        const removed = () => boxes.filter((box) => box.checked).map((box) => box.value);
        confirm(texts, {
            title: label,
            body: boxes.map((box) => h("div", {}, h("label", { class: "tick" }, box, userText(box.value)))),
            answers: [{ label, kind: "danger", run: () => this.apply(tagging([], removed())) }],
        });
    }

    setOwner() {
        const fault = (/** @type {string} */ text) => (text.length > maxLength ? "key.long" : null);
        const done = (/** @type {string} */ text) => this.apply(describing("owner", text));
        const [title, hint] = ["flags.owner", "flags.owner.hint"];
        openKeyDialog(this.context, "", done, fault, title, hint, title, "flags.column.owner", plain);
    }

    /**
     * Copies the selected flags into the draft of another environment.
     * @param {import("../frame.js").Environment} target
     */
    copyTo({ name, session }) {
        const { texts, workspace, notify } = this.context;
        return this.withFlags(async (flags) => {
            const other = workspace.other(name);
            await other.refresh();
            if (other.failure) throw other.failure;
            const copied = flags.filter(({ key }) => mayWrite(session?.scopes ?? [], key));
            if (copied.length < flags.length) notify(texts.say("key.scope"));
            /** @type {import("../state/draft.js").Edit[]} */
            const edits = [];
            for (const { key, now } of copied) edits.push([key, await other.content(key), now]);
            const { now: set } = await this.read(setKey, other);
            const { draft } = other;
            other.close();
            let undo = () => {};
            /** @param {() => void} change changes the stored draft, and that of the screen that is open then */
            const edit = (change) => {
                draft.draft = draft.read();
                change();
                draft.write();
                const { storage: storageArea, storageKey: key } = draft;
                dispatchEvent(new StorageEvent("storage", { key, newValue: storageArea.getItem(key), storageArea }));
            };
            const run = () => {
                edit(() => {
                    undo = draft.editAll(edits);
                });
                if (draft.isStored) this.finish(() => edit(undo), edits.length, texts.say("flags.copied", { name }));
                else notify(texts.say("flags.full"));
            };
            const missing = missingAudiences(
                copied.map(({ now }) => now.value),
                set,
            );
            if (missing.length === 0) return run();
            const label = texts.say("places.copy", { name });
            const names = userText(missing.join(", "));
            confirm(texts, {
                title: label,
                body: h("p", {}, texts.parts("flags.missing", { name, names })),
                answers: [{ label, kind: "primary", run }],
            });
        });
    }

    /** Saves the selected flags as a file, with the draft applied. */
    save() {
        return this.withFlags(async (flags) => {
            const { now: set } = await this.read(setKey);
            const text = flagFile(
                flags.map(({ key, now }) => [key, now.value]),
                audiencesOf(set),
            );
            saveFile(`${this.context.environment.name}-flags.json`, "application/json", text);
        });
    }
}
