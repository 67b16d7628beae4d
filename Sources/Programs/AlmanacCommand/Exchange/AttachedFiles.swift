internal import AlmanacForms

/// The files of attachments in an export: `attachments/<id>.<extension>` beside the notes, as the texts name them.
enum AttachedFiles {
    /// A reference of a text to a file.
    struct Reference: Hashable {
        let id: String
        /// The path as the text writes it.
        let path: String
        /// The text of the link; empty if the reference is in no link.
        let label: String

        /// The name for users: the text of the link, if its extension is that of the path.
        var name: String {
            let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last.map { ".\($0)" } ?? ""
            let isName = !label.isEmpty && label.lowercased().hasSuffix(ending.lowercased())
            return isName ? label : id + ending
        }
    }

    /// Returns the references of a text, one for each path, in the order of the text.
    static func references(in text: String) -> [Reference] {
        var found: [String: Reference] = [:]
        var paths: [String] = []
        let ids = Set(AttachmentReferences.ids(in: text))
        if ids.isEmpty { return [] }
        let pattern =
            #/
            (?: \[ ( (?: [^\]\\\n] | \\. ){0,300} ) \] \( [^()\n]{0,300}? )?
            attachments/ ([a-z2-7]{26}) (?![a-z2-7]) (\.[A-Za-z0-9]{1,10})?
            /#
        for match in text.matches(of: pattern) where ids.contains(String(match.output.2)) {
            let path = "attachments/\(match.output.2)\(match.output.3 ?? "")"
            let label = (match.output.1 ?? "").replacing(/\\(.)/) { $0.output.1 }
            guard found[path] == nil else { continue }
            found[path] = Reference(id: String(match.output.2), path: path, label: String(label))
            paths.append(path)
        }
        return paths.compactMap { found[$0] }
    }

    /// Returns the id of a file of an export, which is in a folder `attachments`; nil for another file.
    static func id(of path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count > 1, parts[parts.count - 2] == "attachments" else { return nil }
        let ids = AttachmentReferences.ids(in: "attachments/\(parts[parts.count - 1])")
        return ids.first
    }
}
