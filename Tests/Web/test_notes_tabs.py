"""Tests of several tabs on one device: the leader, messages between tabs, and their database."""

from playwright.sync_api import Error

from support.engine import CLOCK, DATABASES, DEAF, DROPPING, GIVING_UP, LASTING, NEWER, EnginesCase
from support.notes import NotesUser


class TabsTests(EnginesCase):
    def test_one_tab_syncs(self):
        """a single tab of three syncs, and sends each change of the other tabs once"""
        first = self.first_tab()
        others = [self.another_tab(), self.another_tab()]
        for number, tab in enumerate([first, *others]):
            tab.create(f"of tab {number}")
        for tab in [first, *others]:
            tab.await_state("s.pending === 0")
            for number in range(3):
                tab.await_title(f"of tab {number}")
        self.assertEqual([tab.do("engine.state()")["isLeader"] for tab in [first, *others]], [True, False, False])
        sent = self.sent_actions()
        self.assertEqual(len(sent), len(set(sent)))
        self.assertEqual(sorted(note["title"] for note in self.user.notes().values()),
                         ["of tab 0", "of tab 1", "of tab 2"])

    def test_change_elsewhere_arrives(self):
        """another device's change reaches every tab at once through the event stream"""
        first = self.first_tab()
        other = self.another_tab()
        first.await_state("s.live")
        self.user.create("from elsewhere")
        first.await_title("from elsewhere")
        other.await_title("from elsewhere")
        other.await_state("s.live")

    def test_closed_leader(self):
        """if the leader closes before the response to its action, another tab repeats it, and it counts once"""
        first = self.first_tab()
        other = self.another_tab()
        self.one.context.route("**/development/notes", lambda route: None)
        with first.page.expect_request("**/development/notes") as sent:
            note = first.create("written before the end")
        # The server performs the action; its response is lost.
        self.assertEqual(self.user.call("POST", "/notes", sent.value.post_data).status, 200)
        self.one.context.unroute("**/development/notes")
        first.page.close()
        other.await_state("s.isLeader && s.phase === 'upToDate' && s.pending === 0")
        self.assertEqual(list(self.user.notes()), [note])
        self.assertEqual(len(self.user.must("GET", f"/notes/{note}/history")["history"]), 1)

    def test_killed_leader(self):
        """if the leader's process is killed, another tab continues with the stored changes"""
        first = self.first_tab()
        other = self.another_tab()
        self.one.checks.allow("net::ERR_FAILED")
        self.one.context.route("**/development/notes*", lambda route: route.abort())
        first.create("on the disk")
        with self.assertRaises(Error):
            first.page.goto("chrome://crash")
        first.page.close()
        self.one.context.unroute("**/development/notes*")
        other.await_state("s.isLeader")
        other.sync()
        self.assertEqual([note["title"] for note in self.user.notes().values()], ["on the disk"])

    def test_sleeping_leader(self):
        """a tab that holds the lock and never responds does not block the other tabs"""
        page = self.signed_in()
        page.evaluate("""(name) => {
            navigator.locks.request(name, () => new Promise(() => {})).catch(() => {});
        }""", self.database)
        tab = self.engines.opened()
        self.assertFalse(tab.do("engine.state()")["isLeader"])
        tab.await_state("s.isLeader && s.phase === 'upToDate'")

    def test_two_users(self):
        """another user on the same device has separate notes, and the first user's notes remain"""
        first = self.first_tab()
        first.create("of the first")
        first.await_state("s.pending === 0")
        first.do("engine.close()")
        mine, self.engines.user = self.user, NotesUser(self.instance)
        second = self.engines.opened(page=self.signed_in_as(self.engines.user))
        second.await_state("s.phase === 'upToDate'")
        self.assertEqual(second.titles(), [])
        second.do("engine.close()")
        self.engines.user = mine
        self.one.checks.allow("status of 401")
        again = self.engines.opened()
        self.assertEqual(again.titles(), ["of the first"])

    def test_wipe(self):
        """notes removed from the device disappear from all tabs"""
        first = self.first_tab()
        other = self.another_tab()
        first.create("to be removed")
        first.await_state("s.pending === 0")
        other.do("engine.wipe()")
        first.await_true("heard.wiped.length === 1")
        self.assertIsNotNone(first.failure("engine.create({ title: 'x' })"))
        self.assertEqual(first.page.evaluate(DATABASES), [])

    def test_wipe_that_a_tab_is_not_told(self):
        """a tab that learns of the removal only from the database does not create the database again"""
        first = self.first_tab()
        first.create("to be removed")
        first.await_state("s.pending === 0")
        deaf = self.engines.opened(beginning=DEAF)
        self.assertEqual(deaf.titles(), ["to be removed"])
        first.do("engine.wipe()")
        deaf.await_true("heard.wiped.length === 1")
        self.assertIsNotNone(deaf.failure("engine.create({ title: 'x' })"))
        self.assertEqual(deaf.page.evaluate(DATABASES), [])

    def signed_in_as(self, user):
        self.engines.user = user
        return self.signed_in()


class DatabaseTests(EnginesCase):
    def test_blocked(self):
        """an older version that keeps the database open blocks a newer one until it is closed"""
        page = self.signed_in()
        page.evaluate("""(name) => new Promise((resolve) => {
            const request = indexedDB.open(name, 1);
            request.onupgradeneeded = () => {
                request.result.createObjectStore("notes", { keyPath: "id" }).createIndex("dirty", "dirty");
                for (const each of ["meta", "manifest", "shelf", "beside"]) request.result.createObjectStore(each);
            };
            request.onsuccess = () => { globalThis.held = request.result; resolve(); };
        })""", self.database)
        tab = self.engines.open(beginning=NEWER)
        self.assertEqual(tab.failure("engine.opened"), "blocked")
        tab.await_true("heard.failure.includes('blocked')")
        page.evaluate("held.close()")
        tab.do("engine.reopen()")
        tab.create("after all")
        tab.sync()

    def test_newer(self):
        """a newer version upgrades the database; a tab of an older version reports it and keeps its notes visible"""
        older = self.first_tab()
        older.create("of the older one")
        older.await_state("s.pending === 0")
        newer = self.engines.opened(beginning=NEWER)
        self.assertEqual(newer.titles(), ["of the older one"])
        self.assertEqual(older.failure("engine.create({ title: 'too late' })"), "newer")
        older.await_true("heard.failure.includes('newer')")
        self.assertEqual(older.titles(), ["of the older one"])
        self.assertEqual(self.engines.open().failure("engine.opened"), "newer")

    def test_full(self):
        """without storage space, no write is partial, and writes succeed again once there is space"""
        page = self.signed_in()
        session = self.one.context.new_cdp_session(page)
        quota = {"origin": self.one.origin}
        session.send("Storage.overrideQuotaForOrigin", {**quota, "quotaSize": 4 << 20})
        tab = self.engines.opened(page=page)
        note = tab.create("kept", "short")
        tab.await_state("s.pending === 0")
        self.one.checks.allow("status of 413")
        much = "engine.create({ title: 'much', body: 'word '.repeat(1 << 20) })"
        self.assertEqual(tab.failure(much), "full")
        tab.await_true("heard.failure.includes('full')")
        self.assertEqual(tab.titles(), ["kept"])
        tab.write(note, "longer than before")
        tab.sync()
        self.assertEqual([each["body"] for each in self.user.notes().values()], ["longer than before"])
        session.send("Storage.overrideQuotaForOrigin", quota)
        # The browser caches the quota for a while.
        tab.await_true(f"{much}.then(() => true, () => false)")
        self.assertEqual(tab.titles(), ["kept", "much"])

    def test_evicted_between_visits(self):
        """storage evicted between visits is restored by the first sync"""
        tab = self.first_tab()
        for number in range(3):
            tab.create(f"note {number}")
        tab.sync()
        tab.page.goto("about:blank")
        self.evict(tab)
        page = self.engines.tab()
        self.assertEqual(page.evaluate(DATABASES), [])
        again = self.engines.opened(page=page)
        again.await_state("s.phase === 'upToDate'")
        self.assertEqual(again.titles(), ["note 0", "note 1", "note 2"])

    def test_evicted_while_open(self):
        """storage evicted under an open tab is restored too"""
        tab = self.first_tab()
        note = tab.create("note")
        tab.sync()
        self.evict_under([tab], note)
        tab.create("another")
        tab.await_title("note")
        tab.sync()
        self.assertEqual(tab.titles(), ["another", "note"])

    def test_evicted_while_read(self):
        """storage evicted during a transaction is restored too"""
        tab = self.lasting_tab()
        self.evict_while_read(tab, tab.create("note"), [])

    def test_evicted_while_read_elsewhere(self):
        """storage evicted and restored by another tab is read again by a tab with a pending transaction"""
        tab = self.lasting_tab()
        self.evict_while_read(tab, tab.create("note"), [self.another_tab()])

    def lasting_tab(self):
        tab = self.engines.opened(page=self.signed_in(), beginning=LASTING)
        tab.sync()
        return tab

    def evict_while_read(self, tab, note, others):
        """Evicts the storage while a tab reads a note; other tabs are idle."""
        tab.sync()
        for other in others:
            other.await_title("note")
        tab.page.evaluate("""async (note) => {
            const channel = new BroadcastChannel("lasting");
            const begun = new Promise((resolve) => { channel.onmessage = () => resolve(true); });
            channel.postMessage("next");
            // The worker hears of it in its own time.
            while (!await Promise.race([begun, engine.note(note).then(() => false)]));
        }""", note)
        self.evict_under([tab, *others], note)
        for each in [tab, *others]:
            each.await_title("note")
        tab.sync()
        for each in [tab, *others]:
            self.assertEqual(each.titles(), ["note"])

    def evict(self, tab):
        """Evicts this origin's databases, like the browser."""
        tab.debugger().send("Storage.clearDataForOrigin", {"origin": self.one.origin, "storageTypes": "indexeddb"})

    def evict_under(self, tabs, note):
        """Evicts the storage under open tabs, and waits until they have noticed."""
        for tab in tabs:
            tab.page.evaluate("() => { heard.changed = []; }")
        self.evict(tabs[0])
        for tab in tabs:
            tab.await_true("heard.changed.some((ids) => ids.has(words[0]))", note)

    def test_dropped_connections(self):
        """a connection that the browser drops, as in the background, is reopened, and each write happens once"""
        tab = self.engines.opened(page=self.signed_in(), beginning=DROPPING)
        tab.sync()
        for how in ("before", "meanwhile"):
            tab.page.evaluate("(how) => new BroadcastChannel('drop').postMessage(how)", how)
            # Wait until the worker has received the message.
            tab.await_true("engine.diff('', '').then(() => true)")
            tab.create(f"written {how}")
            tab.sync()
        self.assertEqual(tab.titles(), ["written before", "written meanwhile"])
        self.assertEqual(sorted(note["title"] for note in self.user.notes().values()),
                         ["written before", "written meanwhile"])

    def test_given_up_writing(self):
        """a write whose requests succeed but whose transaction aborts is reported as failed"""
        tab = self.engines.opened(page=self.signed_in(), beginning=GIVING_UP)
        self.assertEqual(tab.failure("engine.create({ title: 'given up' })"), "broken")
        tab.create("written")
        tab.sync()
        self.assertEqual(tab.titles(), ["written"])

    def test_list_of_later(self):
        """a reopened list is complete, including changes after its snapshot"""
        tab = self.first_tab()
        tab.do("engine.createAll(Array.from({ length: 150 }, (_, number) => ({ title: `note ${1000 + number}` })))")
        tab.sync()
        # The snapshot of the lists is written after a sync; later changes are recorded beside the snapshot.
        tab.await_true("""new Promise((resolve, reject) => {
            const request = indexedDB.open(words[0]);
            request.onerror = () => reject(request.error);
            request.onsuccess = () => {
                const database = request.result;
                const count = database.transaction("beside").objectStore("beside").count();
                count.onsuccess = () => { database.close(); resolve(count.result < 100); };
            };
        })""", self.database)
        ids = tab.do("engine.list({ place: 'list', order: 'title' })")["ids"]
        tab.do("""engine.note(words[0]).then(({ text }) =>
            engine.edit(words[0], text, { ...text, title: "edited" }))""",
               ids[0])
        tab.do("engine.moveAllToTrash(words)", ids[1])
        tab.do("engine.removeAllForGood(words)", ids[2])
        tab.create("the last one")
        tab.do("engine.close()")
        again = self.engines.opened()
        expected = ["edited", *[f"note {1000 + number}" for number in range(3, 150)], "the last one"]
        self.assertEqual(again.titles(), expected)
        self.assertEqual(again.titles("trash"), ["note 1001"])
        again.sync()
        self.assertEqual(again.titles(), expected)

    def test_first_version(self):
        """a database of the first version, whose snapshot has another format, lists and finds its notes"""
        tab = self.first_tab()
        tab.do("engine.createAll(Array.from({ length: 150 }, (_, number) => "
               "({ title: `note ${1000 + number}`, body: `bread for day ${number}` })))")
        tab.sync()
        tab.do("engine.close()")
        tab.page.evaluate("""async (name) => {
            const done = (request) => new Promise((resolve, reject) => {
                request.onsuccess = () => resolve(request.result);
                request.onerror = () => reject(request.error);
            });
            const now = await done(indexedDB.open(name));
            const read = now.transaction(["notes", "meta"]);
            const [notes, names, values] = await Promise.all([
                done(read.objectStore("notes").getAll()),
                done(read.objectStore("meta").getAllKeys()),
                done(read.objectStore("meta").getAll()),
            ]);
            now.close();
            await done(indexedDB.deleteDatabase(name));
            const request = indexedDB.open(name, 1);
            request.onupgradeneeded = () => {
                const stores = ["meta", "manifest", "shelf", "beside"];
                const [meta, , shelf] = stores.map((each) => request.result.createObjectStore(each));
                const kept = request.result.createObjectStore("notes", { keyPath: "id" });
                kept.createIndex("dirty", "dirty");
                for (const note of notes) kept.put(note);
                for (const [at, key] of names.entries()) meta.put(values[at], key);
                shelf.put(notes.map(({ id, text, place }) => ({ id, text, place })), 0);
            };
            (await done(request)).close();
        }""", self.database)
        again = self.engines.opened()
        self.assertEqual(again.titles(), [f"note {1000 + number}" for number in range(150)])
        found = again.do("engine.list({ place: 'list', words: 'bread 149', order: 'title' })")["ids"]
        self.assertEqual(len(found), 1)
        # The snapshot has been written again, with the same content.
        again.sync()
        again.do("engine.close()")
        self.assertEqual(self.engines.opened().titles(), [f"note {1000 + number}" for number in range(150)])

    def test_mended(self):
        """the full check finds and repairs lost and wrong records"""
        tab = self.first_tab()
        lost, wrong = tab.create("lost", "words"), tab.create("wrong", "words")
        tab.sync()
        tab.await_state("s.lastFullCheck !== null")
        tab.do("engine.close()")
        left = tab.page.evaluate("""([name, lost, wrong]) => new Promise((resolve, reject) => {
            const request = indexedDB.open(name);
            request.onerror = () => reject(request.error);
            request.onsuccess = () => {
                const database = request.result;
                const transaction = database.transaction(["notes", "meta", "shelf", "beside"], "readwrite");
                const [notes, meta] = [transaction.objectStore("notes"), transaction.objectStore("meta")];
                for (const each of ["shelf", "beside"]) transaction.objectStore(each).clear();
                let left;
                notes.delete(lost);
                notes.get(wrong).onsuccess = ({ target }) => {
                    const record = target.result;
                    record.text = { ...record.text, body: "wrods" };
                    record.shadow = { ...record.shadow, text: record.text };
                    notes.put(record);
                    left = notes.getAll();
                    for (let count = 0; count < 1001; count += 1) {
                        transaction.objectStore("beside").put(true, [0, `none${count}`]);
                    }
                };
                meta.put(1, "lastFullCheck");
                transaction.oncomplete = () => { database.close(); resolve(left.result.map(({ text }) => text)); };
            };
        })""", [self.database, lost, wrong])
        self.assertEqual([(text["title"], text["body"]) for text in left], [("wrong", "wrods")])
        again = self.engines.opened()
        again.await_state("s.lastFullCheck > 1")
        self.assertEqual(again.do("engine.note(words[0])", wrong)["text"]["body"], "words")
        self.assertEqual(again.do("engine.note(words[0])", lost)["text"]["body"], "words")
        self.assertEqual(sorted(again.titles()), ["lost", "wrong"])
        self.assertEqual(len(self.user.notes()), 2)

    def test_clock(self):
        """a clock that jumps does not stop the sync, and no note is updated before its creation"""
        tab = self.engines.opened(page=self.signed_in(), beginning=CLOCK)
        note = tab.create("of now")
        tab.sync()
        for years in (-30, 30, 0):
            tab.page.evaluate("(shift) => new BroadcastChannel('clock').postMessage(shift)", years * 31_536_000_000)
            tab.await_true("""engine.note(words[0]).then(({ text }) =>
                engine.edit(words[0], text, { ...text, body: `${text.body}x` })).then(({ record }) =>
                record.updatedAt >= record.createdAt)""", note)
            tab.await_state("s.pending === 0 && s.phase === 'upToDate'")
        self.assertEqual(self.user.notes()[note]["body"], "xxx")
