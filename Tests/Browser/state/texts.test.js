import { de } from "../../../deploy/www/console/texts/de.js";
import { en } from "../../../deploy/www/console/texts/en.js";
import { equal } from "./checks.js";

/** @param {import("../../../deploy/www/shared/texts.js").Message} message */
function slots(message) {
    const forms = typeof message === "string" ? [message] : Object.values(message);
    return [...new Set(forms.flatMap((form) => form.match(/\{[a-z]+\}/g) ?? []))].sort();
}

Deno.test("every text is there in every language", () => {
    equal(Object.keys(de).sort(), Object.keys(en).sort());
});

Deno.test("a text has the same slots in every language", () => {
    for (const key of Object.keys(en)) equal([key, slots(de[key])], [key, slots(en[key])]);
});

Deno.test("a text that counts has a form for every number", () => {
    for (const [language, table] of Object.entries({ en, de })) {
        const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        for (const [key, message] of Object.entries(table)) {
            if (typeof message !== "string")
                equal([language, key, Object.keys(message).sort()], [language, key, [...categories].sort()]);
        }
    }
});
