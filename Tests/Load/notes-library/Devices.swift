import AlmanacNotes
import Foundation

/// Two devices of one user: one that writes the notes, and one that is measured.
struct Devices {
    let environment: URL
    let caFile = ProcessInfo.processInfo.environment["ALMANAC_CA_FILE"].map { URL(fileURLWithPath: $0) }
    let tokenFile: String
    let folder: String

    func writer() throws -> (store: NotesStore, network: CountingTransport) { try open("writer.db", isDurable: false) }

    func measured(isDurable: Bool = true) throws -> (store: NotesStore, network: CountingTransport) {
        try open("measured.db", isDurable: isDurable)
    }

    private func open(_ name: String, isDurable: Bool) throws -> (NotesStore, CountingTransport) {
        let network = CountingTransport(AlmanacHTTPTransport(caFile: caFile))
        var options = NotesOptions()
        options.transport = network
        options.isDurable = isDurable
        let token = try String(contentsOfFile: tokenFile, encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines)
        let store = try NotesStore(
            file: URL(fileURLWithPath: "\(folder)/\(name)"), environment: environment,
            account: UserAccount(issuer: "load", subject: "load"), tokens: FixedToken(token), options: options)
        return (store, network)
    }
}
