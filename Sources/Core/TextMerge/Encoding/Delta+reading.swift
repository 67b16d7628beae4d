extension Delta {
    static func reading(canonical elements: [DeltaElement]) throws(DeltaFailure) -> Delta {
        var delta = Delta()
        for (position, element) in elements.enumerated() {
            switch element {
            case .integer(0): throw DeltaFailure(.emptyOperation, at: position)
            case .integer(let number):
                guard number.magnitude <= longestLength.magnitude else { throw DeltaFailure(.badLength, at: position) }
                try delta.append(number > 0 ? .retain(number) : .delete(-number), at: position)
            case .text(let text):
                guard !text.utf8.isEmpty else { throw DeltaFailure(.emptyOperation, at: position) }
                try delta.append(.insert(text), at: position)
            case .pair, .other: throw DeltaFailure(.wrongKind, at: position)
            }
        }
        return delta
    }

    /// Reads a diff list and returns its delta and its base text, which consists of the kept and deleted parts.
    static func reading(diffList elements: [DeltaElement]) throws(DeltaFailure) -> (Delta, base: String) {
        var delta = Delta()
        var base = ""
        for (position, element) in elements.enumerated() {
            guard case .pair(let code, let text) = element else { throw DeltaFailure(.wrongKind, at: position) }
            guard (-1...1).contains(code) else { throw DeltaFailure(.unknownOperation, at: position) }
            // diff-match-patch sometimes writes parts without text, which have no effect.
            switch code {
            case 0: try delta.append(.retain(text.unitCount), at: position)
            case -1: try delta.append(.delete(text.unitCount), at: position)
            default: try delta.append(.insert(text), at: position)
            }
            if code <= 0 { base += text }
        }
        return (delta, base)
    }

    static func reading(string: String, limit: Int) throws(DeltaFailure) -> Delta {
        var delta = Delta()
        let bytes = Array(string.utf8)
        guard !bytes.isEmpty else { return delta }
        let parts = bytes.split(separator: UInt8(ascii: "\t"), maxSplits: limit, omittingEmptySubsequences: false)
        guard parts.count <= limit else { throw DeltaFailure(.tooManyOperations(limit: limit)) }
        for (position, part) in parts.enumerated() {
            guard let sign = part.first else { throw DeltaFailure(.emptyOperation, at: position) }
            switch sign {
            case UInt8(ascii: "="): try delta.append(.retain(try length(part.dropFirst(), position)), at: position)
            case UInt8(ascii: "-"): try delta.append(.delete(try length(part.dropFirst(), position)), at: position)
            case UInt8(ascii: "+"):
                guard part.count > 1 else { throw DeltaFailure(.emptyOperation, at: position) }
                guard let text = PercentEncoding.decode(part.dropFirst()) else {
                    throw DeltaFailure(.badEscape, at: position)
                }
                try delta.append(.insert(text), at: position)
            default: throw DeltaFailure(.unknownOperation, at: position)
            }
        }
        return delta
    }

    /// Parses a decimal number without sign and leading zeros.
    private static func length(_ digits: ArraySlice<UInt8>, _ position: Int) throws(DeltaFailure) -> Int {
        if digits.elementsEqual([UInt8(ascii: "0")]) { throw DeltaFailure(.emptyOperation, at: position) }
        guard let first = digits.first, first != UInt8(ascii: "0"), digits.count <= 10,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw DeltaFailure(.badLength, at: position) }
        // Ten digits can overflow an Int of 32 bits, but never an Int64.
        let number = digits.reduce(Int64(0)) { $0 &* 10 &+ Int64($1 - UInt8(ascii: "0")) }
        guard number <= Int64(longestLength) else { throw DeltaFailure(.badLength, at: position) }
        return Int(number)
    }

    /// Appends an operation, or throws if the base text or the result becomes longer than ``longestLength``.
    private mutating func append(_ operation: Operation, at position: Int) throws(DeltaFailure) {
        let (length, inserted) =
            switch operation {
            case .retain(let length): (length, length)
            case .delete(let length): (length, 0)
            case .insert(let text): (0, text.unitCount)
            }
        let limit = Delta.longestLength
        guard length <= limit - baseLength, inserted <= limit - resultLength else {
            throw DeltaFailure(.tooLong, at: position)
        }
        append(operation)
    }

    /// Returns the index of the operation that covers an offset of the base text, or nil past its end.
    func operationIndex(ofBaseOffset offset: Int) -> Int? {
        var end = 0
        return operations.firstIndex { operation in
            end += operation.baseLength ?? 0
            return end > offset
        }
    }
}
