import fc from "fast-check";
import { fromStruct, PROGRAM, toStruct } from "../../../engine/deployment/wire/struct";
import {
  containsSecrets,
  equal,
  markSecrets,
  type PropertyMap,
  type PropertyValue,
  reveal,
  Secret,
  UNKNOWN,
} from "../../../engine/state/values";

/** A property's name; the protocol's own conversion to plain objects loses this one. */
const key = fc.string().filter((name) => name !== "__proto__");

/** Any value that a property can have; a secret holds no secret itself. */
const { value: anyValue } = fc.letrec<{ value: PropertyValue; plain: PropertyValue }>((tie) => {
  const leaf = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
  );
  const inside = (name: "value" | "plain") =>
    fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.constant(UNKNOWN),
      fc.array(tie(name), { maxLength: 3 }),
      fc.dictionary(key, tie(name), { maxKeys: 3, noNullPrototype: true }),
    );
  return {
    plain: inside("plain"),
    value: fc.oneof(
      { maxDepth: 4 },
      inside("value"),
      tie("plain").map((content) => new Secret(content)),
    ),
  };
});

const anyMap: fc.Arbitrary<PropertyMap> = fc.dictionary(key, anyValue, { noNullPrototype: true });

test("every value survives the wire, with its secrets and what is unknown in it", () => {
  fc.assert(
    fc.property(anyMap, (values) => {
      expect(fromStruct(toStruct(values, PROGRAM))).toEqual(values);
    }),
  );
});

test("a receiver that knows no secrets gets the same values without the marks", () => {
  fc.assert(
    fc.property(anyMap, (values) => {
      expect(fromStruct(toStruct(values, { ...PROGRAM, secrets: false }))).toEqual(reveal(values));
    }),
  );
});

test("what a provider echoes is as secret as what it was sent", () => {
  fc.assert(
    fc.property(anyMap, (values) => {
      const echoed = fromStruct(toStruct(values, { ...PROGRAM, secrets: false }));
      const marked = markSecrets(echoed, values);
      for (const [name, value] of Object.entries(values)) {
        expect(containsSecrets(marked[name] ?? null)).toBe(containsSecrets(value));
      }
    }),
  );
});

test("a value equals its copy, and no value equals what is unknown", () => {
  fc.assert(
    fc.property(anyMap, (values) => {
      const copy = fromStruct(toStruct(values, PROGRAM));
      const unknown = JSON.stringify(values, (_, value) => (value === UNKNOWN ? "unknown" : value)).includes(
        '"unknown"',
      );
      if (!unknown) expect(equal(values, copy)).toBe(true);
    }),
  );
  expect(equal(UNKNOWN, UNKNOWN)).toBe(false);
  expect(equal(new Secret(1), 1)).toBe(false);
});
