import AlmanacAttachments
import AlmanacCryptography
import AlmanacEnvironments
import AlmanacHTTP
import AlmanacHTTPSClient
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacNotesDomain

/// Tests of attachments whose bytes are in S3, with real servers. Each test has its own prefix of keys.
@Suite(.database(.migrated), .s3Servers) struct AttachmentBucketTests {
    private static let content = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private let bytes = Self.content
    private typealias Name = AttachmentName

    private func settings(_ endpoint: String, prefix: String) throws -> AttachmentSettings {
        AttachmentSettings(
            store: .s3,
            s3: S3Settings(
                endpoint: try #require(WebAddress(endpoint)), region: "us-east-1", bucket: S3Server.bucket,
                prefix: prefix, keyID: S3Server.keyID, secretFile: "", secret: ClientSecret(text: S3Server.secret)))
    }

    /// Declares an attachment and sends it in pieces.
    private func attach(_ id: String, to instance: NotesInstance) throws {
        _ = try instance.declare(id, bytes).expecting(201)
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
            let piece = Array(bytes[start..<min(start + 1 << 20, bytes.count)])
            _ = try instance.send(piece, to: id, at: start).expecting(204)
        }
    }

    @Test(arguments: S3Server.Program.allCases)
    func `an attachment is stored in the bucket, and sent whole or in ranges`(program: S3Server.Program) throws {
        let stores = try settings(S3Servers.endpoint(of: program), prefix: "notes/")
        let instance = try NotesInstance(storingIn: stores)
        try attach(Name.one, to: instance)
        #expect(try instance.query("stores", "select store from blobs").map { try $0.text("store") } == ["s3"])
        let path = "/attachments/\(Name.one)"
        let whole = try instance.call("GET", path).expecting(200)
        #expect(whole.response.bytes == bytes)
        #expect(whole["Content-Length"] == "1500000" && whole["Accept-Ranges"] == "bytes")
        #expect(whole["Almanac-Attachment"] == "stored" && whole["Cache-Control"] == "no-store")
        #expect(whole["X-Accel-Redirect"] == nil)
        let part = try instance.call("GET", path, as: "alice", ("Range", "bytes=1000000-1199999")).expecting(206)
        #expect(part.response.bytes == Array(bytes[1_000_000..<1_200_000]))
        #expect(part["Content-Range"] == "bytes 1000000-1199999/1500000" && part["Content-Length"] == "200000")
        let end = try instance.call("GET", path, as: "alice", ("Range", "bytes=-5")).expecting(206)
        #expect(end.response.bytes == bytes.suffix(5))
        let behind = try instance.call("GET", path, as: "alice", ("Range", "bytes=1500000-"))
        #expect(behind.outcome == "416 range-not-satisfiable" && behind["Content-Range"] == "bytes */1500000")
        // A bucket that has lost an object is no store that is away.
        let store = BlobBucket(environment: "development", try #require(stores.s3))
        var stored: [StoredFile] = []
        try store.each { stored.append($0) }
        #expect(stored.map(\.bytes) == [1_500_000])
        for file in stored { try store.remove(file) }
        #expect(try instance.call("GET", path).outcome == "404 attachment-not-here")
    }

    @Test func `the cleaning removes objects that no row names`() throws {
        let instance = try NotesInstance(storingIn: settings(S3Servers.endpoint(of: .moto), prefix: "cleaned/"))
        let store = instance.service.stores.current
        var found: Set<BlobHash?> {
            get throws {
                var found: Set<BlobHash?> = []
                try store.each { found.insert($0.hash) }
                return found
            }
        }
        func pass(afterDays days: Int64) throws -> AttachmentCleaning.Report {
            try instance.pool.withConnection { connection in
                let cleaning = AttachmentCleaning(
                    connection, stores: instance.service.stores, unusedDays: 30,
                    now: Timestamp(milliseconds: WallClock.milliseconds + days * 86_400_000), announce: { _, _ in })
                var progress = AttachmentCleaning.Progress()
                while try cleaning.step(&progress) {}
                return progress.report
            }
        }
        try instance.attach(Name.one, [1])
        try instance.attach(Name.two, [2])
        let orphan = try #require(BlobHash(bytes: SHA256.digest([3])))
        try store.write(orphan, bytes: 1) { try $0([3]) }
        #expect(try found.count == 3)
        _ = try instance.call("DELETE", "/attachments/\(Name.one)").expecting(204)
        #expect(try pass(afterDays: 0).blobs == 1)
        #expect(try found.count == 2)
        #expect(try pass(afterDays: 2).orphans == 1)
        #expect(try found == [BlobHash(bytes: SHA256.digest([2]))])
    }

    @Test func `bytes with another hash do not reach the bucket`() throws {
        let stores = try settings(S3Servers.endpoint(of: .rclone), prefix: "wrong/")
        let instance = try NotesInstance(storingIn: stores)
        _ = try instance.declare(Name.one, bytes).expecting(201)
        var sent: [UInt8] = bytes
        sent[1_400_000] ^= 1
        _ = try instance.send(Array(sent[..<(1 << 20)]), to: Name.one, at: 0).expecting(204)
        let last = try instance.send(Array(sent[(1 << 20)...]), to: Name.one, at: 1 << 20)
        #expect(last.outcome == "422 hash-mismatch")
        try BlobBucket(environment: "development", #require(stores.s3)).each { Issue.record("stored: \($0.name)") }
    }

    @Test func `wrong bytes in the bucket never arrive completely`() throws {
        let instance = try NotesInstance(storingIn: settings(S3Servers.endpoint(of: .moto), prefix: "damaged/"))
        let store = instance.service.stores.current
        func damage(_ bytes: [UInt8]) throws {
            let hash = try #require(BlobHash(bytes: SHA256.digest(bytes)))
            var wrong = bytes
            wrong[0] ^= 1
            try store.write(hash, bytes: wrong.count) { try $0(wrong) }
        }
        try attach(Name.one, to: instance)
        try instance.attach(Name.two, [1, 2, 3])
        try damage(bytes)
        try damage([1, 2, 3])
        let large = try instance.answer("GET", "/attachments/\(Name.one)")
        guard case .pieces(let write) = large.body else { throw BlobStoreFailure.missing }
        var sent = 0
        #expect(throws: BlobStoreFailure.self) { try write { sent += $0.count } }
        #expect((1..<bytes.count).contains(sent))
        #expect(try instance.call("GET", "/attachments/\(Name.two)").outcome == "503 store-away")
    }

    @Test(arguments: [true, false])
    func `bytes are recorded only for the declaration that they were sent for`(isErased: Bool) throws {
        let open = Monitor<NotesInstance?>(nil)
        let outcomes = Monitor<[String?]>([])
        // The declaration is renewed after the bytes were read, and before the bucket has them.
        let server = try ScriptedServer { _ in
            let instance = open.update { instance in
                defer { instance = nil }
                return instance
            }
            guard let instance else { return .response() }
            if isErased {
                let erased = try? instance.call("DELETE", "/account").outcome
                outcomes.update { $0.append(erased) }
            } else {
                _ = try? instance.query("forget", "delete from attachments")
            }
            let declared = try? instance.declare(Name.one, isErased ? [1, 2, 3] : [4, 5, 6]).outcome
            outcomes.update { $0.append(declared) }
            return .response()
        }
        let instance = try NotesInstance(storingIn: settings(server.base, prefix: ""))
        _ = try instance.declare(Name.one, [1, 2, 3]).expecting(201)
        open.update { $0 = instance }
        #expect(try instance.send([1, 2, 3], to: Name.one, at: 0).outcome == "404 attachment-not-here")
        #expect(outcomes.read { $0 } == (isErased ? ["204", "201"] : ["201"]))
        #expect(try instance.query("stores", "select 1 from blobs").isEmpty)
        #expect(try instance.query("stored", "select 1 from attachments where revision is not null").isEmpty)
        let sent = try instance.send(isErased ? [1, 2, 3] : [4, 5, 6], to: Name.one, at: 0)
        #expect(sent.outcome == "204")
    }

    @Test func `a bucket that is away or full is reported, and nothing is recorded`() throws {
        let status = Monitor("503 Service Unavailable")
        let server = try ScriptedServer { _ in .response(status.read { $0 }) }
        let instance = try NotesInstance(storingIn: settings(server.base, prefix: ""))
        _ = try instance.declare(Name.one, [1, 2, 3]).expecting(201)
        let away = try instance.send([1, 2, 3], to: Name.one, at: 0)
        #expect(away.outcome == "503 store-away" && away["Retry-After"] != nil)
        #expect(!away.body.contains("127.0.0.1"))
        status.update { $0 = "507 Insufficient Storage" }
        #expect(try instance.send([1, 2, 3], to: Name.one, at: 0).outcome == "507 store-full")
        #expect(try instance.query("stores", "select 1 from blobs").isEmpty)
        let head = try instance.call("HEAD", "/attachments/\(Name.one)")
        #expect(head["Upload-Offset"] == "0" && head["Almanac-Attachment"] == "receiving")
        status.update { $0 = "200 OK" }
        _ = try instance.send([1, 2, 3], to: Name.one, at: 0).expecting(204)
        // The same server then answers reads with no byte.
        #expect(try instance.call("GET", "/attachments/\(Name.one)").outcome == "503 store-away")
    }

    @Test func `a row of a bucket without settings is a store that is away`() throws {
        let endpoint = try S3Servers.endpoint(of: .rclone)
        let database = try TestDatabase.current
        let instance = try NotesInstance(on: database, storingIn: settings(endpoint, prefix: "gone/"))
        try attach(Name.one, to: instance)
        let other = try NotesInstance(on: database)
        #expect(try other.call("GET", "/attachments/\(Name.one)").outcome == "503 store-away")
    }
}
