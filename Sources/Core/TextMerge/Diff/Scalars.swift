/// A range of text as Unicode scalars, so that no comparison can part a surrogate pair.
struct Scalars {
    private(set) var values: [Int32] = []
    private let start: Int
    /// Where each scalar ends; empty while each takes one byte.
    private var ends: [Int] = []

    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        start = range.lowerBound
        values.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let (value, length) = bytes.scalar(at: offset)
            values.append(Int32(value))
            if length > 1, ends.isEmpty {
                ends.reserveCapacity(range.count)
                ends += (start..<offset).map { $0 + 1 }
            }
            offset += length
            if length > 1 || !ends.isEmpty { ends.append(offset) }
        }
    }

    /// Where a scalar begins in the text.
    func offset(of index: Int) -> Int {
        if ends.isEmpty || index == 0 { return start + index }
        return ends[index - 1]
    }
}
