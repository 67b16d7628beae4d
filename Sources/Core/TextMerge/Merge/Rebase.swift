/// Local changes put on top of what the server has meanwhile.
public struct Rebase: Sendable {
    /// The server's text with the local changes.
    public let text: String

    /// What happened to the local text: apply it to the editor, and move caret and selection by
    /// ``Delta/map(position:affinity:)``.
    public let change: Delta

    /// What the server's text is still missing: the delta to send next, based on the server's text.
    public let unsent: Delta
}

/// Puts local changes on top of the server's text: the same ``merge(base:theirs:mine:)`` that the server does, so that
/// both come to the same text.
///
/// - Parameters:
///   - local: the text on this device.
///   - base: the text that both the local and the server's text were made from: the last one known to the server when
///     the local changes began.
///   - server: the text that the server has now.
public func rebase(_ local: String, from base: String, onto server: String) -> Rebase {
    let merged = merge(base: base, theirs: server, mine: local)
    return Rebase(text: merged.text, change: merged.fromMine, unsent: merged.fromTheirs)
}
