import {
  formatRecords,
  outputsInState,
  parseRecords,
  RECORDS,
  type Records,
  recordsIn,
  UnreadableRecordsError,
  writesIn,
} from "../../../provider/core/state/records";
import { metadataOf, withMetadata } from "../../../provider/core/value/programInputs";
import { type Inputs, UNKNOWN } from "../../../provider/core/value/unknown";
import { exampleDefinition } from "../../generate/exampleDefinition";

const records: Records = {
  address: { mount: "msgq", name: "app" },
  lastApplied: withMetadata({ name: "app", tags: "monitoring" }, {}),
  baseline: { tags: ["monitoring"] },
  observed: { tags: ["monitoring"] },
};
const parsed = (text: string) => parseRecords({ [RECORDS]: text });

test.each<[string, Partial<Records>]>([
  ["a record without optional fields", {}],
  ["a record with drift", { observed: { tags: ["policymaker"] } }],
  ["a record of an incomplete write", { pending: { kind: "incomplete", reason: "the key was refused" } }],
  ["a record with an unverified baseline", { pending: { kind: "unverified", reason: "403" }, revision: "7" }],
  [
    "a record with a pending create",
    {
      observed: {},
      baseline: {},
      pending: { kind: "create", inputs: withMetadata({ name: "app" }, {}), reason: "lost" },
    },
  ],
  [
    "a record with a marked secret",
    { lastApplied: withMetadata({ name: "app", tags: "hush" }, { secretPaths: ["tags"] }) },
  ],
  [
    "a record with a pending update and a marked secret",
    {
      pending: {
        kind: "update",
        inputs: withMetadata({ name: "app", tags: "hush" }, { secretPaths: ["tags"] }),
        reason: "lost",
      },
    },
  ],
  [
    "a record with a secret from a file",
    {
      lastApplied: withMetadata(
        { bindpass: "a fingerprint" },
        { secretSources: { bindpass: { fromFile: "key.pem" } } },
      ),
    },
  ],
  ["a record with the state of a procedure", { procedure: { nonce: "n", keys: ["a"] } }],
])("%s is unchanged after formatting and parsing", (_, more) => {
  const written: Records = { ...records, ...more };
  const read = parsed(formatRecords(written));
  expect(read).toEqual(written);
  expect(writesIn(read).map(metadataOf)).toEqual(writesIn(written).map(metadataOf));
});

test("parseRecords rejects a record of a newer version and recommends updating the package", () => {
  expect(() => parsed('{"v":2}')).toThrow(
    /newer version of pulumi-quarterdeck \(records version 2, this package reads up to 1\)\. Next: update the package/,
  );
});

test("recordsIn recommends a refresh if the outputs contain no records", () => {
  const read = () => recordsIn(exampleDefinition, { name: "app" });
  expect(read).toThrow("the state of this harbour:Quay has no records. Next: pulumi refresh first");
});

test("outputsInState rejects unknown values and points to the stack history", () => {
  expect(outputsInState({ name: "app", tags: ["a"] })).toEqual({ name: "app", tags: ["a"] });
  const unknown: Inputs[] = [{ name: UNKNOWN }, { name: "app", spec: { of: [UNKNOWN] } }];
  for (const outputs of unknown) {
    const read = () => outputsInState(outputs);
    expect(read).toThrow(UnreadableRecordsError);
    expect(read).toThrow("pulumi stack history");
  }
});
