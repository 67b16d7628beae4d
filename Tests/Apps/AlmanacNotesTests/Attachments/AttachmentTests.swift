import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Testing

/// Tests of attachments on one device, without a server.
@Suite struct AttachmentTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `an attached file is on disk, named by a reference, and counts as unsent`() async throws {
        let (url, bytes) = try folder.picture("Holiday [1].PNG", 100_000)
        let photo = try await folder.open().attach(url)
        #expect(photo.id.wholeMatch(of: /[a-z2-7]{26}/) != nil)
        #expect(photo.markdown == "![Holiday \\[1\\].PNG](attachments/\(photo.id).png)")
        #expect(photo.size == StoredAttachment.PixelSize(width: 3, height: 2))
        #expect((photo.type, photo.bytes, photo.isPicture, photo.isHere) == ("image/png", 100_000, true, true))
        try FileManager.default.removeItem(at: url)
        let store = try folder.open()
        #expect(try await store.attachments() == [photo])
        #expect(try await store.attachments(in: "a \(photo.markdown) b") == [photo])
        #expect(try await store.attachment(photo.id)?.status == .kept)
        #expect(try Data(contentsOf: await store.file(of: photo.id)).elementsEqual(bytes))
        #expect("\(try await store.unsynced())" == "1 file not sent yet")
        #expect(await store.hasUnsentChanges)
        let attributes = try FileManager.default.attributesOfItem(atPath: await store.file(of: photo.id).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [
        ("a.jpg", [0xFF, 0xD8, 0xFF, 0xE0] as [UInt8], "image/jpeg"), ("a", Array("GIF89a".utf8), "image/gif"),
        ("a.bin", Array("RIFF0000WEBPVP8 ".utf8), "image/webp"), ("a", Array("0000ftypavif".utf8), "image/avif"),
        ("a.png", Array("<html>".utf8), "application/octet-stream"), ("a.PDF", Array("%PDF".utf8), "application/pdf"),
        ("a.svg", Array("<svg/>".utf8), "image/svg+xml"), ("a", [0xFF], "application/octet-stream"),
    ])
    func `a picture is known by its first bytes, another file by its name`(
        name: String, bytes: [UInt8], type: String
    ) async throws {
        let file = URL(fileURLWithPath: try folder.folder.write("source", bytes))
        let attachment = try await folder.open().attach(file, name: name, keepsMetadata: true)
        #expect(attachment.type == type)
        #expect(
            attachment.markdown.hasPrefix("![")
                == ["image/jpeg", "image/gif", "image/webp", "image/avif"].contains(type))
    }

    @Test func `an empty file, a folder and a missing file are refused and leave nothing`() async throws {
        let store = try folder.open()
        let empty = URL(fileURLWithPath: try folder.folder.write("empty", [UInt8]()))
        for url in [empty, folder.file("missing"), URL(fileURLWithPath: folder.folder.path)] {
            await #expect {
                try await store.attach(url)
            } throws: {
                if case NotesFailure.attachmentRefused? = $0 as? NotesFailure { true } else { false }
            }
        }
        let place = try #require(store.attachmentsFolder)
        #expect((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] == [])
        #expect(try await store.attachments() == [])
        let preview = try NotesStore(preview: [])
        await #expect(throws: NotesFailure.self) { try await preview.attach(empty) }
    }

    @Test func `a name gets what the server accepts`() async throws {
        let store = try folder.open()
        let url = try folder.picture("a.png", 100).url
        #expect(try await store.attach(url, name: "a/b\\c\n.png").name == "a_b_c_.png")
        let long = try await store.attach(url, name: String(repeating: "ü", count: 200) + ".png").name
        #expect(long.utf8.count <= 255 && long.hasSuffix("ü.png"))
        #expect(try await store.attach(url, name: "").name == "file")
    }

    @Test func `updates name attachments, and a removed one is gone here at once`() async throws {
        let store = try folder.open()
        var updates = store.updates.makeAsyncIterator()
        let photo = try await store.attach(try folder.picture("a.png", 100).url)
        #expect(await updates.next()?.attachments == [photo.id])
        let file = try await store.file(of: photo.id)
        try await store.remove(attachment: photo.id)
        #expect(await updates.next()?.attachments == [photo.id])
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(try await store.attachments() == [])
        #expect(try await store.attachment(photo.id)?.status == .removed)
        await #expect(throws: NotesFailure.noSuchAttachment("x")) { try await store.remove(attachment: "x") }
    }

    @Test func `an imported file keeps its id, and is added once`() async throws {
        let known = try await folder.open().create(body: "milk").id
        let id = String(repeating: "a", count: 26)
        let other = try folder.open()
        let (added, isNew) = try await other.add(try folder.picture("a.png", 100).url, attachment: id, name: "a.png")
        #expect(added.id == id && isNew)
        #expect(try await other.add(folder.file("missing"), attachment: id).isNew == false)
        await #expect(throws: NotesFailure.self) { try await other.add(folder.file("a.png"), attachment: "short") }
        #expect(try await other.note(known)?.body == "milk")
    }

    @Test func `simultaneous imports of one id keep one file, and a failing one harms none`() async throws {
        let store = try folder.open()
        let id = String(repeating: "a", count: 26)
        let empty = URL(fileURLWithPath: try folder.folder.write("empty", [UInt8]()))
        let sources = [try folder.picture("a.png", 300_000).url, try folder.picture("b.png", 300_001).url, empty]
        let added = await withTaskGroup { group in
            for source in sources {
                group.addTask { try? await store.add(source, attachment: id, name: source.lastPathComponent) }
            }
            return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
        }
        let kept = try #require(added.first { $0.isNew }?.attachment)
        #expect(added.count { $0.isNew } == 1 && added.allSatisfy { $0.attachment == kept })
        #expect(try await store.attachments() == [kept])
        #expect(try Data(contentsOf: await store.file(of: id)) == Data(contentsOf: folder.file(kept.name)))
        let place = try #require(store.attachmentsFolder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["\(id).png"])
    }
}
