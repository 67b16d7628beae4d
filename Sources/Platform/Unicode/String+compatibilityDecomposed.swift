#if canImport(AlmanacCUTF8Proc)
    internal import AlmanacCUTF8Proc
#else
    internal import Foundation
#endif

extension String {
    /// The text in Unicode normalization form KD (UAX #15): accents are separate from letters, and compatibility
    /// characters are replaced, such as `ﬁ` by `fi` and `Ａ` by `A`.
    package var compatibilityDecomposed: String {
        #if canImport(AlmanacCUTF8Proc)
            var text = self
            return text.withUTF8 { bytes in
                var decomposed: UnsafeMutablePointer<UInt8>?
                let options = UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
                // Safe because utf8proc reads as many bytes as there are, and its result is copied, then freed.
                let count = unsafe utf8proc_map(
                    bytes.baseAddress, bytes.count, &decomposed, utf8proc_option_t(rawValue: options))
                guard count >= 0, let decomposed = unsafe decomposed else {
                    fatalError("utf8proc could not decompose \(bytes.count) bytes: error \(count)")
                }
                defer { unsafe cutf8proc_free(decomposed) }
                return unsafe String(decoding: UnsafeBufferPointer(start: decomposed, count: count), as: UTF8.self)
            }
        #else
            decomposedStringWithCompatibilityMapping
        #endif
    }
}
