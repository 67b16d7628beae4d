/// Two ranges of text cut into tokens, each distinct token with a number of its own.
///
/// Numbers are given in order of appearance, so they don't depend on the hash, which is Swift's own keyed one: nobody
/// can choose tokens that collide.
struct Tokens {
    /// The tokens' numbers.
    private(set) var old: [Int32] = []
    private(set) var new: [Int32] = []
    /// Where each token begins, and at last where the range ends.
    private(set) var oldStarts: [Int]
    private(set) var newStarts: [Int]

    init(_ box: Hunk, of oldBytes: Span<UInt8>, and newBytes: Span<UInt8>, cutting cut: Cut) {
        oldStarts = cut.starts(in: box.old, of: oldBytes)
        newStarts = cut.starts(in: box.new, of: newBytes)
        var table = TokenTable(capacity: oldStarts.count + newStarts.count)
        old.reserveCapacity(oldStarts.count)
        for (start, end) in zip(oldStarts, oldStarts.dropFirst()) {
            old.append(table.number(of: start..<end, oldBytes, oldBytes))
        }
        table.endFirstText()
        new.reserveCapacity(newStarts.count)
        for (start, end) in zip(newStarts, newStarts.dropFirst()) {
            new.append(table.number(of: start..<end, newBytes, oldBytes))
        }
    }

    /// The indices of the tokens that the other side has too. The rest can't be part of any match, so leaving them out
    /// changes no shortest script and saves most of the work where little is shared.
    func shared() -> (old: [Int], new: [Int]) {
        let count = 1 + Int(max(old.max() ?? 0, new.max() ?? 0))
        var isInOld = Array(repeating: false, count: count)
        var isInNew = isInOld
        for token in old { isInOld[Int(token)] = true }
        for token in new { isInNew[Int(token)] = true }
        return (old.indices.filter { isInNew[Int(old[$0])] }, new.indices.filter { isInOld[Int(new[$0])] })
    }
}

