import fc from "fast-check";
import { fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import { formatJson, isObject, type Json } from "../../provider/core/value/json";
import mfaMethod from "../../provider/services/secrets/mfaMethod";
import workspace from "../../provider/services/workspaces/workspace";
import { SecretsService } from "../../testing/stub/services/secrets/service";
import { WorkspacesService } from "../../testing/stub/services/workspaces/service";
import { dialectFor } from "../dialect";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import { matchesRoute } from "./routes";
import type { Subject } from "./subject";
import { changeable } from "./subjects";
import { read, secretsWorld, write } from "./subjects/secretsScene";
import { World } from "./world";

const RUNS = rounds(40, 6);

/** Fields of a release that this package does not know, one of each kind. */
const LATER = {
  later_writable: { kind: "writable", initially: "unset" },
  later_reset: { kind: "reset when omitted", initially: 0 },
  later_read_only: { kind: "read-only", initially: "the server's" },
} as const;

/** Values that someone else may set. Strings are long enough to be found in any text. */
const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom("a later text of theirs", "another later text of theirs"),
  fc.integer({ min: 1, max: 9 }),
  fc.constantFrom<Json>(true, ["one later element"], { later: "a later member" }, "", false, []),
);
const set = fc.record({ later_writable: value, later_reset: value });

// Documents are managed as one unit, and HCP Terraform merges. So does the tuning of a mount, which is read in a list. A
// namespace is patched.
const inSecrets = changeable.filter(
  ([, { definition }]) =>
    definition.service.name === "secrets" && !/:(Mount|AuthMethod|Namespace)$/.test(definition.token),
);

/** The object of this program, on a server that has these additional fields. */
async function createResource(subject: Subject, program: Values, laterFields: object) {
  const world = await subject.world();
  if (!(world.stub instanceof SecretsService)) throw new Error("the stub is another service's");
  world.stub.configure({ laterFields });
  const resource = new Resource(world, subject.definition);
  await resource.create(program);
  const { body } = world.requests.find(({ nature }) => nature === "write") ?? {};
  const { definition } = subject;
  const { path = "" } =
    world.requests.find((request) =>
      matchesRoute(definition, definition.life.reads.one, request, world.connection.dialect),
    ) ?? {};
  const { skip_import_rotation: _, cas: _cas, options: _options, ...sent } = isObject(body) ? body : {};
  return { world, resource, path: path.replace("/v1/", ""), sent };
}

/** The bodies of our writes since a request. */
const bodiesSince = (world: World, start: number): Json[] =>
  world.requests.slice(start).flatMap(({ nature, body }) => (nature === "read" ? [] : [body ?? {}]));

/** The members of our writes since a request that the definition does not declare. */
function undeclaredSince({ definition }: Subject, world: World, start: number): string[] {
  const declared = new Set(fieldsOf(definition).map(({ wire }) => wire));
  const sent = bodiesSince(world, start).flatMap((body) => Object.keys(isObject(body) ? body : {}));
  const checked = Object.keys(definition.life.writes.precondition?.members(undefined) ?? {});
  return [...new Set(sent)].filter((name) => !declared.has(name) && !checked.includes(name)).sort();
}

describe.each(inSecrets)("an undeclared field of a %s", (token, subject) => {
  const second = subject.compatible ?? subject.programs;

  test("survives an update of any property, without a change, drift or warning", async () => {
    let updates = 0;
    await fc.assert(
      fc.asyncProperty(subject.programs, second, set, async (before, after, theirs) => {
        const { world, resource, path, sent } = await createResource(subject, before, LATER);
        await write(world, path, { ...sent, ...theirs });
        const set = await read(world, path);
        expect(set).toMatchObject(theirs);
        await resource.refresh();
        expect(resource.preview(before).changes).toEqual([]);
        const failure = await resource.up(after).then(
          () => undefined,
          (error: unknown) => error,
        );
        const { later_writable, later_reset } = await read(world, path);
        expect({ later_writable, later_reset }).toEqual(theirs);
        if (failure !== undefined) return;
        updates++;
        expect(resource.preview(after).changes).toEqual([]);
        expect(world.logged.filter((line) => line.includes("later"))).toEqual([]);
        expect(formatJson(resource.outputs)).not.toContain("later");
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, updates);
  });

  test("is sent back only if it is one that Vault resets when an update omits it", async () => {
    const sent = new Set<string>();
    await fc.assert(
      fc.asyncProperty(subject.programs, second, async (before, after) => {
        const { world, resource } = await createResource(subject, before, {});
        const start = world.requests.length;
        await resource.up(after).catch(() => undefined);
        for (const name of undeclaredSince(subject, world, start)) sent.add(name);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expect([...sent].sort()).toEqual(
      (dialectFor(token) === "real" ? SENT_BACK[token] : SENT_BACK_IN_NEUTRAL[token]) ?? [],
    );
  });

  test("is left out if the server rejects it, and the rest is written", async () => {
    let dropped = 0;
    const laterFields = { ...LATER, later_strict: { kind: "refused", initially: "a value of the server" } };
    await fc.assert(
      fc.asyncProperty(subject.programs, second, set, async (before, after, theirs) => {
        const { world, resource, path, sent } = await createResource(subject, before, laterFields);
        await write(world, path, { ...sent, ...theirs });
        const start = world.requests.length;
        if ((await resource.up(after).catch(() => false)) === false) return;
        dropped++;
        expect(await read(world, path)).toMatchObject(theirs);
        expect(resource.preview(after).changes).toEqual([]);
        const [first, again] = bodiesSince(world, start);
        expect(first).toHaveProperty("later_strict");
        const { later_strict: _, ...rest } = isObject(first) ? first : {};
        expect(again).toEqual(rest);
        // The step reads again before it repeats the write, because someone else may have written in between.
        expect(
          world.requests
            .slice(start)
            .map(({ nature }) => nature)
            // A read can take two requests.
            .filter((nature, index, all) => nature !== all[index - 1])
            .slice(0, 4),
        ).toEqual(["read", "write", "read", "write"]);
        expect(world.logged.filter((line) => line.startsWith("warning: "))).toEqual([]);
        expect(
          world.logged.filter((line) =>
            line.includes("rejected the values that it returned for later_strict"),
          ),
        ).not.toEqual([]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, dropped);
  });

  test("is masked in an error that quotes the request", async () => {
    let quoted = 0;
    const theirs = { later_writable: "a canary of a later release", later_reset: ["hushed", 481516] };
    await fc.assert(
      fc.asyncProperty(subject.programs, second, async (before, after) => {
        const { world, resource, path, sent } = await createResource(subject, before, LATER);
        await write(world, path, { ...sent, ...theirs });
        world.fate = ({ nature, body = "" }) =>
          nature === "read"
            ? "passes"
            : {
                answer: { status: 403, text: formatJson({ errors: [formatJson(body)] }) },
                isCarriedOut: false,
              };
        const error = await resource.up(after).then(
          () => undefined,
          (reason: unknown) => String(reason),
        );
        if (error === undefined) return;
        quoted++;
        expect(error).toContain("later_writable");
        expect([error, ...world.logged].join("\n")).not.toMatch(/canary of a later|hushed|481516/);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, quoted);
  });
});

test("the legacy production flag of an Okta MFA method survives an update, and a base URL can replace it", async () => {
  const world = await secretsWorld(mfaMethod, {}, "real");
  const resource = new Resource(world, mfaMethod);
  const program = { methodName: "corporate", orgName: "acme", apiToken: "hush" };
  await resource.create(program);
  const [method = ""] = resource.id.split("/").slice(-1);
  const path = `identity/mfa/method/okta/${method}`;
  await write(world, path, { org_name: "acme", api_token: "hush", production: false });
  await resource.refresh();
  await resource.up({ ...program, usernameFormat: "x" });
  expect(await read(world, path)).toMatchObject({ production: false, username_format: "x" });
  await resource.up({ ...program, usernameFormat: "x", baseUrl: "oktapreview.com" });
  expect(await read(world, path)).toMatchObject({ base_url: "oktapreview.com" });
  expect(world.logged.filter((line) => line.startsWith("warning"))).toEqual([]);
});

describe("an attribute of a workspace that the program does not set", () => {
  const stub = () =>
    new WorkspacesService({
      seed: {
        tokens: { owner: { user: "site-admin", organizations: { acme: ["owners"] } } },
        organizations: { acme: {} },
      },
      switches: { dialect: "real" },
    });

  test("survives an update, which is a PATCH without it", async () => {
    const theirs = {
      "hyok-enabled": true,
      "project-remote-state": true,
      "structured-run-output-enabled": false,
    };
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(Object.keys(theirs), { minLength: 1 }),
        fc.boolean(),
        async (names, autoApply) => {
          const attributes = Object.fromEntries(
            Object.entries(theirs).filter(([name]) => names.includes(name)),
          );
          const world = new World(stub(), workspace, { token: "owner", organization: "acme" });
          const resource = new Resource(world, workspace);
          await resource.create({ name: "app", autoApply: !autoApply });
          const path = `/api/v2/workspaces/${resource.id}`;
          const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };
          const data = { type: "workspaces", attributes };
          expect(await world.send("PATCH", path, { data }, headers)).toMatchObject({ status: 200 });
          await resource.refresh();
          expect(resource.preview({ name: "app", autoApply: !autoApply }).changes).toEqual([]);
          const start = world.requests.length;
          await resource.up({ name: "app", autoApply });
          expect(formatJson([...bodiesSince(world, start)])).not.toMatch(/hyok|remote-state|structured/);
          const { json } = await world.send("GET", path, undefined, headers);
          expect(json).toMatchObject({ data: { attributes: { ...attributes, "auto-apply": autoApply } } });
        },
      ),
      { numRuns: RUNS },
    );
  });
});

/** Additional fields of the products in the dialect `real` that an update may reset when it omits them. */
const SENT_BACK: Readonly<Record<string, readonly string[]>> = {
  "secrets:Policy": ["cas_required"],
};

const SENT_BACK_IN_NEUTRAL: typeof SENT_BACK = { "secrets:Policy": ["cas_required"] };
