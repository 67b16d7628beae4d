/// A view that draws its content. The stand-in ignores layout.
public struct Group<Content: View>: View, PrimitiveView {
    private let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    func draw(in drawing: Drawing) { drawing.draw(content) }
}

public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
}

public struct VStack<Content: View>: View, PrimitiveView {
    private let content: Content

    public init(alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    func draw(in drawing: Drawing) { drawing.draw(content) }
}

public struct HStack<Content: View>: View, PrimitiveView {
    private let content: Content

    public init(spacing: Double? = nil, @ViewBuilder content: () -> Content) { self.content = content() }

    func draw(in drawing: Drawing) { drawing.draw(content) }
}

public struct Form<Content: View>: View, PrimitiveView {
    private let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    func draw(in drawing: Drawing) { drawing.draw(content) }
}

public struct NavigationStack<Content: View>: View, PrimitiveView {
    private let content: Content

    public init(@ViewBuilder root: () -> Content) { content = root() }

    func draw(in drawing: Drawing) { drawing.draw(content) }
}

/// A control with the link's label. The stand-in ignores taps.
public struct NavigationLink<Destination: View>: View, PrimitiveView {
    private let title: String

    public init(_ title: some StringProtocol, @ViewBuilder destination: () -> Destination) {
        self.title = String(title)
    }

    func draw(in drawing: Drawing) { drawing.add("NavigationLink", title) }
}

public struct Section<Content: View>: View, PrimitiveView {
    private let title: String
    private let content: Content

    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
        self.title = String(title)
        self.content = content()
    }

    func draw(in drawing: Drawing) {
        drawing.add("Section", title)
        drawing.draw(content)
    }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View, PrimitiveView {
    private let data: Data
    private let id: KeyPath<Data.Element, ID>
    private let content: (Data.Element) -> Content

    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {
        self.data = data
        self.id = id
        self.content = content
    }

    func draw(in drawing: Drawing) {
        for element in data { drawing.draw(content(element), at: "\(element[keyPath: id])") }
    }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data, id: \.id, content: content)
    }
}

public struct List<Content: View>: View, PrimitiveView {
    private let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Data.Element: Identifiable, Content == ForEach<Data, Data.Element.ID, Row> {
        content = ForEach(data, content: rowContent)
    }

    func draw(in drawing: Drawing) { drawing.draw(content) }
}

/// A view with a modifier that changes how its content is drawn.
struct ModifiedView<Content: View>: View, PrimitiveView {
    let content: Content
    let modify: (Drawing, Content) -> Void

    func draw(in drawing: Drawing) { modify(drawing, content) }
}
