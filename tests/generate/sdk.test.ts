import { z } from "zod";
import { catalog } from "../../provider/catalog";
import { field } from "../../provider/core/language/facts";
import { fieldsOf } from "../../provider/core/language/fields";
import { type Definition, define } from "../../provider/core/language/resource";
import { isWritable } from "../../provider/core/language/role";
import { sdkFiles } from "../../tools/generate/sdk";
import { compiled } from "./compiled";
import { exampleDefinition } from "./exampleDefinition";

const definitions = Object.values(catalog).map((load) => load());

/** The text of a file without the line breaks and stars of its comments. */
const flowing = (text = "") => text.replaceAll(/\s*\n\s*\*?\s*/g, " ");

describe("generated SDK", () => {
  it("has one class per resource, with every field and its documentation as output and as input", () => {
    const files = sdkFiles(definitions);
    for (const definition of definitions) {
      const [service = "", type = ""] = definition.token.split(":");
      const path = `sdk/${service}/${type.charAt(0).toLowerCase()}${type.slice(1)}.ts`;
      const [made = "", ...written] = flowing(files.get(path)).split(`export interface ${type}Args`);
      const args = written.join("");
      expect(made).toContain(`export class ${type} extends CustomResource`);
      for (const { name, facts } of fieldsOf(definition).filter((one) => !one.name.startsWith("__"))) {
        expect(made).toContain(` declare readonly ${name}: pulumi.Output<`);
        expect(made).toContain(facts.doc);
        expect(args.includes(` readonly ${name}`)).toBe(isWritable(facts));
        expect(args.includes(facts.doc)).toBe(isWritable(facts));
      }
    }
  });

  it("compiles for a definition with every kind of field and every fact", () => {
    const program = `
      import * as pulumi from "@pulumi/pulumi";
      import { harbour } from "./index";
      const later = pulumi.output("later");
      const first = new harbour.Quay("first", { name: "a", key: pulumi.secret("k") });
      const second = new harbour.Quay("second", {
        name: first.draught,
        port: first.port,
        key: later,
        depth: pulumi.output(3),
        side: "north",
        ships: ["a", later],
        signs: { stop: 1, go: pulumi.output(2) },
        rest: ["1", later],
        cranes: [{ tons: pulumi.output(9) }, pulumi.output({ tons: 3 })],
        office: { street: later, open: undefined },
        plan: { Deep: [{ part: later }], Text: "x" },
        timeouts: { create: 3 },
        onConflict: "fail",
      });
      const street: pulumi.Output<string | undefined> = second.office.apply((office) => office?.street);
      const measured: pulumi.Output<string> = second.draught;
      const tide: pulumi.Output<string | undefined> = second.tide;
      const side: pulumi.Output<"north" | "south" | undefined> = second.side;
      const read: harbour.Quay = harbour.Quay.get("third", "port/name", { parent: second });
      export const all = [street, measured, tide, side, read];
    `;
    expect(compiled(new Map([...sdkFiles([exampleDefinition]), ["sdk/program.ts", program]]))).toEqual([]);
  });

  const MISTAKES = [
    ["a required property is missing", 'new harbour.Quay("q", { name: "a" });'],
    ["a property does not exist", 'new harbour.Quay("q", { name: "a", key: "k", nmae: "b" });'],
    ["an enum value is unknown", 'new harbour.Quay("q", { name: "a", key: "k", side: "east" });'],
    ["an output is set", 'new harbour.Quay("q", { name: "a", key: "k", draught: "3" });'],
    [
      "an optional output is used as a string",
      'const s: { apply(f: (t: string) => void): unknown } = harbour.Quay.get("q", "q").tide; export { s };',
    ],
    ["a member has another type", 'new harbour.Quay("q", { name: "a", key: "k", office: { street: 3 } });'],
  ] as const;

  /** The compiler's messages for all mistakes. */
  let mistakes: readonly string[];
  beforeAll(() => {
    const programs = MISTAKES.map(
      ([, line], at) => [`sdk/mistake${at}.ts`, `import { harbour } from "./index";\n${line}\n`] as const,
    );
    mistakes = compiled(new Map([...sdkFiles([exampleDefinition]), ...programs]));
  });

  it.each(MISTAKES.map(([what], at) => [what, at] as const))("does not compile if %s", (_, at) => {
    expect(mistakes.filter((line) => line.startsWith(`sdk/mistake${at}.ts: `))).toHaveLength(1);
    expect(mistakes.filter((line) => !line.startsWith("sdk/mistake"))).toEqual([]);
  });

  it("lists the secret members of a document with their names in every dialect", () => {
    expect(sdkFiles([exampleDefinition]).get("sdk/harbour/quay.ts")).toContain(
      '"secretMembers":{"plan":["Combination","Code"]}',
    );
  });

  it("marks deprecated properties, and escapes the end of a comment", () => {
    const text = sdkFiles([exampleDefinition]).get("sdk/harbour/quay.ts") ?? "";
    expect(text).toContain("@deprecated write `name`.");
    expect(text).toContain("The office. *\\/ Nothing ends here.");
  });

  it("rejects a property that every resource already has, and an unsupported type", () => {
    const withField = (name: string, schema: z.ZodType): Definition =>
      define({ ...exampleDefinition, fields: { [name]: field(schema, { doc: "Something." }) } });
    expect(() => sdkFiles([withField("urn", z.string())])).toThrow(
      "harbour:Quay: a property cannot be called urn",
    );
    expect(() => sdkFiles([withField("when", z.date())])).toThrow(
      "harbour:QuayWhen is of a type that cannot be generated: date",
    );
  });
});
