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

/** A property name. The protocol's conversion to plain objects loses `__proto__`. */
const key = fc.string().filter((name) => name !== "__proto__");

/** Any value that a property can have; a secret contains no other secret. */
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

test("every value is the same after conversion to and from a Struct, with its secrets and unknown values", () => {
  fc.assert(
    fc.property(anyMap, (values) => {
      expect(fromStruct(toStruct(values, PROGRAM))).toEqual(values);
    }),
  );
});

test("a receiver without support for secrets gets the same values without secret markers", () => {
  fc.assert(
    fc.property(anyMap, (values) => {
      expect(fromStruct(toStruct(values, { ...PROGRAM, secrets: false }))).toEqual(reveal(values));
    }),
  );
});

test("a value that a provider returns unchanged is marked secret if the sent value was", () => {
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

test("a value equals its copy, but an unknown value or a secret equals no other value", () => {
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
