import AlmanacNotes
import AlmanacTestSupport
import Foundation

extension Instance {
    /// The way to the environment `development`.
    var transport: NotesHTTPTransport {
        NotesHTTPTransport(environment: URL(string: "\(url)/development")!, caFile: caFile)
    }
}
