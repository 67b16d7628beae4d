// The part of OpenFeature's SDK for Kotlin, from its release 0.6, that generated accessors call.
package dev.openfeature.kotlin.sdk

interface Client {
    fun getBooleanValue(key: String, defaultValue: Boolean): Boolean

    fun getStringValue(key: String, defaultValue: String): String

    fun getIntegerValue(key: String, defaultValue: Int): Int

    fun getDoubleValue(key: String, defaultValue: Double): Double

    fun getObjectValue(key: String, defaultValue: Value): Value
}

sealed interface Value {
    data class String(val string: kotlin.String) : Value

    data class Boolean(val boolean: kotlin.Boolean) : Value

    data class Integer(val integer: Int) : Value

    data class Double(val double: kotlin.Double) : Value

    data class Structure(val structure: Map<kotlin.String, Value>) : Value

    data class List(val list: kotlin.collections.List<Value>) : Value

    object Null : Value
}
