internal import Foundation

/// Times as the server writes them.
enum ConfigDate {
    static let written = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func date(_ text: String) -> Date? {
        (try? written.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    }
}
