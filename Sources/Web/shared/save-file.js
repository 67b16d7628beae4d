/**
 * Offers a file for download.
 * @param {string} name
 * @param {string} type
 * @param {BlobPart} content
 */
export function saveFile(name, type, content) {
    const address = URL.createObjectURL(new Blob([content], { type }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    // A browser reads the URL when the present task ends, or after the user has chosen a folder.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
