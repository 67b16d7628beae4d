/** Of new versions of the page, and of what other apps share. */
export const en = {
    "offline.ready": "The page is on this device now, and works without a network.",
    "offline.waiting": "A new version of the page is ready.",
    "offline.behind": "Another tab has changed to a new version of the page.",
    "offline.reload": "Reload",
    "offline.unsaved": "What you typed could not be saved on this device, so the page was not loaded again.",
    "offline.lost": "What was shared did not arrive, since the page was not ready yet. Share it once more.",
};
