/// What a flag is for somebody, and what was looked at to find out, in its order.
public struct Explanation: Sendable {
    /// What the flag is.
    public let evaluation: Evaluation
    /// The way through the rule, its last 1,000 steps. What a condition looked at stands in front of it.
    public let steps: [Step]
    /// How many steps came before those.
    public let omitted: Int

    /// One thing that was looked at.
    public struct Step: Sendable {
        /// Where it stands: the JSON pointer (RFC 6901) of a flag's rule in the set, with the operator at its end.
        public let path: String
        /// What was found there.
        public let finding: Finding
        /// The same in words, such as `version ("2.11.0") sem_ver >= "2.10.0": true`.
        public let words: String
        /// Whether it led to the variant, rather than to whether a condition holds.
        public let isDeciding: Bool
        /// How many other flags are asked for around it: 0 in the flag's own rule.
        let depth: Int
        /// The node of the program.
        let node: Int32
    }

    /// What was found.
    public enum Finding: Sendable {
        /// A comparison of values came out as this. Of a value whose JSON has more than 1,000 bytes, a text with its
        /// beginning is told.
        case compared([FlagValue], result: FlagValue)
        /// A condition of an `if` held or not; the branch is the argument that was gone on with, nil if none is left.
        case condition(Bool, branch: Int?)
        /// A split put the caller somewhere: `share` is where between 0 and 1 the caller is, and
        /// `bucket` the argument that was gone on with, nil if none.
        case split(share: Double, bucket: Int?)
        /// A ramp let so many percent in, and the caller is in or not.
        case ramp(percent: Double, isIn: Bool)
        /// There was nothing to split by: no targeting key, or an attribute that is missing.
        case nothingToSplitBy
        /// Another flag has this variant, nil if it has no value.
        case flag(String, variant: String?)
    }
}
