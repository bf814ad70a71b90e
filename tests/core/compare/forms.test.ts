import { z } from "zod";
import { modelOfInputs } from "../../../provider/core/diff/models";
import { field } from "../../../provider/core/language/facts";
import type { Values } from "../../../provider/core/language/object";
import { type Definition, define } from "../../../provider/core/language/resource";
import { exactlyOne } from "../../../provider/core/language/rules";
import type { ServiceText } from "../../../provider/core/language/serviceText";
import { withReading, withReadingAlong } from "../../../provider/core/language/serviceText";
import { typedDocument } from "../../../provider/core/language/typedDocument";
import { plannedChanges } from "../../../provider/core/operations/planned";
import { bodyForCreate } from "../../../provider/core/requests/body";
import { outputsOf } from "../../../provider/core/state/outputs";
import type { Records } from "../../../provider/core/state/records";
import { SecretMap } from "../../../provider/core/state/secretMap";
import { formatPath } from "../../../provider/core/value/path";
import { hasMetadata, metadataOf, withMetadata } from "../../../provider/core/value/programInputs";
import { jsonText, type Spelling } from "../../../provider/core/value/spelling";
import { type Inputs, UNKNOWN } from "../../../provider/core/value/unknown";
import { quay } from "../../generate/harbour";

const buoy = z.strictObject({
  name: field(z.string(), { doc: "Its name." }),
  light: field(z.string().optional(), { doc: "Its light." }),
});
const chartSchema = z.strictObject({
  depth: field(z.int().optional(), { doc: "Metres." }),
  buoys: field(z.array(buoy).optional(), { doc: "Buoys." }),
  pilotKey: field(z.string().optional(), { doc: "The pilot's key.", secret: true }),
});

/** JSON, as text or as a value, that travels as a value. */
const plainJson: Spelling = { ...jsonText, encode: jsonText.canonical };

const shanty: ServiceText = {
  property: "shanty",
  with: ["verses"],
  plain: (text) => (text.startsWith("{") ? JSON.parse(text) : undefined),
  read: async () => ({ depth: 3 }),
};

/** A chart that is written as JSON, as a typed object, or in a song that only the harbour understands. */
const chart: Definition = define({
  ...quay,
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
const heard = (says: Values, more: Inputs = {}) => withReading(shanty, { shanty: "heave", ...more }, says);

/** A record in which the service holds what the program wrote. */
function settledAfter(lastApplied: Values): Records {
  // Inputs that are known make a known model.
  const model = modelOfInputs(chart, lastApplied) as Records["observed"];
  return { address: {}, lastApplied: withMetadata(lastApplied, {}), baseline: model, observed: model };
}

const pathsOf = (lastApplied: Values, inputs: Inputs) =>
  plannedChanges(chart, settledAfter(lastApplied), inputs).map(({ path }) => formatPath(path));

const forms: [string, Values][] = [
  ["json", { json: wire }],
  ["JSON text", { json: JSON.stringify(wire) }],
  ["typed", { typed }],
  // A reading of known text is known.
  ["text", heard(wire) as Values],
  ["text that is JSON by itself", { shanty: JSON.stringify(wire) }],
];

describe("a property in several forms", () => {
  test.each(forms)("is one document, sent and compared alike: %s", (_, inputs) => {
    expect(bodyForCreate(chart, inputs)).toEqual(wire);
    for (const [, other] of forms) expect(pathsOf(inputs, other)).toEqual([]);
  });

  test("shows its changes under the form that the program writes now", () => {
    expect(pathsOf({ json: wire }, { typed: { ...typed, depth: 8 } })).toEqual(["typed.depth"]);
    expect(pathsOf({ typed }, { json: { ...wire, depth: 8 } })).toEqual(["json.depth"]);
    expect(pathsOf({ typed }, heard({ ...wire, depth: 8 }))).toEqual(["shanty.depth"]);
  });

  test("shows only what changes where a part is unknown", () => {
    expect(pathsOf({ typed }, { typed: { ...typed, depth: UNKNOWN } })).toEqual(["typed.depth"]);
  });

  test("comes back in the program's own form, with what others moved in it", () => {
    const records = settledAfter({ typed });
    const moved: Records = { ...records, observed: { json: { ...Object(records.observed.json), depth: 9 } } };
    expect(outputsOf(chart, { typed }, moved, { ...wire, depth: 9 })).toMatchObject({
      typed: { ...typed, depth: 9 },
    });
    const text = heard(wire) as Values;
    const sung = settledAfter(text);
    const drifted: Records = { ...sung, observed: { json: { ...Object(sung.observed.json), depth: 9 } } };
    const outputs = outputsOf(chart, text, drifted, { ...wire, depth: 9 });
    expect(JSON.parse(String(outputs.shanty))).toEqual({ ...wire, depth: 9 });
    expect(outputs).not.toHaveProperty("json");
  });
});

describe("text that only the service can read", () => {
  test("is known by what the service read in it, for that text and what it is read with, and for no other", () => {
    const inputs = heard(wire, { verses: { count: 3 } });
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

  test("shows, unread, what of it is another text", () => {
    const lastApplied = heard(wire, { verses: { count: 3 } }) as Values;
    expect(pathsOf(lastApplied, { shanty: "ho", verses: { count: 3 } })).toEqual(["shanty"]);
    expect(pathsOf(lastApplied, { shanty: "heave", verses: { count: 4 } })).toEqual(["verses"]);
    expect(pathsOf(lastApplied, { shanty: "heave", verses: UNKNOWN })).toEqual(["verses"]);
    expect(pathsOf({ json: wire }, { shanty: UNKNOWN })).toEqual(["shanty"]);
  });

  test("is no change where another text says the same", () => {
    const lastApplied = heard(wire) as Values;
    expect(pathsOf(lastApplied, heard(wire, { shanty: "ho", verses: { count: 4 } }))).toEqual([]);
  });
});

describe("secrets in several forms", () => {
  test("are secret by the names of each, and text that holds one is secret as a whole", () => {
    expect(new SecretMap(chart, { typed }).isSecret(["typed", "pilotKey"])).toBe(true);
    expect(new SecretMap(chart, { typed }).isSecret(["typed", "pilot_key"])).toBe(true);
    const inputs = heard(wire);
    expect(new SecretMap(chart, inputs).holdsSecret(["shanty"], "heave")).toBe(true);
    expect(new SecretMap(chart, heard({ depth: 7 })).holdsSecret(["shanty"], "heave")).toBe(false);
    expect(new SecretMap(chart, {}).holdsSecret(["shanty"], "the key abc")).toBe(true);
  });

  test("are found in text for the redaction of what is printed, read or not", () => {
    expect(new SecretMap(chart, { json: JSON.stringify(wire) }).collect()).toContain("canary");
    expect(new SecretMap(chart, heard(wire)).collect()).toContain("canary");
    expect(new SecretMap(chart, { shanty: "the key abc" }).collect()).toContain("abc");
  });

  test("where the program marks its text, or what it is read with, are all that is read in it", () => {
    for (const marked of ["shanty", "verses.count"]) {
      const read = heard({ depth: 7 }, { verses: { count: 3 } });
      const inputs: Inputs = withMetadata(read, { secretPaths: [marked] });
      expect(new SecretMap(chart, inputs).isSecret(["shanty", "depth"])).toBe(true);
      expect(new SecretMap(chart, inputs).holdsSecret(["shanty"], '{"depth": 7}')).toBe(true);
    }
  });

  test("that the program marked are masked at the path under which they are compared", () => {
    const inputs = withMetadata({ typed }, { secretPaths: ["typed.buoys[0].light"] });
    expect(new SecretMap(chart, inputs).isSecret(["typed", "buoys", "\u0001a", "light"])).toBe(true);
    const above = withMetadata({ typed }, { secretPaths: ["typed.buoys[0]"] });
    expect(new SecretMap(chart, above).isSecret(["typed", "buoys", "\u0001a", "light"])).toBe(true);
    expect(new SecretMap(chart, inputs).isSecret(["typed", "buoys", "\u0001a", "name"])).toBe(false);
    // Of another element of the program's it is not marked; of one that only others have nobody can say that it is not.
    const two = { ...typed, buoys: [...typed.buoys, { name: "b", light: "green" }] };
    const both = withMetadata({ typed: two }, { secretPaths: ["typed.buoys[0].light"] });
    expect(new SecretMap(chart, both).isSecret(["typed", "buoys", "\u0001b", "light"])).toBe(false);
    expect(new SecretMap(chart, both).isSecret(["typed", "buoys", "\u0001c", "light"])).toBe(true);
    expect(new SecretMap(chart, both).isSecret(["typed", "buoys", "\u0001c", "name"])).toBe(false);
  });
});

test("exactly one of several properties is asked for, whatever is unknown inside", () => {
  const { violation: broken, asksPresence } = exactlyOne(["a", "b", "c"], "it");
  expect(asksPresence).toBe(true);
  expect(broken([undefined, { part: 1 }, undefined])).toBeUndefined();
  expect(broken([undefined, null, ""])).toBe("is missing: give it in one of a, b, c");
  expect(broken(["x", undefined, "y"])).toBe("given with a and c: give it in one of a, b, c only");
});
