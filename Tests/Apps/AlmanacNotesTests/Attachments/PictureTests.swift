import AlmanacTestSupport
import Foundation
import Testing

@testable import AlmanacNotes

/// Tests of removing location and camera data. The pictures are those of Tests/Web/state/notes-pictures.test.js.
@Suite struct PictureTests {
    private struct Vector: Decodable {
        let file: String
        /// The hash and size of the cleaned picture.
        let cleaned: String
        /// The hash of the outcomes for pictures that are cut off or have other bytes.
        let damaged: String
    }

    private static let moving = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Web/moving")
    private static let photo = moving.appendingPathComponent("pictures/photo-6.jpg")

    private let folder: Folder

    init() throws { folder = try Folder() }

    // Tests/Web/state/notes-cleaned-pictures.test.js runs the same vectors.
    @Test func `pictures are cleaned as the vectors say`() throws {
        let vectors = try JSONDecoder().decode(
            [Vector].self, from: try Data(contentsOf: Self.moving.appendingPathComponent("cleaned-pictures.json")))
        #expect(vectors.count == 11)
        for vector in vectors {
            let url = Self.moving.appendingPathComponent("pictures/\(vector.file)")
            let bytes = [UInt8](try Data(contentsOf: url))
            #expect(try outcome(bytes) == vector.cleaned, "\(vector.file)")
            let outcomes = try Self.damaged(bytes).map(outcome)
            let hash = SHA2.digest(Array(outcomes.joined(separator: "\n").utf8)).hexadecimal
            #expect(hash == vector.damaged, "\(vector.file)")
        }
    }

    /// Returns the hash and the declared size of a cleaned picture, or `damaged`.
    private func outcome(_ bytes: [UInt8]) throws -> String {
        let source = try folder.folder.write("source", bytes)
        let format = try #require(PictureFormats.format(of: bytes))
        try? FileManager.default.removeItem(at: folder.file("copy"))
        var copy = try DraftFile(folder.path("copy"))
        guard try format.clean(FileWindow(source), to: &copy) else { return "damaged" }
        let content = try copy.finish()
        let size = PictureFormats.shownSize(try format.size(of: FileWindow(folder.path("copy"))))
        return "\(content.sha256) \(size?.width ?? 0)x\(size?.height ?? 0)"
    }

    /// Returns pictures that are cut off or have other bytes, the same as the page's test.
    private static func damaged(_ bytes: [UInt8]) -> [[UInt8]] {
        var state: UInt32 = 1
        func below(_ limit: Int) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 8) % limit
        }
        return (0..<100).map { _ in
            var other = bytes
            for _ in 0..<below(4) {
                let at = 12 + below(below(2) == 0 ? bytes.count - 12 : 100)
                other[at] = UInt8(below(256))
            }
            return Array(other.prefix(below(2) == 0 ? bytes.count : 12 + below(bytes.count - 12)))
        }
    }

    @Test func `an attached photo has no location, the right size, and its orientation`() async throws {
        let store = try folder.open()
        let attached = try await store.attach(Self.photo, preview: Self.photo)
        #expect(attached.size == StoredAttachment.PixelSize(width: 16, height: 24))
        for part in [StoredAttachment.Part.file, .preview] {
            let bytes = try Data(contentsOf: try await store.file(of: attached.id, part))
            #expect(bytes.range(of: Data("GPSDatum".utf8)) == nil)
            #expect(bytes.range(of: Data("Exif\0\0II*\0".utf8)) != nil)
            if part == .file { #expect(attached.bytes == bytes.count) }
        }
        let kept = try await store.attach(Self.photo, keepsMetadata: true)
        #expect(try Data(contentsOf: try await store.file(of: kept.id)) == Data(contentsOf: Self.photo))
        #expect(kept.size == attached.size)
    }

    @Test func `a damaged picture is refused and leaves nothing, unless it is kept as it is`() async throws {
        let store = try folder.open()
        let bytes = [0xFF, 0xD8, 0xFF, 0xE1, 0, 9] + Array("GPS".utf8)
        let damaged = URL(fileURLWithPath: try folder.folder.write("a.jpg", bytes))
        let id = String(repeating: "a", count: 26)
        await #expect(throws: NotesFailure.pictureDamaged(damaged)) { try await store.attach(damaged) }
        await #expect(throws: NotesFailure.pictureDamaged(damaged)) { try await store.add(damaged, attachment: id) }
        let place = try #require(store.attachmentsFolder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [])
        let (kept, isNew) = try await store.add(damaged, attachment: id, keepsMetadata: true)
        #expect(isNew && kept.isPicture && kept.bytes == 9 && kept.size == nil)
    }
}
