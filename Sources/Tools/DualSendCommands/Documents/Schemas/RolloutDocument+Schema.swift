import DualSendRollout

extension RolloutDocument {
  /// The JSON Schema (draft 2020-12) of rollout documents, for editors and other validators.
  ///
  /// ``init(reading:name:)`` also checks what a schema cannot express.
  package static let schema = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "DualSend rollout document",
      "description": "Which events reach the old logger and which the new tracker. `dualsend validate` checks more: that every unit has a sink, that no percentage has a fourth decimal, that schedules move forward.",
      "type": "object",
      "required": ["formatVersion", "revision", "salt"],
      "additionalProperties": false,
      "properties": {
        "//": true,
        "_comment": true,
        "allow": {"$ref": "#/$defs/allow"},
        "$schema": {"type": "string"},
        "formatVersion": {
          "enum": [1, 2],
          "description": "2 may name sinks; apps that read only 1 refuse it and keep the document that they have."
        },
        "revision": {"type": "integer", "minimum": 0, "description": "Counts up with every edit."},
        "salt": {
          "type": "string",
          "minLength": 1,
          "description": "The salt of the buckets. Changing it reshuffles every unit."
        },
        "audience": {
          "type": "string",
          "description": "The app and environment that it is for, such as shop-ios/production. An app that expects one refuses a document for another."
        },
        "shouldSendLogToOldLogger": {
          "$ref": "#/$defs/flag",
          "description": "How many units keep the old logger. Default: 100."
        },
        "shouldSendLogToNewTracker": {
          "$ref": "#/$defs/flag",
          "description": "How many units have the new tracker. Default: 0."
        },
        "allowNeither": {
          "type": "boolean",
          "description": "Whether units may have neither sink where the top level decides. Default: false."
        },
        "missingUnit": {
          "enum": ["old", "new", "both"],
          "description": "Which sinks an event without a unit ID reaches where a bucket would be needed. Default: old."
        },
        "sinks": {
          "$ref": "#/$defs/sinks",
          "description": "Sinks beside the principal one of each side, each with its share of the units that its side's flag selects. A sink that is not named follows the flag."
        },
        "rules": {
          "type": "array",
          "description": "Read top to bottom; for each flag and each sink the first rule that matches and sets it decides.",
          "items": {"$ref": "#/$defs/rule"}
        }
      },
      "dependentSchemas": {
        "sinks": {
          "properties": {"formatVersion": {"const": 2}}
        }
      },
      "$defs": {
        "allow": {
          "type": "array",
          "description": "Codes of warnings that are silenced here and inside.",
          "items": {"type": "string", "pattern": "^DS[0-9]{4}$"}
        },
        "percentage": {
          "type": "number",
          "minimum": 0,
          "maximum": 100,
          "description": "At most three decimals."
        },
        "flag": {
          "anyOf": [{"type": "boolean"}, {"$ref": "#/$defs/percentage"}, {"$ref": "#/$defs/schedule"}]
        },
        "schedule": {
          "type": "object",
          "required": ["schedule"],
          "additionalProperties": false,
          "properties": {
            "//": true,
            "_comment": true,
            "schedule": {
              "type": "array",
              "minItems": 1,
              "description": "Steps in strictly increasing order of time.",
              "items": {
                "type": "object",
                "required": ["from", "percentage"],
                "additionalProperties": false,
                "properties": {
                  "//": true,
                  "_comment": true,
                  "from": {
                    "type": "string",
                    "format": "date-time",
                    "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
                  },
                  "percentage": {"$ref": "#/$defs/percentage"}
                }
              }
            }
          }
        },
        "sinks": {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "//": true,
            "_comment": true,
            "old": {"$ref": "#/$defs/shares"},
            "new": {"$ref": "#/$defs/shares"}
          }
        },
        "shares": {
          "type": "object",
          "description": "For each sink its share.",
          "propertyNames": {
            "anyOf": [
              {"pattern": "^[A-Za-z0-9_.-]{1,64}$", "not": {"enum": ["oldLogger", "newTracker"]}},
              {"const": "//"}
            ]
          },
          "properties": {"//": true, "_comment": true},
          "additionalProperties": {"$ref": "#/$defs/flag"}
        },
        "rule": {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "//": true,
            "_comment": true,
            "allow": {"$ref": "#/$defs/allow"},
            "name": {"type": "string"},
            "match": {"$ref": "#/$defs/match"},
            "shouldSendLogToOldLogger": {"$ref": "#/$defs/flag"},
            "shouldSendLogToNewTracker": {"$ref": "#/$defs/flag"},
            "sinks": {
              "$ref": "#/$defs/sinks",
              "description": "Other shares of sinks that the top level names."
            },
            "allowNeither": {
              "type": "boolean",
              "description": "Whether units may have neither sink where this rule decides: an event that is retired on purpose."
            }
          }
        },
        "match": {
          "type": "object",
          "description": "All conditions must hold; a list means any of its entries.",
          "additionalProperties": false,
          "properties": {
            "//": true,
            "_comment": true,
            "events": {
              "type": "array",
              "description": "Names, or prefixes that end in `*`.",
              "minItems": 1,
              "items": {"type": "string", "pattern": "^([^*]+|[^*]*\\*)$"}
            },
            "appVersion": {
              "type": "string",
              "description": "Comparisons that must all hold, such as `>=25.4.10 <26`.",
              "pattern": "^ *(>=|<=|==|>|<) *[0-9]+(\\.[0-9]+)*( +(>=|<=|==|>|<) *[0-9]+(\\.[0-9]+)*)* *$"
            },
    \#(textProperties)
            "attributes": {
              "type": "object",
              "description": "For each attribute its values.",
              "properties": {"//": true, "_comment": true},
              "additionalProperties": {"type": "array", "minItems": 1, "items": {"type": "string"}}
            },
            "unitIDs": {
              "type": "array",
              "description": "Units.",
              "minItems": 1,
              "items": {"type": "string"}
            }
          }
        }
      }
    }
    """#

  /// The members of `match` for properties of the app that are one of a list of texts.
  private static let textProperties = ContextProperty.ofApp.filter { $0 != .appVersion }.map { property in
    """
            "\(property.rawValue)": {
              "type": "array",
              "description": "The \(property.words) is any of these.",
              "minItems": 1,
              "items": {"type": "string"}
            },
    """
  }.joined(separator: "\n")
}
