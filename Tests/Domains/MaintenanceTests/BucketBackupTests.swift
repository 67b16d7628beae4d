import AlmanacAttachments
import AlmanacCryptography
import AlmanacEnvironments
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacMaintenance

/// Tests backups, restores and the doctor's check of an environment with a folder and a bucket.
@Suite(.database(.migrated), .s3Servers) struct BucketBackupTests {
    @Test func `the bytes of both stores are backed up, restored and checked`() throws {
        let secret = try TemporaryFolder()
        let trial = try BackupFixture(
            TestDatabase.current,
            members: #"""
                , "attachments": {"store": "s3", "s3": {
                    "endpoint": "\#(S3Servers.endpoint(of: .rclone))", "bucket": "\#(S3Server.bucket)",
                    "prefix": "backups/", "key_id": "\#(S3Server.keyID)",
                    "secret_file": "\#(secret.write("secret", S3Server.secret.utf8))"}}
                """#)
        try File.makePrivateFolder(trial.environment.attachmentsFolder)
        let file = "\(secret.path)/a.dump"
        let stores = BlobStores(trial.environment)
        #expect(stores.all.map(\.name) == ["s3", "folder"])
        var hashes: [BlobHash] = []
        for (text, store) in zip(["cat", "dog"], stores.all) {
            let hash = try #require(BlobHash(bytes: SHA256.digest(Array(text.utf8))))
            hashes.append(hash)
            try store.write(hash, bytes: 3) { try $0(Array(text.utf8)) }
            try trial.owner.execute(
                script: "insert into blobs (hash, bytes, store) values ('\\x\(hash)', 3, '\(store.name)')")
        }
        let places = AttachmentCheck.findings(trial.environment)
        #expect(places.map(\.outcome) == [.good, .good] && places.map(\.place) == ["trial in s3", "trial"])

        let result = try Backup(trial.environment, scratch: nil) { _, _ in }.write(file, replaces: true)
        #expect(result.blobs == 2 && result.fault == nil)
        for (hash, text) in zip(hashes, ["cat", "dog"]) {
            #expect(try File.read("\(secret.path)/attachments/\(hash)") == Array(text.utf8))
        }

        for store in stores.all { try store.each { try store.remove($0) } }
        #expect(AttachmentCheck.findings(trial.environment).map(\.outcome) == [.failed, .failed])
        try trial.owner.execute(script: "delete from blobs")
        #expect(try trial.prepare(file).run().missingBlobs.isEmpty)
        // Blobs that no store has are restored to the store of new bytes.
        let rows = try trial.owner.run(Statement("-- name: test_rows\nselect store from blobs"))
        #expect(try rows.map { try $0.text("store") } == ["s3", "s3"])
        #expect(try stores.current.read(hashes[1], from: 0, count: 9) == Array("dog".utf8))
        #expect(AttachmentCheck.findings(trial.environment).map(\.outcome) == [.good, .good])
    }

    @Test func `a row of a store without settings is a fault`() throws {
        let trial = try BackupFixture(TestDatabase.current)
        try File.makePrivateFolder(trial.environment.attachmentsFolder)
        try trial.owner.execute(
            script: "insert into blobs (hash, bytes, store) values (sha256('cat'), 3, 's3')")
        let findings = AttachmentCheck.findings(trial.environment)
        #expect(findings.map(\.outcome) == [.good, .failed])
        #expect(findings.last?.text.contains("lacks its settings") == true)
        let result = try Backup(trial.environment, scratch: nil) { _, _ in }.write(trial.file, replaces: true)
        #expect(result.fault?.contains("lacks its settings") == true)
    }
}
