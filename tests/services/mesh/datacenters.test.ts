import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import { ConflictError } from "../../../provider/core/state/errors";
import { COPY_MS } from "../../../provider/services/mesh/entryCopy";
import exportedServices from "../../../provider/services/mesh/kinds/exportedServices";
import serviceDefaults from "../../../provider/services/mesh/kinds/serviceDefaults";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { rounds } from "../../rounds";
import { expectLifecycleWithoutChanges } from "../../steps/lifecycle";
import { Resource } from "../../steps/resource";
import { subjects } from "../../steps/subjects";
import { World } from "../../steps/world";
import { inWorld } from "../expectations";

/** The replication delay between the datacenters, in milliseconds. */
const LAG = 100;
const START = Date.UTC(2030, 0, 1);
const AT = "/v1/config/service-defaults/web";
const FEDERATION = { datacenter: "dc2", primaryDatacenter: "dc1", copiedAfterMilliseconds: LAG };
const own = subjects.filter(([token]) => token.startsWith("mesh:"));

/** A connection to an agent of `dc2`, which replicates `dc1`. Time advances only when the provider waits. */
function inSecondary(world: World, dialect: "neutral" | "real"): World {
  world.stub.configure({ dialect, edition: "enterprise", meshHasName: true, ...FEDERATION });
  const localSettings = dialect === "neutral" ? { primaryDatacenter: "dc1" } : {};
  return withWaits(world.with({ dialect, datacenter: "dc2", ...localSettings }));
}

function withWaits(world: World): World {
  world.onSleep = (milliseconds) => {
    world.now += milliseconds;
  };
  return world;
}

describe.each(["neutral", "real"] as const)(
  "through an agent of a secondary datacenter, dialect %s:",
  (dialect) => {
    test.each(own)(
      "%s is created, updated, refreshed, imported and deleted without log messages",
      async (_, subject) => {
        await fc.assert(
          fc.asyncProperty(subject.programs, subject.programs, async (first, second) => {
            const world = inSecondary(await subject.world(), dialect);
            const resource = await expectLifecycleWithoutChanges(world, subject, first, second);
            expect(world.logged).toEqual([]);
            await resource.delete();
            expect(await resource.refresh()).toBe(false);
          }),
          { numRuns: rounds(40, 10) },
        );
      },
    );
  },
);

test.each(own)(
  "%s: an edit that is not yet replicated has the same outcome as in the primary datacenter",
  async (_, subject) => {
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.programs, subject.edits, async (first, second, edit) => {
        const ends = [];
        for (const isCopy of [false, true]) {
          const plain = await subject.world();
          const world = isCopy ? inSecondary(plain, "neutral") : plain.with({});
          const resource = new Resource(world, subject.definition);
          await resource.create(first);
          // The other user writes in the primary datacenter.
          if (isCopy) world.stub.configure({ datacenter: "dc1" });
          await subject.edit(world, resource, edit);
          if (isCopy) world.stub.configure({ datacenter: "dc2" });
          const ended = await resource.up(second).catch((error: unknown) => {
            if (!(error instanceof ConflictError)) throw error;
            return "conflict";
          });
          ends.push(ended);
        }
        expect(ends[1]).toBe(ends[0]);
      }),
      { numRuns: rounds(40, 10) },
    );
  },
);

const manager = { "x-consul-token": "manager", "content-type": "application/json" };

/** A service-defaults entry, written through an agent of a secondary datacenter. */
function web(settings: Values = {}, switches: object = {}, definition = serviceDefaults) {
  const service = new MeshService({
    seed: {
      datacenters: ["dc1", "dc2"],
      tokens: { manager: { management: true }, team: { rules: { servicePrefix: { "": "write" } } } },
    },
    switches: { dialect: "real", ...FEDERATION, ...switches },
  });
  const all = Object.fromEntries(
    Object.entries({ token: "manager", dialect: "real", datacenter: "dc2", ...settings }).filter(
      ([, value]) => value !== null,
    ),
  );
  const world = withWaits(new World(service, definition, all));
  const put = (body: Values) => world.send("PUT", "/v1/config", body, manager);
  return { service, world, put, resource: new Resource(world, definition) };
}

const program = (protocol: string): Values => ({ name: "web", spec: { protocol } });
const asked = (world: World) =>
  world.requests.map(({ method, query }) => `${method} ${String(query?.dc ?? "")}`.trim());

describe("write in the primary datacenter", () => {
  test("is preceded and confirmed by reads there, and then awaited in the resource's datacenter", async () => {
    const { world, resource } = web();
    await resource.create(program("http"));
    const looks = asked(world);
    expect(looks.slice(0, 3)).toEqual(["GET dc1", "PUT dc1", "GET dc1"]);
    expect(new Set(looks.slice(3))).toEqual(new Set(["GET dc2"]));
    expect(world.now - START).toBeGreaterThanOrEqual(LAG);
    const copy = await world.send("GET", AT, undefined, manager);
    expect(copy.json).toMatchObject({ Protocol: "http" });
    expect(String((copy.json as Values).ModifyIndex)).not.toBe(resource.outputs.modifyIndex);
  });

  test("is awaited again after an update, but not after a delete", async () => {
    const { world, resource } = web();
    await resource.create(program("http"));
    await resource.up(program("grpc"));
    expect((await world.send("GET", AT, undefined, manager)).json).toMatchObject({ Protocol: "grpc" });
    world.requests.length = 0;
    await resource.delete();
    expect(asked(world).filter((one) => one.endsWith("dc2"))).toEqual([]);
  });

  test("is not awaited if the datacenter is not set or is the primary one", async () => {
    for (const datacenter of [undefined, "dc1"]) {
      const { world, resource } = web({ datacenter: datacenter ?? null });
      await resource.create(program("http"));
      expect(asked(world)).toEqual(["GET dc1", "PUT dc1", "GET dc1"]);
    }
  });

  test("fails if it is not replicated within a minute, and the next up continues", async () => {
    const { world, resource, service } = web({}, { copiedAfterMilliseconds: 10 * COPY_MS });
    await expect(resource.create(program("http"))).rejects.toThrow(
      "was written in the primary datacenter (dc1), but dc2 does not show it after 60 s.",
    );
    expect(world.now - START).toBeLessThan(COPY_MS + 2000);
    service.configure({ copiedAfterMilliseconds: 0 });
    await resource.up(program("grpc"));
    expect(resource.preview(program("grpc")).changes).toEqual([]);
  });

  test("stops waiting if another user changes the entry, and a refresh shows the change as drift", async () => {
    const { service, world, put, resource } = web({}, { copiedAfterMilliseconds: 2 * COPY_MS });
    const slept = world.onSleep;
    world.onSleep = async (milliseconds) => {
      await slept(milliseconds);
      if (world.now < START + 1000) return;
      world.onSleep = slept;
      // The other user's value is replicated immediately; the program's value never appears there.
      service.configure({ copiedAfterMilliseconds: 0 });
      await put({ Kind: "service-defaults", Name: "web", Protocol: "tcp" });
    };
    await resource.create(program("http"));
    expect(world.now - START).toBeLessThan(5000);
    await resource.refresh();
    expect(resource.preview(program("http")).changes).toMatchObject([{ cause: "drift" }]);
  });

  test("exported-services are not awaited in the agent's datacenter", async () => {
    const { world, resource } = web({}, {}, exportedServices as unknown as typeof serviceDefaults);
    const exported = {
      name: "default",
      spec: { services: [{ name: "web", consumers: [{ peer: "other" }] }] },
    };
    await resource.create(exported);
    expect(asked(world)).toEqual(["GET dc1", "PUT dc1", "GET dc1"]);
    await resource.delete();
  });
});

describe("primary datacenter", () => {
  test("is detected without a warning by a token that may not read the agent", async () => {
    const { world, resource } = web({ token: "team" });
    await resource.create(program("http"));
    expect(asked(world)[0]).toBe("GET dc1");
    expect(world.logged).toEqual([]);
  });

  test("is taken from the primaryDatacenter setting", async () => {
    const { world, resource } = web({ primaryDatacenter: "dc1", token: "team" });
    await resource.create(program("http"));
    expect(asked(world)[0]).toBe("GET dc1");
  });

  test("requests name no datacenter and nothing is logged if the agent is in the primary datacenter", async () => {
    const { world, resource } = web({ token: "team" }, { datacenter: "dc1", primaryDatacenter: "dc1" });
    await resource.create(program("http"));
    expect(world.logged).toEqual([]);
    expect(asked(world).slice(0, 3)).toEqual(["GET", "PUT", "GET"]);
    expect((await world.send("GET", `${AT}?dc=dc2`, undefined, manager)).json).toMatchObject({
      Protocol: "http",
    });
  });
});

test("an index from a different datacenter is no conflict, and the log explains it", async () => {
  const { service, world, resource } = web(
    { datacenter: null },
    { datacenter: "dc2", copiedAfterMilliseconds: 0 },
  );
  await resource.create(program("http"));
  // From now on, the agent's own datacenter is the primary one.
  service.configure({ primaryDatacenter: "" });
  const promoted = withWaits(world.with({ primaryDatacenter: "dc2" }));
  const again = inWorld(resource, promoted);
  await again.up(program("grpc"));
  expect(promoted.logged.join("\n")).toMatch(
    /only the index of the object changed \(index \d+ → \d+\): .* one of the two indexes belongs to a copy in another datacenter; continuing/,
  );
  expect(again.preview(program("grpc")).changes).toEqual([]);
});
