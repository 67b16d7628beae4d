"""The storage quota of a browser context."""

# A quota, in bytes, that suffices for a page and its notes; filling it exceeds it.
DEFAULT_QUOTA = 40 << 20

# Tries to store a number of bytes; returns true if the storage is full.
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


class Quota:
    """A quota that a test can reduce. Create it before any write, because the browser caches the quota for a while."""

    def __init__(self, person, page):
        self._origin = person.origin
        self._page = page
        self._session = person.context.new_cdp_session(page)
        self.is_full = False
        self.set(DEFAULT_QUOTA)

    def set(self, size):
        self._session.send("Storage.overrideQuotaForOrigin", {"origin": self._origin, "quotaSize": size})

    def fill(self):
        """Reduces the quota to nothing; returns true if the storage is full."""
        self.set(1)
        # The browser reads the quota again only when its cached value is too small.
        self.is_full = self._page.evaluate(FILL, DEFAULT_QUOTA)
        return self.is_full

    def empty(self):
        if self.is_full:
            self.set(DEFAULT_QUOTA)
        self.is_full = False
