"""How much room a browser context has on its disk."""

# More than a page and its notes need, and less than is asked for in order to fill it.
ENOUGH = 40 << 20

# Takes all the room that there is left, and gives it back at once; whether there was none.
FILL = """async (size) => {
    const database = await new Promise((resolve, reject) => {
        const request = indexedDB.open("filler");
        request.onupgradeneeded = () => request.result.createObjectStore("filler");
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    const isFull = await new Promise((resolve) => {
        const transaction = database.transaction("filler", "readwrite");
        transaction.objectStore("filler").put(new Uint8Array(size), 0);
        transaction.oncomplete = () => resolve(false);
        transaction.onabort = () => resolve(true);
    });
    database.close();
    return isFull;
}"""


class Room:
    """Made before anything is written: the browser remembers for a while how much room there was."""

    def __init__(self, person, page):
        self._origin = person.origin
        self._page = page
        self._session = person.context.new_cdp_session(page)
        self.is_full = False
        self.allot(ENOUGH)

    def allot(self, size):
        self._session.send("Storage.overrideQuotaForOrigin", {"origin": self._origin, "quotaSize": size})

    def fill(self):
        """Leaves none; whether that came about."""
        self.allot(1)
        # The browser asks how much room there is when it remembers less than it needs.
        self.is_full = self._page.evaluate(FILL, ENOUGH)
        return self.is_full

    def empty(self):
        if self.is_full:
            self.allot(ENOUGH)
        self.is_full = False
