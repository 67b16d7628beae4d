public import Foundation

public struct Address: Sendable {
    public let url: URL

    public init?(_ text: String) {
        guard let url = URL(string: text) else { return nil }
        self.url = url
    }
}
