import {
  formatRecords,
  outputsInState,
  parseRecords,
  RECORDS,
  type Records,
  UnreadableRecordsError,
} from "../../../provider/core/state/records";
import { asideOf, withAside } from "../../../provider/core/value/aside";
import { type Inputs, UNKNOWN } from "../../../provider/core/value/unknown";

const records: Records = {
  address: { mount: "msgq", name: "app" },
  applied: { name: "app", tags: "monitoring" },
  settled: { tags: ["monitoring"] },
  seen: { tags: ["monitoring"] },
};
const versionOf = (one: Records): unknown => JSON.parse(formatRecords(one)).v;
const parsed = (text: string) => parseRecords({ [RECORDS]: text });

test("a state that the landed version understands is written as that version writes it", () => {
  expect(versionOf(records)).toBe(1);
  for (const more of [{ token: "7" }, { unfinished: "half" }, { unread: true }, { learnt: { nonce: "n" } }])
    expect(versionOf({ ...records, ...more })).toBe(1);
});

test("a write that nobody knows the end of raises the version, so that the landed version refuses it", () => {
  expect(versionOf({ ...records, attempted: { name: "app" } })).toBe(2);
});

test("seals raise the version, so that a version that would take them for secrets refuses it", () => {
  const sources = { bindpass: { fromEnv: "LDAP_BINDPASS" } };
  const sealed = withAside({ bindpass: "quarterdeck:sealed:1:…" }, { sources });
  expect(versionOf({ ...records, applied: sealed })).toBe(5);
  expect(versionOf({ ...records, attempted: sealed })).toBe(5);
});

test.each<[string, Partial<Records>]>([
  ["whole", {}],
  ["drifted", { seen: { tags: ["policymaker"] } }],
  ["half made", { unfinished: "the key was refused" }],
  ["unread", { unread: true, token: "7" }],
  ["perhaps made", { seen: {}, settled: {}, attempted: { name: "app" } }],
  ["marked by its program", { applied: withAside({ name: "app", tags: "hush" }, { secrets: ["tags"] }) }],
  ["attempted and marked", { attempted: withAside({ name: "app", tags: "hush" }, { secrets: ["tags"] }) }],
  [
    "of a secret that is kept elsewhere",
    { applied: withAside({ bindpass: "a seal" }, { sources: { bindpass: { fromFile: "key.pem" } } }) },
  ],
  ["under way", { learnt: { nonce: "n", keys: ["a"] } }],
])("a record that is %s is read as it was written", (_, more) => {
  const written: Records = { ...records, ...more };
  const read = parsed(formatRecords(written));
  expect(read).toEqual(written);
  for (const name of ["applied", "attempted"] as const)
    expect(asideOf(read?.[name] ?? {})).toEqual(asideOf(written[name] ?? {}));
});

test("a record of a version to come is refused, and the message says what to do", () => {
  expect(() => parsed('{"v":6}')).toThrow(
    /newer version of pulumi-quarterdeck \(bookkeeping version 6, this package reads up to 5\)\. Next: update the package/,
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
