// Uses of the generated files. A type that is not exactly the declared one is an error of the compiler.
import almanac.ConfigKey
import almanac.ConfigKeys
import almanac.Flags
import dev.openfeature.kotlin.sdk.Client
import dev.openfeature.kotlin.sdk.Value

private fun <T> expect(name: String, found: T, expected: T) {
    if (found != expected) error("$name is $found, expected $expected")
}

/** Expects the default for no value and for a value of another type, and a value as a JSON library decodes it. */
private fun <T> ConfigKey<T>.expect(default: T, decoded: Any?, value: T, wrong: List<Any?>) {
    expect(name, this.default, default)
    expect(name, from(emptyMap()), default)
    expect(name, from(mapOf(name to decoded)), value)
    for (other in wrong) expect("$name for $other", from(mapOf(name to other)), default)
}

private fun useConfig() {
    expect("major", ConfigKeys.major, "2")
    val retries: ConfigKey<Int> = ConfigKeys.appRetries
    retries.expect(3, 4.0, 4, listOf(null, "4", true, 4.5, 5_000_000_000))
    val hash: ConfigKey<Int> = ConfigKeys.hashCode
    hash.expect(7, 8L, 8, listOf(Double.NaN, listOf(8)))
    val smallest: ConfigKey<Int> = ConfigKeys.int
    smallest.expect(Int.MIN_VALUE, 1, 1, listOf(-2147483649L))
    val time: ConfigKey<Long> = ConfigKeys.read
    time.expect(1_606_642_165_000, 1.606642166E12, 1_606_642_166_000, listOf("1606642165000", 0.5, 1e300))
    val long: ConfigKey<Long> = ConfigKeys.long
    long.expect(Long.MIN_VALUE, 3, 3, listOf(null))
    val price: ConfigKey<Double> = ConfigKeys.price
    price.expect(9.5, 10, 10.0, listOf("10"))
    val isNew: ConfigKey<Boolean> = ConfigKeys.appIsNew
    isNew.expect(true, false, false, listOf(0, "false", null))
    val title: ConfigKey<String> = ConfigKeys.pyTitle
    title.expect("Ready?", "Über $1", "Über $1", listOf(1, null, listOf("a")))
    expect("class", ConfigKeys.`class`.default, "wide")
    expect("a */", ConfigKeys.aBCDE.name, "a */ \"b\" 'c' \\ `d` ${'$'}{e}\u2028é")
    expect("a */", ConfigKeys.aBCDE.default, "/*/ ${'$'}name ${'$'}{1 + 1}\u2028\t\u202e")
    expect("home/banner", ConfigKeys.homeBanner.default, "Übersicht — 日本語")
    expect("2fa", ConfigKeys.value2fa.name, "2fa")

    val hosts: ConfigKey<List<String>> = ConfigKeys.appHosts
    hosts.expect(
        listOf("a.example.com", "\$b", "https://c.example.com/*"), listOf("d"), listOf("d"),
        listOf("d", listOf("d", 1), listOf("d", null), mapOf("d" to 1)),
    )
    val longs: ConfigKey<List<Long>> = ConfigKeys.listOf
    longs.expect(listOf(1, 5_000_000_000), listOf(2, 3.0), listOf(2, 3), listOf(listOf(1.5)))
    val numbers: ConfigKey<List<Double>> = ConfigKeys.numbers
    numbers.expect(
        listOf(9007199254740992.0, 1e-7, -1.5e308, 12345678901234567000.0), listOf(1), listOf(1.0),
        listOf(listOf("1")),
    )
    val mixed: ConfigKey<List<Any?>> = ConfigKeys.appMixed
    mixed.expect(listOf(1, "two", mapOf("three" to null)), listOf(null, 1), listOf(null, 1), listOf("a", 1))
    val limits: ConfigKey<Map<String, Any?>> = ConfigKeys.appLimits
    expect("limits", limits.default["back-off"], mapOf("one" to 1, "steps" to listOf(1, 2.5)))
    ConfigKeys.mapOf.expect(
        mapOf("sizes" to listOf<Any>(1, 3_000_000_000), "on" to true), mapOf("on" to null), mapOf("on" to null),
        listOf(listOf(1), "{}"),
    )
    val nothing: ConfigKey<Any?> = ConfigKeys.nothing
    nothing.expect(null, 1, 1, listOf(null))
}

/** A client with one value for each type; null for the defaults. */
private class OneValue(private val value: Value?) : Client {
    override fun getBooleanValue(key: String, defaultValue: Boolean) =
        (value as? Value.Boolean)?.boolean ?: defaultValue

    override fun getStringValue(key: String, defaultValue: String) = (value as? Value.String)?.string ?: defaultValue

    override fun getIntegerValue(key: String, defaultValue: Int) = (value as? Value.Integer)?.integer ?: defaultValue

    override fun getDoubleValue(key: String, defaultValue: Double) = (value as? Value.Double)?.double ?: defaultValue

    override fun getObjectValue(key: String, defaultValue: Value) = value ?: defaultValue
}

private fun useFlags() {
    val defaults = OneValue(null)
    val basket: Boolean = Flags.newBasket(defaults)
    expect("new-basket", basket, false)
    expect("new-basket", Flags.newBasket(OneValue(Value.Boolean(true))), true)
    val type: Int = Flags.type(defaults)
    expect("Type", type, 3)
    val far: Double = Flags.far(defaults)
    expect("far", far, 5e9)
    val share: Double = Flags.share(defaults)
    expect("share", share, 0.0025)
    val `class`: String = Flags.`class`(defaults)
    expect("class", `class`, "wide")
    expect("home/banner", Flags.homeBanner(defaults), "Übersicht — 日本語 ${'$'}name ${'$'}{1 + 1}\u2028\t")
    expect("client", Flags.client(defaults), true)
    expect("to-string", Flags.toString(defaults), "*/")
    val list: Value = Flags.list(defaults)
    expect(
        "list", list,
        Value.List(
            listOf(
                Value.String("\$a"), Value.Null, Value.Boolean(true), Value.Double(1.5), Value.Integer(Int.MIN_VALUE),
                Value.Double(5e9), Value.Structure(emptyMap()),
            ),
        ),
    )
    expect("empty", Flags.empty(defaults), Value.Structure(emptyMap()))
}

fun main() {
    useConfig()
    useFlags()
}
