/// Something that a program on a screen reacts to.
public enum ScreenEvent: Sendable, Hashable {
    case key(Key)
    /// The screen has another size, or has to be drawn anew.
    case resized
    /// The program itself asked to be woken, with ``Screen/wake()``.
    case woken
    /// The terminal is gone, or the system asks the program to end.
    case end
}
