internal import AlmanacPOSIX

/// A token for the header `Authorization: Bearer …`. Its description does not contain it.
public struct BearerToken: Sendable, CustomStringConvertible {
    public let text: String

    /// Creates a token from its text.
    public init(_ text: String) { self.text = text }

    public var description: String { "a token" }

    /// Reads a token from a file that contains nothing else.
    public init(file path: String) throws(CallFailure) {
        let bytes: [UInt8]
        do { bytes = try File.read(path, limit: 65_536) } catch {
            throw CallFailure(notAllowed: "token file \(path): \(error)")
        }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CallFailure(notAllowed: "token file \(path): expected exactly one token")
        }
        self.text = text
    }

    /// The environment in an API token, `almanac_<environment>_<secret>`; nil for a user's token.
    public var environment: String? {
        let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "almanac" ? String(parts[1]) : nil
    }

    /// Returns true if the token may be valid in an environment. Sending it elsewhere would only reveal it.
    func isFor(_ name: String) -> Bool { environment.map { $0.utf8.elementsEqual(name.utf8) } ?? true }
}
