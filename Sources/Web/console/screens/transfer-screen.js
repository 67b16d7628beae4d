// Import from a file or pasted text, with a preview; export to a file. Files of other flag systems are in a part.

import { button, fill, h, icon, userText } from "../../shared/dom.js";
import { failureOf, JSONFailure } from "../../shared/json.js";
import { saveFile } from "../../shared/save-file.js";
import { review } from "../changes/change-review.js";
import { entriesProposal } from "../changes/forecast.js";
import { curlButton, debounced, emptyPlaceholder, errorMessage, field, heading } from "../controls/controls.js";
import { compare, counts, promotion } from "../state/comparison.js";
import { after, formsOf, read } from "../state/importing.js";
import { mayWrite, mayWriteSomething } from "../state/scopes.js";
import { commandReason, systemOf, systems } from "../state/source-systems.js";
import { readConfig } from "./compare-screen.js";
import { changeList } from "./release.js";

/** @typedef {import("../frame.js").Context} Context */

/** @param {Context} context */
export async function open(context) {
    const { texts, environment } = context;
    const writes = mayWriteSomething(environment.session.scopes);
    const element = h(
        "section",
        { class: "screen transfer" },
        heading(texts.say("screen.transfer")),
        exporting(context),
        writes && (await importing(context)),
    );
    return { element };
}

/** @param {Context} context */
function exporting(context) {
    const { api, texts, environment, workspace, showError, signal } = context;
    const path = `${workspace.root}/config.json`;
    /** @param {boolean} nested */
    const download = async (nested) => {
        try {
            const answer = await api.get(path, { query: { nested: nested || undefined }, signal });
            const name = `${environment.name}-${answer.version || workspace.version}${nested ? "-nested" : ""}.json`;
            saveFile(name, "application/json", answer.text);
        } catch (failure) {
            showError(failure);
        }
    };
    return h(
        "section",
        { class: "card-box" },
        h("h2", {}, texts.say("export.title")),
        h("p", { class: "faint" }, texts.say("export.lead")),
        h(
            "div",
            { class: "actions" },
            button(texts.say("export.flat"), () => download(false)),
            button(texts.say("export.nested"), () => download(true)),
            curlButton(context, path),
        ),
    );
}

/** @param {Context} context */
async function importing(context) {
    const { api, texts, environment, workspace, notify, showError, signal } = context;
    let current = await readConfig(api, environment.name, signal);
    /** @type {import("../state/importing.js").Form | null} */
    let form = null;
    /** @type {import("../state/comparison.js").Line[]} */
    let lines = [];
    const known = () => new Set(current.config.keys());
    const text = h("textarea", {
        rows: 5,
        spellcheck: "false",

        placeholder: '{"app.theme": "dark"}',
        oninput: () => scheduleDraw(),
    });
    const file = h("input", {
        type: "file",
        accept: ".json,.yaml,.yml,application/json",
        multiple: true,
        onchange: () => readFiles([...(file.files ?? [])]),
    });
    /** The files that the user selected; a pasted text is one file. @type {{ name: string, text: string }[]} */
    let files = [];
    const system = h(
        "select",
        { onchange: () => draw() },
        h("option", { value: "" }, "Almanac"),
        Object.entries(systems).map(([value, name]) => h("option", { value }, name)),
    );
    const from = h("input", { placeholder: "production", autocomplete: "off", onchange: () => draw() });
    const fromField = field(texts.say("import.from"), from);
    /** The import of another system's files, which ends when other files are selected. */
    let foreign = new AbortController();
    const replacing = h("input", { type: "checkbox", onchange: () => draw() });
    const formatChoice = h("div", { class: "asked", role: "status" });
    const outcome = h("div", { class: "parts" });
    const panelPlace = h("div", {});

    /** @param {File[]} some */
    const readFiles = async (some) => {
        if (some.length === 0) return;
        take(await Promise.all(some.map(async (one) => ({ name: one.name, text: await one.text() }))));
        text.value = "";
        draw();
    };
    /** @param {typeof files} some */
    const take = (some) => {
        files = some;
        form = null;
        system.value = some.map((one) => systemOf(one.text)).find(Boolean) ?? "";
    };
    const scheduleDraw = debounced(
        () => {
            take([{ name: "pasted.json", text: text.value }]);
            draw();
        },
        250,
        signal,
    );
    /** Shows the import of another system's files, or how the command line imports them. */
    const drawForeign = async () => {
        lines = [];
        fill(formatChoice);
        panelPlace.hidden = true;
        const why = commandReason(files);
        const failure = !why && files.map((one) => failureOf(one.text)).find(Boolean);
        if (failure) return broken(failure);
        const { signal: inner } = foreign;
        try {
            const part = await import("./source-import.js");
            await part.addTexts(texts);
            if (inner.aborted) return;
            fill(
                outcome,
                why
                    ? part.commandView(context, system.value, files, why)
                    : part.sourceImport(
                          { ...context, signal: AbortSignal.any([signal, inner]) },
                          system.value,
                          files,
                          from.value.trim(),
                      ),
            );
        } catch (failure) {
            showError(failure);
        }
    };
    /** @param {string} sentence */
    const refuse = (sentence) => {
        lines = [];
        fill(formatChoice);
        fill(outcome, errorMessage(sentence, "alert"));
        panelPlace.hidden = true;
    };
    const broken = (/** @type {JSONFailure} */ { reason: key, line, column }) =>
        refuse(texts.say("import.broken", { line, column, reason: texts.has(key) ? texts.say(key) : key }));
    const draw = () => {
        const isForeign = system.value !== "" || commandReason(files) !== "";
        foreign.abort();
        foreign = new AbortController();
        fromField.hidden = !isForeign;
        replaceField.hidden = isForeign;
        if (isForeign && files.some((one) => one.text.trim() !== "")) return drawForeign();
        if (files.length > 1) return refuse(texts.say("import.which"));
        // Other systems' files are too long to read in the field.
        text.value ||= files[0]?.text ?? "";
        if (text.value.trim() === "") {
            lines = [];
            fill(formatChoice);
            fill(outcome);
            panelPlace.hidden = true;
            return;
        }
        try {
            const forms = formsOf(text.value, known());
            if (forms.length === 0) return refuse(texts.say("import.form"));
            form = form && forms.includes(form) ? form : forms[0];
            fill(formatChoice, forms.length > 1 && question(forms));
            const reading = read(text.value, form, known());
            const allowed = after(reading.values, current.config, replacing.checked);
            const all = compare(allowed, current.config).lines;
            lines = all.filter(({ key }) => mayWrite(environment.session.scopes, key));
            const skipped = [
                ...reading.wrong.map((key) => ["import.wrong", key]),
                ...reading.empty.map((key) => ["import.empty", key]),
            ];
            const count = counts(lines);
            fill(
                outcome,
                skipped.length > 0 &&
                    h(
                        "div",
                        { class: "error" },
                        icon("alert"),
                        h(
                            "ul",
                            {},
                            skipped.slice(0, 5).map(([why, key]) => h("li", {}, texts.parts(why, { key }))),
                            skipped.length > 5 && h("li", {}, texts.say("more", { n: skipped.length - 5 })),
                        ),
                    ),
                all.length > lines.length &&
                    h(
                        "p",
                        { class: "error" },
                        icon("alert"),
                        texts.say("import.closed", { n: all.length - lines.length }),
                    ),
                lines.length === 0
                    ? emptyPlaceholder(texts.say("import.equal"))
                    : [
                          h(
                              "p",
                              { class: "chips" },
                              /** @type {const} */ (["changed", "added", "removed"]).map(
                                  (kind) =>
                                      count[kind] > 0 &&
                                      h(
                                          "span",
                                          { class: `badge ${kind}` },
                                          texts.say(`compare.${kind}`, { n: count[kind] }),
                                      ),
                              ),
                          ),
                          changeList(
                              context,
                              lines.map(({ key, source, target }) => ({
                                  key,
                                  before: target?.value,
                                  after: source?.value,
                              })),
                          ),
                      ],
            );
            panelPlace.hidden = lines.length === 0;
            panel.update();
        } catch (failure) {
            if (!(failure instanceof JSONFailure)) return showError(failure);
            broken(failure);
        }
    };
    /** @param {import("../state/importing.js").Form[]} forms */
    const question = (forms) =>
        h(
            "fieldset",
            {},
            h("legend", {}, texts.say("import.ask")),
            forms.map((one) => {
                const choose = () => {
                    form = one;
                    draw();
                    /** @type {HTMLElement | null} */ (formatChoice.querySelector("input:checked"))?.focus();
                };
                const example = [...read(text.value, one, known()).values.keys()].slice(0, 2).join(", ");
                const radio = h("input", {
                    type: "radio",
                    name: "form",
                    value: one,
                    checked: one === form,
                    onchange: choose,
                });
                return h(
                    "label",
                    { class: "tick" },
                    radio,
                    h("span", {}, texts.say(`import.${one}`), " ", h("code", {}, userText(example))),
                );
            }),
        );
    const panel = review(context, {
        label: "import.go",
        message: texts.say("import.title"),
        propose: () => (lines.length > 0 ? entriesProposal(workspace.root, promotion(lines), current.cursor) : null),
        onConflict: async () => {
            current = await readConfig(api, environment.name, signal);
            draw();
            notify(texts.say("plan.moved"));
        },
        done: async () => {
            text.value = "";
            files = [];
            current = await readConfig(api, environment.name, signal);
            draw();
        },
    });
    const replaceField = h("label", { class: "tick" }, replacing, texts.say("import.replace"));
    fill(panelPlace, panel.element);
    panelPlace.hidden = true;
    fromField.hidden = true;
    const box = h(
        "section",
        { class: "card-box" },
        h("h2", {}, texts.say("import.title")),
        h("p", { class: "faint" }, texts.say("import.lead")),
        field(texts.say("import.file"), file),
        field(texts.say("kind.json"), text),
        h("div", { class: "filters" }, field(texts.say("import.system"), system), fromField),
        replaceField,
        formatChoice,
        outcome,
        panelPlace,
    );
    box.addEventListener("dragover", (event) => event.preventDefault());
    box.addEventListener("drop", (event) => {
        event.preventDefault();
        readFiles([...(event.dataTransfer?.files ?? [])]);
    });
    return box;
}
