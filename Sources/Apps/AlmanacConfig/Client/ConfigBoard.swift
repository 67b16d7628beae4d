internal import Foundation
internal import Synchronization

/// What a client shows: one set of values and how fresh it is, to be read from anywhere at any time.
final class ConfigBoard: Sendable {
    struct Content {
        var values: ConfigValues
        var lastFetched: Date?
        var lastFailure: ConfigFailure?
        var hasFetchedValues = false
        /// Whether the server said that it was cut off from its database.
        var serverIsStale = false
    }

    let changed = Signal()
    private let content: Mutex<Content>

    init(_ content: Content) {
        self.content = Mutex(content)
    }

    var values: ConfigValues { content.withLock { $0.values } }

    func read<Result: Sendable>(_ body: (Content) -> Result) -> Result { content.withLock { body($0) } }

    func update(_ body: (inout Content) -> Void) { content.withLock { body(&$0) } }

    /// Makes another set visible and wakes who follows.
    func show(_ values: ConfigValues) {
        content.withLock {
            $0.values = values
            $0.hasFetchedValues = false
        }
        changed.send()
    }
}
