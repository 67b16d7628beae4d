import AlmanacClientRuntime
import Foundation

/// The examples of the documentation, compiled. A test in Tests/Architecture compares both.
enum Examples {
    static func transport() -> AlmanacHTTPTransport {
        let transport = AlmanacHTTPTransport(caFile: URL(filePath: ".almanac/tls/ca.pem"))
        return transport
    }
}
