import fc from "fast-check";
import { adoptStatement } from "../../cli/import/adoptStatement";
import { inTypeScript } from "../../cli/programs/typescript";
import { programOf } from "../command/programOf";

/** Runs a program's text, and returns the arguments of its only resource. */
async function argsOf(text: string): Promise<unknown> {
  let args: unknown;
  class Job {
    constructor(_: string, given: unknown) {
      args = given;
    }
  }
  await programOf(text, () => ({ scheduler: { Job } }))();
  return args;
}

/** Names with a meaning in JavaScript, and texts with characters that need an escape. */
const names = fc.oneof(fc.constantFrom("__proto__", "constructor", "a b", "2", ""), fc.string());
const texts = fc.oneof(
  fc.string(),
  fc
    .array(fc.constantFrom("\n", "\r", "`", "${", "}", "\\", '"', "\u2028", "text"), { maxLength: 8 })
    .map((parts) => parts.join("")),
);
const { document } = fc.letrec<{ document: unknown; value: unknown }>((tie) => ({
  value: fc.oneof(
    texts,
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("document"),
  ),
  document: fc
    .array(fc.tuple(names, tie("value")), { maxLength: 4 })
    .map((members) => Object.fromEntries(members)),
}));

test("a generated program contains every value of a JSON document", () =>
  fc.assert(
    fc.asyncProperty(document, async (json) => {
      const statement = adoptStatement(
        { token: "scheduler:Job", label: "web" },
        { inputs: { json }, secrets: [] },
      );
      // Jest's `toEqual` ignores a member `__proto__`.
      expect(JSON.stringify(await argsOf(inTypeScript({ statements: [statement] })))).toBe(
        JSON.stringify({ adopt: true, json }),
      );
    }),
  ));

test("an integer beyond 2^53 is written as text, because a number would change it", async () => {
  const inputs = { json: { KillTimeout: 9007199254740993n } };
  const statement = adoptStatement({ token: "scheduler:Job", label: "web" }, { inputs, secrets: [] });
  expect(await argsOf(inTypeScript({ statements: [statement] }))).toMatchObject({
    json: { KillTimeout: "9007199254740993" },
  });
});

test("a typed property without a value is left out", async () => {
  const inputs = { namespace: null, spec: { name: "web", region: null } };
  const statement = adoptStatement({ token: "scheduler:Job", label: "web" }, { inputs, secrets: [] });
  expect(await argsOf(inTypeScript({ statements: [statement] }))).toEqual({
    adopt: true,
    spec: { name: "web" },
  });
});
