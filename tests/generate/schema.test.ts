import Ajv from "ajv";
import { schemaOf } from "../../generate/schema";
import { catalog } from "../../provider/catalog";
import { fieldsOf } from "../../provider/core/language/fields";
import { isWritable } from "../../provider/core/language/role";
import { commonSettings } from "../../provider/core/language/settings";
import { harbour, packageFacts, quay } from "./harbour";

const definitions = Object.values(catalog).map((load) => load());

/** What the engine's tools ask of a package's schema, as far as this package uses it. */
const text = { type: "string", minLength: 1 };
const names = { type: "array", items: text, uniqueItems: true };
const form = {
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
                items: { type: "object", required: ["value"], properties: { value: text } },
              },
            },
          },
        ],
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
          listInputs: {
            type: "object",
            additionalProperties: false,
            required: ["type", "properties"],
            properties: {
              type: { const: "object" },
              properties: { $ref: "#/$defs/properties" },
              required: names,
            },
          },
        },
      },
    },
  },
  $defs: {
    token: { type: "string", pattern: "^quarterdeck:[a-z]+:[A-Z][A-Za-z0-9]*$" },
    properties: { type: "object", additionalProperties: { $ref: "#/$defs/property" } },
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
            oneOf: { type: "array", minItems: 2, items: { $ref: "#/$defs/property" } },
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

type Parts = { readonly [name: string]: Parts };

// What is generated is JSON; tests look into it by name.
const generated = schemaOf(definitions, packageFacts) as unknown as Parts;
const ours = schemaOf([quay], packageFacts) as unknown as Parts;
const resource = ours.resources?.["quarterdeck:harbour:Quay"];

describe("the package's schema", () => {
  it.each([
    ["of this package", generated],
    ["of a definition with every fact", ours],
  ])("%s has the form that Pulumi asks for", (_, schema) => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(form);
    validate(schema);
    expect(validate.errors).toBeNull();
  });

  it.each([
    ["of this package", generated],
    ["of a definition with every fact", ours],
  ])("%s refers to no type that it does not have, and has none to which nothing refers", (_, schema) => {
    const text = JSON.stringify(schema);
    const referred = [...text.matchAll(/"#\/types\/([^"]+)"/g)].map(([, token]) => token);
    expect([...new Set(referred)].sort()).toEqual(Object.keys(schema.types ?? {}).sort());
    for (const { required = {}, properties } of [
      ...Object.values(schema.resources ?? {}),
      ...Object.values(schema.types ?? {}).filter((type) => "properties" in type),
    ]) {
      for (const name of Object.values(required)) expect(properties).toHaveProperty(String(name));
    }
  });

  it("has every resource, and every field of it with its documentation", () => {
    expect(Object.keys(generated.resources ?? {})).toEqual(
      Object.keys(catalog).map((token) => `quarterdeck:${token}`),
    );
    for (const definition of definitions) {
      const made = generated.resources?.[`quarterdeck:${definition.token}`];
      for (const { name, facts } of fieldsOf(definition).filter((field) => !field.name.startsWith("__"))) {
        expect(made?.properties?.[name]?.description).toContain(facts.doc);
        if (!isWritable(facts)) expect(made?.inputProperties).not.toHaveProperty(name);
        else expect(made?.inputProperties?.[name]?.description).toContain(facts.doc);
      }
    }
  });

  it("hides what the SDK hands over by itself", () => {
    expect(JSON.stringify(generated)).not.toContain('"__');
  });

  it("has the configuration's objects, their tokens secret", () => {
    expect(Object.keys(ours.config?.variables ?? {})).toEqual(["harbour", "connections"]);
    const settings = ours.types?.["quarterdeck:index:HarbourSettings"]?.properties ?? {};
    expect(Object.keys(settings).sort()).toEqual(
      [...Object.keys(commonSettings), ...Object.keys(harbour.settings)].sort(),
    );
    expect(settings.token?.secret).toBe(true);
    expect(settings.caFile?.description).toContain("QUARTERDECK_HARBOUR_CA_FILE");
  });

  it("tells inputs that are needed from outputs that are always there", () => {
    expect(resource?.requiredInputs).toEqual(["name", "key"]);
    expect(resource?.required).toEqual(["name", "key", "draught", "pass"]);
  });

  it("carries the facts of a field", () => {
    const inputs = resource?.inputProperties ?? {};
    expect(inputs.name?.willReplaceOnChanges).toBe(true);
    expect(inputs.port?.willReplaceOnChanges).toBe(true);
    expect(inputs.berths?.willReplaceOnChanges).toBe(true);
    expect(inputs.connection?.willReplaceOnChanges).toBe(true);
    expect(inputs.depth?.willReplaceOnChanges).toBeUndefined();
    expect(inputs.key?.secret).toBe(true);
    expect(resource?.properties?.pass?.secret).toBe(true);
    expect(inputs.oldName?.deprecationMessage).toBe("write `name`.");
    expect(inputs.depth?.description).toContain("Default: `7`.");
    // A default here would make every program write it, and so manage what it never meant to.
    expect(JSON.stringify(ours)).not.toContain('"default"');
  });

  it("has a type for every kind of value", () => {
    const inputs = resource?.inputProperties ?? {};
    const type = (name: string) => {
      const { description: _, ...rest } = inputs[name] ?? {};
      return rest;
    };
    expect(type("depth")).toEqual({ type: "number" });
    expect(type("light")).toEqual({ type: "boolean" });
    expect(type("ships")).toEqual({ type: "array", items: { type: "string" } });
    expect(type("signs")).toEqual({ type: "object", additionalProperties: { type: "integer" } });
    expect(type("rest")).toEqual({
      oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
    });
    expect(type("plan")).toEqual({ type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } });
    expect(type("side")).toEqual({ $ref: "#/types/quarterdeck:harbour:QuaySide" });
    expect(type("cranes")).toEqual({
      type: "array",
      items: { $ref: "#/types/quarterdeck:harbour:QuayCrane" },
    });
    expect(ours.types?.["quarterdeck:harbour:QuaySide"]?.enum).toEqual([
      { value: "north" },
      { value: "south" },
    ]);
    expect(ours.types?.["quarterdeck:harbour:QuayOffice"]?.required).toEqual(["street"]);
    expect(type("timeouts")).toEqual({ $ref: "#/types/quarterdeck:index:Timeouts" });
  });
});
