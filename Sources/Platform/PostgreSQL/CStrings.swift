/// Texts laid out as C reads them: each with a zero byte behind it, and a table of their addresses that ends with null.
struct CStrings {
    private var bytes: [CChar] = []
    private var offsets: [Int] = []

    init(_ texts: [String]) {
        for text in texts {
            offsets.append(bytes.count)
            bytes.append(contentsOf: text.utf8.map { CChar(bitPattern: $0) })
            bytes.append(0)
        }
    }

    /// Lends the table of addresses for the time of the call.
    func withTable<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            let addresses = unsafe offsets.map { unsafe Optional(bytes.baseAddress! + $0) } + [nil]
            return unsafe addresses.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
        }
    }
}
