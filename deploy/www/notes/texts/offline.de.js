/** Neue Fassungen der Seite, und was andere Apps teilen. */
export const de = {
    "offline.ready": "Die Seite ist jetzt auf diesem Gerät und geht auch ohne Netz.",
    "offline.waiting": "Eine neue Fassung der Seite ist da.",
    "offline.behind": "Ein anderer Tab ist zu einer neuen Fassung der Seite gewechselt.",
    "offline.reload": "Neu laden",
    "offline.unsaved":
        "Was getippt wurde, ließ sich auf diesem Gerät nicht sichern; darum wurde die Seite nicht neu geladen.",
    "offline.lost": "Was geteilt wurde, kam nicht an, weil die Seite noch nicht bereit war. Bitte noch einmal teilen.",
};
