import Foundation
import NotesSync
import Support

extension Instance {
    /// The way to the environment `development`.
    var transport: NotesHTTPTransport {
        NotesHTTPTransport(environment: URL(string: "\(url)/development")!, caFile: caFile)
    }
}
