/** Neue Fassungen der Seite, und was andere Apps teilen. */
export const de = {
    "offline.ready": "Die Seite ist jetzt auf diesem Gerät und geht auch ohne Netz.",
    "offline.waiting": "Eine neue Fassung der Seite ist da.",
    "offline.behind": "Ein anderer Tab ist zu einer neuen Fassung der Seite gewechselt.",
    "offline.reload": "Neu laden",
    "offline.unsaved":
        "Was getippt wurde, ließ sich auf diesem Gerät nicht sichern; darum wurde die Seite nicht neu geladen.",
    "offline.ask": "Daraus eine Notiz machen?",
    "offline.ask.lead":
        "Eine andere App oder Seite hat das geschickt. Auf Wunsch wird es eine Notiz von {name} in {environment}.",
    "offline.ask.title": "Titel",
    "offline.ask.text": "Text",
    "offline.ask.address": "Adresse",
    "offline.ask.tag": "Schlagwort",
    "offline.make": "Notiz anlegen",
    "offline.discard": "Verwerfen",
    "offline.lost": "Was geteilt wurde, kam nicht an, weil die Seite noch nicht bereit war. Bitte noch einmal teilen.",
};
