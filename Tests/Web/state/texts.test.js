import { de } from "../../../Sources/Web/console/texts/de.js";
import { en } from "../../../Sources/Web/console/texts/en.js";
import { flags as deFlags } from "../../../Sources/Web/console/texts/flags.de.js";
import { flags as enFlags } from "../../../Sources/Web/console/texts/flags.en.js";
import { equal } from "./checks.js";

/** With what is loaded later. @type {Record<string, import("../../../Sources/Web/shared/texts.js").Message>} */
const english = { ...en, ...enFlags };
/** @type {Record<string, import("../../../Sources/Web/shared/texts.js").Message>} */
const german = { ...de, ...deFlags };

/** @param {import("../../../Sources/Web/shared/texts.js").Message} message */
function slots(message) {
    const forms = typeof message === "string" ? [message] : Object.values(message);
    return [...new Set(forms.flatMap((form) => form.match(/\{[a-z]+\}/g) ?? []))].sort();
}

Deno.test("every text is there in every language", () => {
    equal(Object.keys(german).sort(), Object.keys(english).sort());
});

Deno.test("a text has the same slots in every language", () => {
    for (const key of Object.keys(english)) equal([key, slots(german[key])], [key, slots(english[key])]);
});

Deno.test("a text that counts has a form for every number", () => {
    for (const [language, table] of Object.entries({ en: english, de: german })) {
        const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        for (const [key, message] of Object.entries(table)) {
            if (typeof message !== "string")
                equal([language, key, Object.keys(message).sort()], [language, key, [...categories].sort()]);
        }
    }
});
