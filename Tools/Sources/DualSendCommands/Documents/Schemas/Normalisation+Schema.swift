import DualSendParity
import DualSendRemapping

extension Normalisation {
  /// The JSON Schema (draft 2020-12) of normalisation files, as published in `Fixtures/schemas/normalisation.schema.json`.
  static let schema = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "normalisation.schema.json",
      "title": "DualSend normalisation file, format 1",
      "description": "What a sink does to a payload before it stores it. Settings of the file override its preset. Not \#
    expressible here, but checked by `dualsend validate`: duplicate keys.",
      "type": "object",
      "properties": {
        "//": true,
        "_comment": true,
        "$schema": {"type": "string"},
        "formatVersion": {"const": 1},
        "preset": {"description": "The settings for keys that the file does not name.", "enum": ["firebase", "none"]},
        "maximumParameters": {
          "description": "The most parameters kept; the first ones by name stay.",
          "$ref": "#/$defs/limit"
        },
        "maximumNameLength": {
          "description": "The longest parameter name kept, in characters; a longer one is cut.",
          "$ref": "#/$defs/limit"
        },
        "maximumStringLength": {
          "description": "The longest string kept, in characters; a longer one is cut.",
          "$ref": "#/$defs/limit"
        },
        "booleans": {
          "description": "Booleans stay as they are, or become the integers 0 and 1.",
          "enum": ["keep", "zeroOne"]
        },
        "illegalNames": {
          "description": "What happens to parameters whose names are not [A-Za-z][A-Za-z0-9_]* or start with a \#
    reserved prefix: they stay, are left out, or get `_` for each illegal character.",
          "enum": ["keep", "drop", "replace"]
        },
        "reservedPrefixes": {
          "description": "Prefixes that make a name illegal.",
          "type": "array",
          "items": {"type": "string"}
        },
        "ignore": {
          "description": "Paths of the new payload that are not compared: a dot walks into an object, `[]` over an \#
    array, `\\.` is a literal dot.",
          "type": "array",
          "items": {"type": "string", "pattern": "\#(KeyPathPattern.schemaPattern)"}
        }
      },
      "required": ["formatVersion"],
      "additionalProperties": false,
      "$defs": {
        "limit": {"description": "`null` for no limit.", "type": ["integer", "null"], "minimum": 1}
      }
    }
    """#
}

extension KeyPathPattern {
  /// The written form as a regular expression, escaped for a JSON string, for the schemas of documents that hold paths.
  static let schemaPattern =
    #"^(?:[^.\\[\\\\]|\\\\[.\\[\\]\\\\])+(?:\\[\\])*"#
    + #"(?:\\.(?:[^.\\[\\\\]|\\\\[.\\[\\]\\\\])+(?:\\[\\])*){0,31}$"#
}
