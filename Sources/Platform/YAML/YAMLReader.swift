internal import AlmanacCYAML
public import AlmanacJSON

/// A reader of YAML 1.2 documents as JSON values.
///
/// Scalars have the types of YAML's core schema. A plain scalar that parsers of other versions read in another way,
/// such as `0x1F`, `010` or `1_000`, is refused, except `yes`, `no`, `on` and `off`, which are texts. Tags are
/// refused. Aliases and merge keys (`<<`) are replaced by what they stand for.
public struct YAMLReader {
    /// The limits on a text.
    public struct Limits: Sendable {
        /// The length of the text, and of the documents with replaced aliases, in bytes.
        public var bytes = 64 << 20
        public var depth = 64
        /// The number of values, with replaced aliases.
        public var values = 5_000_000

        public init() {}
    }

    private let limits: Limits
    private var documents: [JSONValue] = []
    private var anchors: [String: Measured] = [:]
    private var stack: [Collection] = []
    private var total = (values: 0, bytes: 0)
    /// The line of the current event, from 1.
    private var line = 1

    /// A value with its size.
    private struct Measured {
        let value: JSONValue
        var values = 1
        var bytes = 0
        /// The depth of collections in the value; 0 for a scalar.
        var depth = 0
    }

    /// A collection whose end is still unread.
    private struct Collection {
        let isMapping: Bool
        let anchor: String?
        var elements: [JSONValue] = []
        var members: [(name: String, value: JSONValue)] = []
        var names: Set<[UInt8]> = []
        /// The key whose value is read next.
        var key: Key?
        /// The mappings of merge keys.
        var merged: [JSONObject] = []
        var values = 1
        var bytes = 0
        /// The depth of the deepest element.
        var depth = 0
    }

    private enum Key {
        case name(String)
        case merge
    }

    /// Reads all documents of a text.
    public static func documents(_ text: [UInt8], limits: Limits = Limits()) throws(YAMLFailure) -> [JSONValue] {
        guard text.count <= limits.bytes else {
            throw YAMLFailure(line: 1, "the text has \(text.count) bytes; the limit is \(limits.bytes)")
        }
        var reader = YAMLReader(limits: limits)
        try reader.read(text)
        return reader.documents
    }

    private init(limits: Limits) { self.limits = limits }

    private mutating func read(_ text: [UInt8]) throws(YAMLFailure) {
        // Safe because libyaml's parser keeps its address until it is deleted here.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { unsafe parser.deallocate() }
        guard unsafe yaml_parser_initialize(parser) == 1 else { throw YAMLFailure(line: 1, "out of memory") }
        defer { unsafe yaml_parser_delete(parser) }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        let result = unsafe text.withUnsafeBufferPointer { buffer -> Result<Void, YAMLFailure> in
            // Safe because the parser reads the text only until the end of this closure.
            unsafe yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
            do throws(YAMLFailure) {
                while unsafe try event(of: parser) {}
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Reads an event. Returns false at the end of the text.
    private mutating func event(of parser: UnsafeMutablePointer<yaml_parser_t>) throws(YAMLFailure) -> Bool {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else {
            let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "this is not YAML"
            throw YAMLFailure(line: Int(unsafe parser.pointee.problem_mark.line) + 1, problem)
        }
        defer { unsafe yaml_event_delete(&event) }
        line = Int(unsafe event.start_mark.line) + 1
        switch unsafe event.type {
        case YAML_STREAM_END_EVENT: return false
        case YAML_DOCUMENT_START_EVENT: anchors = [:]
        case YAML_ALIAS_EVENT:
            let name = unsafe Self.text(event.data.alias.anchor) ?? ""
            guard let value = anchors[name] else { throw failure("there is no anchor &\(name) before *\(name)") }
            if awaitsKey { throw failure("an alias can't be a key") }
            try add(value)
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            try refuseTag(unsafe Self.text(scalar.tag))
            // Safe because the scalar has so many bytes, and libyaml has checked that they are UTF-8.
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
            let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
            try add(unsafe String(decoding: bytes, as: UTF8.self), isPlain, anchor: unsafe Self.text(scalar.anchor))
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            try refuseTag(unsafe Self.text(start.tag))
            try open(Collection(isMapping: false, anchor: unsafe Self.text(start.anchor)))
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            try refuseTag(unsafe Self.text(start.tag))
            try open(Collection(isMapping: true, anchor: unsafe Self.text(start.anchor)))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: try close()
        default: break
        }
        return true
    }

    private static func text(_ name: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        // Safe because libyaml ends names with a zero.
        unsafe name.map { unsafe String(cString: $0) }
    }

    /// True if the next scalar is a key.
    private var awaitsKey: Bool { stack.last?.isMapping == true && stack.last?.key == nil }

    private func failure(_ message: String) -> YAMLFailure { YAMLFailure(line: line, message) }

    private func refuseTag(_ tag: String?) throws(YAMLFailure) {
        if let tag { throw failure("tags such as \(tag.prefix(100)) are not supported; remove the tag") }
    }

    private mutating func open(_ collection: Collection) throws(YAMLFailure) {
        if awaitsKey { throw failure("a key must be a text") }
        try checkDepth(1)
        try charge(values: 1, bytes: 0)
        stack.append(collection)
    }

    /// Refuses a value that would be nested too deep, also by aliases.
    private func checkDepth(_ depth: Int) throws(YAMLFailure) {
        guard stack.count + depth <= limits.depth else {
            throw failure("collections are nested deeper than \(limits.depth)")
        }
    }

    private mutating func close() throws(YAMLFailure) {
        guard let collection = stack.popLast() else { return }
        var value = Measured(
            value: .array(collection.elements), values: collection.values, bytes: collection.bytes,
            depth: collection.depth + 1)
        if collection.isMapping {
            var (members, names) = (collection.members, collection.names)
            // Members of the mapping itself win, then those of earlier merged mappings.
            for merged in collection.merged {
                for member in merged.members where names.insert(Array(member.name.utf8)).inserted {
                    members.append(member)
                }
            }
            value = Measured(
                value: .object(JSONObject(members)), values: collection.values, bytes: collection.bytes,
                depth: collection.depth + 1)
        }
        if let anchor = collection.anchor { anchors[anchor] = value }
        try attach(value)
    }

    /// Adds a scalar: a key or a value.
    private mutating func add(_ text: String, _ isPlain: Bool, anchor: String?) throws(YAMLFailure) {
        if awaitsKey {
            if anchor != nil { throw failure("a key can't have an anchor") }
            try charge(values: 0, bytes: text.utf8.count)
            if isPlain, text == "<<" {
                stack[stack.count - 1].key = .merge
            } else {
                guard stack[stack.count - 1].names.insert(Array(text.utf8)).inserted else {
                    throw failure("the key '\(text.prefix(100))' is there twice")
                }
                stack[stack.count - 1].key = .name(text)
            }
            stack[stack.count - 1].bytes += text.utf8.count
            return
        }
        let scalar = isPlain ? try YAMLScalar.value(text, line: line) : .string(text)
        let value = Measured(value: scalar, bytes: text.utf8.count)
        if let anchor { anchors[anchor] = value }
        try add(value)
    }

    /// Adds a complete value, whose size counts again.
    private mutating func add(_ value: Measured) throws(YAMLFailure) {
        try checkDepth(value.depth)
        try charge(values: value.values, bytes: value.bytes)
        try attach(value)
    }

    private mutating func charge(values: Int, bytes: Int) throws(YAMLFailure) {
        total.values += values
        total.bytes += bytes
        guard total.values <= limits.values, total.bytes <= limits.bytes else {
            throw failure("with its aliases, the text has more than \(limits.values) values or \(limits.bytes) bytes")
        }
    }

    private mutating func attach(_ value: Measured) throws(YAMLFailure) {
        let top = stack.count - 1
        guard top >= 0 else { return documents.append(value.value) }
        stack[top].values += value.values
        stack[top].bytes += value.bytes
        stack[top].depth = max(stack[top].depth, value.depth)
        guard stack[top].isMapping else { return stack[top].elements.append(value.value) }
        switch stack[top].key {
        case .name(let name)?: stack[top].members.append((name, value.value))
        case .merge?:
            let mappings = value.value.arrayValue ?? [value.value]
            let objects = mappings.compactMap(\.objectValue)
            guard objects.count == mappings.count else { throw failure("<< needs a mapping, or a list of mappings") }
            stack[top].merged += objects
        case nil: break
        }
        stack[top].key = nil
    }
}
