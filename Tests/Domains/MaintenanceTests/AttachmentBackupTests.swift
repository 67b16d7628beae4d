import AlmanacAttachments
import AlmanacCryptography
import AlmanacEnvironments
import AlmanacIdentity
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacMaintenance

/// Tests the bytes of attachments in backups, restores and the doctor's check.
@Suite(.database(.migrated)) struct AttachmentBackupTests {
    private let trial: BackupFixture
    private let store: BlobFolder
    /// The folder of the backups, apart from the store beside the environments file.
    private let folder: String
    private var file: String { "\(folder)/a.dump" }

    init() throws {
        trial = try BackupFixture(TestDatabase.current)
        store = BlobFolder(environment: "trial", root: trial.environment.attachmentsFolder)
        folder = "\(trial.folder.path)/backups"
        try File.makePrivateFolder(folder)
        try File.makePrivateFolder(trial.environment.attachmentsFolder)
        try trial.owner.execute(script: "insert into accounts (issuer, subject) values ('i', 'alice')")
    }

    /// Stores bytes, with a row of a blob and of an attachment.
    @discardableResult
    private func add(_ text: String) throws -> BlobHash {
        let bytes = Array(text.utf8)
        let hash = try #require(BlobHash(bytes: SHA256.digest(bytes)))
        try store.write(hash, bytes: bytes.count) { try $0(bytes) }
        try trial.owner.execute(
            script: """
                insert into blobs (hash, bytes, store) values ('\\x\(hash)', \(bytes.count), 'folder');
                insert into attachments (account_id, id, hash, bytes, type, name, revision)
                select id, translate(substr('\(hash)', 1, 26), '0189', 'wxyz'), '\\x\(hash)', \(bytes.count), '', 'a', 1
                from accounts
                """)
        return hash
    }

    private func deleteRow(_ hash: BlobHash) throws {
        try trial.owner.execute(script: "delete from attachments; delete from blobs where hash = '\\x\(hash)'")
    }

    private func deleteFile(_ hash: BlobHash) { File.remove(store.path(of: hash)) }

    private func copy(_ hash: BlobHash) -> [UInt8]? { try? File.read("\(folder)/attachments/\(hash)") }

    private func list(_ file: String? = nil) throws -> [String] {
        String(decoding: try File.read("\(file ?? self.file).hashes"), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    private func rows(_ table: String) throws -> Int64 {
        try trial.owner.run(Statement("-- name: rows\nselect count(*) as count from \(table)")).single(table)
            .bigint("count")
    }

    private func backUp() throws -> Backup.Result {
        try Backup(trial.environment, scratch: nil) { _, _ in }.write(file, replaces: true)
    }

    private func rotate(_ second: Int64, keeping count: Int) throws {
        try Self.rotate(trial.environment, trial.folder.path, second, keeping: count)
    }

    private static func rotate(
        _ environment: EnvironmentSettings, _ folder: String, _ second: Int64, keeping count: Int
    ) throws {
        _ = try BackupFolder(folder, of: environment).add(
            at: Timestamp(milliseconds: 1_700_000_000_000 + second * 1000), keeping: count, scratch: nil
        ) { _, _ in }
    }

    @Test func `a backup copies each blob once, and lists what it needs`() throws {
        #expect(try backUp().blobs == 0)
        #expect(try File.names(inFolder: folder) == ["a.dump"])
        let (cat, dog) = (try add("cat"), try add("dog"))
        // The pieces of an upload that is going on are in no backup.
        try trial.owner.execute(
            script:
                "insert into upload_pieces (account_id, attachment_id, part, start, content) "
                + "values (1, 'a', 'file', 0, '1')"
        )
        let first = try backUp()
        #expect(first.blobs == 2 && first.fault == nil)
        #expect(try list() == [cat, dog].map(\.description).sorted())
        #expect(copy(cat) == Array("cat".utf8) && copy(dog) == Array("dog".utf8))
        let identity = try FileSystem.identity(of: "\(folder)/attachments/\(cat)")
        try deleteRow(dog)
        #expect(try backUp().blobs == 1)
        #expect(try list() == ["\(cat)"])
        #expect(try FileSystem.identity(of: "\(folder)/attachments/\(cat)") == identity)
    }

    @Test func `bytes that are missing or wrong are named, and never copied`() throws {
        let (cat, dog) = (try add("cat"), try add("dog"))
        deleteFile(cat)
        try store.write(dog, bytes: 3) { try $0(Array("dOg".utf8)) }
        let result = try backUp()
        let hashes = [cat, dog].map(\.description).sorted().joined(separator: ", ")
        #expect(result.fault == "the bytes of 2 attachments are missing or wrong: \(hashes)")
        #expect(try list() == [])
        #expect(try File.names(inFolder: "\(folder)/attachments") == [".lock"])
    }

    @Test func `a restore copies back what the store lacks, and names what is in neither`() throws {
        let (cat, dog, emu) = (try add("cat"), try add("dog"), try add("emu"))
        _ = try backUp()
        for hash in [cat, dog] { deleteFile(hash) }
        try trial.owner.execute(script: "delete from attachments; delete from blobs")
        try File.createPrivate("\(folder)/other", contents: [])
        File.remove("\(folder)/attachments/\(dog)")
        let outcome = try trial.prepare(file).run()
        #expect(outcome.missingBlobs == ["\(dog)"])
        #expect(try store.read(cat, from: 0, count: 9) == Array("cat".utf8))
        #expect(try store.read(emu, from: 0, count: 9) == Array("emu".utf8))
        // Without the blob's row, the attachment is no longer stored, and may be sent again.
        #expect(try rows("blobs") == 2 && rows("attachments") == 3)
        // Damaged bytes are not copied back.
        deleteFile(emu)
        _ = try trial.folder.write("backups/attachments/\(emu)", "eMu".utf8)
        #expect(try Set(trial.prepare(file).run().missingBlobs) == ["\(dog)", "\(emu)"])
        #expect(throws: BlobStoreFailure.missing) { try store.read(emu, from: 0, count: 9) }
    }

    @Test func `erasures since a backup are repeated, and removals are not`() throws {
        try add("cat")
        try trial.owner.execute(
            script: """
                insert into notes
                    (account_id, id, title, body, position, created_at, updated_at, revision, text_revision)
                select id, n, '', '', n, now(), now(), 1, 1 from accounts, unnest(array['n1', 'n2']) n;
                insert into note_attachments (account_id, note_id, attachment_id) select account_id, id, 'a' from notes;
                update accounts set notes = 2
                """)
        _ = try backUp()
        try trial.owner.execute(
            script: """
                update attachments set removed_at = now();
                insert into audit_log (action, author, author_kind, subject, details)
                select 'note.purge', word, 'user', word, '{"note": "n1"}' from accounts
                """)
        _ = try trial.prepare(file).run()
        #expect(try rows("note_attachments") == 1 && rows("attachments where removed_at is null") == 1)
        try trial.owner.execute(
            script: """
                insert into audit_log (action, author, author_kind, subject, details)
                select 'account.erase', word, 'user', word, '{}' from accounts
                """)
        _ = try trial.prepare(file).run()
        #expect(try rows("attachments") == 0 && rows("note_attachments") == 0 && rows("accounts") == 0)
    }

    @Test func `a rotation drops what no list names, but nothing while another backup is running`() throws {
        let cat = try add("cat")
        try rotate(1, keeping: 2)
        try deleteRow(cat)
        let dog = try add("dog")
        try rotate(2, keeping: 2)
        let folder = "\(trial.folder.path)/trial"
        func copies() throws -> Set<String> {
            Set(try File.names(inFolder: "\(folder)/attachments").filter { $0.count == 64 })
        }
        #expect(try copies() == ["\(cat)", "\(dog)"])
        try withExtendedLifetime(try BackupBlobs(inFolder: folder).lock()) { try rotate(3, keeping: 2) }
        #expect(try copies() == ["\(cat)", "\(dog)"])
        try rotate(4, keeping: 2)
        #expect(try copies() == ["\(dog)"])
        #expect(try File.names(inFolder: folder).filter { $0.hasSuffix(".hashes") }.count == 2)
    }

    @Test func `a rotation removes no file that a running restore needs`() throws {
        let cat = try add("cat")
        _ = try backUp()
        let (folder, list, stored) = (folder, "\(file).hashes", store.path(of: cat))
        let restore = Restore(trial.environment, by: Author("tests", .host), Restore.Options()) { step, _ in
            // The listed files have been copied. The file that the store then loses is copied again at the end.
            guard step == "writing" else { return }
            File.remove(stored)
            File.remove(list)
            try? BackupBlobs(inFolder: folder).removeUnlisted { _ in true }
        }
        #expect(try restore.prepare(file).run().missingBlobs == [])
        #expect(try File.read(stored) == Array("cat".utf8))
        #expect(copy(cat) != nil)
        try BackupBlobs(inFolder: folder).removeUnlisted { _ in true }
        #expect(copy(cat) == nil)
    }

    @Test func `the files of running backups survive rotations`() throws {
        let hashes = try ["cat", "dog", "emu"].map { "\(try add($0))" }
        let (environment, folder) = (trial.environment, trial.folder.path)
        _ = try concurrently(3) { try Self.rotate(environment, folder, Int64($0), keeping: 1) }
        try rotate(9, keeping: 1)
        let names = try File.names(inFolder: "\(folder)/trial").filter { $0.hasSuffix(".dump") }
        #expect(names.count == 1)
        #expect(try list("\(folder)/trial/\(names[0])") == hashes.sorted())
        #expect(try File.names(inFolder: "\(folder)/trial/attachments") == [".lock"] + hashes.sorted())
    }

    @Test func `the doctor reads every blob, names wrong ones, and counts files without a row`() throws {
        let (cat, dog) = (try add("cat"), try add("dog"))
        let good = try AttachmentCheck.finding("trial", store, trial.owner)
        #expect(good.outcome == .good && good.text == "2 blobs with 6 bytes match their hashes")
        try store.write(cat, bytes: 4) { try $0(Array("cats".utf8)) }
        deleteFile(dog)
        let orphan = try #require(BlobHash(bytes: SHA256.digest([1])))
        try store.write(orphan, bytes: 1) { try $0([1]) }
        let bad = try AttachmentCheck.finding("trial", store, trial.owner)
        let hashes = [cat, dog].map(\.description).sorted().joined(separator: ", ")
        #expect(bad.outcome == .failed)
        #expect(bad.text.hasPrefix("2 of 2 blobs are missing or wrong: \(hashes); 1 files have no row"))
    }
}
