internal import AlmanacCJansson

/// A document parsed by jansson, freed with the tree.
@safe struct JanssonTree: ~Copyable {
    // Safe because the pointer is the only reference, made in `init`, lent for one call at a time, and dropped in
    // `deinit`.
    private let root: UnsafeMutablePointer<json_t>

    /// - Parameters:
    ///   - bytes: A text that is not empty and not deeper than the limits.
    ///   - limits: The limits for the error if jansson's own depth limit of 2048 is exceeded.
    init(parsing bytes: [UInt8], limits: JSONLimits) throws(JSONFailure) {
        // Reading integers as reals makes jansson accept those beyond 64 bits. Their digits come from the text.
        let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL
        var error = json_error_t()
        // Safe because jansson reads only the bytes of the given count and keeps none.
        let root = unsafe bytes.withUnsafeBytes { text in
            unsafe json_loadb(text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, Int(flags), &error)
        }
        guard let root = unsafe root else { throw JSONFailure(error, in: bytes, limits: limits) }
        unsafe self.root = unsafe root
    }

    deinit { unsafe json_decref(root) }

    /// Returns the document as a value. Numbers take their digits from the parsed text.
    func value(digitsFrom text: [UInt8]) throws(JSONFailure) -> JSONValue {
        var numbers = NumberReader(text)
        return try unsafe Self.value(of: root, &numbers)
    }

    // The recursion ends because the depth was checked before.
    //
    // Values are visited in the order of the text, so that the n-th number of the tree is the n-th number of the text.
    // jansson iterates over an object in the order of insertion (since version 2.8, according to its changelog), which
    // is the order of the text because names are unique.
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
    /// Copies a text of jansson, which has checked it to be UTF-8.
    ///
    /// Safe because the count is jansson's own for these bytes.
    fileprivate init(_ start: UnsafePointer<CChar>, count: Int) {
        self = unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
