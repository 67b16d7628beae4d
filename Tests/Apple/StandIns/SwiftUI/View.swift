/// A part of an app's screen. The stand-in draws it as elements of text; see ``ViewHost``.
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

/// A view of the stand-in that adds its own elements to a drawing.
@MainActor @preconcurrency
protocol PrimitiveView: View where Body == Never {
    func draw(in drawing: Drawing)
}

extension PrimitiveView {
    public var body: Never { fatalError("a primitive view has no body") }
}

extension Never: View {
    public var body: Never { fatalError("there is no such view") }
}

extension Optional: View, PrimitiveView where Wrapped: View {
    public typealias Body = Never

    func draw(in drawing: Drawing) { if let self { drawing.draw(self) } }
}

public struct EmptyView: View, PrimitiveView {
    public init() {}
    func draw(in drawing: Drawing) {}
}

public struct TupleView<T>: View, PrimitiveView {
    public let value: T

    func draw(in drawing: Drawing) {
        for (index, child) in Mirror(reflecting: value).children.enumerated() {
            if let view = child.value as? any View { drawing.draw(view, at: "\(index)") }
        }
    }
}

public enum _ConditionalContent<TrueContent: View, FalseContent: View>: View, PrimitiveView {
    case first(TrueContent)
    case second(FalseContent)

    func draw(in drawing: Drawing) {
        switch self {
        case .first(let view): drawing.draw(view, at: "if")
        case .second(let view): drawing.draw(view, at: "else")
        }
    }
}

public struct AnyView: View, PrimitiveView {
    private let view: any View

    public init(_ view: some View) { self.view = view }

    func draw(in drawing: Drawing) { drawing.draw(view) }
}

@resultBuilder public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        TupleView(value: (repeat each content))
    }

    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        .first(first)
    }

    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        .second(second)
    }
}

@MainActor @preconcurrency
public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder static var previews: Previews { get }
}
