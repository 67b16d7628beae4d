#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension JSONDecoder {
    /// Reads the body of a response.
    ///
    /// - Parameter name: what it holds, for whoever is told that it can't be read.
    func response<Content: Decodable>(_ body: [UInt8], _ name: String) throws(NotesSyncFailure) -> Content {
        do { return try decode(Content.self, from: Data(body)) } catch {
            throw .unexpectedResponse("\(name) cannot be read")
        }
    }
}
