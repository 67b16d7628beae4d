// The config of production, version 2.3.1.
// Written by 'almanac config generate kotlin'; not to be edited.
@file:Suppress("unused", "UNCHECKED_CAST")

package almanac

/** A key of the config, with the default for a value that is missing or has another type. */
class ConfigKey<T>(val name: String, val default: T, private val read: (Any?) -> T?) {
    /** Returns the key's value among all values, which are those of `GET /config.json`. */
    fun from(values: Map<String, Any?>): T = read(values[name]) ?: default
}

object ConfigKeys {
    /** The major that these keys are of. */
    const val major = "2"

    /**
     * Behind the button.
     * In sRGB.
     *
     * `app.background.color`
     */
    val appBackgroundColor: ConfigKey<String> get() = ConfigKey("app.background.color", "#FFB6C1", Read.string)

    /** `app.fun_button.text` */
    val appFunButtonText: ConfigKey<String> get() =
        ConfigKey("app.fun_button.text", "Meeeeoowwww! 😸 \"\\(now)\"\u000a", Read.string)

    /** `app.fun_button.url` */
    val appFunButtonUrl: ConfigKey<String> get() =
        ConfigKey("app.fun_button.url", "https://www.example.com/a?b=c", Read.string)

    /** `app.is_new` */
    val appIsNew: ConfigKey<Boolean> get() = ConfigKey("app.is_new", true, Read.boolean)

    /**
     * How often.
     *
     * `app.limits`
     */
    val appLimits: ConfigKey<Map<String, Any?>> get() =
        ConfigKey("app.limits", mapOf<String, Any?>("max" to 3, "back-off" to mapOf<String, Any?>("one" to 1, "steps" to listOf<Any?>(1, 2.5)), "hosts" to listOf<Any?>(mapOf<String, Any?>("name" to "a", "port" to 80), mapOf<String, Any?>("name" to "b"))), Read.map)

    /** `app.mixed` */
    val appMixed: ConfigKey<List<Any?>> get() =
        ConfigKey("app.mixed", listOf<Any?>(1, "two", mapOf<String, Any?>("three" to null)), Read.anyList)

    /** `app.nulls` */
    val appNulls: ConfigKey<Any?> get() = ConfigKey("app.nulls", listOf<Any?>(1, null), Read.any)

    /** `app.retries` */
    val appRetries: ConfigKey<Int> get() = ConfigKey("app.retries", 3, Read.int)

    /**
     * `app.timeout`
     *
     * Builds of major 1 see another value, because they know the key with another type.
     */
    val appTimeout: ConfigKey<Double> get() = ConfigKey("app.timeout", 30.0, Read.double)

    /**
     * Almost the same.
     *
     * `app_timeout`
     */
    val appTimeout2: ConfigKey<List<Any?>> get() = ConfigKey("app_timeout", listOf<Any?>(), Read.anyList)

    /** `default` */
    val default: ConfigKey<String> get() = ConfigKey("default", "d", Read.string)

    /** `string` */
    val string: ConfigKey<Map<String, Any?>> get() = ConfigKey("string", mapOf<String, Any?>("a" to 1), Read.map)

    /** `2fa` */
    val value2fa: ConfigKey<Boolean> get() = ConfigKey("2fa", true, Read.boolean)

    /**
     * /&#42; one *&#47; `d` ${e} /&#42;/ *&#47;*
     *
     * `a *&#47; "b" 'c' \ `d` ${e} é`
     */
    val aBCDE: ConfigKey<String> get() =
        ConfigKey("a */ \"b\" 'c' \\ `d` \${e} é", "/*/ \$name \${1 + 1} \u0009\u202e", Read.string)

    /** `app.hosts` */
    val appHosts: ConfigKey<List<String>> get() =
        ConfigKey("app.hosts", listOf("a.example.com", "\$b", "https://c.example.com/*"), Read.list(Read.string))

    /** `class` */
    val `class`: ConfigKey<String> get() = ConfigKey("class", "wide", Read.string)

    /** `constructor` */
    val constructor: ConfigKey<Map<String, Any?>> get() =
        ConfigKey("constructor", mapOf<String, Any?>("__proto__" to mapOf<String, Any?>("class" to listOf<Any?>(listOf<Any?>(), mapOf<String, Any?>(), listOf<Any?>(null)), "price\$" to 1.0)), Read.map)

    /** `empty` */
    val empty: ConfigKey<Map<String, Any?>> get() = ConfigKey("empty", mapOf<String, Any?>(), Read.map)

    /** `get` */
    val get: ConfigKey<String> get() = ConfigKey("get", "GET", Read.string)

    /**
     * Above the list.
     *
     * `greeting`
     */
    val greeting: ConfigKey<String> get() = ConfigKey("greeting", "Hello", Read.string)

    /** `grid` */
    val grid: ConfigKey<List<List<Any?>>> get() =
        ConfigKey("grid", listOf(listOf<Any?>(1), listOf<Any?>(), listOf<Any?>(2, 3)), Read.list(Read.anyList))

    /** `hash-code` */
    val hashCode: ConfigKey<Int> get() = ConfigKey("hash-code", 7, Read.int)

    /** `home/banner` */
    val homeBanner: ConfigKey<String> get() = ConfigKey("home/banner", "Übersicht — 日本語", Read.string)

    /** `int` */
    val int: ConfigKey<Int> get() = ConfigKey("int", Int.MIN_VALUE, Read.int)

    /** `list-of` */
    val listOf: ConfigKey<List<Long>> get() = ConfigKey("list-of", listOf(1L, 5000000000L), Read.list(Read.long))

    /**
     * The smallest.
     *
     * `long`
     */
    val long: ConfigKey<Long> get() = ConfigKey("long", Long.MIN_VALUE, Read.long)

    /** `major` */
    val major2: ConfigKey<Int> get() = ConfigKey("major", 1, Read.int)

    /** `map-of` */
    val mapOf: ConfigKey<Map<String, Any?>> get() =
        ConfigKey("map-of", mapOf<String, Any?>("sizes" to listOf<Any?>(1, 3000000000L), "on" to true), Read.map)

    /** `nothing` */
    val nothing: ConfigKey<Any?> get() = ConfigKey("nothing", null, Read.any)

    /** `numbers` */
    val numbers: ConfigKey<List<Double>> get() =
        ConfigKey("numbers", listOf(9007199254740992.0, 1e-07, -1.5e+308, 1.2345678901234567e+19), Read.list(Read.double))

    /** `price$` */
    val price: ConfigKey<Double> get() = ConfigKey("price\$", 9.5, Read.double)

    /** `py.title` */
    val pyTitle: ConfigKey<String> get() = ConfigKey("py.title", "Ready?", Read.string)

    /**
     * A time in milliseconds.
     *
     * `read`
     */
    val read: ConfigKey<Long> get() = ConfigKey("read", 1606642165000L, Read.long)

    /** `to` */
    val to: ConfigKey<String> get() = ConfigKey("to", "you", Read.string)

    /**
     * 日本
     *
     * `日本`
     */
    val value: ConfigKey<Boolean> get() = ConfigKey("日本", false, Read.boolean)
}

private object Read {
    val any: (Any?) -> Any? = { it }
    val boolean: (Any?) -> Boolean? = { it as? Boolean }
    val string: (Any?) -> String? = { it as? String }
    val int: (Any?) -> Int? = { value ->
        (value as? Number)?.let { number -> number.toInt().takeIf { it.toDouble() == number.toDouble() } }
    }
    val long: (Any?) -> Long? = { value ->
        (value as? Number)?.let { number -> number.toLong().takeIf { it.toDouble() == number.toDouble() } }
    }
    val double: (Any?) -> Double? = { (it as? Number)?.toDouble() }
    val map: (Any?) -> Map<String, Any?>? = { it as? Map<String, Any?> }
    val anyList: (Any?) -> List<Any?>? = { it as? List<Any?> }

    fun <T : Any> list(read: (Any?) -> T?): (Any?) -> List<T>? = { value ->
        anyList(value)?.let { elements -> elements.mapNotNull(read).takeIf { it.size == elements.size } }
    }
}
