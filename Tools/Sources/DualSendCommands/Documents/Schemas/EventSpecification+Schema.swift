import DualSendCodeGeneration

extension EventSpecification {
  /// The JSON Schema (draft 2020-12) of specifications, as published in `Fixtures/schemas/specification.schema.json`.
  static let schema = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "specification.schema.json",
      "title": "DualSend specification of events, format 1",
      "description": "Which events an app sends and what each carries; `dualsend generate` writes Swift from it. Not \#
    expressible here, but checked by `dualsend validate`: duplicate keys, names that become one Swift identifier, Swift \#
    names that are words of the language.",
      "type": "object",
      "properties": {
        "//": true,
        "_comment": true,
        "$schema": {"type": "string"},
        "formatVersion": {"const": 1},
        "specification": {
          "description": "Events by the name that the old logger knows.",
          "type": "object",
          "minProperties": 1,
          "propertyNames": {"minLength": 1, "maxLength": 500},
          "properties": {"//": true, "_comment": true},
          "additionalProperties": {"$ref": "#/$defs/event"}
        }
      },
      "required": ["formatVersion", "specification"],
      "additionalProperties": false,
      "$defs": {
        "swiftName": {
          "description": "The name in Swift; the default is derived from the event's name or the key.",
          "type": "string",
          "maxLength": 200,
          "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"
        },
        "event": {
          "type": "object",
          "properties": {
            "//": true,
            "_comment": true,
            "swiftName": {"$ref": "#/$defs/swiftName"},
            "description": {"description": "What has happened when the event is sent.", "type": "string"},
            "parameters": {
              "description": "Parameters by their keys at the top of the payload; a dot in a key is a dot.",
              "type": "object",
              "propertyNames": {"minLength": 1, "maxLength": 500},
              "properties": {"//": true, "_comment": true},
              "additionalProperties": {"$ref": "#/$defs/parameter"}
            },
            "discussion": {"description": "Everything else worth knowing.", "type": "string"}
          },
          "additionalProperties": false
        },
        "parameter": {
          "type": "object",
          "properties": {
            "//": true,
            "_comment": true,
            "type": {
              "description": "The type of the values; with `[]` that of an array's elements.",
              "enum": [
                "string", "int", "double", "bool", "date", "object",
                "string[]", "int[]", "double[]", "bool[]", "date[]", "object[]"
              ]
            },
            "swiftName": {"$ref": "#/$defs/swiftName"},
            "nullable": {"description": "Whether the parameter may be absent.", "type": "boolean"},
            "values": {
              "description": "The allowed values.",
              "type": "array",
              "minItems": 1,
              "uniqueItems": true
            },
            "description": {"description": "What the value means.", "type": "string"}
          },
          "required": ["type"],
          "additionalProperties": false,
          "allOf": [
            {
              "if": {"required": ["values"]},
              "then": {"properties": {"type": {"enum": ["string", "int", "string[]", "int[]"]}}}
            },
            {
              "if": {"properties": {"type": {"enum": ["string", "string[]"]}}},
              "then": {"properties": {"values": {"items": {"type": "string"}}}}
            },
            {
              "if": {"properties": {"type": {"enum": ["int", "int[]"]}}},
              "then": {"properties": {"values": {"items": {"type": "integer"}}}}
            }
          ]
        }
      }
    }
    """#
}
