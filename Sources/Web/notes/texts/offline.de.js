/** Neue Fassungen der Seite, und was andere Apps teilen. */
export const de = {
    "offline.waiting": "Eine neue Version ist verfügbar.",
    "offline.behind": "Ein anderer Tab verwendet bereits eine neue Version.",
    "offline.unsaved":
        "Deine Änderungen konnten nicht auf diesem Gerät gespeichert werden, daher wurde die Seite nicht neu geladen.",
    "offline.ask": "Daraus eine Notiz erstellen?",
    "offline.ask.lead":
        "Eine andere App oder Website hat das gesendet. Wenn du die Notiz erstellst, kommt sie zu den Notizen von {name} in {environment}.",
    "offline.ask.title": "Titel",
    "offline.ask.text": "Text",
    "offline.ask.address": "Adresse",
    "offline.ask.tag": "Schlagwort",
    "offline.make": "Notiz erstellen",
    "offline.discard": "Verwerfen",
    "offline.lost": "Der geteilte Inhalt kam nicht an, weil die App noch nicht bereit war. Teile ihn noch einmal.",
};
