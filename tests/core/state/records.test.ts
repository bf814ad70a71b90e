import {
  formatRecords,
  outputsInState,
  parseRecords,
  RECORDS,
  type Records,
  UnreadableRecordsError,
  writesIn,
} from "../../../provider/core/state/records";
import { metadataOf, withMetadata } from "../../../provider/core/value/programInputs";
import { type Inputs, UNKNOWN } from "../../../provider/core/value/unknown";

const records: Records = {
  address: { mount: "msgq", name: "app" },
  lastApplied: withMetadata({ name: "app", tags: "monitoring" }, {}),
  baseline: { tags: ["monitoring"] },
  observed: { tags: ["monitoring"] },
};
const parsed = (text: string) => parseRecords({ [RECORDS]: text });

test.each<[string, Partial<Records>]>([
  ["whole", {}],
  ["drifted", { observed: { tags: ["policymaker"] } }],
  ["incomplete", { pending: { kind: "incomplete", reason: "the key was refused" } }],
  ["unverified", { pending: { kind: "unverified", reason: "403" }, revision: "7" }],
  [
    "a pending create",
    {
      observed: {},
      baseline: {},
      pending: { kind: "create", inputs: withMetadata({ name: "app" }, {}), reason: "lost" },
    },
  ],
  [
    "marked by its program",
    { lastApplied: withMetadata({ name: "app", tags: "hush" }, { secretPaths: ["tags"] }) },
  ],
  [
    "a pending update with marks",
    {
      pending: {
        kind: "update",
        inputs: withMetadata({ name: "app", tags: "hush" }, { secretPaths: ["tags"] }),
        reason: "lost",
      },
    },
  ],
  [
    "of a secret that is kept elsewhere",
    {
      lastApplied: withMetadata(
        { bindpass: "a seal" },
        { secretSources: { bindpass: { fromFile: "key.pem" } } },
      ),
    },
  ],
  ["under way", { procedure: { nonce: "n", keys: ["a"] } }],
])("a record that is %s is read as it was written", (_, more) => {
  const written: Records = { ...records, ...more };
  const read = parsed(formatRecords(written));
  expect(read).toEqual(written);
  expect(writesIn(read).map(metadataOf)).toEqual(writesIn(written).map(metadataOf));
});

test("a record of a version to come is refused, and the message says what to do", () => {
  expect(() => parsed('{"v":2}')).toThrow(
    /newer version of pulumi-quarterdeck \(bookkeeping version 2, this package reads up to 1\)\. Next: update the package/,
  );
});

test("outputs that a state cannot hold, because they are not known, are refused with what to do", () => {
  expect(outputsInState({ name: "app", tags: ["a"] })).toEqual({ name: "app", tags: ["a"] });
  const unknown: Inputs[] = [{ name: UNKNOWN }, { name: "app", spec: { of: [UNKNOWN] } }];
  for (const outputs of unknown) {
    const read = () => outputsInState(outputs);
    expect(read).toThrow(UnreadableRecordsError);
    expect(read).toThrow("pulumi stack history");
  }
});
