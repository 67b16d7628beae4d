import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests of a worker whose attachments are in a bucket of S3.
    @Suite struct BucketTests {
        private let secrets: TemporaryFolder

        init() throws { secrets = try TemporaryFolder() }

        private func trial(_ database: TestDatabase, bucketAt endpoint: String) throws -> TrialEnvironment {
            let secretFile = try secrets.write("secret", S3Server.secret.utf8)
            return try TrialEnvironment(
                database,
                attachments: [
                    "store": "s3",
                    "s3": [
                        "endpoint": .string(endpoint), "bucket": .string(S3Server.bucket),
                        "key_id": .string(S3Server.keyID), "secret_file": .string(secretFile),
                    ],
                ])
        }

        @Test func `texts don't wait for files in a bucket that does not answer`() throws {
            let (answers, isSilent) = (Gate(), Monitor(false))
            let bucket = try ScriptedServer { _ in
                if isSilent.read({ $0 }) { answers.wait() }
                return .response()
            }
            defer { answers.open() }
            try TestDatabase.with(template: .migrated) { database in
                let trial = try trial(database, bucketAt: bucket.base)
                let worker = try SecondWorker(beside: Instance.current(), environments: trial.environmentsFile)
                // Two reads of each reader begin, and the worker has nine connections for requests of notes.
                let readers = try (0..<6).map {
                    (token: try trial.userToken("reader \($0)"), id: AttachmentUpload.newID())
                }
                for (token, id) in readers {
                    let client = NotesClient(http: worker.client(token: token), environment: "trial")
                    try AttachmentUpload(client, id: id).finish()
                }
                let writer = NotesClient(
                    http: worker.client(token: try trial.userToken("writer")), environment: "trial")
                try writer.create(("n1", "milk"))
                isSilent.update { $0 = true }
                let sent = bucket.requests.count
                let outcomes = Monitor<[String]>([])
                for (token, id) in readers + readers {
                    _ = AlmanacPOSIX.Thread(name: "read") {
                        let answer = try? worker.client(token: token).send("GET", "/trial/attachments/\(id)")
                        outcomes.update { $0.append(answer?.outcome ?? "no answer") }
                    }
                }
                let areReading = try eventually {
                    let waiting = try MetricsPage(worker.client())["almanac_http_requests_waiting"] ?? 0
                    return bucket.requests.count - sent + Int(waiting) == 12
                }
                #expect(areReading)
                let start = ContinuousClock.now
                for number in 0..<10 {
                    #expect(try writer.send("GET", "notes/n1").status == 200)
                    #expect(try writer.send("PUT", "notes/x\(number)", #"{"body": "x"}"#).status == 201)
                }
                // The worker gives the bucket up after ten seconds.
                let time = ContinuousClock.now - start
                #expect(time < .seconds(5), "\(time)")
                #expect(outcomes.read { $0 } == [])
                answers.open()
                let ended = outcomes.wait(upTo: .seconds(60)) { $0.count == 12 ? Set($0) : nil }
                #expect(ended == ["503 store-away"])
            }
        }

        @Test(arguments: S3Server.Program.allCases)
        func `25 MiB go through the bucket in little memory, and moves keep the bytes`(
            _ program: S3Server.Program
        ) throws {
            let server = try S3Server(program)
            try TestDatabase.with(template: .migrated) { database in
                let trial = try trial(database, bucketAt: server.endpoint)
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
