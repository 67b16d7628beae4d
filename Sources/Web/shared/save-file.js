/**
 * Gives the browser's user a file.
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
    // The browser has taken it when the present task ends, or asks for a place and keeps it until then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
