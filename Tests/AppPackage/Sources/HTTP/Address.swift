public import Foundation

/// The address of an environment of a server.
public struct Address: Sendable {
    public let url: URL

    public init?(_ text: String) {
        guard let url = URL(string: text) else { return nil }
        self.url = url
    }
}
