/// The result of evaluating a flag, with the steps that led to it in their order.
public struct Explanation: Sendable {
    /// The result.
    public let evaluation: Evaluation
    /// The last 1,000 steps. The steps of a condition precede the condition.
    public let steps: [Step]
    /// The number of omitted earlier steps.
    public let omitted: Int

    /// A step of an evaluation.
    public struct Step: Sendable {
        /// The JSON pointer (RFC 6901) of the step in the set, which ends with the operator.
        public let path: String
        /// The finding of the step.
        public let finding: Finding
        /// The finding in words, such as `version ("2.11.0") sem_ver >= "2.10.0": true`.
        public let words: String
        /// True if the step led to the variant, false if it is part of a condition.
        public let isDeciding: Bool
        /// The nesting depth of flags: 0 in the flag's own rule.
        let depth: Int
        let node: Int32
    }

    /// A finding of a step.
    public enum Finding: Sendable {
        /// The operands of a comparison and its result. An operand with more than 1,000 bytes of JSON is replaced by a
        /// text with its beginning.
        case compared([FlagValue], result: FlagValue)
        /// True if a condition of an `if` held. The branch is the next evaluated argument, or nil if none is left.
        case condition(Bool, branch: Int?)
        /// The user's position in a split: `share` is between 0 and 1, and `bucket` is the selected argument, or nil.
        case split(share: Double, bucket: Int?)
        /// The user's bucket in another system's split, the number of buckets, and the index of the selected range, or
        /// nil if no range contains the bucket.
        case bucket(Int64, of: Int64, range: Int?)
        /// The current percentage of a ramp; `isIn` is true if the user is inside.
        case ramp(percent: Double, isIn: Bool)
        /// A split without a key: the targeting key or the attribute is missing.
        case nothingToSplitBy
        /// The variant of another flag, or nil if that flag has no value.
        case flag(String, variant: String?)
    }
}
