import fc from "fast-check";
import { z } from "zod";
import { field } from "../../../provider/core/language/facts";
import type { Specified } from "../../../provider/core/language/fields";
import type { Records } from "../../../provider/core/state/records";
import { isProvenPlain, publicOf } from "../../../provider/core/state/secretCopies";
import type { Json } from "../../../provider/core/value/json";
import { NO_INPUTS, withMetadata } from "../../../provider/core/value/programInputs";
import configEntry from "../../../provider/services/mesh/configEntry";
import cloudRole from "../../../provider/services/secrets/cloudRole";
import workspace from "../../../provider/services/workspaces/workspace";
import { entryRecords } from "./entryRecords";

const spec = { Protocol: "http", Meta: { team: "a" } };
const { applied, records } = entryRecords(spec);
const outputs = { ...applied, namespace: "default", modifyIndex: "7" };

const isPlain = (more: Partial<Records>, known: Json = outputs) =>
  isProvenPlain(configEntry, { ...records, ...more }, [publicOf(known)]);
const isPlainObserved = (spec: { [name: string]: Json }) => isPlain({ observed: { spec } });

test("records that only repeat the outputs are plain, with or without a stamp", () => {
  expect(isPlain({})).toBe(true);
  expect(isPlain({ stamp: "1 2" })).toBe(true);
});

test.each<[string, Partial<Records>]>([
  [
    "a secret that the program marked",
    { lastApplied: withMetadata(applied, { secretPaths: ["spec.Meta"] }) },
  ],
  [
    "a text that the service parsed",
    { lastApplied: withMetadata(applied, { parsedText: { of: "text", says: {} } }) },
  ],
  ["the state of a procedure", { procedure: { nonce: "n" } }],
  ["an error message", { pending: { kind: "incomplete", reason: "the service answered: canary" } }],
])("records with %s are not plain", (_, more) => {
  expect(isPlain(more)).toBe(false);
});

test("in a document, an unknown value, an unknown name, or a known value under another name is not plain", () => {
  expect(isPlainObserved({ ...spec, Protocol: "canary" })).toBe(false);
  expect(isPlainObserved({ ...spec, Canary: "http" })).toBe(false);
  // The outputs contain both strings, but not the value under this name.
  expect(isPlainObserved({ ...spec, Meta: { team: "http" } })).toBe(false);
  expect(isPlainObserved({ ...spec, Meta: { team: ["a", "canary"] } })).toBe(false);
  expect(isPlainObserved({ ...spec, Meta: { team: { team: "canary" } } })).toBe(false);
  expect(isPlainObserved({ ...spec, Meta: { team: 4711 } })).toBe(false);
  expect(isPlainObserved({ ...spec, Meta: { "\u0001canary": { team: "a" } } })).toBe(true);
  expect(isPlainObserved({ ...spec, Meta: { "\u0001canary": "canary" } })).toBe(false);
});

test("null, a boolean or an empty value is plain under a public name in any spelling, but not under another name", () => {
  for (const empty of [null, true, false, "", 0, [], {}]) {
    expect(isPlainObserved({ ...spec, protocol: empty })).toBe(true);
    expect(isPlainObserved({ ...spec, canary: empty })).toBe(false);
  }
});

test("a typed property is plain, unless it is unknown, secret, write-only, a document, or may contain secrets", () => {
  const isPlainWithoutOutputs = (definition: Specified, value: { [name: string]: Json }) =>
    isProvenPlain(definition, { address: {}, lastApplied: NO_INPUTS, baseline: value, observed: value }, [
      publicOf({}),
    ]);
  expect(isPlainWithoutOutputs(workspace, { description: "anything", tagNames: ["a", "b"] })).toBe(true);
  expect(isPlainWithoutOutputs(cloudRole, { policyDocument: { Statement: "canary" } })).toBe(false);
  expect(isPlainWithoutOutputs(workspace, { nobody: "knows" })).toBe(false);
  const text = (facts: object) => field(z.string(), { doc: "What it says.", ...facts });
  const { token, doc, section, service } = workspace;
  const letter = (facts: object): Specified => ({
    token,
    doc,
    section,
    service,
    fields: { said: text(facts) },
  });
  expect(isPlainWithoutOutputs(letter({}), { said: "anything" })).toBe(true);
  expect(isPlainWithoutOutputs(letter({ document: {} }), { said: "canary" })).toBe(false);
  expect(isPlainWithoutOutputs(letter({ secretsIn: () => [] }), { said: "canary" })).toBe(false);
  expect(isPlainWithoutOutputs(letter({ secret: true }), { said: "canary" })).toBe(false);
  expect(isPlainWithoutOutputs(letter({ writeOnly: "every-write" }), { said: "canary" })).toBe(false);
});

test("a document is plain if the outputs contain it, and not plain with any other value or member", () => {
  const leaves = fc.oneof(fc.string({ minLength: 1 }), fc.integer({ min: 1 }));
  const documents = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(leaves, fc.array(leaves)), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(documents, (document) => {
      const known = { ...outputs, spec: document };
      const stored = { lastApplied: { ...applied, spec: document }, baseline: { spec: document } };
      const plain = (observed: Json) => isPlain({ ...stored, observed: { spec: observed } }, known);
      expect(plain(document)).toBe(true);
      for (const name of Object.keys(document)) {
        expect(plain({ ...document, [name]: "a canary that nobody wrote" })).toBe(false);
        expect(plain({ ...document, [`${name} canary`]: "" })).toBe(false);
      }
    }),
    { numRuns: 200 },
  );
});
