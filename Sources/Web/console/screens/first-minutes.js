/** The page of an empty environment, and the code that reads a key in an app. */
import { openDialog } from "../../shared/dialog.js";
import { button, fill, h, icon, squareButton } from "../../shared/dom.js";
import { copy, timeMark } from "../controls/controls.js";
import { isFlag } from "../state/entries.js";
import { shownType } from "../state/filter.js";
import { commonType, definitionOf, isPublic } from "../state/flags.js";
import { routeFragment } from "../state/route.js";
import { mayWriteSomething } from "../state/scopes.js";
import { apiOrigin, languages, lastRequest, tokenName } from "../state/snippets.js";
import { firstMinutes as english } from "../texts/first-minutes.en.js";

/** @typedef {import("../frame.js").Context} Context */

/** The interval between two looks for the first request, and its limit after failures, in milliseconds. */
const [pollInterval, maxPollInterval] = [2000, 60_000];

/** @param {import("../../shared/texts.js").Texts} texts */
export async function loadTexts(texts) {
    texts.add(texts.language === "de" ? (await import("../texts/first-minutes.de.js")).firstMinutes : english);
}

/**
 * Creates the page of an empty environment.
 * @param {Context} context
 * @param {() => void} add adds an entry
 * @param {() => void} addFlag
 */
export function welcome({ texts, environment }, add, addFlag) {
    const { name } = environment;
    /** @param {string} hint a key of the texts @param {HTMLElement} action */
    const choice = (hint, action) => h("li", {}, action, h("p", { class: "hint" }, texts.say(hint)));
    return h(
        "div",
        { class: "empty stack welcome" },
        h("h2", {}, texts.say("welcome.title", { name })),
        h("p", {}, texts.say("welcome.lead")),
        mayWriteSomething(environment.session.scopes)
            ? h(
                  "ul",
                  {},
                  choice("welcome.entry.hint", button(texts.say("welcome.entry"), add, "primary", "add")),
                  choice("welcome.flag.hint", button(texts.say("welcome.flag"), addFlag, "", "add")),
                  choice(
                      "welcome.import.hint",
                      h(
                          "a",
                          { class: "button", href: routeFragment({ environment: name, screen: "transfer" }) },
                          texts.say("welcome.import"),
                      ),
                  ),
              )
            : h("p", {}, texts.say("compare.closed", { name })),
    );
}

/**
 * Opens a dialog with the code that reads a key.
 * @param {Context} context
 * @param {string} key
 */
export function openCode(context, key) {
    const { texts } = context;
    const dialog = openDialog(texts, { title: texts.say("use.key", { key }), body: codeView(context, key) });
    // A link leads to another screen.
    dialog.body.addEventListener("click", ({ target }) => target instanceof HTMLAnchorElement && dialog.close());
}

/**
 * Creates the part that follows an environment's first release.
 * @param {Context} context
 * @param {string} key
 */
export function firstKey(context, key) {
    const { texts } = context;
    const title = h("h2", { id: "first-key" }, texts.say("use.key", { key }));
    const element = h(
        "section",
        { class: "card-box first-key", "aria-labelledby": title.id },
        h(
            "div",
            { class: "together" },
            title,
            squareButton(texts.say("close"), icon("close"), () => element.remove()),
        ),
        codeView(context, key),
    );
    return element;
}

/**
 * @param {Context} context
 * @param {string} key
 */
function codeView(context, key) {
    const { texts, settings, environment, workspace } = context;
    const row = workspace.table.byKey.get(key);
    const definition = row && definitionOf(row);
    const isAFlag = row !== undefined && isFlag(row);
    const variants = definition?.get("variants");
    const target = {
        origin: apiOrigin(location.origin),
        environment: environment.name,
        key,
        // Before the first release, the version is 0.0.0.
        major: String(Math.max(Number.parseInt(workspace.version, 10), 1)),
        type: isAFlag
            ? variants instanceof Map
                ? (commonType(variants) ?? "object")
                : "boolean"
            : row
              ? shownType(row)
              : "string",
        isFlag: isAFlag,
        needsToken: environment.config_read !== "public" || (isAFlag && !(definition && isPublic(definition))),
    };
    const code = h("code");
    const hints = h("div", { class: "hint" });
    const chips = Object.entries(languages).map(([language, { name }]) =>
        h("button", { type: "button", class: "chip", value: language, onclick: () => choose(language) }, name),
    );
    /** @param {string} language */
    const show = (language) => {
        for (const chip of chips) chip.ariaPressed = String(chip.value === language);
        const { code: write, generator, trust } = languages[language];
        fill(code, write(target));
        const link = h("a", { href: routeFragment({ environment: environment.name, screen: "tokens" }) });
        link.append(texts.say("screen.tokens"));
        const command = `almanac ${isAFlag ? "flags" : "config"} generate ${generator}`;
        /** @param {string} text */
        const mono = (text) => h("code", {}, text);
        fill(
            hints,
            target.needsToken && h("p", {}, texts.parts("use.token", { link, name: mono(tokenName) })),
            trust &&
                location.hostname.endsWith("localhost") &&
                h("p", {}, texts.parts("use.local", { option: mono(trust) })),
            generator && h("p", {}, texts.parts("use.typed", { command: mono(command) })),
        );
    };
    /** @param {string} language */
    const choose = (language) => {
        settings.set("client", language);
        show(language);
    };
    const stored = settings.get("client") ?? "";
    show(stored in languages ? stored : "curl");
    const label = texts.say("use.key", { key });
    return [
        h(
            "div",
            { class: "together languages" },
            h("div", { role: "group", "aria-label": texts.say("use.language") }, chips),
            button(texts.say("copy"), () => copy(context, code.textContent ?? ""), "", "copy"),
        ),
        h("pre", { class: "curl", tabindex: 0, "aria-label": label }, code),
        hints,
        requestStatus(context, isAFlag ? key : ""),
    ];
}

/**
 * Creates a status that waits for the first request of an app. Apps name the major version that they are built for, so
 * the list of majors has the time. Apps that only evaluate flags may name none, but their evaluations are counted.
 * @param {Context} context
 * @param {string} flag the flag whose evaluations count, or an empty string
 */
function requestStatus({ api, texts, workspace, signal }, flag) {
    const findLast = async () => {
        const { document: majors } = await api.get(`${workspace.root}/majors`, { signal });
        const time = lastRequest(majors);
        if (time || !flag) return time;
        const { document: uses } = await api.get(`${workspace.root}/flags`, { signal });
        return uses.flags.find((/** @type {import("../state/flags.js").Usage} */ use) => use.key === flag)
            ?.last_evaluated_at;
    };
    const status = h(
        "p",
        { class: "request-status", role: "status" },
        h("span", { class: "lamp unknown", "aria-hidden": "true" }),
        texts.say("use.waiting"),
    );
    const wait = async () => {
        let failures = 0;
        do {
            try {
                const time = document.hidden ? null : await findLast();
                if (time) {
                    status.classList.add("good");
                    const when = timeMark(texts, time);
                    return fill(status, icon("check"), h("span", {}, texts.parts("use.requested", { when })));
                }
                failures = 0;
            } catch {
                failures += 1;
            }
            await new Promise((done) => setTimeout(done, Math.min(pollInterval * 2 ** failures, maxPollInterval)));
        } while (status.isConnected);
    };
    wait();
    return status;
}
