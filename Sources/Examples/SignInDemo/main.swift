// A sign-in in a terminal: the account, the end of the access token, and another token on a key:
//
//     AlmanacSignInDemo https://login.example.com notes-app demo.tokens
//
// ALMANAC_CA_FILE names a file with the only trusted certificate authorities; the default is the system's.

import AlmanacSignIn
import AlmanacTerminalUI
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
    print(
        "usage: AlmanacSignInDemo ISSUER CLIENT FILE    "
            + "AlmanacSignInDemo https://login.example.com notes-app demo.tokens"
    )
    exit(2)
}
let caFile = ProcessInfo.processInfo.environment["ALMANAC_CA_FILE"].map { URL(fileURLWithPath: $0) }
let options = SignInOptions(
    issuer: arguments[1], clientID: arguments[2], transport: AlmanacHTTPTransport(caFile: caFile))
let storage = FileTokenStorage(file: URL(fileURLWithPath: arguments[3]))
let session = SignInSession(options, storage: storage)

/// Signs in before the screen is taken over, so that the address can be copied.
func signIn() async throws {
    let loopback = try LoopbackRedirect()
    let request = try await session.begin(redirect: loopback.address)
    print("Open this address in a browser on this machine:\n\n  \(request.url)\n")
    let callback = try await loopback.callback(within: .seconds(300)) { request.isAnswered(by: $0) }
    try await session.complete(request, callback: callback)
}

do {
    if case .signedIn = await session.status {} else { try await signIn() }
    let screen = try Screen()
    defer { screen.leave() }
    // Another terminal with the same file may have refreshed the token.
    let clock = Task { while (try? await Task.sleep(for: .seconds(1))) != nil { screen.wake() } }
    defer { clock.cancel() }
    var page = AccountPage()
    screen.wake()
    loop: for await event in screen.events {
        switch event {
        case .key(.text("q")), .key(.control("c")), .end: break loop
        case .key(.text("r")):
            let old = try await storage.load()?.tokens?.accessToken
            do { page.refreshed(try await session.accessToken(replacing: old) != old) } catch { page.failed(error) }
        case .key(.text("o")):
            let revocation = try await session.signOut()
            screen.leave()
            print(AccountPage.signedOut(revocation))
            break loop
        default: break
        }
        screen.draw(page.lines(await session.status, try await storage.load()?.tokens, screen.size, now: Date()))
    }
} catch {
    print("\(error)")
    exit(1)
}
