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
const withSeen = (spec: { [name: string]: Json }) => isPlain({ observed: { spec } });

test("records that say what the outputs say are plain", () => {
  expect(isPlain({})).toBe(true);
  expect(isPlain({ stamp: "1 2" })).toBe(true);
});

test.each<[string, Partial<Records>]>([
  ["what the program marked", { lastApplied: withMetadata(applied, { secretPaths: ["spec.Meta"] }) }],
  [
    "what a service read in a text",
    { lastApplied: withMetadata(applied, { parsedText: { of: "text", says: {} } }) },
  ],
  ["what a procedure has learnt", { procedure: { nonce: "n" } }],
  ["what an error said", { pending: { kind: "incomplete", reason: "the service answered: canary" } }],
])("%s may be a secret", (_, more) => {
  expect(isPlain(more)).toBe(false);
});

test("in a document, what somebody else put there may be a secret: its value, its name, and the two together", () => {
  expect(withSeen({ ...spec, Protocol: "canary" })).toBe(false);
  expect(withSeen({ ...spec, Canary: "http" })).toBe(false);
  // Both words stand in the outputs, and not one under the other.
  expect(withSeen({ ...spec, Meta: { team: "http" } })).toBe(false);
  expect(withSeen({ ...spec, Meta: { team: ["a", "canary"] } })).toBe(false);
  expect(withSeen({ ...spec, Meta: { team: { team: "canary" } } })).toBe(false);
  expect(withSeen({ ...spec, Meta: { team: 4711 } })).toBe(false);
  expect(withSeen({ ...spec, Meta: { "\u0001canary": { team: "a" } } })).toBe(true);
  expect(withSeen({ ...spec, Meta: { "\u0001canary": "canary" } })).toBe(false);
});

test("a value that says nothing is plain under a name that anybody may read, in whichever way that is spelled", () => {
  for (const nothing of [null, true, false, "", 0, [], {}]) {
    expect(withSeen({ ...spec, protocol: nothing })).toBe(true);
    expect(withSeen({ ...spec, canary: nothing })).toBe(false);
  }
});

test("a typed property that is no secret is plain, because outputs show it; one that is a secret, or holds a document, is not", () => {
  const moved = (definition: Specified, value: { [name: string]: Json }) =>
    isProvenPlain(definition, { address: {}, lastApplied: NO_INPUTS, baseline: value, observed: value }, [
      publicOf({}),
    ]);
  expect(moved(workspace, { description: "anything", tagNames: ["a", "b"] })).toBe(true);
  expect(moved(cloudRole, { policyDocument: { Statement: "canary" } })).toBe(false);
  expect(moved(workspace, { nobody: "knows" })).toBe(false);
  const text = (facts: object) => field(z.string(), { doc: "What it says.", ...facts });
  const { token, doc, section, service } = workspace;
  const letter = (facts: object): Specified => ({
    token,
    doc,
    section,
    service,
    fields: { said: text(facts) },
  });
  expect(moved(letter({}), { said: "anything" })).toBe(true);
  expect(moved(letter({ document: {} }), { said: "canary" })).toBe(false);
  expect(moved(letter({ secretsIn: () => [] }), { said: "canary" })).toBe(false);
  expect(moved(letter({ secret: true }), { said: "canary" })).toBe(false);
  expect(moved(letter({ writeOnly: "every-write" }), { said: "canary" })).toBe(false);
});

test("whatever is put at any place of a document is not plain, unless it stands there already", () => {
  const leaves = fc.oneof(fc.string({ minLength: 1 }), fc.integer({ min: 1 }));
  const documents = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(leaves, fc.array(leaves)), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(documents, (document) => {
      const known = { ...outputs, spec: document };
      const held = { lastApplied: { ...applied, spec: document }, baseline: { spec: document } };
      const plain = (seen: Json) => isPlain({ ...held, observed: { spec: seen } }, known);
      expect(plain(document)).toBe(true);
      for (const name of Object.keys(document)) {
        expect(plain({ ...document, [name]: "a canary that nobody wrote" })).toBe(false);
        expect(plain({ ...document, [`${name} canary`]: "" })).toBe(false);
      }
    }),
    { numRuns: 200 },
  );
});
