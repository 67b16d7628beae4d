import AlmanacSignIn
import AlmanacTerminalUI
import Foundation

/// The signed-in account, and the effect of the last key press.
struct AccountPage {
    private var refreshes = 0
    private var note = ""

    mutating func refreshed(_ isNew: Bool) {
        if isNew { refreshes += 1 }
        note = isNew ? "Access tokens refreshed here: \(refreshes)" : "The provider gave the same token again."
    }

    mutating func failed(_ failure: any Error) { note = "\(failure)" }

    func lines(_ status: SignInStatus, _ tokens: TokenSet?, _ size: (columns: Int, rows: Int), now: Date) -> [String] {
        var lines: [String] =
            switch status {
            case .signedIn(let account): ["Signed in as \(account.subject)", "at \(account.issuer)"]
            case .signInAgain(let account): ["\(account.subject) has to sign in again: quit, and start anew"]
            case .unreadable(let failure): ["The stored sign-in can't be read: \(failure)"]
            case .signedOut: ["Signed out, perhaps in another terminal"]
            }
        if let end = tokens?.expiresAt {
            let minutes = Int((end.timeIntervalSince(now) / 60).rounded(.down))
            lines.append("The access token is good until \(end.formatted(.iso8601)), for \(max(0, minutes)) minutes")
        }
        lines += ["", note, "", "r refreshes, o signs out, q quits and stays signed in."]
        return lines.prefix(size.rows).map { Shown.fitting(Shown.line($0), into: size.columns) }
    }

    static func signedOut(_ revocation: Revocation) -> String {
        switch revocation {
        case .done: "Signed out, and the provider has ended the tokens."
        case .notOffered: "Signed out."
        case .failed(let failure): "Signed out here; the tokens may be good for some time yet: \(failure)"
        }
    }
}
