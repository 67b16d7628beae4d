/// Lists settings, with conditions and loops.
@resultBuilder
public enum SettingsBuilder {
    /// One setting.
    public static func buildExpression(_ setting: any SettingConfiguration) -> [any SettingConfiguration] { [setting] }

    /// Settings that were listed elsewhere.
    public static func buildExpression(_ settings: [any SettingConfiguration]) -> [any SettingConfiguration] {
        settings
    }

    /// Settings one after the other.
    public static func buildBlock(_ parts: [any SettingConfiguration]...) -> [any SettingConfiguration] {
        parts.flatMap(\.self)
    }

    /// An `if` without an `else`.
    public static func buildOptional(_ part: [any SettingConfiguration]?) -> [any SettingConfiguration] { part ?? [] }

    /// An `if` that is true.
    public static func buildEither(first: [any SettingConfiguration]) -> [any SettingConfiguration] { first }

    /// The `else` of an `if`.
    public static func buildEither(second: [any SettingConfiguration]) -> [any SettingConfiguration] { second }

    /// A loop.
    public static func buildArray(_ parts: [[any SettingConfiguration]]) -> [any SettingConfiguration] {
        parts.flatMap(\.self)
    }
}
