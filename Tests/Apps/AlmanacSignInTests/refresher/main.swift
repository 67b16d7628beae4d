import AlmanacSignIn
import Foundation

// A program that repeatedly requests another access token. Tests run several at once for one user.
let words = CommandLine.arguments
guard words.count == 5, let rounds = Int(words[4]) else {
    fatalError("usage: almanac-sign-in-refresher PATH ISSUER CLIENT ROUNDS")
}
var options = SignInOptions(issuer: words[2], clientID: words[3])
options.timeout = .seconds(120)
let session = SignInSession(options, storage: FileTokenStorage(file: URL(fileURLWithPath: words[1])))
var token = try await session.accessToken()
for _ in 0..<rounds {
    token = try await session.accessToken(replacing: token)
    print(token)
}
