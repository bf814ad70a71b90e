import { z } from "zod";
import { plainAnswer } from "../../../provider/core/functions/call";
import { field } from "../../../provider/core/language/facts";

const definition = {
  result: {
    thing: field(z.record(z.string(), z.unknown()), { doc: "", indexes: ["Index", "Parts.*.Hash"] }),
    count: field(z.number(), { doc: "" }),
  },
};

test("indexes and hashes are strings; other integers only if a double would round them", () => {
  const answer = {
    thing: {
      Index: 7,
      Parts: [{ Hash: 18_446_744_073_709_551_615n }, { Hash: 1 }],
      Time: 2n ** 60n,
      Index2: 7,
    },
    count: 3,
  };
  expect(JSON.parse(JSON.stringify(plainAnswer(definition as never, answer)))).toEqual({
    thing: {
      Index: "7",
      Parts: [{ Hash: "18446744073709551615" }, { Hash: "1" }],
      Time: "1152921504606846976",
      Index2: 7,
    },
    count: 3,
  });
});

test("a user's key with the name of an index field stays unchanged", () => {
  const thing = { Config: { Index: 7 } };
  expect(plainAnswer(definition as never, { thing })).toEqual({ thing });
});
