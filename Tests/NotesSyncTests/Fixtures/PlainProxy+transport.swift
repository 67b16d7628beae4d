import Foundation
import NotesSync
import Support

extension PlainProxy {
    /// The way to the environment `development`.
    var transport: URLSessionTransport { URLSessionTransport(environment: URL(string: environment("development"))!) }
}
