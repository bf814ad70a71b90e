const text = { type: "string", minLength: 1 };
const names = { type: "array", items: text, uniqueItems: true };
/** The form of a package schema that Pulumi's tools require, limited to the parts that this package uses. */
export const form = {
  $id: "package",
  type: "object",
  additionalProperties: false,
  required: ["name", "version", "config", "types", "resources", "provider", "meta", "language"],
  properties: {
    name: { const: "quarterdeck" },
    displayName: text,
    version: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+$" },
    description: text,
    keywords: names,
    license: text,
    homepage: { type: "string", pattern: "^https://" },
    publisher: { type: "string" },
    logoUrl: { type: "string", pattern: "^https://" },
    repository: { type: "string", pattern: "^https://[^#]+$" },
    meta: { const: { moduleFormat: "(.*)" } },
    language: { type: "object" },
    config: {
      type: "object",
      additionalProperties: false,
      properties: { variables: { $ref: "#/$defs/properties" } },
    },
    provider: {
      type: "object",
      additionalProperties: false,
      required: ["inputProperties"],
      properties: { description: text, inputProperties: { $ref: "#/$defs/properties" } },
    },
    types: {
      type: "object",
      propertyNames: { $ref: "#/$defs/token" },
      additionalProperties: {
        anyOf: [
          {
            type: "object",
            additionalProperties: false,
            required: ["type", "properties"],
            properties: {
              type: { const: "object" },
              properties: { $ref: "#/$defs/properties" },
              required: names,
            },
          },
          {
            type: "object",
            additionalProperties: false,
            required: ["type", "enum"],
            properties: {
              type: { const: "string" },
              enum: {
                type: "array",
                minItems: 1,
                items: {
                  type: "object",
                  additionalProperties: false,
                  required: ["value"],
                  properties: {
                    name: { type: "string", pattern: "^[A-Z][A-Za-z]+$" },
                    value: text,
                    description: text,
                  },
                },
              },
            },
          },
        ],
      },
    },
    functions: {
      type: "object",
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        required: ["description", "inputs", "outputs"],
        properties: {
          description: text,
          deprecationMessage: text,
          inputs: { $ref: "#/$defs/object" },
          outputs: { $ref: "#/$defs/object" },
        },
      },
    },
    resources: {
      type: "object",
      propertyNames: { $ref: "#/$defs/token" },
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        required: ["description", "properties", "inputProperties", "required", "requiredInputs"],
        properties: {
          description: text,
          properties: { $ref: "#/$defs/properties" },
          inputProperties: { $ref: "#/$defs/properties" },
          required: names,
          requiredInputs: names,
          listInputs: { $ref: "#/$defs/object" },
          aliases: {
            type: "array",
            items: { type: "object", required: ["type"], properties: { type: text } },
          },
        },
      },
    },
  },
  $defs: {
    token: { type: "string", pattern: "^quarterdeck:[a-z]+:[A-Z][A-Za-z0-9]*$" },
    properties: { type: "object", additionalProperties: { $ref: "#/$defs/property" } },
    object: {
      type: "object",
      additionalProperties: false,
      required: ["type", "properties"],
      properties: { type: { const: "object" }, properties: { $ref: "#/$defs/properties" }, required: names },
    },
    property: {
      type: "object",
      oneOf: [
        { required: ["type"], properties: { type: { enum: ["boolean", "integer", "number", "string"] } } },
        {
          required: ["type", "items"],
          properties: { type: { const: "array" }, items: { $ref: "#/$defs/property" } },
        },
        {
          required: ["type", "additionalProperties"],
          properties: { type: { const: "object" }, additionalProperties: { $ref: "#/$defs/property" } },
        },
        {
          required: ["$ref"],
          properties: {
            $ref: { type: "string", pattern: "^(#/types/quarterdeck:|pulumi\\.json#/Any$)" },
            type: false,
          },
        },
        {
          required: ["oneOf"],
          properties: {
            // Only plain types and a SecretSource: no SDK distinguishes lists and maps, and one SDK fails.
            oneOf: {
              type: "array",
              minItems: 2,
              items: {
                anyOf: [
                  {
                    properties: { type: { enum: ["boolean", "integer", "number", "string"] } },
                    required: ["type"],
                  },
                  {
                    properties: { $ref: { const: "#/types/quarterdeck:index:SecretSource" } },
                    required: ["$ref"],
                  },
                ],
              },
            },
            type: false,
          },
        },
      ],
      properties: {
        description: text,
        secret: { const: true },
        willReplaceOnChanges: { const: true },
        deprecationMessage: text,
      },
    },
  },
};
