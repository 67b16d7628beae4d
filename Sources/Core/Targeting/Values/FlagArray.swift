/// The elements of a JSON array in their order.
public struct FlagArray: Sendable {
    /// How much there is inside.
    let measure: FlagMeasure
    private let elements: [FlagValue]

    /// An array of these elements.
    public init(_ elements: [FlagValue]) {
        self.elements = elements
        var measure = FlagMeasure()
        for element in elements { measure.add(element) }
        self.measure = measure
    }
}

extension FlagArray: RandomAccessCollection {
    /// The place of the first element, which is 0.
    public var startIndex: Int { 0 }
    /// The place behind the last element.
    public var endIndex: Int { elements.count }

    /// The element at a place.
    public subscript(place: Int) -> FlagValue { elements[place] }
}

extension FlagArray: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: FlagValue...) { self.init(elements) }
}
