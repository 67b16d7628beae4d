internal import AlmanacJSON

/// The JSON forms of many entries.
enum Representation {
    /// An array of documents that are ready to send.
    static func array(_ documents: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(documents.reduce(2) { $0 + $1.count + 1 })
        bytes.append(UInt8(ascii: "["))
        for (index, document) in documents.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += document
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// One object with a member per key, in the order given.
    static func object(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
        JSONWriter.object { writer in
            for member in members { writer.member(member.key, raw: member.value) }
        }
    }

    /// One object in which `a.b` is the member `b` of the object `a`.
    ///
    /// A key that is both a value and the prefix of another cannot be nested, and is refused by name.
    static func nested(_ members: [(key: String, value: [UInt8])]) throws(ConfigRefusal) -> [UInt8] {
        let root = Node()
        for member in members {
            let segments = member.key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard root.insert(segments[...], member.value) else {
                throw .keyNotNestable(member.key)
            }
        }
        return JSONWriter.object { root.writeMembers(to: &$0) }
    }

    /// A place in the tree of segments: a value, or members.
    private final class Node {
        private var value: [UInt8]?
        private var members: [(name: String, node: Node)] = []
        private var index: [String: Int] = [:]

        func insert(_ path: ArraySlice<String>, _ value: [UInt8]) -> Bool {
            guard self.value == nil else { return false }
            guard let name = path.first else {
                self.value = value
                return members.isEmpty
            }
            if index[name] == nil {
                index[name] = members.count
                members.append((name, Node()))
            }
            return members[index[name]!].node.insert(path.dropFirst(), value)
        }

        func writeMembers(to writer: inout JSONWriter) {
            for (name, node) in members {
                if let value = node.value {
                    writer.member(name, raw: value)
                } else {
                    writer.member(name, object: { node.writeMembers(to: &$0) })
                }
            }
        }
    }
}
