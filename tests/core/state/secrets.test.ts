import { z } from "zod";
import { field } from "../../../provider/core/language/facts";
import type { Values } from "../../../provider/core/language/object";
import { define } from "../../../provider/core/language/resource";
import { formatRecords, RECORDS } from "../../../provider/core/state/records";
import { redactorOf } from "../../../provider/core/state/redaction";
import { SecretMap } from "../../../provider/core/state/secretMap";
import { sourcesIn } from "../../../provider/core/state/sources";
import { formatPath } from "../../../provider/core/value/path";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { exampleDefinition } from "../../generate/exampleDefinition";

const nested = define({
  ...exampleDefinition,
  token: "harbour:Nested",
  fields: {
    login: field(
      z.strictObject({
        user: field(z.string(), { doc: "Who." }),
        pass: field(z.string(), { doc: "With what.", secret: true }),
      }),
      { doc: "How to get in." },
    ),
    plan: field(z.unknown(), { doc: "What is meant.", document: { secret: ["Keys.*.Text"] } }),
  },
});

const sourced = define({
  ...exampleDefinition,
  token: "harbour:Sourced",
  fields: {
    keys: field(z.array(z.unknown()), { doc: "The keys.", secret: true }),
    plain: field(z.unknown(), { doc: "No secret." }),
    login: nested.fields.login,
    plan: field(z.unknown(), { doc: "A plan.", document: { secret: ["Keys.*.Text", "List", "**.Hash"] } }),
  },
});

const inputs = withMetadata(
  {
    login: { user: "olga", pass: "canary-pass" },
    plan: { Keys: [{ Name: "a", Text: "canary-text" }], Other: "canary-marked" },
  },
  { secretPaths: ["plan.Other"] },
);

test.each<[readonly (string | number)[], boolean]>([
  [["login", "pass"], true],
  [["login", "user"], false],
  [["plan", "Keys", 0, "Text"], true],
  [["plan", "Keys", 0, "Name"], false],
  [["plan", "Other"], true],
])("%j is secret: %s", (path, expected) => {
  expect(new SecretMap(nested, inputs).isSecret(path)).toBe(expected);
  expect(new SecretMap(nested, inputs).holdsSecret(path, "a value")).toBe(expected);
});

test("sourcesIn finds sources in secret properties, in their lists, and in members that a pattern names from the root", () => {
  const source = { fromEnv: "SECRET" };
  const paths = (values: Values) => sourcesIn(sourced, values).map(({ path }) => formatPath(path));
  expect(paths({ keys: [source, "plain", [source]], plain: source })).toEqual(["keys[0]"]);
  expect(paths({ login: { user: source, pass: source } })).toEqual(["login.pass"]);
  expect(paths({ plan: { keys: [{ text: source, name: source }], list: source } })).toEqual([
    "plan.keys[0].text",
    "plan.list",
  ]);
  // Elements of a list that a pattern names, and members that a pattern names at any depth, are ordinary objects.
  expect(paths({ plan: { List: [source], Any: { Hash: source } } })).toEqual([]);
});

test("a value that contains a marked secret is displayed as secret, but not encrypted as one unit", () => {
  expect(new SecretMap(nested, inputs).isSecret(["plan"])).toBe(true);
  expect(new SecretMap(nested, inputs).holdsSecret(["plan"], inputs.plan)).toBe(false);
});

test("SecretMap collects every secret string for redaction, at any depth", () => {
  expect(new SecretMap(nested, inputs).collect().sort()).toEqual([
    "canary-marked",
    "canary-pass",
    "canary-text",
  ]);
});

test("redactorOf masks the secrets of every record in the state", () => {
  const marked = (text: string) => withMetadata({ plan: { Other: text } }, { secretPaths: ["plan.Other"] });
  const record = formatRecords({
    address: {},
    lastApplied: marked("canary-applied"),
    baseline: { login: { pass: "canary-settled" } },
    observed: { login: { pass: "canary-seen-last" } },
    pending: { kind: "update", inputs: marked("canary-attempted"), reason: "lost" },
  });
  const redactor = redactorOf(nested, {}, { [RECORDS]: record });
  for (const which of ["applied", "settled", "seen-last", "attempted"])
    expect(redactor.mask(`it holds canary-${which}.`)).toBe("it holds [secret].");
});
