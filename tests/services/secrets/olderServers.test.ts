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

/** What the service stores at a mount, secrets included, by the wire's names. */
function stored(world: World, mount: string): { [member: string]: Json } {
  const { namespaces } = world.stub.dump() as {
    namespaces: Record<string, { mounts: Record<string, { data: Record<string, { config?: Json }> }> }>;
  };
  const data = namespaces[""]?.mounts[mount]?.data ?? {};
  const config = (data.root ?? data.config)?.config ?? {};
  return Object.fromEntries(
    Object.entries(isObject(config) ? config : {}).map(([name, value]) => [wireOf(name), value]),
  );
}

/** What a program may write, and what others may write to fields that it does not. */
interface Case {
  readonly definition: Definition;
  readonly mount: string;
  readonly programs: fc.Arbitrary<Values>;
  readonly others: fc.Arbitrary<{ readonly [member: string]: Json }>;
}

const root = cloudSubjects.find(({ definition }) => definition === cloudRoot);
const cases: readonly Case[] = [
  {
    definition: cloudRoot,
    mount: "aws",
    programs: root?.programs ?? fc.constant({}),
    others: fc.record(
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
    others: fc.record(
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

/** What may differ after an update: what either program writes, and what goes with it. */
const mayChange = (before: Values, after: Values): Set<string> =>
  new Set([...Object.keys(before), ...Object.keys(after)].map(wireOf));

describe.each(["merge", "replace"] as const)("a server that makes a %s of an update", (updates: Kind) => {
  test.each(cases.map((one) => [one.definition.token, one] as const))(
    "loses no other field of a %s by it, secrets included",
    async (_, { definition, mount, programs, others }) => {
      let updated = 0;
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(programs, programs, others, async (first, second, theirs) => {
          const world = await secretsWorld(definition, {}, "real");
          world.stub.configure({ updates });
          const resource = new Resource(world, definition);
          await resource.create(first);
          const path = mount === "aws" ? "aws/config/root" : "ldap/config";
          // Others write everything that is there, as it takes on an older server.
          const all = { ...stored(world, mount), ...theirs };
          if (definition === directoryConfig) delete all.length;
          const { status } = await world.send("POST", `/v1/${path}`, all, HEADERS);
          if (status >= 300) return;
          const before = stored(world, mount);
          await resource.refresh();
          const program = { ...second, onConflict: "overwrite" };
          const failure = await resource.up(program).then(
            () => undefined,
            (error: unknown) => error,
          );
          const after = stored(world, mount);
          if (failure !== undefined) {
            refused += 1;
            expect(String(failure)).toMatch(/nothing was (written|sent)|answered (400|500)/);
            expect(after).toEqual(before);
            return;
          }
          updated += 1;
          const free = mayChange(first, second);
          for (const [name, value] of Object.entries(before))
            if (!free.has(name)) expect([name, after[name]]).toEqual([name, value]);
          // Nor of what the program writes, though it changed nothing of that.
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

/** A root with a key, whose secret only the program and the server have. */
async function onOlder(program: Values, updates: Kind = "replace") {
  const world = await secretsWorld(cloudRoot, {}, "real");
  world.stub.configure({ updates });
  const resource = new Resource(world, cloudRoot);
  await resource.create(program);
  const send = (path: string, body: Json) => world.send("POST", `/v1/aws/${path}`, body, HEADERS);
  return { world, resource, send };
}

const KEY = { accessKey: "AKIAOLD", secretKey: "hush" };

describe("the root of the cloud engine on a server that replaces it", () => {
  test("keeps its key: an update of the region sends it along", async () => {
    const { world, resource } = await onOlder({ ...KEY, region: "eu-west-1" });
    await resource.up({ ...KEY, region: "eu-north-1" });
    expect(stored(world, "aws")).toMatchObject({
      access_key: "AKIAOLD",
      secret_key: "hush",
      region: "eu-north-1",
    });
  });

  test.each<[string, Values, Values]>([
    ["that was rotated", { ...KEY, region: "a" }, { ...KEY, region: "b" }],
    ["that others set", { region: "a" }, { region: "b" }],
  ])("refuses an update before it is sent if the server has a key %s", async (why, before, after) => {
    const { world, resource, send } = await onOlder(before);
    if (why.includes("rotated")) await send("config/rotate-root", {});
    else await send("config/root", { access_key: "AKIATHEIRS", secret_key: "theirs", region: "a" });
    await resource.refresh();
    const held = stored(world, "aws");
    world.requests.length = 0;
    await expect(resource.up(after)).rejects.toThrow(/accessKey.*secretKey.*nothing was written/s);
    expect(world.requests.filter(({ nature }) => nature !== "read")).toEqual([]);
    expect(stored(world, "aws")).toEqual(held);
    await resource.up({ accessKey: "AKIANEW", secretKey: "new", region: "b" });
    expect(stored(world, "aws")).toMatchObject({ access_key: "AKIANEW", secret_key: "new", region: "b" });
  });

  test("refuses an update of what was imported without its secret", async () => {
    const { world, resource } = await onOlder({ ...KEY, region: "a" });
    const imported = new Resource(world, cloudRoot);
    await imported.get(resource.id);
    await expect(imported.up({ region: "b" })).rejects.toThrow("nothing was written");
    expect(stored(world, "aws")).toMatchObject({ secret_key: "hush", region: "a" });
  });

  test("is refused nothing on a server that merges, whose key stays as it was rotated", async () => {
    const { world, resource, send } = await onOlder({ ...KEY, region: "a" }, "merge");
    await send("config/rotate-root", {});
    const { secret_key: rotated } = stored(world, "aws");
    await resource.refresh();
    await resource.up({ ...KEY, region: "b" });
    expect(stored(world, "aws")).toMatchObject({ secret_key: rotated, region: "b" });
  });
});
