public import AlmanacJSON

/// A change of one part of one entry. Nil stands for an absent part.
public struct ProposalEdit: Sendable, Equatable {
    public let key: String
    public let path: PartPath
    /// The value that the author saw.
    public let before: JSONValue?
    public let after: JSONValue?
    public let author: ProposalAuthor
    /// The authors of the value before somebody kept it in a rebase.
    public let earlierAuthors: [ProposalAuthor]
    /// The round in which the edit got its values.
    public let round: Int

    public init(
        key: String, path: PartPath, before: JSONValue?, after: JSONValue?, author: ProposalAuthor,
        earlierAuthors: [ProposalAuthor] = [], round: Int
    ) {
        self.key = key
        self.path = path
        self.before = before
        self.after = after
        self.author = author
        self.earlierAuthors = earlierAuthors
        self.round = round
    }

    /// Everybody who contributed to the edit.
    public var contributors: [ProposalAuthor] { [author] + earlierAuthors }

    /// Returns the edits that turn an entry into another; nil stands for an absent entry.
    ///
    /// Only changed parts of a flag are edits. A whole value is one for an entry that comes, goes or is no flag.
    public static func edits(
        of key: String, from before: EntryState?, to after: EntryState?, by author: ProposalAuthor, round: Int
    ) -> [ProposalEdit] {
        func edit(_ path: PartPath, _ old: JSONValue?, _ new: JSONValue?) -> ProposalEdit? {
            guard old != new else { return nil }
            return ProposalEdit(key: key, path: path, before: old, after: new, author: author, round: round)
        }
        guard let before, let after, before.kind == after.kind else {
            // A removed entry loses its kind and its description with its value.
            let paths: [PartPath] = after == nil ? [.whole] : [.whole, .description, .kind]
            return paths.compactMap { edit($0, before?.value(at: $0), after?.value(at: $0)) }
        }
        let (old, new) = (before.parts, after.parts)
        return Set(old.keys).union(new.keys).compactMap { edit($0, old[$0], new[$0]) }.sorted(by: precedes)
    }

    /// Returns true if the first edit sorts before the second: by key, then by path.
    public static func precedes(_ left: ProposalEdit, _ right: ProposalEdit) -> Bool {
        left.key == right.key
            ? left.path.text.utf8.lexicographicallyPrecedes(right.path.text.utf8)
            : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
}

/// The author of an edit: a person, or a service account without one.
public struct ProposalAuthor: Sendable, Hashable {
    /// The person who made the edit, or who owns the token that did; nil for a service account.
    public let person: ReviewPerson?
    /// The name for the history.
    public let name: String
    /// The API token that the edit was written with, also by a session that it began; nil for a person without one.
    public let tokenID: String?

    public init(person: ReviewPerson?, name: String, tokenID: String? = nil) {
        self.person = person
        self.name = name
        self.tokenID = tokenID
    }
}

/// A person by issuer and subject. Two people are the same only if both have equal bytes.
public struct ReviewPerson: Sendable, Hashable {
    public let issuer: String
    public let subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    public static func == (left: ReviewPerson, right: ReviewPerson) -> Bool {
        left.issuer.utf8.elementsEqual(right.issuer.utf8) && left.subject.utf8.elementsEqual(right.subject.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for text in [issuer, subject] {
            for byte in text.utf8 { hasher.combine(byte) }
            hasher.combine(0 as UInt8)
        }
    }
}
