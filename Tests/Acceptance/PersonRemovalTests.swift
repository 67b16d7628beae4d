import AlmanacJSON
import AlmanacPOSIX
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

extension Live {
    /// Tests the removal of a person who has streams, a note and an upload open.
    @Suite struct PersonRemovalTests {
        private let development: LiveEnvironment

        init() throws { development = try LiveEnvironment("development") }

        /// Returns the administrator's view of a user; nil if the user is no person.
        private func person(_ subject: String) throws -> JSONObject? {
            try development.client().send("GET", development.path("people")).json().arrayValue?
                .compactMap(\.objectValue).first { $0["subject"] == .string(subject) }
        }

        @Test func `a removal ends streams within a second, and refuses the next write of a note and of an upload`()
            throws
        {
            let user = try NotesUser("removed", options: ["--scope", "config:write"])
            let client = user.client()
            try client.create((id: "draft", body: "begun"))
            let upload = AttachmentUpload(client, [UInt8](repeating: 7, count: 2 * AttachmentUpload.pieceBytes))
            #expect(try upload.declare().status == 201)
            #expect(try upload.send(at: 0).status == 204)
            // Several streams reach both events processes.
            let streams = try (0..<4).map { _ in try user.stream() }
            for stream in streams { #expect(try stream.next()?.type == "hello") }
            let anonymous = try development.stream()
            #expect(try anonymous.next()?.type == "hello")

            let person = try #require(try person(user.subject))
            #expect(person["role"] == "editor" && person["source"] == "claim")
            let path = development.path("people/\(try #require(person["id"]?.stringValue))")
            let administrator = development.client()
            #expect(try administrator.send("DELETE", path).status == 200)
            let deadline = ContinuousClock.now + .seconds(1)
            for stream in streams {
                let bye = try stream.next("bye", within: max(.zero, deadline - .now))
                #expect(bye?.text("reason") == "person-removed")
                #expect(stream.ends())
            }
            let update = #"[["updateNote", {"id": "draft", "body": "lost"}]]"#
            #expect(
                try eventually(within: .seconds(1)) {
                    try (0..<8).allSatisfy { _ in try user.client().send("POST", "notes", update).status == 403 }
                })
            #expect(try client.send("POST", "notes", update).problem == "person-removed")
            #expect(try upload.send(at: AttachmentUpload.pieceBytes).problem == "person-removed")
            #expect(try client.send("PUT", "config/removed", #"{"value": 1}"#).problem == "person-removed")
            #expect(try user.stream().status() == 403)

            #expect(try administrator.send("POST", path + "/admit").status == 200)
            #expect(
                try eventually(within: .seconds(1)) {
                    try (0..<8).allSatisfy { _ in try user.client().body("draft") == "begun" }
                })
            #expect(try upload.send(at: AttachmentUpload.pieceBytes).status == 204)
            #expect(try upload.read().body == upload.bytes)
            let lines = try administrator.send("GET", development.path("audit?limit=50")).json().arrayValue ?? []
            let actions = lines.compactMap { line -> String? in
                let isTheirs = line.objectValue?["subject"] == person["id"]
                return isTheirs ? line.objectValue?["action"]?.stringValue : nil
            }
            #expect(actions == ["person.admit", "person.remove"])
        }

        @Test func `a removal that could not be read is read again while other notifications keep coming`() throws {
            try TestDatabase.with(template: .migrated) { database in
                let trial = try TrialEnvironment(database)
                let instance = development.instance
                let worker = try SecondWorker(beside: instance, environments: trial.environmentsFile)
                let token = try trial.userToken("alice", "--scope", "config:write")
                let client = worker.client(token: token)
                func status() throws -> Int { try client.send("GET", "/trial/session").status }
                #expect(try status() == 200)
                let stream = try EventStream(
                    worker.url + "/trial/events", caFile: instance.caFile,
                    headers: [("Authorization", "Bearer \(token)")])
                #expect(try stream.next()?.type == "hello")

                let superuser = try Connection(database.settings)
                try superuser.execute(script: "revoke select on people from almanac_worker")
                // Without a pause between notifications, the processes have no quiet interval, in which they read all.
                let end = try Event()
                let notifier = Thread(name: "notifications") {
                    let notify = "select pg_notify('almanac_sessions', 'none'), pg_sleep(0.1)"
                    while !end.isSet { try? Connection(database.settings).execute(script: notify) }
                }
                defer {
                    end.set()
                    notifier.wait(upTo: .seconds(60))
                }
                try superuser.execute(
                    script: "update people set removed_at = now(); select pg_notify('almanac_people', '')")
                #expect(eventually { worker.log.contains("permission denied for table people") })
                #expect(try status() == 200)
                try superuser.execute(script: "grant select on people to almanac_worker")
                #expect(try eventually(within: .seconds(1)) { try status() == 403 })
                #expect(try stream.next("bye", within: .seconds(1))?.text("reason") == "person-removed")
            }
        }
    }
}
