/** German: what stands around the notes. */

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    title: "Notizen",
    notices: "Hinweise",
    close: "Schließen",
    cancel: "Abbrechen",
    retry: "Erneut versuchen",

    skip: "Zur Notiz springen",
    "frame.top": "Navigation",
    "frame.side": "Seitenleiste",
    "frame.middle": "Notizen",
    "frame.places": "Menü",
    "frame.back": "Zurück",
    "frame.help": "Tastenkürzel",
    "frame.settings": "Einstellungen",
    "frame.untitled": "Ohne Titel",
    "frame.nothing": "Keine Notiz ausgewählt",
    "frame.nothing.keys": "{new} erstellt eine neue Notiz, {help} zeigt alle Tastenkürzel.",
    "frame.unknown": "Seite nicht gefunden",
    "away.short": "Der Server antwortet nicht. Nichts ist verloren; versuche es noch einmal.",
    "error.unknown": "Etwas in dieser Seite ist fehlgeschlagen: {detail}",

    "help.everywhere": "Überall",
    "help.list": "In der Liste",
    "help.note": "In einer Notiz",
    "help.open": "Notiz öffnen",
    "help.choose": "Notiz auswählen oder Auswahl aufheben",
    "help.up": "Notiz nach oben (manuelle Sortierung)",
    "help.down": "Notiz nach unten (manuelle Sortierung)",
    "help.bold": "Fett",
    "help.italic": "Kursiv",
    "help.undo": "Rückgängig",

    "status.inThisTab": "Wird gespeichert",
    "status.onThisDevice": "Auf diesem Gerät gespeichert",
    "status.onServer": "Synchronisiert",
    "status.needsAttention": "Aktion erforderlich",
    "status.inThisTab.means": "Getippt, aber noch nicht gespeichert. Das dauert nur einen Moment.",
    "status.onThisDevice.means": "Auf diesem Gerät gespeichert, noch nicht synchronisiert.",
    "status.onServer.means": "Synchronisiert und auf deinen anderen Geräten verfügbar.",
    "status.needsAttention.means":
        "Der Server hat die Änderung abgelehnt. Sie bleibt hier, bis du entscheidest, was damit geschieht.",
    "status.title": "Synchronisierung",
    "status.legend": "Was das bedeutet",
    "status.more": "Synchronisierung anzeigen",
    "status.good": "Alles synchronisiert",
    "status.syncing": "Wird synchronisiert …",
    "status.sending": { one: "{n} Notiz wird synchronisiert …", other: "{n} Notizen werden synchronisiert …" },
    "status.first": {
        one: "Erste Synchronisierung: bisher {n} Notiz",
        other: "Erste Synchronisierung: bisher {n} Notizen",
    },
    "status.waiting": { one: "Neuer Versuch in {n} Sekunde", other: "Neuer Versuch in {n} Sekunden" },
    "status.waiting.pending": { one: "{n} Notiz nicht synchronisiert", other: "{n} Notizen nicht synchronisiert" },
    "status.offline": "Offline",
    "status.offline.pending": {
        one: "Offline, {n} Notiz nicht synchronisiert",
        other: "Offline, {n} Notizen nicht synchronisiert",
    },
    "status.out": "Abgemeldet",
    "status.out.pending": {
        one: "Abgemeldet, {n} Notiz nicht synchronisiert",
        other: "Abgemeldet, {n} Notizen nicht synchronisiert",
    },
    "status.failed": "Synchronisierung angehalten",
    "status.deciding": "Synchronisierung pausiert: Entscheidung nötig",
    "status.attention": { one: "{n} Notiz erfordert eine Aktion", other: "{n} Notizen erfordern eine Aktion" },
    "status.unsaved": { one: "{n} Notiz nicht gespeichert", other: "{n} Notizen nicht gespeichert" },
    "status.unsaved.lead":
        "Für das dort Getippte war auf diesem Gerät kein Platz, oder sein Speicher versagte. Es wird alle paar Sekunden " +
        "neu versucht; bis dahin ist es verloren, wenn der Tab geschlossen wird.",
    "status.check": "Jetzt synchronisieren",
    "status.fact.pending": "Nicht synchronisierte Notizen",
    "status.fact.check": "Letzter vollständiger Abgleich",
    "status.fact.never": "noch nicht",
    "status.fact.live": "Live-Aktualisierung",
    "status.fact.live.yes": "ein",
    "status.fact.live.no": "aus (mit der nächsten Synchronisierung)",
    "status.fact.retry": "Nächster Versuch",
    "status.fact.problem": "Letzter Fehler",
    "status.parked": "Aktion erforderlich",
    "status.parked.lead": "Der Server hat diese Änderungen abgelehnt. Sie sind noch auf diesem Gerät.",
    "status.refused": "Der Server hat die Änderung abgelehnt.",
    "status.keep": "Als neue Notiz speichern",
    "status.drop": "Änderung verwerfen",

    "decide.title": "Auf dem Server fehlen Notizen",
    "decide.lead": {
        one: "{n} von {total} Notizen fehlt auf dem Server.",
        other: "{n} von {total} Notizen fehlen auf dem Server.",
    },
    "decide.safe":
        "Vielleicht wurden sie auf einem anderen Gerät gelöscht, vielleicht hat der Server sie verloren. " +
        "Auf diesem Gerät sind " +
        "sie alle noch da: Behalte sie, dann werden sie wieder an den Server gesendet, oder lege sie in den " +
        "Papierkorb.",
    "decide.button": "Entscheiden …",
    "decide.keep": "Behalten",
    "decide.trash": "In den Papierkorb verschieben",
    "decide.later": "Später entscheiden",

    "access.title": "Bei {name} anmelden",
    "access.lead": "Deine Notizen werden auch auf diesem Gerät gespeichert, damit du sie offline öffnen kannst.",
    "access.replaces": "Du bist als {name} angemeldet. Eine neue Anmeldung beendet diese Sitzung.",
    "access.choose": "Wo möchtest du dich anmelden?",
    "access.others": "Woanders anmelden",
    "access.missing": "„{name}“ gibt es hier nicht.",
    "access.none": "Zum Anmelden brauchst du einen Link. Frage deinen Administrator danach.",
    "access.as": "Angemeldet als {name}",
    "access.nobody": "Nicht angemeldet",
    "sign-in.provider": "Weiter zu deinem Anbieter",
    "sign-in.with-token": "Ein Zugriffstoken benutzen",
    "sign-in.token": "Zugriffstoken",
    "sign-in.hint":
        "Es wird gegen eine Sitzung getauscht und nicht im Browser behalten. {command} gibt einen Link aus, " +
        "der von selbst anmeldet.",
    "sign-in.button": "Anmelden",
    "sign-in.empty": "Füge zuerst ein Token ein.",
    "sign-in.operator": "Dieses Token ist für die Konsole. Notizen liest man mit dem Zugriffstoken eines Benutzers.",
    "sign-in.failed": "Die Anmeldung schlug fehl ({kind}). Versuche es noch einmal.",
    "sign-in.identity-provider-away": "Dein Anbieter antwortet nicht, oder nicht sinnvoll. Versuche es noch einmal.",
    "sign-in.sign-in-refused": "Dein Anbieter ließ niemanden ein. Versuche es noch einmal.",
    "sign-in.sign-in-expired": "Die Anmeldung dauerte zu lange oder begann nicht hier. Versuche es noch einmal.",
    "access.link": "Mit diesem Link war keine Anmeldung bei {environment} möglich: {detail}",
    "link.title": "Als {next} statt als {present} anmelden?",
    "link.lead": "Das beendet die Sitzung von {present} in {environment}.",
    "link.agree": "Als {next} anmelden",
    "link.stay": "Als {present} angemeldet bleiben",
    "access.away": "Der Server ist nicht erreichbar.",
    "access.waiting": "Du bist offline",
    "access.waiting.hint":
        "Für die erste Anmeldung auf einem Gerät brauchst du eine Internetverbindung. Es wird automatisch erneut versucht.",
    "access.here": "Auf diesem Gerät",
    "access.here.hint":
        "Diese Notizen blieben hier, als sich ihr Benutzer abgemeldet hat. Sie öffnen sich ohne Anmeldung " +
        "und werden nicht abgeglichen.",
    "access.here.open": "Notizen von {name} öffnen",
    "access.ended":
        "Du bist abgemeldet. Du kannst weiterschreiben: Deine Änderungen sind auf diesem Gerät gespeichert und werden nach der Anmeldung synchronisiert.",
    "access.again": "Anmelden",
    "access.again.title": "Erneut anmelden",
    "access.again.lead": "Dies sind die Notizen von {name}. Deine Änderungen werden nach der Anmeldung synchronisiert.",
    "access.other.title": "Jemand anders ist angemeldet",
    "access.other": "{other} ist angemeldet. Diese Notizen gehören {name} und werden nicht synchronisiert.",
    "access.other.apart": "Die Notizen von {name} bleiben auf diesem Gerät, getrennt von allen anderen.",
    "access.other.pending": {
        one: "{n} davon ist noch nicht synchronisiert.",
        other: "{n} davon sind noch nicht synchronisiert.",
    },
    "access.open": "Die anderen öffnen",
    "access.open.name": "Notizen von {name} öffnen",
    "access.stay": "Bei {name} bleiben",

    "settings.title": "Einstellungen",
    "settings.settings": "Einstellungen",
    "settings.account": "Konto",
    "settings.who": "{name}, in {environment}. ",
    "settings.until": "Angemeldet bis {time}.",
    "settings.sign-out": "Abmelden …",
    "settings.others": "Andere Konten auf diesem Gerät",
    "settings.others.hint": "Die Notizen jedes Kontos werden getrennt gespeichert.",
    "settings.others.open": "{name}, in {environment}",
    "settings.looks": "Darstellung",
    theme: "Farben",
    "theme.system": "Wie das System",
    "theme.light": "Hell",
    "theme.dark": "Dunkel",
    language: "Sprache",
    "settings.moving": "Import und Export",
    "settings.moving.hint":
        "Importiere und exportiere Notizen als Markdown-Dateien oder aus und für Simplenote und Joplin.",
    "settings.move": "Import und Export",

    "health.title": "Speicher",
    "health.persisted": "Vor automatischem Löschen geschützt",
    "health.persisted.yes": "Ja",
    "health.persisted.no": "Nein",
    "health.persisted.unknown": "Unbekannt",
    "health.room": "Belegter Speicher",
    "health.room.of": "{used} von {all}",
    "health.advice.yes": "Dein Browser löscht die Notizen nicht automatisch.",
    "health.advice.no":
        "Der Browser darf löschen, was eine Seite behält, wenn der Platz knapp wird oder wochenlang " +
        "niemand sie besucht. " +
        "Was auf dem Server ist, kommt mit dem nächsten Abgleich zurück. Wer die Seite installiert oder " +
        "ihr das Behalten " +
        "erlaubt, beugt vor.",
    "health.persist": "Notizen auf diesem Gerät schützen",
    "health.refused":
        "Dein Browser hat das noch nicht erlaubt. Vielleicht nach einigen weiteren Besuchen oder nach der Installation der App.",
    "health.install": "App installieren",
    "health.status": "Synchronisierung",

    "out.title": "Abmelden?",
    "out.lead":
        "Sollen deine Notizen auf diesem Gerät bleiben? Alle, die diesen Browser benutzen, können sie dann lesen.",
    "out.unsent": {
        one: "{n} Notiz hat Änderungen, die nicht synchronisiert sind. Wenn du sie von diesem Gerät entfernst, gehen sie verloren:",
        other:
            "{n} Notizen sind nicht in der neuesten Form auf dem Server. Von diesem Gerät entfernt, wäre " +
            "das verloren:",
    },
    "out.unread":
        "Es ließ sich nicht prüfen, welche Notizen synchronisiert sind. Nicht synchronisierte Änderungen gingen verloren.",
    "out.more": { one: "und {n} weitere", other: "und {n} weitere" },
    "out.keep": "Abmelden und Notizen behalten",
    "out.wipe": "Abmelden und Notizen entfernen",
    "out.wipe.lose": "Abmelden und Änderungen verlieren",
    "out.away":
        "Der Server antwortet nicht, und nur er kann dich abmelden. Nichts ist geschehen; versuche es mit " +
        "Netz noch einmal.",
    "out.kept": "Abgemeldet. Die Notizen von {name} sind noch auf diesem Gerät.",
    "out.wiped": "Abgemeldet. Die Notizen von {name} wurden von diesem Gerät entfernt.",
    "wipe.title": "Notizen von diesem Gerät entfernen?",
    "wipe.lead": "Synchronisierte Notizen werden danach wieder heruntergeladen.",
    "wipe.button": "Entfernen",
    "wipe.lose": "Entfernen und Änderungen verlieren",

    "failure.newer": "Diese Notizen wurden mit einer neueren Version gespeichert",
    "failure.newer.detail": "Dieser Tab ist veraltet. Lade die Seite neu, um weiterzumachen.",
    "failure.blocked": "Ein anderer Tab verwendet deine Notizen",
    "failure.blocked.detail":
        "Ein älterer Tab blockiert den Speicher. Schließe alle anderen Tabs dieser App, und versuche es dann erneut.",
    "failure.full": "Der Speicher ist voll",
    "failure.full.detail":
        "Der Browser gibt dieser Seite keinen Platz mehr, darum lässt sich auf diesem Gerät nichts mehr " +
        "speichern. Was mit „Auf " +
        "diesem Gerät“ bezeichnet war, ist da. Schaffe Platz, dann versuche es noch einmal.",
    "failure.broken": "Die Notizen lassen sich nicht öffnen",
    "failure.broken.detail":
        "Der Speicher dieses Browsers versagt. Versuche es zuerst noch einmal. Was sich lesen lässt, kannst " +
        "du als Datei sichern; " +
        "wenn die Notizen von diesem Gerät entfernt sind, wird neu gelesen, was auf dem Server ist.",
    "failure.stopped": "Die App konnte nicht starten",
    "failure.stopped.detail":
        "Ein Teil dieser Seite ließ sich nicht laden oder ist ausgefallen. Was mit „Auf diesem Gerät“ bezeichnet " +
        "war, ist da. Versuche es noch einmal, oder lade die Seite neu.",
    "failure.newer.open": "Lade diesen Tab neu. Was du jetzt tippst, wird nicht gespeichert.",
    "failure.blocked.open": "Was du jetzt tippst, wird nicht gespeichert.",
    "failure.full.open":
        "Was du jetzt tippst, wird nicht gespeichert. Gib Speicherplatz frei, oder kopiere deinen Text.",
    "failure.broken.open": "Was du jetzt tippst, wird nicht gespeichert. Kopiere deinen Text.",
    "failure.stopped.open":
        "Was du jetzt tippst, wird nicht gespeichert. Kopiere deinen Text, und lade die Seite dann neu.",
    "failure.reload": "Neu laden",
    "failure.rescue": "Lesbare Notizen in Datei sichern",
    "failure.wipe": "Von diesem Gerät entfernen …",
    "failure.trying": "Wird erneut versucht …",
    "failure.rescued": { one: "{n} Notiz wurde gesichert.", other: "{n} Notizen wurden gesichert." },
    "failure.lost": "Keine Notiz konnte gelesen werden: {detail}",

    "problem.too-many-requests": "Zu viele Anfragen. Versuche es gleich erneut.",
    "problem.note-too-large": "Die Notiz ist größer, als der Server erlaubt.",
    "problem.too-many-notes": "Die maximale Anzahl an Notizen ist erreicht.",
    "problem.invalid-tag": "Der Server akzeptiert eines der Schlagwörter nicht.",
    "problem.too-many-tags": "Die Notiz hat mehr Schlagwörter, als der Server erlaubt.",
};
