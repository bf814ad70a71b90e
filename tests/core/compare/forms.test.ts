import { z } from "zod";
import { modelOfInputs } from "../../../provider/core/diff/models";
import { field } from "../../../provider/core/language/facts";
import type { Values } from "../../../provider/core/language/object";
import { type Definition, define } from "../../../provider/core/language/resource";
import { exactlyOne } from "../../../provider/core/language/rules";
import type { ServiceText } from "../../../provider/core/language/serviceText";
import { withReading, withReadingAlong } from "../../../provider/core/language/serviceText";
import { typedDocument } from "../../../provider/core/language/typedDocument";
import { bodyForCreate } from "../../../provider/core/requests/body";
import { plannedChanges } from "../../../provider/core/state/changes";
import { outputsOf } from "../../../provider/core/state/outputs";
import type { Records } from "../../../provider/core/state/records";
import { SecretMap } from "../../../provider/core/state/secretMap";
import { formatPath } from "../../../provider/core/value/path";
import { hasMetadata, metadataOf, withMetadata } from "../../../provider/core/value/programInputs";
import { jsonText, type Spelling } from "../../../provider/core/value/spelling";
import { type Inputs, UNKNOWN } from "../../../provider/core/value/unknown";
import { exampleDefinition } from "../../generate/exampleDefinition";

const buoy = z.strictObject({
  name: field(z.string(), { doc: "Its name." }),
  light: field(z.string().optional(), { doc: "Its light." }),
});
const chartSchema = z.strictObject({
  depth: field(z.int().optional(), { doc: "Meters." }),
  buoys: field(z.array(buoy).optional(), { doc: "Buoys." }),
  pilotKey: field(z.string().optional(), { doc: "The pilot's key.", secret: true }),
});

/** JSON, as a string or a value, that is sent as a value. */
const plainJson: Spelling = { ...jsonText, encode: jsonText.canonical };

const shanty: ServiceText = {
  property: "shanty",
  with: ["verses"],
  plain: (text) => (text.startsWith("{") ? JSON.parse(text) : undefined),
  read: async () => ({ depth: 3 }),
};

/** A chart, written as JSON, as a typed object, or as text that only the service can parse. */
const chart: Definition = define({
  ...exampleDefinition,
  token: "harbour:Chart",
  rules: [],
  serviceText: shanty,
  fields: {
    json: field(z.unknown(), {
      doc: "The chart.",
      wire: ".",
      document: { keyedBy: { buoys: ["name"] }, secret: ["pilot_key"] },
      spelling: plainJson,
    }),
    typed: field(chartSchema.optional(), {
      doc: "The chart, typed.",
      formOf: "json",
      wire: ".",
      document: { secret: ["pilot_key", "pilotKey"] },
      spelling: typedDocument(chartSchema, "snake"),
    }),
    shanty: field(z.string().optional(), {
      doc: "The chart, sung.",
      formOf: "json",
      wire: ".",
      document: { secret: ["pilot_key"] },
      spelling: plainJson,
      secretsIn: (text) => [...text.matchAll(/key (\w+)/g)].map(([, key = ""]) => key),
    }),
    verses: field(z.record(z.string(), z.unknown()).optional(), {
      doc: "Verses.",
      role: "steering",
      document: {},
    }),
  },
});

const wire = { depth: 7, buoys: [{ name: "a", light: "red" }], pilot_key: "canary" };
const typed = { depth: 7, buoys: [{ name: "a", light: "red" }], pilotKey: "canary" };
const withParsedText = (says: Values, more: Inputs = {}) =>
  withReading(shanty, { shanty: "heave", ...more }, says);

/** Records of a service that has exactly the values that the program wrote. */
function recordsAfter(lastApplied: Values): Records {
  // Known inputs result in a known model.
  const model = modelOfInputs(chart, lastApplied) as Records["observed"];
  return { address: {}, lastApplied: withMetadata(lastApplied, {}), baseline: model, observed: model };
}

const pathsOf = (lastApplied: Values, inputs: Inputs) =>
  plannedChanges(chart, recordsAfter(lastApplied), inputs).map(({ path }) => formatPath(path));

const forms: [string, Values][] = [
  ["json", { json: wire }],
  ["JSON text", { json: JSON.stringify(wire) }],
  ["typed", { typed }],
  // The parse result of known text is known.
  ["text that the service parsed", withParsedText(wire) as Values],
  ["text that is JSON", { shanty: JSON.stringify(wire) }],
];

describe("property with several forms", () => {
  test.each(forms)("sends and compares the same document in every form: %s", (_, inputs) => {
    expect(bodyForCreate(chart, inputs)).toEqual(wire);
    for (const [, other] of forms) expect(pathsOf(inputs, other)).toEqual([]);
  });

  test("shows changes under the form that the program currently uses", () => {
    expect(pathsOf({ json: wire }, { typed: { ...typed, depth: 8 } })).toEqual(["typed.depth"]);
    expect(pathsOf({ typed }, { json: { ...wire, depth: 8 } })).toEqual(["json.depth"]);
    expect(pathsOf({ typed }, withParsedText({ ...wire, depth: 8 }))).toEqual(["shanty.depth"]);
  });

  test("shows only the unknown part as a change", () => {
    expect(pathsOf({ typed }, { typed: { ...typed, depth: UNKNOWN } })).toEqual(["typed.depth"]);
  });

  test("returns outputs in the program's form, including drift", () => {
    const records = recordsAfter({ typed });
    const driftedRecords: Records = {
      ...records,
      observed: { json: { ...Object(records.observed.json), depth: 9 } },
    };
    expect(outputsOf(chart, { typed }, driftedRecords, { ...wire, depth: 9 })).toMatchObject({
      typed: { ...typed, depth: 9 },
    });
    const text = withParsedText(wire) as Values;
    const sung = recordsAfter(text);
    const drifted: Records = { ...sung, observed: { json: { ...Object(sung.observed.json), depth: 9 } } };
    const outputs = outputsOf(chart, text, drifted, { ...wire, depth: 9 });
    expect(JSON.parse(String(outputs.shanty))).toEqual({ ...wire, depth: 9 });
    expect(outputs).not.toHaveProperty("json");
  });
});

describe("text that only the service can parse", () => {
  test("reuses a parse result only for the same text and the same parse options", () => {
    const inputs = withParsedText(wire, { verses: { count: 3 } });
    const { parsedText } = metadataOf(inputs);
    const known = (of: string) => (parsedText?.of === of ? parsedText : undefined);
    const again = withReadingAlong(shanty, { shanty: "heave", verses: { count: 3 } }, known);
    expect(metadataOf(again).parsedText).toEqual(parsedText);
    for (const other of [
      { shanty: "ho", verses: { count: 3 } },
      { shanty: "heave", verses: { count: 4 } },
    ]) {
      expect(hasMetadata(withReadingAlong(shanty, { ...inputs, ...other }, known))).toBe(false);
    }
  });

  test("shows a change of the text or the parse options before the text is parsed", () => {
    const lastApplied = withParsedText(wire, { verses: { count: 3 } }) as Values;
    expect(pathsOf(lastApplied, { shanty: "ho", verses: { count: 3 } })).toEqual(["shanty"]);
    expect(pathsOf(lastApplied, { shanty: "heave", verses: { count: 4 } })).toEqual(["verses"]);
    expect(pathsOf(lastApplied, { shanty: "heave", verses: UNKNOWN })).toEqual(["verses"]);
    expect(pathsOf({ json: wire }, { shanty: UNKNOWN })).toEqual(["shanty"]);
  });

  test("shows no changes if a different text has the same parse result", () => {
    const lastApplied = withParsedText(wire) as Values;
    expect(pathsOf(lastApplied, withParsedText(wire, { shanty: "ho", verses: { count: 4 } }))).toEqual([]);
  });
});

describe("secrets of a property with several forms", () => {
  test("are found by the names of each form, and text that contains one is secret as one unit", () => {
    expect(new SecretMap(chart, { typed }).isSecret(["typed", "pilotKey"])).toBe(true);
    expect(new SecretMap(chart, { typed }).isSecret(["typed", "pilot_key"])).toBe(true);
    const inputs = withParsedText(wire);
    expect(new SecretMap(chart, inputs).holdsSecret(["shanty"], "heave")).toBe(true);
    expect(new SecretMap(chart, withParsedText({ depth: 7 })).holdsSecret(["shanty"], "heave")).toBe(false);
    expect(new SecretMap(chart, {}).holdsSecret(["shanty"], "the key abc")).toBe(true);
  });

  test("are collected from text for redaction, parsed or not", () => {
    expect(new SecretMap(chart, { json: JSON.stringify(wire) }).collect()).toContain("canary");
    expect(new SecretMap(chart, withParsedText(wire)).collect()).toContain("canary");
    expect(new SecretMap(chart, { shanty: "the key abc" }).collect()).toContain("abc");
  });

  test("include the complete parse result if the program marks the text or a parse option", () => {
    for (const marked of ["shanty", "verses.count"]) {
      const read = withParsedText({ depth: 7 }, { verses: { count: 3 } });
      const inputs: Inputs = withMetadata(read, { secretPaths: [marked] });
      expect(new SecretMap(chart, inputs).isSecret(["shanty", "depth"])).toBe(true);
      expect(new SecretMap(chart, inputs).holdsSecret(["shanty"], '{"depth": 7}')).toBe(true);
    }
  });

  test("are recognized at the path of the compared element if the program marked them", () => {
    const inputs = withMetadata({ typed }, { secretPaths: ["typed.buoys[0].light"] });
    expect(new SecretMap(chart, inputs).isSecret(["typed", "buoys", "\u0001a", "light"])).toBe(true);
    const above = withMetadata({ typed }, { secretPaths: ["typed.buoys[0]"] });
    expect(new SecretMap(chart, above).isSecret(["typed", "buoys", "\u0001a", "light"])).toBe(true);
    expect(new SecretMap(chart, inputs).isSecret(["typed", "buoys", "\u0001a", "name"])).toBe(false);
    // The mark excludes the program's other elements. In an element of others, the same member may be secret.
    const two = { ...typed, buoys: [...typed.buoys, { name: "b", light: "green" }] };
    const both = withMetadata({ typed: two }, { secretPaths: ["typed.buoys[0].light"] });
    expect(new SecretMap(chart, both).isSecret(["typed", "buoys", "\u0001b", "light"])).toBe(false);
    expect(new SecretMap(chart, both).isSecret(["typed", "buoys", "\u0001c", "light"])).toBe(true);
    expect(new SecretMap(chart, both).isSecret(["typed", "buoys", "\u0001c", "name"])).toBe(false);
  });
});

test("exactlyOne rejects none or two of several properties and requires only presence", () => {
  const { violation: broken, asksPresence } = exactlyOne(["a", "b", "c"], "it");
  expect(asksPresence).toBe(true);
  expect(broken([undefined, { part: 1 }, undefined])).toBeUndefined();
  expect(broken([undefined, null, ""])).toBe("is missing: set it in one of a, b, c");
  expect(broken(["x", undefined, "y"])).toBe("is set in a and c: set it in one of a, b, c only");
});
