// The flags of production.
// Written by 'almanac flags generate kotlin'; not to be edited.
@file:Suppress("unused", "UNUSED_IMPORT")

package almanac

import dev.openfeature.kotlin.sdk.Client
import dev.openfeature.kotlin.sdk.Value

object Flags {
    /** `2fa` */
    fun value2fa(client: Client): Boolean = client.getBooleanValue("2fa", true)

    /** `Type` */
    fun type(client: Client): Int = client.getIntegerValue("Type", 3)

    /** `__` */
    fun value(client: Client): Boolean = client.getBooleanValue("__", true)

    /**
     * /&#42; one *&#47; ${e} /&#42;/ *&#47;*
     *
     * `class`
     */
    fun `class`(client: Client): String = client.getStringValue("class", "wide")

    /** `client` */
    fun client(client: Client): Boolean = client.getBooleanValue("client", true)

    /** `default` */
    fun default(client: Client): String = client.getStringValue("default", "a \"b\" \\(c)\u000a")

    /** `empty` */
    fun empty(client: Client): Value = client.getObjectValue("empty", Value.Structure(mapOf<String, Value>()))

    /** `far` */
    fun far(client: Client): Double = client.getDoubleValue("far", 5000000000.0)

    /** `flag-key` */
    fun flagKey(client: Client): Value =
        client.getObjectValue("flag-key", Value.Structure(mapOf<String, Value>("flag-data" to Value.String("#FFF"))))

    /** `home/banner` */
    fun homeBanner(client: Client): String =
        client.getStringValue("home/banner", "Übersicht — 日本語 \$name \${1 + 1} \u0009")

    /** `init` */
    fun init(client: Client): String = client.getStringValue("init", "")

    /**
     * How often.
     *
     * `limits`
     */
    fun limits(client: Client): Value =
        client.getObjectValue("limits", Value.Structure(mapOf<String, Value>("max" to Value.Integer(3), "back-off" to Value.Structure(mapOf<String, Value>("let" to Value.Integer(1), "steps" to Value.List(listOf<Value>(Value.Integer(1), Value.Double(2.5))))), "none" to Value.Null, "hosts" to Value.List(listOf<Value>(Value.Structure(mapOf<String, Value>("name" to Value.String("a"), "port" to Value.Integer(80))), Value.Structure(mapOf<String, Value>("name" to Value.String("b"), "inout" to Value.Boolean(true))))))))

    /** `list` */
    fun list(client: Client): Value =
        client.getObjectValue("list", Value.List(listOf<Value>(Value.String("\$a"), Value.Null, Value.Boolean(true), Value.Double(1.5), Value.Integer(Int.MIN_VALUE), Value.Double(5000000000.0), Value.Structure(mapOf<String, Value>()))))

    /** `mixed` */
    fun mixed(client: Client): Value =
        client.getObjectValue("mixed", Value.Structure(mapOf<String, Value>("all" to Value.List(listOf<Value>(Value.Integer(1), Value.String("two"), Value.List(listOf<Value>(Value.Null)), Value.Structure(mapOf<String, Value>("a" to Value.Double(1.0))))), "empty" to Value.List(listOf<Value>()))))

    /**
     * Two steps
     * in one.
     *
     * `new-basket`
     */
    fun newBasket(client: Client): Boolean = client.getBooleanValue("new-basket", false)

    /** `new.basket` */
    fun newBasket2(client: Client): Boolean = client.getBooleanValue("new.basket", true)

    /** `new_basket` */
    fun newBasket3(client: Client): Boolean = client.getBooleanValue("new_basket", false)

    /** `price$` */
    fun price(client: Client): Double = client.getDoubleValue("price\$", 9.5)

    /** `py.title` */
    fun pyTitle(client: Client): String = client.getStringValue("py.title", "Ready?")

    /** `ratio` */
    fun ratio(client: Client): Double = client.getDoubleValue("ratio", 1.0)

    /** `retries` */
    fun retries(client: Client): Int = client.getIntegerValue("retries", -1)

    /** `self` */
    fun self(client: Client): String = client.getStringValue("self", "https://example.com")

    /** `share` */
    fun share(client: Client): Double = client.getDoubleValue("share", 0.0025)

    /** `to-string` */
    fun toString(client: Client): String = client.getStringValue("to-string", "*/")
}
