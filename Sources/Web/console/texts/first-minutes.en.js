/** English: an empty environment, and the code of apps. */
/** @type {import("../../shared/texts.js").Table} */
export const firstMinutes = {
    "welcome.title": "{name} is empty",
    "welcome.lead":
        "An environment is one stage of your app, such as development or production, with its own entries and flags. Your app reads them from here.",
    "welcome.entry": "Add the first entry",
    "welcome.entry.hint": "A key and a value, such as a text, a color or a limit.",
    "welcome.flag": "Create the first flag",
    "welcome.flag.hint": "Decides who gets which variant of a feature, without a new build.",
    "welcome.import": "Import entries",
    "welcome.import.hint": "From a JSON file or pasted text.",
    "use.key": "Use {key} in an app",
    "use.language": "Language",
    "use.token": "This needs an API token: create one in {link}, and put it in place of {name}.",
    "use.local": "This server has its own authority. Trust its certificate with {option}.",
    "use.typed": "Generate typed keys: {command}",
    "use.waiting": "Waiting for the first request of an app…",
    "use.requested": "An app requested this environment {when}.",
};
