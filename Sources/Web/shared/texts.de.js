/** German: texts of all pages. */

/** @type {import("./texts.js").Table} */
export const common = {
    notices: "Hinweise",
    close: "Schließen",
    cancel: "Abbrechen",
    retry: "Erneut versuchen",
    "help.title": "Tastenkürzel",
    theme: "Farbschema",
    "theme.system": "System",
    "theme.light": "Hell",
    "theme.dark": "Dunkel",
    language: "Sprache",
    "session.as": "Angemeldet als {name}",
    "session.none": "Nicht angemeldet",
    "sign-in.replaces": "Du bist als {name} angemeldet. Eine neue Anmeldung beendet diese Sitzung.",
    "sign-in.button": "Anmelden",
    "sign-in.empty": "Gib ein Token ein.",
    "sign-in.failed": "Die Anmeldung ist fehlgeschlagen ({kind}). Versuche es erneut.",
    "sign-in.sign-in-expired":
        "Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Versuche es erneut.",
    "sign-in.link": "Mit diesem Link war keine Anmeldung bei {environment} möglich: {detail}",
    "link.title": "Als {next} statt als {present} anmelden?",
    "link.lead": "Das beendet die Sitzung von {present} in {environment}.",
    "link.agree": "Als {next} anmelden",
    "link.stay": "Als {present} angemeldet bleiben",
};
