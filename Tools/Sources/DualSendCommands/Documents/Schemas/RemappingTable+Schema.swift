import DualSendRemapping

extension RemappingTable {
  /// The JSON Schema (draft 2020-12) of remapping tables, as published in `Fixtures/schemas/remapping.schema.json`.
  ///
  /// It covers the form of single entries. How rows relate to one another (targets written twice, paths that contain one
  /// another) is beyond a schema; reading the table checks that.
  static let schema = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "remapping.schema.json",
      "title": "DualSend remapping table, format 1",
      "description": "What becomes of each event's name and values on the way from the old logger to the new \#
    tracker. Not expressible here, but checked by `dualsend validate`: sources and targets that repeat or contain \#
    one another, duplicate keys, source and target with a different number of `[]`.",
      "type": "object",
      "properties": {
        "//": true,
        "_comment": true,
        "$schema": {"type": "string"},
        "formatVersion": {"const": 1},
        "events": {
          "description": "Events by their old name; `*` holds for every event, and an event's own rows win over it.",
          "type": "object",
          "propertyNames": {"pattern": "^(?:\\*|[\\s\\S]*[^*])$"},
          "properties": {
            "//": true,
            "_comment": true,
            "*": {"$ref": "#/$defs/event", "properties": {"name": false}}
          },
          "additionalProperties": {"$ref": "#/$defs/event"}
        }
      },
      "required": ["formatVersion", "events"],
      "additionalProperties": false,
      "$defs": {
        "allow": {
          "description": "Codes of warnings that are silenced here and inside.",
          "type": "array",
          "items": {"type": "string", "pattern": "^DS[0-9]{4}$"}
        },
        "event": {
          "type": "object",
          "properties": {
            "//": true,
            "_comment": true,
            "allow": {"$ref": "#/$defs/allow"},
            "name": {
              "description": "The new name; without it the old one stays.",
              "type": "string",
              "minLength": 1
            },
            "parameters": {
              "description": "Rows by the source's path: a dot walks into an object, `[]` over an array, `\\.` is a \#
    literal dot.",
              "type": "object",
              "propertyNames": {
                "pattern": "\#(KeyPathPattern.schemaPattern)"
              },
              "properties": {"//": true, "_comment": true},
              "additionalProperties": {"$ref": "#/$defs/row"}
            },
            "add": {
              "description": "Constants by the path they are written to.",
              "type": "object",
              "propertyNames": {
                "pattern": "^(?:[^.\\[\\\\]|\\\\[.\\[\\]\\\\])+(?:\\.(?:[^.\\[\\\\]|\\\\[.\\[\\]\\\\])+){0,31}$"
              }
            },
            "unmapped": {
              "description": "What happens to values that no row names.",
              "enum": ["keep", "drop", "report"],
              "default": "keep"
            },
            "onClash": {
              "description": "Which value stays when a row writes where the payload has a value that no row names.",
              "enum": ["mapped", "payload"],
              "default": "mapped"
            }
          },
          "additionalProperties": false
        },
        "row": {
          "anyOf": [
            {"description": "Leaves the value out.", "type": "null"},
            {"description": "Renames.", "$ref": "#/$defs/path"},
            {"$ref": "#/$defs/move"}
          ]
        },
        "move": {
          "description": "Renames and changes the value: by the table, else by the type; what neither can take is \#
    kept as it was or replaced by the default.",
          "type": "object",
          "properties": {
            "//": true,
            "_comment": true,
            "allow": {"$ref": "#/$defs/allow"},
            "to": {"$ref": "#/$defs/path"},
            "type": {"enum": [\#(ValueType.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]},
            "values": {
              "description": "New values by the text of the old ones.",
              "type": "object",
              "not": {"propertyNames": {"enum": ["//", "_comment"]}},
              "properties": {"//": true, "_comment": true},
              "additionalProperties": {"type": ["string", "number", "boolean", "null"]}
            },
            "default": {
              "description": "What stands in for a value that is absent, null or cannot be converted.",
              "not": {"type": "null"}
            }
          },
          "required": ["to"],
          "additionalProperties": false,
          "allOf": [
            {
              "if": {"properties": {"type": {"const": "string"}}, "required": ["type"]},
              "then": {
                "properties": {
                  "values": {
                    "properties": {"//": true, "_comment": true},
                    "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "null"}]}
                  },
                  "default": {"type": "string"}
                }
              }
            },
            {
              "if": {"properties": {"type": {"const": "int"}}, "required": ["type"]},
              "then": {
                "properties": {
                  "values": {
                    "properties": {"//": true, "_comment": true},
                    "additionalProperties": {"anyOf": [{"type": "integer"}, {"type": "null"}]}
                  },
                  "default": {"type": "integer"}
                }
              }
            },
            {
              "if": {"properties": {"type": {"const": "double"}}, "required": ["type"]},
              "then": {
                "properties": {
                  "values": {
                    "properties": {"//": true, "_comment": true},
                    "additionalProperties": {"anyOf": [{"type": "number"}, {"type": "null"}]}
                  },
                  "default": {"type": "number"}
                }
              }
            },
            {
              "if": {"properties": {"type": {"const": "bool"}}, "required": ["type"]},
              "then": {
                "properties": {
                  "values": {
                    "properties": {"//": true, "_comment": true},
                    "additionalProperties": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}
                  },
                  "default": {"type": "boolean"}
                }
              }
            },
            {
              "if": {"properties": {"type": {"const": "date"}}, "required": ["type"]},
              "then": {
                "properties": {
                  "values": {
                    "properties": {"//": true, "_comment": true},
                    "additionalProperties": {
                      "anyOf": [
                        {
                          "type": "string",
                          "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt \#
    ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$"
                        },
                        {"type": "null"}
                      ]
                    }
                  },
                  "default": {
                    "type": "string",
                    "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt \#
    ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$"
                  }
                }
              }
            }
          ]
        },
        "path": {
          "type": "string",
          "pattern": "\#(KeyPathPattern.schemaPattern)"
        }
      }
    }
    """#
}
