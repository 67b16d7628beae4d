/// The elements of a JSON array in their order.
public struct FlagArray: Sendable {
    let measure: ContentSize
    private let elements: [FlagValue]

    /// Creates an array of elements.
    public init(_ elements: [FlagValue]) {
        self.elements = elements
        var measure = ContentSize()
        for element in elements { measure.add(element) }
        self.measure = measure
    }
}

extension FlagArray: RandomAccessCollection {
    /// The index of the first element, which is 0.
    public var startIndex: Int { 0 }
    /// The index behind the last element.
    public var endIndex: Int { elements.count }

    /// Returns the element at an index.
    public subscript(place: Int) -> FlagValue { elements[place] }
}

extension FlagArray: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: FlagValue...) { self.init(elements) }
}
