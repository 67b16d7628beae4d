internal import Glibc

/// The parameters of one request: CGI variables (RFC 3875 §4.1) and what else the web server is configured to pass.
///
/// They are read where they lie, so only what is asked for costs anything, and there are none once the request has
/// ended. Bytes that are no UTF-8 arrive as U+FFFD.
public struct Parameters: Sendable {
    private let connection: FastCGIConnection

    init(of connection: FastCGIConnection) {
        self.connection = connection
    }

    /// All of them in the order sent.
    public var pairs: [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        _ = unsafe connection.firstParameter { entry -> Never? in
            if let separator = unsafe strchr(entry, 61) {
                // Safe because both ends lie in one C string.
                let name = unsafe UnsafeRawBufferPointer(
                    start: entry, count: separator - UnsafeMutablePointer(mutating: entry))
                unsafe pairs.append((String(decoding: name, as: UTF8.self), String(cString: separator + 1)))
            }
            return nil
        }
        return pairs
    }

    /// The first parameter of that name.
    public subscript(_ name: String) -> String? { connection.parameter(name) }

    /// The first header field of that name, as its sender wrote it: `If-None-Match` is in `HTTP_IF_NONE_MATCH`, and
    /// `Content-Type` may be in `CONTENT_TYPE` alone.
    public func field(_ name: String) -> String? {
        let field = unsafe connection.firstParameter { entry in unsafe value(in: entry, ofField: name) }
        if field == nil, name == "Content-Type", let type = self["CONTENT_TYPE"], !type.isEmpty { return type }
        return field
    }
}

/// The value of a parameter that is a header field; nil when it is none or has another name.
private func value(in entry: UnsafePointer<CChar>, ofField name: String) -> String? {
    // Most parameters differ in the first byte.
    guard unsafe entry.pointee == 72, unsafe strncmp(entry, "HTTP_", 5) == 0 else { return nil }
    // Safe because no byte is looked at after one that differs, so none after the zero byte at the end.
    var place = unsafe entry + 5
    for byte in name.utf8 {
        guard byte != 0, unsafe UInt8(bitPattern: place.pointee) == byte.asInVariable else { return nil }
        unsafe place += 1
    }
    return unsafe place.pointee == 61 ? String(cString: place + 1) : nil
}

extension UInt8 {
    /// A byte of a field's name as CGI writes it (RFC 3875 §4.1.18): in upper case, and an underscore for a hyphen.
    fileprivate var asInVariable: UInt8 {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): self & ~32
        case UInt8(ascii: "-"): UInt8(ascii: "_")
        default: self
        }
    }
}
