import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { catalog } from "../../provider/catalog";
import { fieldsOf } from "../../provider/core/language/fields";
import { isWritable } from "../../provider/core/language/role";
import { commonSettings } from "../../provider/core/language/settings";
import { allFunctions } from "../../provider/functions";
import { typeOn } from "../../sdk/runtime/kind";
import { schemaOf } from "../../tools/generate/schema";
import { inEachLanguage } from "../../tools/generate/schemaWords";
import { exampleDefinition, exampleService, packageFacts } from "./exampleDefinition";
import { form } from "./schemaForm";

const definitions = Object.values(catalog).map((load) => load());

type Parts = { readonly [name: string]: Parts };

// The schema is JSON, which the tests access by name.
const generated = schemaOf(definitions, packageFacts, allFunctions()) as unknown as Parts;
const ours = schemaOf([exampleDefinition], packageFacts) as unknown as Parts;
const resource = ours.resources?.["quarterdeck:harbour:Quay"];

/** A description with the names of its definition. */
function asWritten(property: Parts | undefined): string {
  return String(property?.description).replace(/"\{\{% ref #\/\S+\/(\w+) %\}\}"/g, "`$1`");
}

describe("package schema", () => {
  it.each([
    ["this package", generated],
    ["a definition with every fact", ours],
  ])("of %s has the form that Pulumi requires", (_, schema) => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(form);
    validate(schema);
    expect(validate.errors).toBeNull();
  });

  it.each([
    ["this package", generated],
    ["a definition with every fact", ours],
  ])("of %s refers only to existing types, and has no unused types", (_, schema) => {
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

  it("contains every resource, and every field with its documentation", () => {
    expect(Object.keys(generated.resources ?? {})).toEqual(
      Object.keys(catalog).map((token) => `quarterdeck:${token}`),
    );
    for (const definition of definitions) {
      const made = generated.resources?.[`quarterdeck:${definition.token}`];
      for (const { name, facts } of fieldsOf(definition).filter((field) => !field.name.startsWith("__"))) {
        expect(asWritten(made?.properties?.[name])).toContain(facts.doc);
        if (!isWritable(facts)) expect(made?.inputProperties).not.toHaveProperty(name);
        else expect(asWritten(made?.inputProperties?.[name])).toContain(facts.doc);
      }
    }
  });

  it("begins the description of a resource with the product's noun and the Terraform name", () => {
    for (const { token } of definitions)
      expect(generated.resources?.[`quarterdeck:${token}`]?.description).toMatch(
        /^(?:Nomad .{3,40}|Consul .{3,40}|.{3,60} \((?:HCP Terraform|Vault)\))(?:; Terraform: .+)?\.\n\n/,
      );
    expect(generated.resources?.["quarterdeck:secrets:MfaMethod"]?.description).toMatch(
      /^Okta MFA method \(Vault\); Terraform: `vault_identity_mfa_okta`\.\n/,
    );
    expect(generated.keywords).toEqual(expect.arrayContaining(["category/infrastructure", "kind/native"]));
  });

  it("names a publisher and a logo that the repository contains", () => {
    const { publisher, logoUrl } = generated as unknown as { publisher: string; logoUrl: string };
    expect(publisher).toBe("Quarterdeck");
    const path = logoUrl.split("/main/")[1] ?? "";
    expect(readFileSync(join(__dirname, "../..", path), "utf8")).toMatch(/^<svg /);
  });

  it("contains no internal properties", () => {
    expect(JSON.stringify(generated)).not.toContain('"__');
  });

  it("contains the configuration's settings, with secret tokens", () => {
    expect(Object.keys(ours.config?.variables ?? {})).toEqual([
      "harbour",
      "connections",
      "dialect",
      "adopt",
      "bridge",
    ]);
    const settings = ours.types?.["quarterdeck:index:HarbourSettings"]?.properties ?? {};
    expect(Object.keys(settings).sort()).toEqual(
      [...Object.keys(commonSettings), ...Object.keys(exampleService.settings)].sort(),
    );
    expect(settings.token?.secret).toBe(true);
    expect(settings.caFile?.description).toContain("QUARTERDECK_HARBOUR_CA_FILE");
  });

  it("gives a provider the same settings except bridge, all of them secret", () => {
    const { bridge, ...settings } = ours.config?.variables ?? {};
    expect(ours.provider?.inputProperties).toEqual(settings);
    expect(Object.values(settings).map(({ secret }) => secret)).toEqual([true, true]);
    expect(bridge).toMatchObject({ $ref: "#/types/quarterdeck:index:Bridge" });
    expect(ours.types?.["quarterdeck:index:Bridge"]?.enum).toMatchObject([
      { value: "dynamic" },
      { value: "plugin" },
    ]);
  });

  it("has an alias for each type of the dynamic bridge, as recorded states contain it", () => {
    for (const { token } of definitions) {
      const { aliases } = generated.resources?.[`quarterdeck:${token}`] ?? {};
      expect(aliases).toEqual([{ type: typeOn("dynamic", token) }]);
    }
    const states = join(__dirname, "../stack/states");
    const types = readdirSync(states, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json"))
      .flatMap((file) => [
        ...readFileSync(join(states, file), "utf8").matchAll(/"type":\s*"(pulumi-nodejs:[^"]+)"/g),
      ])
      .map(([, type]) => type);
    expect(types.length).toBeGreaterThan(5);
    const known = definitions.map(({ token }) => typeOn("dynamic", token));
    expect(types.filter((type = "") => !known.includes(type))).toEqual([]);
  });

  it("describes every enum value", () => {
    expect(generated.types?.["quarterdeck:scheduler:JobWait"]?.enum).toContainEqual({
      value: "evaluation",
      description: "Wait until Nomad has processed the evaluation.",
    });
    const choices = Object.entries(generated.types ?? {}).filter(([, type]) => "enum" in type);
    const silent = choices.flatMap(([token, type]) =>
      Object.values(type.enum ?? {}).flatMap(({ value, description }) =>
        description === undefined ? [`${token} ${value}`] : [],
      ),
    );
    expect(choices.length).toBeGreaterThan(30);
    expect(silent).toEqual([]);
  });

  it("names an enum value that does not start with a letter", () => {
    expect(generated.types?.["quarterdeck:workspaces:GetWorkspacesSort"]?.enum).toContainEqual({
      name: "CurrentRunCreatedAtDescending",
      value: "-current-run.created-at",
      description: "By creation time of the current run, newest first.",
    });
  });

  it("contains the settings of the generated SDKs", () => {
    const { nodejs, python, go } = generated.language ?? {};
    expect(nodejs).toEqual({ packageName: "pulumi-quarterdeck", respectSchemaVersion: true });
    expect(python).toEqual({
      packageName: "pulumi_quarterdeck",
      inputTypes: "classes-and-dicts",
      pyproject: { enabled: true },
      respectSchemaVersion: true,
    });
    expect(go).toMatchObject({
      importBasePath: "github.com/harbour/pulumi-quarterdeck/sdk/go/quarterdeck",
      respectSchemaVersion: true,
    });
  });

  it("refers to other properties in a form that each language translates to its own names", () => {
    const at = "resources/quarterdeck:harbour:Quay/inputProperties";
    expect(inEachLanguage("Beside `key`; `reef` is none, nor is `plan.Locks`.", at, ["key", "plan"])).toBe(
      `Beside "{{% ref #/${at}/key %}}"; \`reef\` is none, nor is \`plan.Locks\`.`,
    );
    const referred = [
      ...JSON.stringify(generated).matchAll(/\{\{% ref #\/([^/]+)\/([^/]+)\/([^/]+)\/(\w+) %\}\}/g),
    ];
    expect(referred.length).toBeGreaterThan(20);
    const lost = referred.filter(
      ([, kind = "", token = "", part = "", name = ""]) =>
        generated[kind]?.[token]?.[part]?.[name] === undefined,
    );
    expect(lost).toEqual([]);
  });

  it("distinguishes required inputs from outputs that are always set", () => {
    expect(resource?.requiredInputs).toEqual(["name", "key"]);
    expect(resource?.required).toEqual(["name", "key", "draught", "pass"]);
  });

  it("contains the facts of a field", () => {
    const inputs = resource?.inputProperties ?? {};
    expect(inputs.name?.willReplaceOnChanges).toBe(true);
    expect(inputs.port?.willReplaceOnChanges).toBe(true);
    expect(inputs.berths?.willReplaceOnChanges).toBe(true);
    expect(inputs.connection?.willReplaceOnChanges).toBe(true);
    expect(inputs.depth?.willReplaceOnChanges).toBeUndefined();
    expect(inputs.lamps?.willReplaceOnChanges).toBeUndefined();
    expect(inputs.lamps?.description).toMatch(/While the object's .*light.* is true, changing it replaces/);
    expect(inputs.key?.secret).toBe(true);
    expect(resource?.properties?.pass?.secret).toBe(true);
    expect(inputs.oldName?.deprecationMessage).toBe("write `name`.");
    expect(inputs.depth?.description).toContain("Default: `7`.");
    // A default in the schema would make every program write the property, and so manage it. An environment variable in
    // the schema would override the settings of a provider.
    for (const schema of [ours, generated])
      expect(JSON.stringify(schema)).not.toMatch(/"default":(?!\{)|"defaultInfo":/);
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
    expect(type("rest")).toEqual({ type: "array", items: { type: "string" } });
    expect(type("tides")).toEqual({ oneOf: [{ type: "string" }, { type: "number" }] });
    expect(type("papers")).toEqual({ $ref: "pulumi.json#/Any" });
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

  it("accepts a secret or a SecretSource as input, and has a string as output", () => {
    const either = { oneOf: [{ type: "string" }, { $ref: "#/types/quarterdeck:index:SecretSource" }] };
    expect(resource?.inputProperties?.key).toMatchObject(either);
    expect(resource?.properties?.key).toMatchObject({ type: "string", secret: true });
    const rekey = generated.resources?.["quarterdeck:secrets:RecoveryKeyRekey"];
    expect(rekey?.inputProperties?.shares).toMatchObject({ type: "array", items: either });
    expect(rekey?.properties?.shares).toMatchObject({ type: "array", items: { type: "string" } });
    const spec = generated.types?.["quarterdeck:scheduler:JobSpec"];
    expect(spec?.properties?.secretsToken).toMatchObject({ ...either, secret: true });
  });
});
