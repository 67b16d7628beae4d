extension SwiftNames {
    /// Returns the name of a shape's type. Declares the type of an object.
    ///
    /// - Parameter lines: the lines of an extension; declarations are appended.
    mutating func type(of shape: SwiftShape, named name: String, _ lines: inout [String]) -> String {
        switch shape {
        case .string: return "String"
        case .color: return "ConfigColor"
        case .url: return "URL"
        case .bool: return "Bool"
        case .int: return "Int"
        case .double: return "Double"
        case .any: return anything
        case .array(let element): return "[\(type(of: element, named: name, &lines))]"
        case .object(let members): return declare(members, named: name, &lines)
        }
    }

    private mutating func declare(_ members: [SwiftShape.Member], named name: String, _ lines: inout [String]) -> String
    {
        let typeName = type(name)
        var own = SwiftNames(anything: anything)
        var (properties, codes): ([String], [String]) = ([], [])
        for member in members {
            let variable = Self.code(own.variable(member.name))
            let type = type(of: member.shape, named: "\(name).\(member.name)", &lines)
            properties.append("        var \(variable): \(type)\(member.isOptional ? "?" : "")")
            codes.append(
                "            case \(variable)" + (variable == member.name ? "" : " = \(Self.quoted(member.name))"))
        }
        lines += [
            "", "    /// The value of \(Self.quoted(name)).", "    struct \(typeName): Codable, Hashable, Sendable {",
        ]
        lines += properties
        if !members.isEmpty {
            lines += ["", "        private enum CodingKeys: String, CodingKey {"] + codes + ["        }"]
        }
        lines.append("    }")
        return typeName
    }

    static func quoted(_ text: String) -> String {
        var code = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": code += "\\\""
            case "\\": code += "\\\\"
            case _ where scalar.value < 32 || scalar.value == 127 || scalar.properties.isBidiControl:
                code += "\\u{\(String(scalar.value, radix: 16))}"
            default: code.unicodeScalars.append(scalar)
            }
        }
        return code + "\""
    }
}
