extension GuardPolicy {
  /// The JSON Schema (draft 2020-12) of policies, as published in `Fixtures/schemas/guard.schema.json`.
  package static let schema = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "guard.schema.json",
      "title": "DualSend guard policy, format 1",
      "description": "How `dualsend guard` takes a rollout from step to step, and what stops it. Not expressible here, but checked by `dualsend validate`: duplicate keys, steps that do not rise, shares and times out of range.",
      "type": "object",
      "properties": {
        "//": true,
        "_comment": true,
        "$schema": {"type": "string"},
        "formatVersion": {"const": 1},
        "steps": {
          "description": "Shares of units that get the new tracker, in percent, rising.",
          "type": "array",
          "minItems": 1,
          "items": {
            "anyOf": [
              {"$ref": "#/$defs/percentage"},
              {
                "type": "object",
                "properties": {
                  "//": true,
                  "_comment": true,
                  "percentage": {"$ref": "#/$defs/percentage"},
                  "hold": {"$ref": "#/$defs/time"}
                },
                "required": ["percentage"],
                "additionalProperties": false
              }
            ]
          }
        },
        "rule": {
          "description": "The name of the rule whose share is moved. Default: the share of the top level.",
          "type": "string"
        },
        "hold": {"description": "How long each step holds at least. Default: 24h.", "$ref": "#/$defs/time"},
        "settle": {
          "description": "How long the two sides of an event are waited for before it is judged. Default: 1h.",
          "$ref": "#/$defs/time"
        },
        "maximumSilence": {
          "description": "How long a stream may have no event before the next step waits. Default: 6h.",
          "$ref": "#/$defs/time"
        },
        "errorProbability": {
          "description": "The chance that a step is left although a share is at its bound, and of a false alarm at a step. Default: 5%.",
          "$ref": "#/$defs/share"
        },
        "bounds": {
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "properties": {
              "//": true,
              "_comment": true,
              "of": {"enum": ["mismatch", "lost", "unexpected", "failing", "deadLetters"]},
              "limit": {
                "description": "The largest share that may fail. 0% asks that no failure is seen.",
                "$ref": "#/$defs/share"
              },
              "events": {
                "description": "Names, or prefixes that end in `*`. Default: every event.",
                "type": "array",
                "items": {"type": "string", "pattern": "^([^*]+|[^*]*\\*)$"}
              },
              "together": {
                "description": "Whether the events are judged as one, not each for itself. Default: false.",
                "type": "boolean"
              },
              "required": {
                "description": "Whether the bound must be shown before the next step; if not, it only stops. Default: true.",
                "type": "boolean"
              }
            },
            "required": ["of", "limit"],
            "additionalProperties": false
          }
        },
        "maximumMalformed": {
          "description": "How many broken lines both streams may have. Default: 0.",
          "type": "integer",
          "minimum": 0
        },
        "onBreach": {
          "description": "Stay, go back to the step before, or take the new tracker from all units. Default: back.",
          "enum": ["hold", "back", "kill"]
        },
        "tell": {
          "description": "Where each decision but to wait goes, as one JSON object.",
          "type": "object",
          "properties": {
            "//": true,
            "_comment": true,
            "webhook": {"type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://"},
            "command": {
              "description": "A program and its arguments; it reads the decision from standard input.",
              "type": "array",
              "minItems": 1,
              "items": {"type": "string"}
            }
          },
          "additionalProperties": false
        }
      },
      "required": ["formatVersion", "steps", "bounds"],
      "additionalProperties": false,
      "$defs": {
        "percentage": {"description": "At most three decimals.", "type": "number", "exclusiveMinimum": 0, "maximum": 100},
        "share": {"type": "string", "pattern": "^[0-9]{1,3}(\\.[0-9]{1,6})?%?$"},
        "time": {"description": "A number and its unit, such as `90m`, `24h` or `7d`.", "type": "string", "pattern": "^[0-9]+[smhd]$"}
      }
    }
    """#
}
