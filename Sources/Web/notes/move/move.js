/** Import and export: previews an import before it runs, and writes all notes into one file. */
import { button, fill, h, userText } from "../../shared/dom.js";
import { saveFile } from "../../shared/save-file.js";
import { droppedFiles } from "./dropped-files.js";
import { exported } from "./export.js";
import { MoveFailure } from "./portable-notes.js";
import { writeZip } from "./zip.js";

/** @import { Context } from "../frame.js" */
/** @import { ExportForm } from "./export.js" */
/** @import { Plan } from "./import.js" */
/** @import { Remark } from "./portable-notes.js" */

/** The programs whose notes can be imported, with a text each. */
const sources = ["keep", "evernote", "bear", "obsidian", "joplin", "simplenote", "markdown"];
/** The number of files listed for one reason. */
const maxNamed = 100;

/** @type {import("../panes.js").Module["open"]} */
export function open(context) {
    const { texts } = context;
    const { section, read } = importSection(context);
    const element = h(
        "section",
        { class: "settings move" },
        h("h1", {}, texts.say("settings.move")),
        section,
        exportSection(context),
    );
    const show = () => {
        const files = context.takeFiles();
        if (files) read(files);
    };
    return { element, show };
}

/** @param {Context} context */
function importSection(context) {
    const { texts } = context;
    const outcome = h("div", { class: "outcome", role: "status" });
    const chooser = (/** @type {string} */ text, /** @type {Record<string, unknown>} */ attributes) => {
        const input = h("input", { type: "file", hidden: true, ...attributes });
        input.addEventListener("change", () => {
            const files = [...(input.files ?? [])];
            // Allow choosing the same file again.
            input.value = "";
            if (files.length > 0) read(files);
        });
        return [button(texts.say(text), () => input.click()), input];
    };
    const read = async (/** @type {File[] | Promise<File[]>} */ chosen) => {
        fill(outcome, h("p", {}, texts.say("move.reading")));
        try {
            // Load the readers of all formats only for an import.
            const { plan, readChosen } = await import("./import.js");
            const found = await readChosen(await chosen, await context.engine.maxAttachmentBytes());
            const known = new Map((await context.engine.all()).map((record) => [record.id, record]));
            showPlan(context, outcome, await plan(found, known, (id) => context.engine.attachment(id)));
        } catch (failure) {
            refuse(context, outcome, failure);
        }
    };
    const target = h(
        "div",
        {
            class: "target",
            ondragover: (/** @type {DragEvent} */ event) => {
                event.preventDefault();
                target.classList.add("over");
            },
            ondragleave: () => target.classList.remove("over"),
            ondrop: (/** @type {DragEvent} */ event) => {
                event.preventDefault();
                target.classList.remove("over");
                if (event.dataTransfer) read(droppedFiles(event.dataTransfer));
            },
        },
        h("p", {}, texts.say("move.drop")),
        h(
            "div",
            { class: "ways" },
            chooser("move.file", {
                class: "file",
                accept: ".zip,.json,.md,.markdown,.enex,.bearbk,.bear2bk,.textbundle,.textpack",
                multiple: true,
            }),
            chooser("move.folder", { class: "folder", webkitdirectory: true }),
        ),
    );
    const section = h(
        "section",
        { class: "setting", "aria-labelledby": "move-import" },
        h("h2", { id: "move-import" }, texts.say("move.import")),
        h("p", { class: "hint" }, texts.say("move.import.hint")),
        h(
            "ul",
            { class: "hint sources" },
            sources.map((source) => h("li", {}, texts.say(`move.from.${source}`))),
        ),
        target,
        outcome,
    );
    return { section, read };
}

/**
 * Shows the plan of an import and asks for confirmation.
 * @param {Context} context
 * @param {HTMLElement} outcome
 * @param {Plan} plan
 */
function showPlan(context, outcome, plan) {
    const { texts } = context;
    const { add, files, same, remarks } = plan;
    const isFull = add.length + files.length > 0;
    const accept = button(
        add.length > 0 ? texts.say("move.take", { n: add.length }) : texts.say("move.take.files", { n: files.length }),
        () => runImport(context, outcome, plan),
        "primary",
    );
    const cancel = button(texts.say("cancel"), () => fill(outcome));
    fill(
        outcome,
        h(
            "p",
            { class: "status-line" },
            add.length > 0
                ? texts.say("move.will", { n: add.length })
                : texts.say(isFull ? "move.will.files" : "move.will.none", { n: files.length }),
        ),
        add.length > 0 && h("p", { class: "hint" }, facts(context, add, files.length)),
        same > 0 && h("p", {}, texts.say("move.same", { n: same })),
        remarkList(context, remarks),
        h("div", { class: "ways" }, isFull && accept, cancel),
    );
    (isFull ? accept : cancel).focus();
}

/**
 * Returns the numbers of files, tags, pins and notes for the trash, and the times.
 * @param {Context} context
 * @param {Plan["add"]} notes
 * @param {number} files
 */
function facts({ texts }, notes, files) {
    const counts = {
        files,
        tags: new Set(notes.flatMap(({ tags }) => tags)).size,
        pinned: notes.filter(({ pinned }) => pinned).length,
        trashed: notes.filter(({ trashed }) => trashed).length,
    };
    const said = Object.entries(counts).map(([key, n]) => n > 0 && texts.say(`move.facts.${key}`, { n }));
    const times = notes.flatMap(({ updatedAt }) => updatedAt ?? []).sort((one, other) => one - other);
    if (times.length > 0) {
        const format = new Intl.DateTimeFormat(texts.locale, { dateStyle: "medium" });
        const time = format.formatRange(times[0], times[times.length - 1]);
        said.push(texts.say("move.facts.edited", { time }));
    }
    return said.filter((each) => each).join(" · ");
}

/** Lists notes that are left out or changed, by reason. @param {Context} context @param {Remark[]} remarks */
function remarkList({ texts }, remarks) {
    return [...Map.groupBy(remarks, ({ what }) => what)].map(([what, some]) => {
        const items = some.slice(0, maxNamed).map(({ source, detail }) => {
            const details = () => detail.split(", ").map((each) => texts.say(`move.detail.${each}`));
            const shown = what === "details" ? details().join(", ") : userText(detail);
            return h("li", {}, userText(source), detail ? [": ", shown] : null);
        });
        const rest = some.length - items.length;
        return h(
            "details",
            { class: "remark" },
            h("summary", {}, texts.say(`move.remark.${what}`, { n: some.length })),
            h("ul", {}, items, rest > 0 && h("li", {}, texts.say("more", { n: rest }))),
        );
    });
}

/**
 * @param {Context} context
 * @param {HTMLElement} outcome
 * @param {Plan} plan
 */
async function runImport(context, outcome, { add: notes, files, remarks }) {
    const { texts, engine } = context;
    const bar = h("progress", { max: files.length + notes.length, value: 0, "aria-label": texts.say("move.taking") });
    fill(outcome, h("p", {}, texts.say("move.taking")), bar);
    const waiting = new Set(notes.map(({ id }) => id));
    let taken = 0;
    const count = (/** @type {Event} */ event) => {
        for (const id of /** @type {CustomEvent<Set<string>>} */ (event).detail) waiting.delete(id);
        taken = notes.length - waiting.size;
        bar.value = files.length + taken;
    };
    engine.addEventListener("changed", count);
    try {
        const given = notes.map(({ createdAt, updatedAt, ...note }) => ({
            ...note,
            createdAt: createdAt ?? undefined,
            updatedAt: updatedAt ?? undefined,
        }));
        const { addedFiles } = await import("./moved-files.js");
        // A file is on the disk before a text refers to it.
        const lost = await addedFiles(engine, files, (done) => {
            bar.value = done;
        });
        const made = given.length > 0 ? (await engine.createAll(given)).made : 0;
        const n = files.length - lost.filter(({ what }) => what === "file-unread").length;
        fill(
            outcome,
            h(
                "p",
                { class: "status-line" },
                given.length > 0 ? texts.say("move.taken", { n: made }) : texts.say("move.taken.files", { n }),
            ),
            remarkList(context, [...remarks, ...lost]),
        );
    } catch (failure) {
        // Imported notes stay; importing the file again adds the remaining ones.
        fill(outcome, h("p", { class: "wrong" }, texts.say("move.stopped", { n: taken })));
        context.fail(failure);
    } finally {
        engine.removeEventListener("changed", count);
    }
}

/**
 * @param {Context} context
 * @param {HTMLElement} outcome
 * @param {unknown} failure
 */
function refuse({ texts, fail }, outcome, failure) {
    if (!(failure instanceof MoveFailure)) {
        fill(outcome);
        return fail(failure);
    }
    const file = failure.detail ? [" ", userText(failure.detail)] : null;
    fill(outcome, h("p", { class: "wrong" }, texts.say(`move.refused.${failure.what}`), file));
}

/** @param {Context} context */
function exportSection(context) {
    const { texts, engine } = context;
    const forms = /** @type {ExportForm[]} */ (["markdown", "simplenote", "joplin"]).map((form) =>
        h(
            "label",
            { class: "form" },
            h("input", { type: "radio", name: "move-form", value: form, checked: form === "markdown" }),
            h("span", {}, texts.say(`move.form.${form}`), h("small", {}, texts.say(`move.form.${form}.hint`))),
        ),
    );
    const outcome = h("div", { class: "outcome", role: "status" });
    const run = h("button", { type: "button", class: "primary" }, texts.say("move.export.button"));
    run.addEventListener("click", async () => {
        const chosen = forms.map((label) => label.querySelector("input")).find((input) => input?.checked);
        const form = /** @type {ExportForm} */ (chosen?.value ?? "markdown");
        run.disabled = true;
        try {
            const files = exported(await engine.all(), form);
            const bar = h("progress", { max: files.length, value: 0, "aria-label": texts.say("move.export") });
            fill(outcome, bar);
            const now = new Date();
            const { contentOf } = await import("./moved-files.js");
            /** @type {Remark[]} */
            const lost = [];
            const report = (/** @type {number} */ done) => {
                bar.value = done;
            };
            const zip = await writeZip(files, now, report, contentOf(engine, lost));
            saveFile(`notes-${now.toISOString().slice(0, 10)}.zip`, zip.type, zip);
            fill(
                outcome,
                h("p", {}, texts.say("move.exported", { n: files.length - lost.length })),
                remarkList(context, lost),
            );
        } catch (failure) {
            refuse(context, outcome, failure);
        }
        run.disabled = false;
    });
    return h(
        "section",
        { class: "setting", "aria-labelledby": "move-export" },
        h("h2", { id: "move-export" }, texts.say("move.export")),
        h("p", { class: "hint" }, texts.say("move.export.hint")),
        h("fieldset", { class: "forms" }, h("legend", {}, texts.say("move.form")), forms),
        h("div", { class: "ways" }, run),
        outcome,
    );
}
