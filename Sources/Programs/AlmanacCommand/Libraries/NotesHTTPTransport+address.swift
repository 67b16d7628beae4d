internal import AlmanacClient
internal import AlmanacNotes

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension NotesHTTPTransport {
    /// - Parameter caFile: the only certificate authorities to trust, in PEM; nil trusts those of the system.
    convenience init(_ address: EnvironmentAddress, caFile: String?) throws(CommandFailure) {
        // The text of an address was checked by libcurl, and not by Foundation.
        guard let url = URL(string: address.description) else {
            throw CommandFailure(description: "'\(address)' is no address")
        }
        self.init(environment: url, caFile: caFile)
    }
}
