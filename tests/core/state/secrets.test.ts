import { z } from "zod";
import { field } from "../../../provider/core/language/facts";
import { define } from "../../../provider/core/language/resource";
import { formatRecords, RECORDS } from "../../../provider/core/state/records";
import { redactorOf } from "../../../provider/core/state/redaction";
import { SecretMap } from "../../../provider/core/state/secretMap";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { quay } from "../../generate/harbour";

const nested = define({
  ...quay,
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

test("what holds a marked secret counts as secret where it is shown as one, and is not encrypted as a whole", () => {
  expect(new SecretMap(nested, inputs).isSecret(["plan"])).toBe(true);
  expect(new SecretMap(nested, inputs).holdsSecret(["plan"], inputs.plan)).toBe(false);
});

test("every secret text is found, at any depth, for the redaction of what is printed", () => {
  expect(new SecretMap(nested, inputs).collect().sort()).toEqual([
    "canary-marked",
    "canary-pass",
    "canary-text",
  ]);
});

test("every secret of a state is masked, whichever of its records holds it", () => {
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
