import AlmanacJSON
import AlmanacTestSupport
import Glibc
import Testing

extension Live {
    @Suite struct AttachmentsTests {
        private let alice: NotesUser
        private let client: NotesClient

        init() throws {
            alice = try NotesUser()
            client = alice.client()
        }

        private func stored(_ bytes: [UInt8] = AttachmentUpload.png) throws -> AttachmentUpload {
            let upload = AttachmentUpload(client, bytes)
            try upload.finish()
            return upload
        }

        @Test func `a file of several pieces comes back as it was, whole and in ranges`() throws {
            let bytes = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
            let upload = try stored(bytes)
            let whole = try upload.read()
            #expect(whole.status == 200 && whole.body == bytes && whole.header("Content-Length") == "2500000")
            for (range, expected) in [
                ("bytes=0-9", 0..<10), ("bytes=2499990-", 2_499_990..<2_500_000), ("bytes=-5", 2_499_995..<2_500_000),
            ] {
                let part = try upload.read(headers: [("Range", range)])
                #expect(part.status == 206 && part.body == Array(bytes[expected]))
                let place = "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/2500000"
                #expect(part.headers("Content-Range") == [place])
            }
            #expect(try upload.read(headers: [("Range", "bytes=0-1,5-6")]).status == 200)
            for range in ["bytes=2500000-", "bytes=-0", "bytes=x", "bytes=5-4", "bytes=0-1,y", "bytes=2500000-,-0"] {
                let beyond = try upload.read(headers: [("Range", range)])
                #expect(beyond.outcome == "416 range-not-satisfiable")
                #expect(beyond.header("Content-Range") == "bytes */2500000")
                let names = beyond.headers.map { $0.name.lowercased() }
                #expect(Set(names).count == names.count, "\(beyond.headers)")
                #expect(beyond.header("Content-Disposition") == nil && beyond.header("Cache-Control") == "no-store")
            }
        }

        @Test func `the bytes may do nothing in a browser, and each header says so once`() throws {
            let expected = [
                "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "default-src 'none'; sandbox", "Cross-Origin-Resource-Policy": "same-origin",
                "Referrer-Policy": "no-referrer", "Content-Type": "image/png",
                "Content-Disposition": "inline; filename*=UTF-8''B%C3%BCcher%201.png",
            ]
            let upload = try stored()
            for host in [nil, "notes.localhost"] {
                for range in [nil, "bytes=0-3"] {
                    let headers = [("Host", host), ("Range", range)].compactMap { name, value in
                        value.map { (name, $0) }
                    }
                    let answer = try upload.read(headers: headers)
                    #expect(answer.status == (range == nil ? 200 : 206))
                    for (name, value) in expected {
                        #expect(answer.headers(name) == [value], "\(name) at \(host ?? "")")
                    }
                    // The time of the file would tell of other accounts with the same bytes.
                    #expect(answer.header("Last-Modified") == "Sat, 01 Jan 2000 00:00:00 GMT")
                    #expect(answer.header("X-Accel-Redirect") == nil)
                }
            }
            let page = try stored([0xFF, 0xD8, 0xFF] + Array("<script>alert(1)</script>".utf8))
            let opened = try page.read(headers: [("Sec-Fetch-Dest", "document")])
            #expect(opened.headers("Content-Type") == ["application/octet-stream"])
            #expect(opened.header("Content-Disposition")?.hasPrefix("attachment;") == true)
            #expect(opened.headers("Content-Security-Policy") == ["default-src 'none'; sandbox"])
            #expect(try page.read(headers: [("Sec-Fetch-Dest", "image")]).header("Content-Type") == "image/jpeg")
        }

        @Test func `only the user's own token opens the bytes`() throws {
            let upload = try stored()
            let path = "/development/attachments/\(upload.id)"
            let others = [
                (try NotesUser("bob").token, "404 attachment-not-here"),
                (try LiveEnvironment("development").token, "401 token-refused"), (nil, "401 token-needed"),
            ]
            for (token, outcome) in others {
                let client = alice.instance.client(token: token)
                for method in ["GET", "PATCH", "DELETE"] {
                    let body = method == "PATCH" ? AttachmentUpload.png : nil
                    let answer = try client.send(
                        method, path, headers: [("Upload-Offset", "0")], body: body,
                        contentType: "application/octet-stream")
                    #expect(answer.outcome == outcome, "\(method)")
                }
            }
            let listed = try client.send("GET", "attachments")
            let hash = try #require(listed["attachments"]?.arrayValue?.first?.objectValue?.text("sha256"))
            for address in [
                "/-/attachments/development/\(hash.prefix(2))/\(hash)", "/-/attachments/", "/-/attachments/../x",
            ] {
                #expect(try client.http.send("GET", address).status == 404, "\(address)")
            }
            #expect(try upload.read().status == 200)
        }

        @Test func `nginx and the worker alone may read the files`() throws {
            _ = try stored()
            // Other tests write into the folder meanwhile. Their drafts belong to the worker alone until renamed.
            let modes = try Command.run(
                "find",
                [
                    alice.instance.path("attachments"), "-ignore_readdir_race", "!", "-name", "draft-*",
                    "-printf", "%y %m\n",
                ]
            ).output.split(separator: "\n")
            #expect(modes.allSatisfy { ["d 2750", "f 640"].contains($0) }, "\(Set(modes))")
            #expect(modes.contains("f 640"))
        }

        @Test func `uploads at once stay within the limit of open ones`() throws {
            let alice = alice
            let outcomes = try concurrently(24) { _ in try AttachmentUpload(alice.client()).declare().outcome }
            #expect(outcomes.count { $0 == "201" } == 8)
            #expect(Set(outcomes) == ["201", "429 too-many-uploads"])
        }

        @Test func `the last piece sent twice at once stores the file once`() throws {
            let alice = alice
            for _ in 0..<5 {
                let id = AttachmentUpload.newID()
                #expect(try AttachmentUpload(client, id: id).declare().status == 201)
                let outcomes = try concurrently(4) { _ in
                    try AttachmentUpload(alice.client(), id: id).send(at: 0).outcome
                }
                #expect(outcomes.sorted() == ["204"] + Array(repeating: "409 wrong-offset", count: 3))
            }
            #expect(try client.revision() == 5)
        }

        @Test func `streams tell of what was stored and removed`() throws {
            let stream = try alice.stream()
            #expect(try stream.next("hello") != nil)
            let upload = try stored()
            let event = try #require(try stream.next("attachmentStored"))
            #expect(event.text("id") == upload.id && event.number("revision") == 1)
            try client.create(("n1", "![](attachments/\(upload.id).png)"))
            #expect(try stream.next("noteCreated")?.number("revision") == 2)
            #expect(try client.send("DELETE", "attachments/\(upload.id)").status == 204)
            #expect(try stream.next("attachmentRemoved")?.number("revision") == 3)
            let resumed = try alice.stream(last: event.id)
            #expect(try resumed.next("hello") != nil)
            #expect(try resumed.next("noteCreated")?.number("revision") == 2)
            #expect(try resumed.next("attachmentRemoved")?.text("id") == upload.id)
        }
    }
}
