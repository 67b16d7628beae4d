import Foundation
import Testing

/// A file of the repository that a generator wrote. `ALMANAC_UPDATE_GENERATED` makes tests write it again.
struct GeneratedFile {
    private let place: URL

    /// - Parameter path: the path in the repository.
    init(_ path: String) {
        place = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: path)
    }

    /// Expects that the file has a text.
    func expect(_ text: String) throws {
        if ProcessInfo.processInfo.environment["ALMANAC_UPDATE_GENERATED"] != nil {
            try Data(text.utf8).write(to: place)
        }
        #expect(try String(contentsOf: place, encoding: .utf8) == text)
    }
}
