import fc from "fast-check";
import { z } from "zod";
import { convertToSchema } from "../../../provider/core/functions/define";
import { field } from "../../../provider/core/language/facts";
import type { Json } from "../../../provider/core/value/json";

const named = (wire: string) => ({ doc: "", wire });

const event = z.object({ at: field(z.string(), named("At")), exitCode: field(z.int(), named("ExitCode")) });
const schema = z.object({
  id: field(z.string(), named("ID")),
  modifyIndex: field(z.string(), { doc: "" }),
  isDone: field(z.boolean(), { doc: "" }),
  parent: field(z.string().optional(), { doc: "" }),
  none: field(z.string().nullable(), { doc: "" }),
  tags: field(z.array(z.string()), { doc: "" }),
  counts: field(z.record(z.string(), z.int()), { doc: "" }),
  events: field(z.array(event).optional(), { doc: "" }),
  open: field(z.record(z.string(), z.unknown()).optional(), { doc: "" }),
});

const sample = {
  ID: "a",
  ModifyIndex: 18446744073709551615n,
  IsDone: false,
  Parent: "",
  None: null,
  Tags: null,
  Counts: null,
  Events: [{ At: 1893456000000000000n, ExitCode: 1 }],
  Open: { CreateIndex: 3 },
  Unheard: "of",
};

test("convertToSchema converts names and types, makes null lists and maps empty, and omits optional nulls", () => {
  expect(convertToSchema(schema, sample, "pascal")).toEqual({
    id: "a",
    modifyIndex: "18446744073709551615",
    isDone: false,
    parent: "",
    none: null,
    tags: [],
    counts: {},
    events: [{ at: "1893456000000000000", exitCode: 1 }],
    open: { CreateIndex: 3 },
  });
  expect(
    convertToSchema(schema, { ...sample, Parent: null, Events: null, Open: null }, "pascal"),
  ).not.toMatchObject({
    parent: expect.anything(),
  });
});

test("a duration of more than 104 days is a number", () => {
  expect(convertToSchema(z.number(), 31536000000000001n, "pascal")).toBe(31536000000000000);
});

test("a member of any wrong type is converted to the type of the schema or omitted", () => {
  const value = fc.oneof(
    fc.constantFrom<Json>(null, "", "1e99", -1, 0.5, true, [], {}, [null], [{}], { a: null }, 2n ** 70n),
    fc.jsonValue() as fc.Arbitrary<Json>,
  );
  const answers = fc.record(Object.fromEntries(Object.keys(sample).map((name) => [name, value])), {
    requiredKeys: [],
  });
  fc.assert(
    fc.property(answers, (answer) => {
      // Missing members are omitted.
      const { error } = schema.partial().safeParse(convertToSchema(schema, answer as Json, "pascal"));
      // A missing member and a number that is not an integer are no conversion errors.
      const wrong = (error?.issues ?? []).filter(({ message }) => !/received undefined|int/.test(message));
      expect(wrong).toEqual([]);
    }),
  );
});
