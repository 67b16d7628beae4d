import AlmanacConfig
import AlmanacNotes
import AlmanacSignIn
import AlmanacTestSupport
// How long a call takes to return once it is cancelled, while its server is silent at one point of the exchange. Each
// of them ten times; the longest counts.
import Foundation

let folder = try TemporaryFolder()
let account = UserAccount(issuer: "load", subject: "load")

func store(_ server: StallingServer) throws -> NotesStore {
    try NotesStore(
        file: URL(fileURLWithPath: "\(folder.path)/\(UUID()).db"),
        environment: URL(string: "\(server.base)/production")!,
        account: account, tokens: FixedToken("token"))
}

func client(_ server: StallingServer) -> ConfigClient {
    ConfigClient(ConfigOptions(environment: URL(string: "\(server.base)/production")!, defaults: [:], cache: nil))
}

/// The calls, each with how many exchanges it begins.
let calls: [(name: String, exchanges: Int, begin: @Sendable (StallingServer) throws -> Task<Void, Never>)] = [
    (
        "NotesStore.sync", 1,
        {
            let store = try store($0); return Task { _ = try? await store.sync() }
        }
    ),
    (
        "NotesStore.follow", 2,
        {
            let store = try store($0); return Task { await store.follow() }
        }
    ),
    (
        "ConfigClient.fetch", 1,
        {
            let client = client($0); return Task { _ = try? await client.fetch() }
        }
    ),
    (
        "ConfigClient.follow", 1,
        {
            let client = client($0); return Task { await client.follow() }
        }
    ),
    (
        "ConfigDocument.update", 1,
        {
            let loader = ConfigDocumentURLLoader(url: URL(string: "\($0.base)/config.json")!)
            let document = ConfigDocument(["a"], loader: loader)
            return Task { _ = try? await document.update() }
        }
    ),
    (
        "SignInSession.begin", 1,
        {
            let options = SignInOptions(issuer: $0.base, clientID: "load")
            let session = SignInSession(
                options, storage: FileTokenStorage(file: URL(fileURLWithPath: "\(folder.path)/sign-in")))
            return Task { _ = try? await session.begin(redirect: "http://127.0.0.1:1/callback") }
        }
    ),
]

print("the longest of ten, in ms" + String(repeating: " ", count: 3), terminator: "")
for point in StallingServer.Point.allCases { print("\(point)".padded(to: 12), terminator: "") }
print()
var longest = Duration.zero
for (name, exchanges, begin) in calls {
    print(name + String(repeating: " ", count: 28 - name.count), terminator: "")
    for point in StallingServer.Point.allCases {
        let server = try StallingServer(point)
        var times: [Duration] = []
        for round in 0..<10 {
            let task = try begin(server)
            guard try await server.stalls(point == .connecting ? exchanges : (round + 1) * exchanges) else {
                print("the server was not asked")
                exit(1)
            }
            times.append(await timeToEnd(task))
        }
        let slowest = times.max() ?? .zero
        longest = max(longest, slowest)
        print(String(format: "%.1f", slowest / .milliseconds(1)).padded(to: 12), terminator: "")
    }
    print()
}
print(String(format: "of all: %.1f ms", longest / .milliseconds(1)))

extension String {
    func padded(to width: Int) -> String { String(repeating: " ", count: max(1, width - count)) + self }
}
