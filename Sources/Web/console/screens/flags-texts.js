/** Sentences about flags for screens that load them only when a flag has changed. */

/**
 * Adds the texts of flags, and returns the function that describes a flag's changes.
 * @param {import("../../shared/texts.js").Texts} texts
 */
export async function loadFlagChanges(texts) {
    const table = texts.language === "de" ? import("../texts/flags.de.js") : import("../texts/flags.en.js");
    const [{ flagChanges }, { flags }] = await Promise.all([import("../state/flags-words.js"), table]);
    texts.add(flags);
    return flagChanges;
}
