/** Texts about new versions of the page, and about content that other apps share. */
export const en = {
    "offline.waiting": "A new version is available.",
    "offline.behind": "Another tab has updated to a new version.",
    "offline.unsaved": "Your changes couldn’t be saved on this device, so the page wasn’t reloaded.",
    "offline.ask": "Create a note from this?",
    "offline.ask.lead":
        "Another app or website sent this. If you create the note, it’s added to the notes of {name} in {environment}.",
    "offline.ask.title": "Title",
    "offline.ask.text": "Text",
    "offline.ask.address": "Address",
    "offline.ask.tag": "Tag",
    "offline.make": "Create note",
    "offline.discard": "Discard",
    "offline.lost": "The shared item didn’t arrive because the app wasn’t ready yet. Share it again.",
};
