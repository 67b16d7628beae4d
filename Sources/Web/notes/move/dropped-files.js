/** Files and folders dropped on the page. */

/**
 * Returns all dropped files. A file in a folder has its path in `webkitRelativePath`, like a file of a chosen folder.
 * @param {DataTransfer} dropped
 * @returns {Promise<File[]>}
 */
export async function droppedFiles(dropped) {
    // The item list becomes empty when the event ends, so read all entries first.
    const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
    if (entries.length === 0) return [...dropped.files];
    return (await Promise.all(entries.map((entry) => filesOf(entry, entry.isDirectory)))).flat();
}

/**
 * @param {FileSystemEntry} entry
 * @param {boolean} isInFolder
 * @returns {Promise<File[]>}
 */
async function filesOf(entry, isInFolder) {
    if (entry.isDirectory) {
        const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
        /** @type {File[]} */
        const files = [];
        for (;;) {
            const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
            if (some.length === 0) return files;
            for (const inner of some) for (const file of await filesOf(inner, true)) files.push(file);
        }
    }
    /** @type {File} */
    const file = await new Promise((resolve, reject) =>
        /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject),
    );
    if (isInFolder) Object.defineProperty(file, "webkitRelativePath", { value: entry.fullPath.slice(1) });
    return [file];
}
