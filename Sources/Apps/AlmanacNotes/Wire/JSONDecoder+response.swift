#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension JSONDecoder {
    /// Decodes a response body.
    ///
    /// - Parameter name: the name of the content for the failure's message.
    func response<Content: Decodable>(_ body: [UInt8], _ name: String) throws(NotesSyncFailure) -> Content {
        do { return try decode(Content.self, from: Data(body)) } catch {
            throw .unexpectedResponse("\(name) cannot be read")
        }
    }
}
