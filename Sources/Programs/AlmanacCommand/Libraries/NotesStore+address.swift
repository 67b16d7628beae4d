internal import AlmanacClient
internal import AlmanacNotes

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension NotesStore {
    /// - Parameter caFile: the only certificate authorities to trust, in PEM; nil trusts the system's.
    init(
        path: String, _ address: EnvironmentAddress, account: UserAccount, tokens: any TokenProvider, caFile: String?
    ) throws {
        // The address was checked by libcurl, whose rules differ from Foundation's.
        guard let environment = URL(string: address.description) else {
            throw CommandFailure(description: "'\(address)' is not a valid address")
        }
        var options = NotesOptions()
        options.transport = AlmanacHTTPTransport(caFile: caFile.map { URL(fileURLWithPath: $0) })
        // An export in an archive reads all files at its end.
        options.attachmentsByteLimit = .max
        try self.init(
            file: URL(fileURLWithPath: path), environment: environment, account: account, tokens: tokens,
            options: options)
    }
}
