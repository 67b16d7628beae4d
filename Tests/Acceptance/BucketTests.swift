import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of a worker whose attachments are in a bucket of S3.
    @Suite struct BucketTests {
        @Test func `25 MiB go through the bucket in little memory, and moves keep the bytes`() throws {
            let server = try S3Server(.rclone)
            let secrets = try TemporaryFolder()
            let secretFile = try secrets.write("secret", S3Server.secret.utf8)
            try TestDatabase.with(template: .migrated) { database in
                let trial = try TrialEnvironment(
                    database,
                    attachments: [
                        "store": "s3",
                        "s3": [
                            "endpoint": .string(server.endpoint), "bucket": .string(S3Server.bucket),
                            "key_id": .string(S3Server.keyID), "secret_file": .string(secretFile),
                        ],
                    ])
                try File.makePrivateFolder(trial.environmentsFile.replacing("environments.json", with: "attachments"))
                let worker = try SecondWorker(beside: Instance.current(), environments: trial.environmentsFile)
                let client = NotesClient(http: worker.client(token: try trial.userToken("alice")), environment: "trial")
                let upload = AttachmentUpload(client, (0..<25 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) })
                let (whole, cost) = try ServerCost.measured(in: [worker.pid]) {
                    try upload.finish()
                    return try upload.read()
                }
                #expect(whole.status == 200 && whole.body == upload.bytes)
                #expect(cost.memory < 64 << 20, "\(cost.memory >> 20) MiB")
                let part = try upload.read(headers: [("Range", "bytes=20000000-20999999")])
                #expect(part.status == 206 && part.body == Array(upload.bytes[20_000_000..<21_000_000]))
                #expect(part.headers("Content-Range") == ["bytes 20000000-20999999/26214400"])
                let behind = try upload.read(headers: [("Range", "bytes=26214400-")])
                #expect(behind.outcome == "416 range-not-satisfiable")

                #expect(
                    try trial.almanac.output("attachments", "move", "trial", "--to", "folder").hasPrefix(
                        "trial: 1 files (25600 KiB) were moved to folder, and 1 old copies were removed"))
                #expect(
                    try trial.almanac.output("attachments", "move", "trial", "--to", "s3")
                        == "trial: 1 files (25600 KiB) were moved to s3, and 1 old copies were removed\n")
                #expect(try upload.read().body == upload.bytes)
                let check = try trial.almanac.run("doctor", "--attachments")
                #expect(check.output.contains("1 blobs with 26214400 bytes match their hashes"), "\(check.output)")
                #expect(!worker.log.contains(S3Server.secret))
            }
        }
    }
}
