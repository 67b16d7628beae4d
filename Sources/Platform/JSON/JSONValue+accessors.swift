extension JSONValue {
    /// The text of a string, nil for any other type.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The truth of a boolean, nil for any other type.
    public var boolValue: Bool? {
        if case .boolean(let truth) = self { truth } else { nil }
    }

    /// The number with its digits, nil for any other type.
    public var numberValue: JSONNumber? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The elements of an array, nil for any other type.
    public var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object, nil for any other type.
    public var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}
