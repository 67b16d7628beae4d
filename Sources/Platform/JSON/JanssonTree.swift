internal import AlmanacCJansson

/// A document as jansson holds it, freed when the tree's life ends.
@safe struct JanssonTree: ~Copyable {
    // Safe because the pointer is the one reference that jansson gave away: made in `init`, dropped in `deinit`, and
    // lent to no one for longer than a call.
    private let root: UnsafeMutablePointer<json_t>

    /// - Parameters:
    ///   - bytes: not empty, and no deeper than the limits allow.
    ///   - limits: what to name when jansson's own depth of 2048 is less than the limit.
    init(parsing bytes: [UInt8], limits: JSONLimits) throws(JSONFailure) {
        // Integers as reals too, so that jansson accepts those beyond 64 bits; their digits come from the text.
        let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL
        var error = json_error_t()
        // Safe because jansson reads only the bytes of the given count and keeps none.
        let root = unsafe bytes.withUnsafeBytes { text in
            unsafe json_loadb(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, Int(flags), &error)
        }
        guard let root = unsafe root else { throw JSONFailure(error, in: bytes, limits: limits) }
        unsafe self.root = unsafe root
    }

    deinit {
        unsafe json_decref(root)
    }

    /// The document as a value.
    ///
    /// - Parameter text: what the tree was parsed from: numbers take their digits from it.
    func value(writtenAs text: [UInt8]) throws(JSONFailure) -> JSONValue {
        var numbers = NumberReader(text)
        return try unsafe Self.value(of: root, &numbers)
    }

    // Recursion ends because the depth was checked before.
    //
    // Values are visited in the order they were written, so that the n-th number takes the n-th number of the text:
    // jansson iterates over an object in the order of insertion (since version 2.8, as its list of changes says), and
    // that is the order of the text because no name stands there twice.
    private static func value(
        of node: UnsafeMutablePointer<json_t>, _ numbers: inout NumberReader
    ) throws(JSONFailure) -> JSONValue {
        switch unsafe node.pointee.type {
        case JSON_OBJECT: .object(try unsafe object(of: node, &numbers))
        case JSON_ARRAY: .array(try unsafe array(of: node, &numbers))
        case JSON_STRING: .string(unsafe String(json_string_value(node), count: json_string_length(node)))
        case JSON_INTEGER, JSON_REAL: .number(try numbers.next())
        case JSON_TRUE: .boolean(true)
        case JSON_FALSE: .boolean(false)
        default: .null
        }
    }

    private static func array(
        of node: UnsafeMutablePointer<json_t>, _ numbers: inout NumberReader
    ) throws(JSONFailure) -> [JSONValue] {
        let count = unsafe json_array_size(node)
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        for position in 0..<count {
            elements.append(try unsafe value(of: json_array_get(node, position), &numbers))
        }
        return elements
    }

    private static func object(
        of node: UnsafeMutablePointer<json_t>, _ numbers: inout NumberReader
    ) throws(JSONFailure) -> JSONObject {
        var members: [(name: String, value: JSONValue)] = []
        members.reserveCapacity(unsafe json_object_size(node))
        var member = unsafe json_object_iter(node)
        while let current = unsafe member {
            let name = unsafe String(json_object_iter_key(current), count: json_object_iter_key_len(current))
            members.append((name, try unsafe value(of: json_object_iter_value(current), &numbers)))
            unsafe member = unsafe json_object_iter_next(node, current)
        }
        return JSONObject(unique: members)
    }
}

extension String {
    /// Copies a text of jansson's, which has checked it to be UTF-8.
    ///
    /// Safe because the count is jansson's own for these bytes.
    fileprivate init(_ start: UnsafePointer<CChar>, count: Int) {
        self = unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
