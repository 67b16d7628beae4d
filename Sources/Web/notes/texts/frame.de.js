/** German: what stands around the notes. */

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    title: "Notizen",
    notices: "Hinweise",
    close: "Schließen",
    cancel: "Abbrechen",
    retry: "Noch einmal versuchen",

    skip: "Zur Notiz springen",
    "frame.top": "Bereiche",
    "frame.side": "Orte und Schlagwörter",
    "frame.middle": "Notizen",
    "frame.places": "Orte",
    "frame.back": "Zurück",
    "frame.help": "Tasten",
    "frame.settings": "Einstellungen",
    "frame.untitled": "Ohne Titel",
    "frame.nothing": "Wähle eine Notiz.",
    "frame.nothing.keys": "{new} beginnt eine neue, {help} zeigt alle Tasten.",
    "frame.unknown": "Unter dieser Adresse ist nichts.",
    "away.short": "Der Server antwortet nicht. Nichts ist verloren; versuche es noch einmal.",
    "error.unknown": "Etwas in dieser Seite ist fehlgeschlagen: {detail}",

    "help.everywhere": "Überall",
    "help.list": "In der Liste",
    "help.note": "In einer Notiz",
    "help.open": "Notiz öffnen",
    "help.choose": "Notiz wählen oder abwählen",
    "help.up": "Nach oben, in der Ordnung von Hand",
    "help.down": "Nach unten, in der Ordnung von Hand",
    "help.bold": "Fett",
    "help.italic": "Kursiv",
    "help.undo": "Eigenes rückgängig machen",

    "status.inThisTab": "In diesem Tab",
    "status.onThisDevice": "Auf diesem Gerät",
    "status.onServer": "Auf dem Server",
    "status.needsAttention": "Braucht dich",
    "status.inThisTab.means": "Getippt, aber noch nicht gespeichert. Das dauert nur einen Augenblick.",
    "status.onThisDevice.means": "Auf diesem Gerät gespeichert. Der Server hat es noch nicht bestätigt.",
    "status.onServer.means": "Der Server hat es bestätigt: Es ist für deine anderen Geräte da.",
    "status.needsAttention.means": "Der Server lehnt die Änderung ab. Sie bleibt hier, bis du sagst, was aus ihr wird.",
    "status.title": "Was wo gespeichert ist",
    "status.legend": "Was die Wörter bedeuten",
    "status.more": "Zeigen, was wo gespeichert ist",
    "status.good": "Alles auf dem Server",
    "status.syncing": "Wird abgeglichen …",
    "status.sending": { one: "{n} Notiz wird gesendet …", other: "{n} Notizen werden gesendet …" },
    "status.first": { one: "Erster Abgleich: bisher {n} Notiz", other: "Erster Abgleich: bisher {n} Notizen" },
    "status.waiting": { one: "Neuer Versuch in {n} Sekunde", other: "Neuer Versuch in {n} Sekunden" },
    "status.waiting.pending": { one: "{n} Notiz nur auf diesem Gerät", other: "{n} Notizen nur auf diesem Gerät" },
    "status.offline": "Ohne Netz",
    "status.offline.pending": {
        one: "Ohne Netz, {n} Notiz nur auf diesem Gerät",
        other: "Ohne Netz, {n} Notizen nur auf diesem Gerät",
    },
    "status.out": "Abgemeldet",
    "status.out.pending": {
        one: "Abgemeldet, {n} Notiz nur auf diesem Gerät",
        other: "Abgemeldet, {n} Notizen nur auf diesem Gerät",
    },
    "status.failed": "Der Abgleich steht still",
    "status.deciding": "Der Abgleich wartet auf deine Entscheidung",
    "status.attention": { one: "{n} Notiz braucht dich", other: "{n} Notizen brauchen dich" },
    "status.unsaved": { one: "{n} Notiz nur in diesem Tab", other: "{n} Notizen nur in diesem Tab" },
    "status.unsaved.lead":
        "Für das dort Getippte war auf diesem Gerät kein Platz, oder sein Speicher versagte. Es wird alle paar Sekunden " +
        "neu versucht; bis dahin ist es verloren, wenn der Tab geschlossen wird.",
    "status.check": "Jetzt prüfen",
    "status.fact.pending": "Notizen, die nicht auf dem Server sind",
    "status.fact.check": "Zuletzt ganz verglichen",
    "status.fact.never": "noch nicht",
    "status.fact.live": "Änderungen von anderswo",
    "status.fact.live.yes": "kommen sofort",
    "status.fact.live.no": "kommen mit dem nächsten Abgleich",
    "status.fact.retry": "Nächster Versuch",
    "status.fact.problem": "Letzte Schwierigkeit",
    "status.parked": "Braucht dich",
    "status.parked.lead": "Der Server lehnt diese Änderungen ab. Nichts davon ist verloren.",
    "status.refused": "Der Server lehnt die Änderung ab.",
    "status.keep": "Als neue Notiz behalten",
    "status.drop": "Änderung verwerfen",

    "decide.title": "Auf dem Server fehlen Notizen",
    "decide.lead": {
        one: "{n} von {total} Notizen ist nicht mehr auf dem Server.",
        other: "{n} von {total} Notizen sind nicht mehr auf dem Server.",
    },
    "decide.safe":
        "Vielleicht wurden sie auf einem anderen Gerät gelöscht, vielleicht hat der Server sie verloren. " +
        "Auf diesem Gerät sind " +
        "sie alle noch da: Behalte sie, dann werden sie wieder an den Server gesendet, oder lege sie in den " +
        "Papierkorb.",
    "decide.button": "Entscheiden …",
    "decide.keep": "Behalten",
    "decide.trash": "In den Papierkorb",
    "decide.later": "Später entscheiden",

    "access.title": "Bei {name} anmelden",
    "access.lead": "Deine Notizen sind dann auch auf diesem Gerät und öffnen sich ohne Netz.",
    "access.replaces": "Du bist als {name} angemeldet. Eine neue Anmeldung beendet diese Sitzung.",
    "access.choose": "Wo sind deine Notizen?",
    "access.others": "Andere Umgebungen",
    "access.missing": "Eine Umgebung {name} gibt es hier nicht.",
    "access.none": "Ohne einen Link kann man sich hier nirgends anmelden. Bitte um einen.",
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
    "access.link": "Der Link hat bei {environment} nicht angemeldet: {detail}",
    "link.title": "Als {next} statt als {present} anmelden?",
    "link.lead": "Das beendet die Sitzung von {present} in {environment}.",
    "link.agree": "Als {next} anmelden",
    "link.stay": "Als {present} angemeldet bleiben",
    "access.away": "Der Server antwortet nicht.",
    "access.waiting": "Warten auf das Netz",
    "access.waiting.hint":
        "Die erste Anmeldung auf einem Gerät braucht ein Netz. Die Seite versucht es von selbst wieder.",
    "access.here": "Auf diesem Gerät",
    "access.here.hint":
        "Diese Notizen blieben hier, als sich ihr Benutzer abgemeldet hat. Sie öffnen sich ohne Anmeldung " +
        "und werden nicht abgeglichen.",
    "access.here.open": "Notizen von {name} öffnen",
    "access.ended": "Du bist abgemeldet. Schreib ruhig weiter: Alles bleibt auf diesem Gerät, bis du dich anmeldest.",
    "access.again": "Anmelden",
    "access.again.title": "Wieder anmelden",
    "access.again.lead": "Dies sind die Notizen von {name}. Was du inzwischen geschrieben hast, wird dann gesendet.",
    "access.other.title": "Jemand anders ist angemeldet",
    "access.other": "{other} ist angemeldet; dies sind die Notizen von {name}, und sie werden nicht abgeglichen.",
    "access.other.apart": "Die Notizen von {name} bleiben auf diesem Gerät, getrennt von allen anderen.",
    "access.other.pending": {
        one: "{n} davon ist noch nicht auf dem Server.",
        other: "{n} davon sind noch nicht auf dem Server.",
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
    "settings.others": "Auch auf diesem Gerät",
    "settings.others.hint": "Notizen anderer Konten liegen getrennt.",
    "settings.others.open": "{name}, in {environment}",
    "settings.looks": "Aussehen",
    theme: "Farben",
    "theme.system": "Wie das System",
    "theme.light": "Hell",
    "theme.dark": "Dunkel",
    language: "Sprache",
    "settings.moving": "Einlesen und ausgeben",
    "settings.moving.hint": "Notizen kommen und gehen als Markdown-Dateien, auch von Simplenote und Joplin.",
    "settings.move": "Einlesen und ausgeben",

    "health.title": "Speicher",
    "health.persisted": "Dieser Browser behält sie",
    "health.persisted.yes": "auf Dauer",
    "health.persisted.no": "bis er den Platz braucht",
    "health.persisted.unknown": "sagt er nicht",
    "health.room": "Platz",
    "health.room.of": "{used} von {all} belegt",
    "health.advice.yes": "Der Browser verspricht, die Notizen nicht von selbst zu löschen.",
    "health.advice.no":
        "Der Browser darf löschen, was eine Seite behält, wenn der Platz knapp wird oder wochenlang " +
        "niemand sie besucht. " +
        "Was auf dem Server ist, kommt mit dem nächsten Abgleich zurück. Wer die Seite installiert oder " +
        "ihr das Behalten " +
        "erlaubt, beugt vor.",
    "health.persist": "Den Browser bitten, sie zu behalten",
    "health.refused":
        "Der Browser verspricht es noch nicht, vielleicht nach mehr Besuchen oder wenn die Seite installiert ist.",
    "health.install": "Installieren",
    "health.status": "Was wo gespeichert ist",

    "out.title": "Abmelden",
    "out.lead": "Sollen die Notizen auf diesem Gerät bleiben? Wer diesen Browser benutzt, kann sie dann lesen.",
    "out.unsent": {
        one: "{n} Notiz ist nicht in der neuesten Form auf dem Server. Von diesem Gerät entfernt, wäre das verloren:",
        other:
            "{n} Notizen sind nicht in der neuesten Form auf dem Server. Von diesem Gerät entfernt, wäre " +
            "das verloren:",
    },
    "out.unread": "Es war nicht zu lesen, welche Notizen nicht auf dem Server sind. Sie wären verloren.",
    "out.more": { one: "und {n} weitere", other: "und {n} weitere" },
    "out.keep": "Abmelden, Notizen behalten",
    "out.wipe": "Abmelden, Notizen entfernen",
    "out.wipe.lose": "Abmelden, entfernen und verlieren",
    "out.away":
        "Der Server antwortet nicht, und nur er kann dich abmelden. Nichts ist geschehen; versuche es mit " +
        "Netz noch einmal.",
    "out.kept": "Abgemeldet. Die Notizen von {name} sind noch auf diesem Gerät.",
    "out.wiped": "Abgemeldet. Die Notizen von {name} sind von diesem Gerät entfernt.",
    "wipe.title": "Notizen von diesem Gerät entfernen",
    "wipe.lead": "Was auf dem Server ist, wird dann neu gelesen.",
    "wipe.button": "Entfernen",
    "wipe.lose": "Entfernen und verlieren",

    "failure.newer": "Diese Notizen sind von einer neueren Version",
    "failure.newer.detail": "Dieser Tab ist älter als das Gespeicherte und lässt es in Ruhe. Lade die Seite neu.",
    "failure.blocked": "Ein anderer Tab hält die Notizen fest",
    "failure.blocked.detail":
        "Ein älterer Tab dieser Seite belegt den Speicher. Schließe alle anderen, dann versuche es noch einmal.",
    "failure.full": "Es ist kein Platz mehr",
    "failure.full.detail":
        "Der Browser gibt dieser Seite keinen Platz mehr, darum lässt sich auf diesem Gerät nichts mehr " +
        "speichern. Was mit „Auf " +
        "diesem Gerät“ bezeichnet war, ist da. Schaffe Platz, dann versuche es noch einmal.",
    "failure.broken": "Die Notizen lassen sich nicht öffnen",
    "failure.broken.detail":
        "Der Speicher dieses Browsers versagt. Versuche es zuerst noch einmal. Was sich lesen lässt, kannst " +
        "du als Datei sichern; " +
        "wenn die Notizen von diesem Gerät entfernt sind, wird neu gelesen, was auf dem Server ist.",
    "failure.stopped": "Was die Notizen bewahrt, läuft nicht",
    "failure.stopped.detail":
        "Ein Teil dieser Seite ließ sich nicht laden oder ist ausgefallen. Was mit „Auf diesem Gerät“ bezeichnet " +
        "war, ist da. Versuche es noch einmal, oder lade die Seite neu.",
    "failure.newer.open": "Lade diesen Tab neu; was du jetzt tippst, bleibt nicht.",
    "failure.blocked.open": "Was du jetzt tippst, ist nur in diesem Tab.",
    "failure.full.open": "Was du jetzt tippst, ist nur in diesem Tab: Schaffe Platz oder kopiere es anderswohin.",
    "failure.broken.open": "Was du jetzt tippst, ist nur in diesem Tab: Kopiere es anderswohin.",
    "failure.stopped.open":
        "Was du jetzt tippst, ist nur in diesem Tab: Kopiere es anderswohin, dann lade die Seite neu.",
    "failure.reload": "Neu laden",
    "failure.rescue": "Lesbares sichern",
    "failure.wipe": "Von diesem Gerät entfernen …",
    "failure.trying": "Wird versucht …",
    "failure.rescued": { one: "{n} Notiz wurde gesichert.", other: "{n} Notizen wurden gesichert." },
    "failure.lost": "Nichts war zu lesen: {detail}",

    "problem.too-many-requests": "Das war zu viel auf einmal. Versuche es gleich noch einmal.",
    "problem.note-too-large": "Die Notiz ist größer, als der Server erlaubt.",
    "problem.too-many-notes": "Es sind so viele Notizen, wie der Server erlaubt.",
    "problem.invalid-tag": "Eines der Schlagwörter nimmt der Server nicht.",
    "problem.too-many-tags": "Die Notiz hat mehr Schlagwörter, als der Server erlaubt.",
};
