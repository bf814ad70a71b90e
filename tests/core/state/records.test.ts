import { formatRecord, parseRecord, RECORD, type Record3 } from "../../../provider/core/state/records";

const record: Record3 = {
  address: { mount: "msgq", name: "app" },
  applied: { name: "app", tags: "monitoring" },
  settled: { tags: ["monitoring"] },
  seen: { tags: ["monitoring"] },
};
const versionOf = (one: Record3): unknown => JSON.parse(formatRecord(one)).v;
const parsed = (text: string) => parseRecord({ [RECORD]: text });

test("a state that the landed version understands is written as that version writes it", () => {
  expect(versionOf(record)).toBe(1);
  for (const more of [{ token: "7" }, { unfinished: "half" }, { unread: true }, { known: { nonce: "n" } }])
    expect(versionOf({ ...record, ...more })).toBe(1);
});

test("a write that nobody knows the end of raises the version, so that the landed version refuses it", () => {
  expect(versionOf({ ...record, attempted: { name: "app" } })).toBe(2);
});

test.each<[string, Partial<Record3>]>([
  ["whole", {}],
  ["drifted", { seen: { tags: ["policymaker"] } }],
  ["half made", { unfinished: "the key was refused" }],
  ["unread", { unread: true, token: "7" }],
  ["perhaps made", { seen: {}, settled: {}, attempted: { name: "app" } }],
  ["under way", { learnt: { nonce: "n", keys: ["a"] } }],
])("a record that is %s is read as it was written", (_, more) => {
  const written = { ...record, ...more };
  expect(parsed(formatRecord(written))).toEqual(written);
});

test("a record of a version to come is refused, and the message says what to do", () => {
  expect(() => parsed('{"v":4}')).toThrow(
    /newer version of pulumi-quarterdeck \(bookkeeping version 4, this package reads up to 3\): update/,
  );
});
