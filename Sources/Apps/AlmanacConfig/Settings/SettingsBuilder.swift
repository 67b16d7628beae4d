/// Lists settings, with conditions and loops.
@resultBuilder
public enum SettingsBuilder {
    public static func buildExpression(_ setting: any SettingConfiguration) -> [any SettingConfiguration] { [setting] }

    public static func buildExpression(_ settings: [any SettingConfiguration]) -> [any SettingConfiguration] {
        settings
    }

    public static func buildBlock(_ parts: [any SettingConfiguration]...) -> [any SettingConfiguration] {
        parts.flatMap(\.self)
    }

    public static func buildOptional(_ part: [any SettingConfiguration]?) -> [any SettingConfiguration] { part ?? [] }

    public static func buildEither(first: [any SettingConfiguration]) -> [any SettingConfiguration] { first }

    public static func buildEither(second: [any SettingConfiguration]) -> [any SettingConfiguration] { second }

    public static func buildArray(_ parts: [[any SettingConfiguration]]) -> [any SettingConfiguration] {
        parts.flatMap(\.self)
    }
}
