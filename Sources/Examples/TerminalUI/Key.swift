/// What somebody pressed.
public enum Key: Sendable, Hashable {
    case text(Character)
    /// A letter that was pressed together with Ctrl.
    case control(Character)
    case enter, backspace, delete, left, right, up, down, home, end
}
