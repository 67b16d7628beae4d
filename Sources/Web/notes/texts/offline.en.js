/** Of new versions of the page, and of what other apps share. */
export const en = {
    "offline.ready": "The page is on this device now, and works without a network.",
    "offline.waiting": "A new version of the page is ready.",
    "offline.behind": "Another tab has changed to a new version of the page.",
    "offline.reload": "Reload",
    "offline.unsaved": "What you typed could not be saved on this device, so the page was not loaded again.",
    "offline.ask": "Make a note of this?",
    "offline.ask.lead": "Another app or site sent this. It becomes a note of {name} in {environment}, if you say so.",
    "offline.ask.title": "Title",
    "offline.ask.text": "Text",
    "offline.ask.address": "Address",
    "offline.ask.tag": "Tag",
    "offline.make": "Make a note",
    "offline.discard": "Discard",
    "offline.lost": "What was shared did not arrive, since the page was not ready yet. Share it once more.",
};
