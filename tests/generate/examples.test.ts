import { parse } from "yaml";
import type { Program, ProgramValue } from "../../cli/programs/program";
import { inTypeScript } from "../../cli/programs/typescript";
import { catalog } from "../../provider/catalog";
import { allFunctions } from "../../provider/functions";
import { inGo } from "../../tools/generate/examples/go";
import { programsOf } from "../../tools/generate/examples/programs";
import { inPython } from "../../tools/generate/examples/python";
import { pythonName } from "../../tools/generate/examples/pythonName";
import { readProgram, Unsayable } from "../../tools/generate/examples/read";
import { signaturesOf } from "../../tools/generate/examples/typed";
import { inYaml } from "../../tools/generate/examples/yaml";
import { type Declared, registeredBy } from "../languages/shown";
import { compiled } from "./compiled";
import { sourcesBeside } from "./generated";

const definitions = Object.values(catalog).map((load) => load());
const functions = allFunctions();
const programs = programsOf(definitions, functions, sourcesBeside().examples);
const signatures = signaturesOf(definitions, functions);

const text = (one: string): ProgramValue => ({ kind: "text", text: one });

/** A program with one job of this HCL. */
function jobOf(hcl: string): Program {
  const args = { hcl: text(hcl) };
  return {
    statements: [
      {
        kind: "resource",
        token: "scheduler:Job",
        label: "a",
        variable: undefined,
        args,
        dependsOn: [],
        comment: [],
      },
    ],
  };
}

describe("programs of the reference", () => {
  it("exist for every resource, and for every function except watches and replaced functions", () => {
    const asked = functions.filter(({ asks, replaced }) => asks.kind !== "watch" && replaced === undefined);
    expect([...programs.keys()]).toEqual([...definitions, ...asked].map(({ token }) => token));
  });

  it("are unchanged after printing and parsing in TypeScript, and compile", () => {
    for (const program of programs.values()) expect(readProgram(inTypeScript(program))).toEqual(program);
    const files = [...programs].map(
      ([token, program]) => [`docs/printed-${token.replace(":", "-")}.ts`, inTypeScript(program)] as const,
    );
    expect(compiled(new Map(files))).toEqual([]);
  });

  it("declare the same resources in YAML, with existing properties and valid references", () => {
    for (const program of programs.values()) {
      const printed = inYaml(program);
      const declared = parse(printed) as Declared;
      const made = registeredBy(declared);
      expect(made).toHaveLength(program.statements.filter(({ kind }) => kind !== "output").length);
      for (const { type, inputs } of made) {
        const names = signatures.of(type.replace(/^quarterdeck:/, "")).map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(Object.keys(inputs as object)));
      }
      const { config = {}, variables = {}, resources = {} } = declared;
      const keys = [...Object.keys(config), ...Object.keys(variables), ...Object.keys(resources)];
      const referred = [...printed.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, key]) => key);
      expect(keys).toEqual(expect.arrayContaining(referred));
    }
  });

  it.each([
    "const a = 1;",
    "new quarterdeck.scheduler.Job(name, {});",
    'new quarterdeck.a.B("b", { a: 1 + 1 });',
  ])("cannot contain unsupported syntax: %s", (program) => {
    expect(() => readProgram(program)).toThrow(Unsayable);
  });

  it("cannot contain an unknown property in Python and Go", () => {
    const program = readProgram('new quarterdeck.scheduler.Job("a", { spec: { idd: "a" } });');
    expect(() => inPython(program, signatures)).toThrow("there is no property idd");
    expect(() => inGo(program, signatures, "sdk")).toThrow("there is no property idd");
  });
});

describe("strings in every language", () => {
  const odd = '\n  "quotes", \'more\', """three""", \\ and `ticks` and \u0024{braces}';

  it("are unchanged after printing and parsing in TypeScript and YAML", () => {
    expect(readProgram(inTypeScript(jobOf(odd)))).toEqual(jobOf(odd));
    const { resources } = parse(inYaml(jobOf(odd))) as Declared;
    const hcl = String(resources?.a?.properties?.hcl).replaceAll("$${", () => "${");
    expect(hcl.trim()).toBe(odd.trim());
  });

  it("are escaped in Python and Go", () => {
    const python = inPython(jobOf(odd), signatures);
    expect(python).toContain('\\"\\"\\"three\\"\\"\\", \\\\ and');
    expect(inGo(jobOf(odd), signatures, "sdk")).toContain(`pulumi.String(${JSON.stringify(odd)})`);
  });
});

it.each([
  ["maxTtl", "max_ttl"],
  ["memoryMB", "memory_mb"],
  ["mfaMethodIDs", "mfa_method_ids"],
  ["getMfaMethods", "get_mfa_methods"],
  ["keysBase64", "keys_base64"],
  ["SHA256Hash", "sha256_hash"],
  ["HTTPPort", "http_port"],
  ["assumed_role", "assumed_role"],
  ["service-defaults", "service_defaults"],
  ["lambda", "lambda_"],
])("%s is %s in Python", (name, expected) => {
  expect(pythonName(name)).toBe(expected);
});
