import AlmanacNotes
import AlmanacPOSIX
import AlmanacTestSupport
import Foundation
import Testing

/// Tests of attachments on two devices of one user, against the running instance.
@Suite(.blocking) struct AttachmentLiveTests {
    private let folder: Folder
    private let user: SimulatedUser
    private let instance: Instance

    init() async throws {
        folder = try Folder()
        user = try await SimulatedUser("attachments")
        instance = try .current()
    }

    private func device(_ name: String) throws -> NotesStore {
        try folder.open("\(name).db", user.server(behind: instance.transport))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a picture attached on one device appears on the other while both follow, until it is removed`() async throws {
        let (phone, laptop) = (try device("phone"), try device("laptop"))
        let following = [Task { await phone.follow() }, Task { await laptop.follow() }]
        defer { for task in following { task.cancel() } }
        let (url, bytes) = try folder.picture("photo.png", 1_500_000)
        let (small, preview) = try folder.picture("small.png", 1000)
        let photo = try await phone.attach(
            url, preview: small, size: StoredAttachment.PixelSize(width: 40, height: 30))
        let note = try await phone.create(title: "Trip", body: photo.markdown).id
        #expect(try await laptop.becomes { try await $0.note(note) != nil })
        #expect(try await laptop.becomes { try await $0.attachment(photo.id)?.status == .stored })
        let known = try #require(try await laptop.attachments(in: photo.markdown).first)
        #expect((known.name, known.type, known.bytes) == ("photo.png", "image/png", 1_500_000))
        #expect(known.size == photo.size && known.hasPreview && !known.isHere)
        #expect(try Data(contentsOf: await laptop.file(of: photo.id, .preview)).elementsEqual(preview))
        #expect(try Data(contentsOf: await laptop.file(of: photo.id)).elementsEqual(bytes))
        #expect(try await phone.becomes { await $0.status == .upToDate })
        try await laptop.remove(attachment: photo.id)
        #expect(try await phone.becomes { try await $0.attachment(photo.id)?.status == .removed })
        #expect(try await phone.attachment(photo.id)?.isHere == false)
    }

    @Test func `a device that is killed while it sends a file resumes where the server is`() async throws {
        let (url, bytes) = try folder.picture("film.png", 5 << 20)
        var sent: Int64 = 0
        for round in 0..<3 {
            let program = try BackgroundCommand(
                Self.device,
                [
                    folder.path("phone.db"), instance.environment.absoluteString, "0", "0", round == 0 ? url.path : "-",
                ],
                environment: ["ALMANAC_TEST_TOKEN": user.token, "ALMANAC_TEST_CA_FILE": instance.caFile])
            func counts() -> [Int64] {
                String(decoding: program.outputBytes, as: UTF8.self).matches(of: /sent (\d+)\n/)
                    .compactMap { Int64($0.output.1) }
            }
            // The first count may be that of the previous process.
            let before = sent
            let hasSent = try await eventuallyAsync { !program.isRunning || counts().contains { $0 > before } }
            program.kill()
            _ = program.wait(upTo: .seconds(10))
            try #require(hasSent, "\(String(decoding: program.errorBytes, as: UTF8.self))")
            #expect(counts().allSatisfy { $0 >= before })
            sent = max(sent, counts().max() ?? 0)
        }
        let phone = try device("phone")
        let id = try #require(try await phone.attachments().first?.id)
        #expect(try await phone.sync().isEmpty)
        #expect(try Data(contentsOf: await device("laptop").file(of: id)).elementsEqual(bytes))
    }

    private static var device: String { Checkout.program("almanac-notes-device") }
}
