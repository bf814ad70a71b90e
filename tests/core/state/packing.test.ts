import fc from "fast-check";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { besideText, isPacked, pack, unpack } from "../../../provider/core/state/packing";
import { UnreadableRecordsError } from "../../../provider/core/state/records";
import { rounds } from "../../rounds";

const DICTIONARIES = ['["settled"]', '["another, and longer"]'];
const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown>;
const outputs = fc.dictionary(fc.string(), json);
const text = fc.oneof(
  fc.string(),
  fc.constantFrom(...DICTIONARIES),
  json.map((value) => JSON.stringify(value)),
  fc.string({ unit: "grapheme" }),
);

/** The outputs as an engine returns them: after a protobuf round trip, without null members, and in another order. */
function fromEngine(beside: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Struct.fromJavaScript(
    reversed(beside) as Parameters<typeof Struct.fromJavaScript>[0],
  ).toJavaScript();
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.reverse().map(([name, member]) => [name, reversed(member)]));
}

test("unpack restores records from the outputs that the engine returns, even with a newer list of dictionaries", () => {
  fc.assert(
    fc.property(text, outputs, fc.nat(2), (records, beside, count) => {
      const dictionaries = DICTIONARIES.slice(0, count);
      const own = pack(records, beside, dictionaries);
      expect(isPacked(own)).toBe(true);
      // A later version of the package has more dictionaries.
      expect(unpack(own, { ...fromEngine(beside), __provider: "another" }, DICTIONARIES)).toBe(
        Buffer.from(records).toString(),
      );
    }),
    { numRuns: rounds(2000, 300) },
  );
});

test("besideText treats a bigint as its decimal string and undefined like the engine does", () => {
  expect(besideText({ index: 9007199254740993n, none: undefined, list: [undefined, 1] })).toBe(
    besideText({ index: "9007199254740993", list: [null, 1] }),
  );
});

test("unpack rejects different outputs, and a packed text that is altered or truncated", () => {
  const beside = { name: "web", spec: { image: "image:1" } };
  const records = JSON.stringify({ v: 1, applied: beside, settled: { ...beside, hidden: "image:1" } });
  const own = pack(records, beside, DICTIONARIES);
  expect(() => unpack(own, { ...beside, name: "other" }, DICTIONARIES)).toThrow(/the state was edited/);
  for (let at = 0; at < own.length; at++) {
    const changed = `${own.slice(0, at)}${own[at] === "A" ? "B" : "A"}${own.slice(at + 1)}`;
    const read = () => unpack(changed, beside, DICTIONARIES);
    // The last character of a base64 text may contain unused bits.
    if (at < own.length - 5) expect(read).toThrow(UnreadableRecordsError);
    expect(() => unpack(own.slice(0, at), beside, DICTIONARIES)).toThrow(UnreadableRecordsError);
  }
});

test("unpack rejects records packed with a newer dictionary and recommends updating the package", () => {
  const own = pack("{}", {}, [...DICTIONARIES, '["of a package to come"]']);
  expect(() => unpack(own, {}, DICTIONARIES)).toThrow(
    /newer version of pulumi-quarterdeck.*Next: update the package/,
  );
});

test("pack writes records that repeat the outputs or the dictionary in less than 150 characters", () => {
  const spec = Array.from({ length: 100 }, (_, at) => `${(at * 7919 * 104_729) % 999_983}`);
  const records = JSON.stringify({ v: 1, applied: { spec }, settled: { spec }, seen: { spec } });
  expect(pack(records, { spec }, []).length).toBeLessThan(150);
  expect(pack(records, {}, [JSON.stringify({ spec })]).length).toBeLessThan(150);
  expect(pack(records, {}, []).length).toBeGreaterThan(400);
});
