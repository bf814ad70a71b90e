import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import { isObject, type Json } from "../../../provider/core/value/json";
import cloudRoot from "../../../provider/services/secrets/cloudRoot";
import directoryConfig from "../../../provider/services/secrets/directoryConfig";
import { rounds } from "../../rounds";
import { Resource } from "../../steps/resource";
import { cloudSubjects } from "../../steps/subjects/cloud";
import { secretsWorld, wireOf } from "../../steps/subjects/secretsScene";
import type { World } from "../../steps/world";

const RUNS = rounds(150, 25);

type Kind = "merge" | "replace";

/** The configuration that the server stores at a mount, secrets included, with the field names of the API. */
function storedConfig(world: World, mount: string): { [member: string]: Json } {
  const { namespaces } = world.stub.dump() as {
    namespaces: Record<string, { mounts: Record<string, { data: Record<string, { config?: Json }> }> }>;
  };
  const data = namespaces[""]?.mounts[mount]?.data ?? {};
  const config = (data.root ?? data.config)?.config ?? {};
  return Object.fromEntries(
    Object.entries(isObject(config) ? config : {}).map(([name, value]) => [wireOf(name), value]),
  );
}

/** The programs of one definition, and the edits that someone else may make to other fields. */
interface Case {
  readonly definition: Definition;
  readonly mount: string;
  readonly programs: fc.Arbitrary<Values>;
  readonly otherEdits: fc.Arbitrary<{ readonly [member: string]: Json }>;
}

const root = cloudSubjects.find(({ definition }) => definition === cloudRoot);
const cases: readonly Case[] = [
  {
    definition: cloudRoot,
    mount: "aws",
    programs: root?.programs ?? fc.constant({}),
    otherEdits: fc.record(
      {
        region: fc.constantFrom("eu-north-1", "theirs"),
        sts_endpoint: fc.constant("http://sts.example"),
        iam_endpoint: fc.constant("http://iam.theirs"),
        max_retries: fc.constant(7),
        username_template: fc.constant("theirs-{{ random 8 }}"),
      },
      { requiredKeys: [] },
    ),
  },
  {
    definition: directoryConfig,
    mount: "ldap",
    programs: fc
      .record(
        {
          schema: fc.constantFrom("openldap", "ad"),
          passwordPolicy: fc.constant("strict"),
          userdn: fc.constantFrom("ou=people,dc=example", ""),
          requestTimeout: fc.constantFrom(60, 90),
        },
        { requiredKeys: [] },
      )
      .map((program): Values => ({ binddn: "cn=admin", bindpass: "hush", ...program })),
    otherEdits: fc.record(
      {
        schema: fc.constantFrom("ad", "openldap"),
        password_policy: fc.constant("theirs"),
        upndomain: fc.constant("theirs.example"),
        starttls: fc.constant(true),
      },
      { requiredKeys: [] },
    ),
  },
];

const HEADERS = { "x-vault-token": "root", "content-type": "application/json" };

/** The fields that an update may change: those that either program contains. */
const mayChange = (before: Values, after: Values): Set<string> =>
  new Set([...Object.keys(before), ...Object.keys(after)].map(wireOf));

describe.each(["merge", "replace"] as const)("server that handles an update as a %s", (updates: Kind) => {
  test.each(cases.map((one) => [one.definition.token, one] as const))(
    "preserves the other fields of %s in an update, secrets included",
    async (_, { definition, mount, programs, otherEdits }) => {
      let updated = 0;
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(programs, programs, otherEdits, async (first, second, otherEdit) => {
          const world = await secretsWorld(definition, {}, "real");
          world.stub.configure({ updates });
          const resource = new Resource(world, definition);
          await resource.create(first);
          const path = mount === "aws" ? "aws/config/root" : "ldap/config";
          // The other user writes all fields, because an older server resets the fields that a write omits.
          const all = { ...storedConfig(world, mount), ...otherEdit };
          if (definition === directoryConfig) delete all.length;
          const { status } = await world.send("POST", `/v1/${path}`, all, HEADERS);
          if (status >= 300) return;
          const before = storedConfig(world, mount);
          await resource.refresh();
          const program = { ...second, onConflict: "overwrite" };
          const failure = await resource.up(program).then(
            () => undefined,
            (error: unknown) => error,
          );
          const after = storedConfig(world, mount);
          if (failure !== undefined) {
            refused += 1;
            expect(String(failure)).toMatch(/nothing was (written|sent)|returned (400|500)/);
            expect(after).toEqual(before);
            return;
          }
          updated += 1;
          const free = mayChange(first, second);
          for (const [name, value] of Object.entries(before))
            if (!free.has(name)) expect([name, after[name]]).toEqual([name, value]);
          // The secrets of the program are stored too, although they did not change.
          for (const name of ["accessKey", "secretKey", "bindpass"])
            if (second[name] !== undefined) expect(after[wireOf(name)]).toBe(second[name]);
          await resource.refresh();
          expect(resource.preview(program).changes).toEqual([]);
        }),
        { numRuns: RUNS },
      );
      expect(updated).toBeGreaterThan(refused);
    },
  );
});

/** An AWS root configuration whose secret key the server does not return. */
async function onOlderServer(program: Values, updates: Kind = "replace") {
  const world = await secretsWorld(cloudRoot, {}, "real");
  world.stub.configure({ updates });
  const resource = new Resource(world, cloudRoot);
  await resource.create(program);
  const send = (path: string, body: Json) => world.send("POST", `/v1/aws/${path}`, body, HEADERS);
  return { world, resource, send };
}

const KEY = { accessKey: "AKIAOLD", secretKey: "hush" };

describe("AWS root configuration on a server that replaces it in an update", () => {
  test("an update of region also sends the key", async () => {
    const { world, resource } = await onOlderServer({ ...KEY, region: "eu-west-1" });
    await resource.up({ ...KEY, region: "eu-north-1" });
    expect(storedConfig(world, "aws")).toMatchObject({
      access_key: "AKIAOLD",
      secret_key: "hush",
      region: "eu-north-1",
    });
  });

  test.each<[string, Values, Values]>([
    ["that was rotated", { ...KEY, region: "a" }, { ...KEY, region: "b" }],
    ["that someone else set", { region: "a" }, { region: "b" }],
  ])("rejects an update before it is sent if the server has a key %s", async (why, before, after) => {
    const { world, resource, send } = await onOlderServer(before);
    if (why.includes("rotated")) await send("config/rotate-root", {});
    else await send("config/root", { access_key: "AKIATHEIRS", secret_key: "theirs", region: "a" });
    await resource.refresh();
    const storedBefore = storedConfig(world, "aws");
    world.requests.length = 0;
    await expect(resource.up(after)).rejects.toThrow(/accessKey.*secretKey.*nothing was written/s);
    expect(world.requests.filter(({ nature }) => nature !== "read")).toEqual([]);
    expect(storedConfig(world, "aws")).toEqual(storedBefore);
    await resource.up({ accessKey: "AKIANEW", secretKey: "new", region: "b" });
    expect(storedConfig(world, "aws")).toMatchObject({
      access_key: "AKIANEW",
      secret_key: "new",
      region: "b",
    });
  });

  test("rejects an update of a configuration that was imported without its secret key", async () => {
    const { world, resource } = await onOlderServer({ ...KEY, region: "a" });
    const imported = new Resource(world, cloudRoot);
    await imported.get(resource.id);
    await expect(imported.up({ region: "b" })).rejects.toThrow("nothing was written");
    expect(storedConfig(world, "aws")).toMatchObject({ secret_key: "hush", region: "a" });
  });

  test("an update on a server that merges preserves a rotated key", async () => {
    const { world, resource, send } = await onOlderServer({ ...KEY, region: "a" }, "merge");
    await send("config/rotate-root", {});
    const { secret_key: rotated } = storedConfig(world, "aws");
    await resource.refresh();
    await resource.up({ ...KEY, region: "b" });
    expect(storedConfig(world, "aws")).toMatchObject({ secret_key: rotated, region: "b" });
  });
});
