/** What a flag is for somebody and why, and whom a change would move: asked of the server, with the draft. */
import { fill, foreign, h } from "../../shared/dom.js";
import { compact, failureOf, typeOf } from "../../shared/json.js";
import { object, readTree, typed, untyped, writeTree } from "../state/flags-tree.js";
import { shareBar } from "./flags-shares.js";
import { atRest, button, curlButton, mishap } from "./parts.js";

/** @typedef {import("../frame.js").Context} Context */
/**
 * @typedef {object} Question
 * @property {string} key
 * @property {import("./flags-shares.js").Palette} palette
 * @property {() => string | null} definition the draft's, null where it is as stored
 * @property {() => Iterable<string>} attributes that its rule looks at
 * @property {(faults: Fault[]) => void} blame
 */
/** @typedef {{ key: string, path: string, message: string }} Fault */

/** How long a change rests before it is asked about, in milliseconds. */
const rest = 400;

/**
 * @param {Context} context
 * @param {Question} question
 */
export function asking(context, question) {
    const { api, texts, workspace, frame, signal } = context;
    const root = `${workspace.root}/flags/${encodeURIComponent(question.key)}`;
    /** @type {{ name: string, text: string }[]} */
    let rows = [{ name: "targetingKey", text: "" }];
    /** @type {string | null} the context as JSON, where it is typed so */
    let json = null;
    let wrong = false;
    let asked = new AbortController();
    signal.addEventListener("abort", () => asked.abort());

    const fields = h("div", { class: "context" });
    const answer = h("div", { class: "answer", role: "status" });
    const outlook = h("div", { class: "outlook", role: "status" });

    /** @param {boolean} [nobody] without a targeting key */
    const contextText = (nobody) => {
        if (json !== null && !nobody) return compact(json);
        const known = json === null ? rows : rowsOf(json);
        const named = known.filter(({ name, text }) => name.trim() !== "" && text.trim() !== "");
        const members = named.map(({ name, text }) => [name.trim(), untyped(text)]);
        const all = json === null ? Object.fromEntries(members) : Object.fromEntries(contextMembers(json));
        if (nobody) delete all.targetingKey;
        return writeTree(object(all));
    };
    /** @param {boolean} [nobody] */
    const body = (nobody) => {
        const definition = question.definition();
        const draft = definition === null ? "" : `, "definition": ${definition}`;
        return `{"context": ${contextText(nobody)}${draft}}`;
    };
    /**
     * @param {HTMLElement} place
     * @param {unknown} failure
     */
    const refuse = (place, failure) => {
        if (failure instanceof DOMException) return;
        const faults = /** @type {any} */ (failure).document?.faults;
        question.blame(faults ?? []);
        fill(place, mishap(foreign(frame.wording(failure))));
    };
    const ask = async () => {
        asked.abort();
        asked = new AbortController();
        if (wrong) return;
        const options = { quiet: true, signal: asked.signal };
        question.blame([]);
        await Promise.all([
            api.send("POST", `${root}/explain`, { body: body(), ...options }).then(
                ({ document }) => fill(answer, explanation(context, question, document)),
                (failure) => refuse(answer, failure),
            ),
            api.send("POST", `${root}/sample`, { body: body(true), ...options }).then(
                ({ document }) => fill(outlook, sampled(context, question, document)),
                (failure) => refuse(outlook, failure),
            ),
        ]);
    };
    const later = atRest(ask, rest, signal);

    const drawRows = () => {
        const list = rows.map((row, at) => {
            const name = h("input", {
                value: row.name,
                list: "flag-attributes",
                "aria-label": texts.say("flag.attribute"),
                spellcheck: "false",
                autocomplete: "off",
            });
            const text = h("input", {
                value: row.text,
                dir: "auto",
                "aria-label": row.name || texts.say("column.value"),
                spellcheck: "false",
                autocomplete: "off",
            });
            name.addEventListener("input", () => {
                row.name = name.value;
                text.setAttribute("aria-label", name.value || texts.say("column.value"));
                later();
            });
            text.addEventListener("input", () => {
                row.text = text.value;
                if (at === rows.length - 1 && row.text) grow();
                later();
            });
            return h("div", { class: "context-row" }, name, text);
        });
        const grow = () => {
            rows.push({ name: "", text: "" });
            const focused = /** @type {HTMLInputElement | null} */ (document.activeElement);
            const at = [...fields.querySelectorAll("input")].indexOf(/** @type {any} */ (focused));
            drawRows();
            const next = fields.querySelectorAll("input")[at];
            next?.focus();
            next?.setSelectionRange(next.value.length, next.value.length);
        };
        fill(fields, list);
    };
    const drawJSON = () => {
        const area = h("textarea", {
            class: "exact code",
            rows: "6",
            value: json,
            spellcheck: "false",
            dir: "ltr",
            "aria-label": texts.say("flag.context.json"),
        });
        area.addEventListener("input", () => {
            wrong = failureOf(area.value) !== null || typeOf(area.value) !== "object";
            area.setAttribute("aria-invalid", String(wrong));
            if (wrong) return;
            json = area.value;
            later();
        });
        fill(fields, area);
    };
    const turn = button(
        texts.say("flag.context.json"),
        () => {
            if (json === null) json = contextText();
            else {
                rows = rowsOf(json);
                json = null;
                complete();
            }
            wrong = false;
            turn.setAttribute("aria-pressed", String(json !== null));
            if (json === null) drawRows();
            else drawJSON();
        },
        "quiet small",
    );
    turn.setAttribute("aria-pressed", "false");
    /** Rows for what the rule looks at, and an empty one. */
    const complete = () => {
        const known = new Set(rows.map(({ name }) => name));
        rows = rows.filter(({ name, text }) => name || text);
        for (const name of question.attributes()) if (!known.has(name)) rows.push({ name, text: "" });
        rows.push({ name: "", text: "" });
    };
    const curl = curlButton(context, () => ({
        method: "POST",
        path: `${root}/explain`,
        headers: { "Content-Type": "application/json" },
        body: body(),
    }));
    const element = [
        h("section", { class: "card-box" }, h("h2", {}, texts.say("flag.outlook")), outlook),
        h(
            "section",
            { class: "card-box asking", "aria-label": texts.say("flag.who") },
            h(
                "div",
                { class: "label-row" },
                h("h2", {}, texts.say("flag.who")),
                h("span", { class: "space" }),
                turn,
                curl,
            ),
            h("p", { class: "hint" }, texts.say("flag.who.lead")),
            fields,
            answer,
        ),
    ];
    complete();
    drawRows();
    return { element, later, ask };
}

/** @param {string} json @returns {[string, import("../state/flags-tree.js").Tree][]} */
function contextMembers(json) {
    const tree = readTree(json);
    return tree instanceof Map ? [...tree] : [];
}

/** @param {string} json */
const rowsOf = (json) =>
    contextMembers(json).map(([name, value]) => ({
        name,
        text: Array.isArray(value) || value instanceof Map ? writeTree(value) : typed(value),
    }));

/**
 * @param {Context} context
 * @param {Question} question
 * @param {any} found
 */
function explanation({ texts }, { palette }, found) {
    const { variant, value, reason, branch, steps = [], error_details: details } = found;
    const known = `flag.reason.${reason}`;
    return [
        h(
            "p",
            { class: "result" },
            h("span", { class: `dot ${palette.color(variant || null)}` }),
            h("strong", {}, variant ? foreign(variant) : texts.say("flag.none")),
            value !== undefined && h("code", {}, foreign(String(value))),
            h(
                "span",
                { class: reason === "ERROR" ? "badge removed" : "badge" },
                texts.has(known) ? texts.say(known) : reason,
            ),
        ),
        details && mishap(foreign(details)),
        branch && h("p", {}, foreign(branch)),
        steps.length > 0 &&
            h(
                "details",
                {},
                h("summary", {}, texts.say("flag.steps", { n: steps.length })),
                h(
                    "ol",
                    { class: "steps" },
                    steps
                        .slice(0, 200)
                        .map((/** @type {any} */ { path, words }) =>
                            h("li", {}, h("code", {}, foreign(path)), " ", foreign(words ?? "")),
                        ),
                ),
            ),
    ];
}

/**
 * @param {Context} context
 * @param {Question} question
 * @param {any} found
 */
function sampled({ texts }, { palette, definition }, { sampled: of, variants = [], moved = 0, moves = [] }) {
    const shares = variants
        .filter((/** @type {any} */ one) => one.count > 0)
        .map((/** @type {any} */ one) => ({ variant: one.name || null, share: one.count / of }));
    const name = (/** @type {string | null} */ variant) => (variant ? foreign(variant) : texts.say("flag.none"));
    return [
        shares.length > 0 &&
            shareBar(texts, { ...palette, name: (variant) => variant ?? texts.say("flag.none") }, shares).element,
        h(
            "p",
            { class: moved > 0 ? "moved some" : "moved" },
            texts.say(definition() === null ? "flag.moved.unchanged" : moved ? "flag.moved" : "flag.moved.nobody", {
                n: moved,
                of,
            }),
        ),
        moves.length > 0 &&
            h(
                "ul",
                { class: "moves" },
                moves
                    .slice(0, 12)
                    .map((/** @type {any} */ { from, to, count }) =>
                        h(
                            "li",
                            {},
                            h("span", { class: `dot ${palette.color(from || null)}` }),
                            name(from),
                            h("span", { class: "arrow", "aria-hidden": "true" }, "→"),
                            h("span", { class: `dot ${palette.color(to || null)}` }),
                            name(to),
                            h("strong", {}, texts.number(count)),
                        ),
                    ),
            ),
    ];
}
