/// What two ranges of text, cut into tokens, have in common.
///
/// Tokens that only one side has can't be part of any match; leaving them out changes no shortest script, and saves
/// most of the work where little is shared. The rest have numbers in order of appearance, so these don't depend on the
/// hash, which is Swift's own keyed one: nobody can choose tokens that collide.
struct Tokens {
    private(set) var old: Side
    private(set) var new: Side

    /// The tokens of one side that the other has too.
    struct Side {
        var numbers: [Int32] = []
        /// Where each of them lies in the text.
        var ranges: [Range<Int32>] = []

        mutating func append(_ number: Int32, _ range: Range<Int32>) {
            numbers.append(number)
            ranges.append(range)
        }
    }

    init(_ box: Hunk, of oldBytes: Span<UInt8>, and newBytes: Span<UInt8>, cutting cut: Cut) {
        let starts = cut.starts(in: box.old, of: oldBytes)
        var table = TokenTable(capacity: starts.count)
        var numbers: [Int32] = []
        numbers.reserveCapacity(starts.count)
        for (start, end) in zip(starts, starts.dropFirst()) {
            numbers.append(table.insert(start..<end, of: oldBytes))
        }
        new = Side()
        var isInNew = Array(repeating: false, count: table.count)
        let newStarts = cut.starts(in: box.new, of: newBytes)
        for (start, end) in zip(newStarts, newStarts.dropFirst()) {
            guard let number = table.number(of: start..<end, in: newBytes, text: oldBytes) else { continue }
            isInNew[Int(number)] = true
            new.append(number, start..<end)
        }
        old = Side()
        for (index, number) in numbers.enumerated() where isInNew[Int(number)] {
            old.append(number, starts[index]..<starts[index + 1])
        }
    }
}
