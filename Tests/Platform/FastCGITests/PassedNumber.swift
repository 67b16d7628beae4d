import AlmanacPOSIX

/// A number that a request's thread passes to its test.
final class PassedNumber: Sendable {
    private let value = Monitor<Int?>(nil)

    func set(_ number: Int) { value.update { $0 = number } }

    /// Waits for the number. Returns nil if the limit passes first.
    func wait(upTo limit: Duration = .seconds(20)) -> Int? { value.wait(upTo: limit) { $0 } }
}
