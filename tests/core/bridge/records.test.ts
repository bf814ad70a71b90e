import { deflateRawSync } from "node:zlib";
import { MARK } from "../../../provider/core/bridge/engineValues";
import { outputsToEngine, stateOf, withRecordsRead } from "../../../provider/core/bridge/records";
import { pack } from "../../../provider/core/state/packing";
import { formatRecords, RECORDS, type Records } from "../../../provider/core/state/records";
import { withMetadata } from "../../../provider/core/value/programInputs";
import configEntry from "../../../provider/services/mesh/configEntry";
import { entryRecords } from "../state/entryRecords";

const spec = { Protocol: "http" };
const { applied, records } = entryRecords(spec);
const outputsWith = (one: Records, more: object = {}) => ({
  ...applied,
  modifyIndex: "7",
  ...more,
  [RECORDS]: formatRecords(one),
});
const plain = outputsWith(records);
const nothing = () => false;
const toEngine = (outputs: object, before?: object, isSecret: typeof nothing = nothing) =>
  outputsToEngine(configEntry, { ...outputs }, isSecret, before && stateOf(configEntry, { ...before }))[
    RECORDS
  ];

test("records are packed, restored unchanged, and not marked if they repeat the outputs", () => {
  const packedOnes = toEngine(plain);
  expect(packedOnes).toMatch(/^\{"v":1,"z":"[^"]{10,80}"\}$/);
  expect(withRecordsRead(configEntry, { ...plain, [RECORDS]: packedOnes })).toEqual(plain);
});

test.each<[string, object, (path: readonly unknown[]) => boolean]>([
  ["the outputs contain a secret", plain, ([name]) => name === "modifyIndex"],
  [
    "someone else changed the document",
    outputsWith({ ...records, observed: { spec: { Protocol: "other" } } }),
    nothing,
  ],
  [
    "the program marks a value as secret",
    outputsWith({ ...records, lastApplied: withMetadata(applied, { secretPaths: ["spec"] }) }),
    nothing,
  ],
])("records are marked as secret if %s", (_, outputs, isSecret) => {
  const own = outputsToEngine(configEntry, { ...outputs }, isSecret)[RECORDS];
  expect(own).toMatchObject({ [MARK]: expect.any(String), value: expect.stringMatching(/^\{"v":1,/) });
});

test("unpacked or marked records, and records packed by another Node version, are unchanged without a change", () => {
  expect(toEngine(plain, plain)).toEqual({ [MARK]: expect.any(String), value: plain[RECORDS] });

  const own = String(toEngine(plain));
  const { [RECORDS]: text, ...beside } = plain;
  const head = Buffer.from(JSON.parse(own).z, "base64").subarray(0, 5);
  // The same content, packed by a different compressor.
  const bytes = Buffer.concat([Buffer.from([0]), head.subarray(1), deflateRawSync(text, { level: 1 })]);
  const other = JSON.stringify({ v: 1, z: bytes.toString("base64") });
  const state = { ...beside, [RECORDS]: other };
  expect(withRecordsRead(configEntry, state)).toEqual(plain);
  expect(toEngine(plain, state)).toBe(other);
  // Another output changed, so that the state changes anyway.
  expect(toEngine({ ...plain, modifyIndex: "8" }, state)).toBe(
    pack(text, { ...beside, modifyIndex: "8" }, configEntry.service.dictionaries?.() ?? []),
  );
  expect(toEngine(outputsWith({ ...records, revision: "8" }), state)).not.toBe(other);
});

test("outputs without records stay unchanged", () => {
  expect(outputsToEngine(configEntry, { name: "web" }, nothing)).toEqual({ name: "web" });
});
