import AlmanacCryptography
import AlmanacEnvironments
import AlmanacHTTPSClient
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacAttachments

/// Tests of moving blobs between a folder and a bucket. Each test has its own prefix of keys.
@Suite(.database(.migrated), .s3Servers) struct BlobMoveTests {
    private let root: TemporaryFolder
    private let folder: BlobFolder
    private let bucket: BlobBucket
    private let connection: Connection
    /// Blobs of less and more than one part.
    private static let all = [1, 70_000, 1_500_000].map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
    private let contents = Self.all

    init() throws {
        root = try TemporaryFolder()
        folder = BlobFolder(environment: "a", root: root.path)
        bucket = try Self.bucket(S3Servers.endpoint(of: .rclone))
        connection = try Connection(TestDatabase.current.settings)
    }

    private static func bucket(_ endpoint: String) throws -> BlobBucket {
        BlobBucket(
            environment: "a",
            S3Settings(
                endpoint: try #require(WebAddress(endpoint)), region: "us-east-1", bucket: S3Server.bucket,
                prefix: "move-\(UInt64.random(in: .min ... .max))/", keyID: S3Server.keyID, secretFile: "",
                secret: ClientSecret(text: S3Server.secret)))
    }

    private func hash(_ bytes: [UInt8]) throws -> BlobHash { try #require(BlobHash(bytes: SHA256.digest(bytes))) }

    private func store(_ bytes: [UInt8], in store: any BlobStore) throws {
        try store.write(hash(bytes), bytes: bytes.count) { try $0(bytes) }
        let insert = Statement("-- name: test_blob\ninsert into blobs (hash, bytes, store) values ($1, $2, $3)")
        try connection.run(
            insert, .bytes(hash(bytes).bytes), .bigint(Int64(bytes.count)), .text(store.name))
    }

    private func move(to name: String, _ bucket: BlobBucket? = nil) throws -> BlobMove.Report {
        try BlobMove(to: name, of: BlobStores(all: [folder, bucket ?? self.bucket]), on: connection).run()
    }

    private func stored(in store: any BlobStore) throws -> Set<BlobHash?> {
        var found: Set<BlobHash?> = []
        try store.each { found.insert($0.hash) }
        return found
    }

    private var rows: [String] {
        get throws {
            try connection.run(Statement("-- name: test_rows\nselect store from blobs order by store")).map {
                try $0.text("store")
            }
        }
    }

    @Test func `all blobs move to the bucket and back, with their bytes`() throws {
        for bytes in contents { try store(bytes, in: folder) }
        let hashes = Set(try contents.map { try hash($0) as BlobHash? })
        for (target, other) in [(bucket, folder), (folder, bucket)] as [(any BlobStore, any BlobStore)] {
            let report = try move(to: target.name)
            #expect(report.moved == 3 && report.removed == 3 && report.movedBytes == 1_570_001 && report.wrong.isEmpty)
            #expect(try rows == Array(repeating: target.name, count: 3))
            #expect(try stored(in: target) == hashes && stored(in: other).isEmpty)
            for bytes in contents {
                #expect(try target.read(hash(bytes), from: 0, count: bytes.count + 1) == bytes)
            }
            #expect(try move(to: target.name) == BlobMove.Report())
        }
    }

    @Test func `missing, short and changed files stay where they are`() throws {
        for bytes in contents { try store(bytes, in: folder) }
        let paths = try contents.map { folder.path(of: try hash($0)) }
        File.remove(paths[0])
        try File.replace(paths[1], contents: Array(contents[1].dropLast()), permissions: nil)
        try File.replace(paths[2], contents: contents[2].map { $0 ^ 1 }, permissions: nil)
        let report = try move(to: "s3")
        #expect(report.moved == 0 && report.removed == 0)
        #expect(Set(report.wrong) == Set(try contents.map(hash)))
        #expect(try rows == ["folder", "folder", "folder"])
        #expect(try stored(in: bucket).isEmpty)
        #expect(try File.exists(paths[1]) && File.exists(paths[2]))
    }

    @Test func `an interrupted move is continued, and files without a row are left to the cleaning`() throws {
        for bytes in contents { try store(bytes, in: folder) }
        let orphan: [UInt8] = [1, 2, 3]
        try folder.write(hash(orphan), bytes: 3) { try $0(orphan) }
        // The first run ended after a row, and before its old copy was removed.
        try bucket.write(hash(contents[0]), bytes: contents[0].count) { try $0(contents[0]) }
        let change = Statement("-- name: test_change\nupdate blobs set store = 's3' where hash = $1")
        try connection.run(change, .bytes(hash(contents[0]).bytes))
        // The next one ended within a copy.
        let away = try Self.bucket(ScriptedServer { _ in .response("503 Service Unavailable") }.base)
        #expect(throws: BlobStoreFailure.self) { try move(to: "s3", away) }
        #expect(try rows == ["folder", "folder", "s3"])
        let report = try move(to: "s3")
        #expect(report.moved == 2 && report.removed == 3)
        #expect(try stored(in: folder) == [try hash(orphan)])
    }

    @Test func `a move waits for the lock on a hash, and then reads the row again`() throws {
        try store(contents[0], in: folder)
        let settings = try TestDatabase.current.settings
        let holder = try Connection(settings)
        let ended = Monitor<BlobMove.Report?>(nil)
        try holder.transaction(opening: [BlobLock.take(try hash(contents[0]))]) { holder, _ in
            _ = AlmanacPOSIX.Thread(name: "move") { [stores = BlobStores(all: [folder, bucket])] in
                let report = try? BlobMove(to: "s3", of: stores, on: Connection(settings)).run()
                ended.update { $0 = report ?? BlobMove.Report() }
            }
            let waits = Statement(
                """
                -- name: test_waits
                select 1 from pg_locks l join pg_database d on d.oid = l.database
                where not l.granted and d.datname = current_database()
                """)
            #expect(try eventually { try !connection.run(waits).isEmpty })
            try holder.run(
                Statement("-- name: test_delete\ndelete from blobs where hash = $1"),
                .bytes(hash(contents[0]).bytes))
        }
        #expect(ended.wait(upTo: .seconds(20)) { $0 } == BlobMove.Report())
        #expect(try stored(in: bucket).isEmpty)
    }
}
