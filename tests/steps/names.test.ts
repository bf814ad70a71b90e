import fc from "fast-check";
import { z } from "zod";
import { catalog } from "../../provider/catalog";
import { addressParts } from "../../provider/core/language/address";
import { fieldsOf, innerSchema, type Specified } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import { isWritable } from "../../provider/core/language/role";
import { check } from "../../provider/core/operations/check";
import { connect } from "../../provider/core/requests/connection";
import { allFunctions } from "../../provider/functions";
import job from "../../provider/services/scheduler/job";

/** Names that cannot be part of a URL path, each with a part of the error message. */
const NAMES = [
  [".", 'must not be "."'],
  ["..", 'must not be ".."'],
  ["a/../b", "between slashes"],
  ["./a", "between slashes"],
  ["a//b", "two slashes in a row"],
  ["/a", "start with a slash"],
  ["\ud800", "half of a surrogate pair"],
  ["a\udc00b", "half of a surrogate pair"],
  ["a\u0000", "U+0000"],
  ["a\nb", "U+000A"],
  ["a\u200bb", "U+200B"],
  ["a\u00a0b", "U+00A0"],
] as const;

const specified: Specified[] = [...Object.values(catalog).map((load) => load()), ...allFunctions()];

/** The problems that a preview reports for these inputs and settings. */
function problems(definition: Specified, inputs: Values, settings: Values = {}) {
  const { service } = definition;
  const config = {
    get: (key: string) =>
      key === "quarterdeck:dialect"
        ? "neutral"
        : JSON.stringify({ address: "http://stub.invalid", token: "t", ...settings }),
    env: {},
  };
  const runtime = {
    now: () => 0,
    sleep: async () => undefined,
    after: () => () => undefined,
    random: () => 0,
  };
  const connection = connect(service, undefined, config, {
    runtime,
    userAgent: "test",
    warn: () => undefined,
    createClient: () => ({
      close: async () => undefined,
      send: async () => {
        throw new Error("a preview sends nothing");
      },
    }),
  });
  return check(definition, { connection }, inputs);
}

/** The address parts that a program may set to any string. */
function writable(definition: Specified): string[] {
  const parts = addressParts(definition);
  return fieldsOf(definition)
    .filter(({ name, facts, schema }) => parts.includes(name) && isWritable(facts) && isText(schema))
    .map(({ name }) => name);
}

function isText(schema: z.ZodType): boolean {
  return innerSchema(schema) instanceof z.ZodString;
}

const places = specified.flatMap((definition) =>
  writable(definition).map((name) => [definition.token, name, definition] as const),
);

test.each(places)(
  "the preview of %s rejects a value of %s that cannot be part of a URL path",
  (_, property, definition) => {
    for (const [name, message] of NAMES) {
      const own = problems(definition, { [property]: name }).filter(({ path }) => path === property);
      const reasons = own.map(({ reason }) => reason).join();
      expect([name, reasons]).toEqual([name, expect.stringMatching(/must/)]);
      const isOfAMount = reasons.includes("a path without a leading or trailing slash");
      if (!isOfAMount) expect([name, reasons]).toEqual([name, expect.stringContaining(message)]);
    }
  },
);

test("names that can be part of a URL path are accepted", () => {
  const getJob = specified.find(({ token }) => token === "scheduler:getJob");
  for (const jobId of ["a", "...", "a/b", "a.b", "Grüße", "a b", "a%2Fb", "日本", "a:b", "🚀", "a/"])
    expect(getJob && problems(getJob, { jobId })).toEqual([]);
});

test("every accepted name is one path segment, even for a server that normalizes the decoded path", () => {
  const getJob = specified.find(({ token }) => token === "scheduler:getJob");
  if (getJob === undefined) throw new Error("there is no getJob");
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (jobId) => {
      if (problems(getJob, { jobId }).length > 0) return;
      const { pathname } = new URL(`/v1/job/${encodeURIComponent(jobId)}`, "http://host");
      const cleaned = new URL(decodeURIComponent(pathname).replace(/[?#%\\]/g, "_"), "http://host").pathname;
      expect(decodeURI(cleaned)).toBe(`/v1/job/${jobId.replace(/[?#%\\]/g, "_")}`);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["json", { json: { ID: "..", TaskGroups: [] } }],
  ["spec", { spec: { id: "..", taskGroups: [{ name: "a", tasks: [{ name: "b", driver: "raw_exec" }] }] } }],
])("a job ID in the %s property is checked, too", (form, inputs) => {
  expect(problems(job, inputs as Values)).toContainEqual({
    path: form,
    reason: expect.stringContaining('must not be ".."'),
  });
});

test("an address part from the provider configuration is checked, too", () => {
  const workspace = specified.find(({ token }) => token === "workspaces:Workspace");
  expect(workspace && problems(workspace, { name: "app" }, { organization: ".." })).toEqual([
    { path: "organization", reason: expect.stringContaining('must not be ".."') },
  ]);
});

test("the IDs of remote state consumers are checked, too", () => {
  const consumers = specified.find(({ token }) => token === "workspaces:RemoteStateConsumers");
  const inputs = { workspaceId: "ws-1", consumerIds: ["ws-2", ".."] };
  expect(consumers && problems(consumers, inputs)).toEqual([
    { path: "consumerIds", reason: expect.stringContaining('must not be ".."') },
  ]);
});
