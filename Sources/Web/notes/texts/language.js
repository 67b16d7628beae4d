/** The words of the language that the reader has chosen, here or in the browser. */
import { Texts } from "../../shared/texts.js";
import { en } from "./en.js";

/** Languages beside English, loaded for who reads them. */
const languages = /** @type {Record<string, () => Promise<import("../../shared/texts.js").Table>>} */ ({
    de: async () => (await import("./de.js")).de,
});

/**
 * @param {import("../../shared/settings.js").Settings} settings
 * @param {() => number} now
 */
export async function chosenTexts(settings, now) {
    const chosen = [settings.get("language") ?? "", ...navigator.languages].map((tag) => tag.slice(0, 2));
    const language = chosen.find((tag) => tag === "en" || tag in languages) ?? "en";
    const table = language in languages ? { ...en, ...(await languages[language]().catch(() => ({}))) } : en;
    document.documentElement.lang = language;
    return new Texts(language, table, now, navigator.languages);
}
