/** The evaluations of a flag: the last time, the number by variant, and a graph of the last week or year. */
import { button, fill, h, svgElement, userText } from "../../shared/dom.js";
import { errorMessage, timeMark } from "../controls/controls.js";
import { spansOf } from "../state/flags-spans.js";

/** @typedef {import("../state/flags-spans.js").Span} Span */

/** The height of the graph in its own units; a span is one unit wide. */
const height = 30;

/**
 * @param {import("../frame.js").Context} context
 * @param {string} key
 * @param {import("./flags-shares-bar.js").Palette} palette
 */
export function usesView({ api, texts, workspace, signal }, key, palette) {
    const lines = h("div", { class: "parts" });
    const graph = h("div", { class: "parts", hidden: true });
    /** @type {"hours" | "days"} */
    let range = "hours";
    /** @type {any} the response of the server */
    let counted = null;
    /** @type {string | null | undefined} the time of the last evaluation in the graph */
    let drawn;

    const name = (/** @type {string | null} */ variant) => variant ?? texts.say("flag.none");
    const color = (/** @type {string | null} */ variant) => (variant === null ? "" : palette.color(variant));
    /** @param {number} start @param {"short"} [timeStyle] */
    const date = (start, timeStyle) =>
        new Intl.DateTimeFormat(texts.locale, { dateStyle: "medium", timeStyle }).format(start);
    const begin = (/** @type {number} */ start) => date(start, range === "hours" ? "short" : undefined);
    /** @param {Span} span @param {number} at @param {number} most @param {(string | null)[]} variants */
    const column = ({ start, counts }, at, most, variants) => {
        let y = height;
        const shown = variants.filter((one) => counts.has(one));
        const said = shown.map((one) => `${name(one)} ${texts.number(counts.get(one) ?? 0)}`).join(", ");
        return svgElement(
            "g",
            {},
            svgElement("title", {}, `${begin(start)}: ${said}`),
            ...shown.map((one) => {
                const size = Math.max(0.5, ((counts.get(one) ?? 0) / most) * height);
                y -= size;
                return svgElement("rect", { class: color(one), x: at + 0.1, y, width: 0.8, height: size });
            }),
        );
    };
    const choices = /** @type {const} */ (["hours", "days"]).map((one) => {
        const choose = () => {
            range = one;
            draw();
        };
        return button(texts.say(`flag.uses.${one}`), choose, "small");
    });
    const caption = h("span", { class: "hint" });
    const head = h("div", { class: "flag-line", hidden: true }, choices, h("span", { class: "space" }), caption);
    const draw = () => {
        const spans = spansOf(counted[range], range, workspace.now());
        const used = spans.filter(({ total }) => total > 0);
        const most = Math.max(1, ...spans.map(({ total }) => total));
        const variants = [...new Set(used.flatMap(({ counts }) => [...counts.keys()]))];
        const n = used.reduce((sum, { total }) => sum + total, 0);
        caption.textContent = texts.say("flag.uses", { n });
        head.hidden = graph.hidden = false;
        choices[0].setAttribute("aria-pressed", `${range === "hours"}`);
        choices[1].setAttribute("aria-pressed", `${range === "days"}`);
        const picture = { class: "graph", viewBox: `0 0 ${spans.length} ${height}`, preserveAspectRatio: "none" };
        fill(
            graph,
            svgElement(
                "svg",
                { ...picture, "aria-hidden": "true" },
                ...spans.map((span, at) => column(span, at, most, variants)),
            ),
            h(
                "p",
                { class: "flag-line hint" },
                date(spans[0].start),
                h("span", { class: "space" }),
                texts.relative(new Date(workspace.now()).toISOString()),
            ),
            h(
                "table",
                { class: "spoken" },
                h("caption", {}, caption.textContent),
                h(
                    "tr",
                    {},
                    h("td", {}),
                    variants.map((one) => h("th", { scope: "col" }, userText(name(one)))),
                ),
                used.map(({ start, counts }) =>
                    h(
                        "tr",
                        {},
                        h("th", { scope: "row" }, begin(start)),
                        variants.map((one) => h("td", {}, texts.number(counts.get(one) ?? 0))),
                    ),
                ),
            ),
        );
    };
    const load = async () => {
        try {
            counted = (await api.get(`${workspace.root}/flags/${encodeURIComponent(key)}/evaluations`, { signal }))
                .document;
            draw();
        } catch {
            // The next evaluation loads the counts again.
        }
    };
    /** @param {import("../state/flags.js").Usage | undefined} use */
    const show = (use) => {
        const never = texts.say("never");
        const last = use?.last_evaluated_at;
        fill(
            lines,
            use?.fault && errorMessage([h("code", {}, userText(use.fault.path)), " ", userText(use.fault.message)]),
            last ? h("p", {}, timeMark(texts, last)) : h("p", { class: "hint" }, texts.say("flag.uses.none")),
            last &&
                use.variants
                    .slice(0, 50)
                    .map(({ name, evaluations, last_evaluated_at: time }) =>
                        h(
                            "p",
                            { class: "flag-line" },
                            h("span", { class: `variant ${palette.color(name)}` }),
                            userText(name),
                            h("strong", {}, evaluations > 0 && `${texts.number(evaluations)} ×`),
                            timeMark(texts, time, never),
                        ),
                    ),
        );
        if (last && last !== drawn) load();
        drawn = last;
    };
    const element = h("section", { class: "card-box" }, h("h2", {}, texts.say("flag.last")), lines, head, graph);
    return { element, show };
}
