/// The parameters of one call, encoded one behind the other.
struct EncodedParameters {
    let types: [TypeOID]
    private let bytes: [UInt8]
    private let offsets: [Int?]
    private let lengths: [Int32]

    /// - Throws: `.refused` when a parameter is larger than the protocol can say.
    init(_ parameters: [Parameter]) throws(PostgresFailure) {
        var bytes: [UInt8] = []
        var offsets: [Int?] = []
        var lengths: [Int32] = []
        for parameter in parameters {
            let start = bytes.count
            let isNull = !parameter.append(to: &bytes)
            guard let length = Int32(exactly: bytes.count - start) else {
                throw .refused(ServerError(state: .programLimitExceeded, message: "a parameter is 2 GiB or larger"))
            }
            offsets.append(isNull ? nil : start)
            lengths.append(length)
        }
        // One more byte, so that the buffer has an address even when all that it holds is an empty text.
        bytes.append(0)
        types = parameters.map(\.type)
        self.bytes = bytes
        self.offsets = offsets
        self.lengths = lengths
    }

    var count: Int32 { Int32(clamping: lengths.count) }

    /// Lends the values, their lengths and their formats (all binary) as libpq takes them, for the time of the call.
    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        let formats = [Int32](repeating: 1, count: lengths.count)
        // Safe because libpq copies what it sends and keeps none of the pointers.
        return unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            let values = unsafe offsets.map { offset in unsafe offset.map { unsafe start + $0 } }
            return unsafe values.withUnsafeBufferPointer { values in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body(values.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
