import AlmanacClientRuntime
import Foundation

/// The examples of the documentation, to see that they compile; a test of the architecture compares them with it.
enum Examples {
    static func transport() -> AlmanacHTTPTransport {
        let transport = AlmanacHTTPTransport(caFile: URL(filePath: ".almanac/tls/ca.pem"))
        return transport
    }
}
