import fc from "fast-check";
import type { HttpAnswer } from "../../../provider/core/http/request";
import type { Values } from "../../../provider/core/language/object";
import { deletionProofOf } from "../../../provider/core/language/reads";
import configEntry from "../../../provider/services/mesh/configEntry";
import httpRoute from "../../../provider/services/mesh/kinds/httpRoute";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { TOKENS } from "../../../testing/tests/stub/mesh-scene";
import { Resource } from "../../steps/resource";
import { typedEntrySubjects } from "../../steps/subjects/typedEntries";
import { type Fate, World } from "../../steps/world";
import { expectNoChanges } from "../expectations";
import { setFate } from "../interference";

const SEED = {
  tokens: {
    [TOKENS.manager]: { management: true },
    [TOKENS.serviceReader]: { rules: { servicePrefix: { "": "read" } } },
    [TOKENS.teamMember]: { management: true, namespace: "team" },
  },
  datacenters: ["dc2"],
  namespaces: ["team", "other"],
} as const;

function onMesh(settings: Values = {}, switches: object = {}) {
  const service = new MeshService({ seed: SEED, switches: { dialect: "neutral", ...switches } });
  const world = new World(service, configEntry, { token: TOKENS.manager, ...settings });
  return { world, entry: new Resource(world, configEntry) };
}

const headers = { "x-mesh-token": TOKENS.manager, "content-type": "application/json" };
const web = (spec: Values = {}, more: Values = {}) => ({
  kind: "service-defaults",
  name: "web",
  spec,
  ...more,
});
const reasons = (resource: Resource, inputs: Values) =>
  resource.check(inputs).map(({ path, reason }) => `${path}: ${reason}`);

describe("what the preview says of a configuration entry", () => {
  test.each([
    ["proxy-defaults", "web", /^name: .*must be "global"/],
    ["mesh", "web", /^name: .*must be "mesh"/],
    ["bound-api-gateway", "web", /^kind: .*is read-only/],
  ])("a %s named %s is refused", (kind, name, message) => {
    expect(reasons(onMesh().entry, { kind, name })).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    ["proxy-defaults", "global"],
    ["mesh", "mesh"],
    ["service-defaults", "web"],
  ])("a %s named %s is accepted", (kind, name) => {
    expect(reasons(onMesh().entry, { kind, name })).toEqual([]);
  });

  test("a kind that is not known is passed through, with a warning, before a create and before an update", () => {
    for (const step of ["create", "update"] as const) {
      const known = { step, inputs: web(), changed: [] };
      expect(configEntry.notes?.(known)).toEqual([]);
      const unknown = { ...known, inputs: { kind: "jwt-provider", name: "okta" } };
      expect(configEntry.notes?.(unknown)).toEqual([expect.stringContaining("passed through unchecked")]);
    }
  });

  test.each(["Kind", "Name", "CreateIndex", "ModifyIndex", "Hash"])("a spec with %s is refused", (member) => {
    expect(reasons(onMesh().entry, web({ [member]: "x" }))).toEqual([
      expect.stringContaining(`must not hold ${member}`),
    ]);
  });
});

describe("check-and-set", () => {
  test("goes with a create as 0, and with an update and a delete as the index that was last seen", async () => {
    const { world, entry } = onMesh();
    await entry.create(web({ Protocol: "http" }));
    const created = entry.outputs.modifyIndex;
    await entry.up(web({ Protocol: "grpc" }));
    const updated = entry.outputs.modifyIndex;
    await entry.delete();
    const writes = world.requests.filter(({ nature }) => nature !== "read");
    expect(writes.map(({ method, query }) => [method, query?.cas])).toEqual([
      ["PUT", "0"],
      ["PUT", created],
      ["DELETE", updated],
    ]);
  });

  test("of 0 never goes with a delete, not even after a write that could not be read back", async () => {
    const { world, entry } = onMesh();
    let isWritten = false;
    world.fate = ({ nature }) => {
      isWritten ||= nature !== "read";
      return nature === "read" && isWritten ? "response lost" : "passes";
    };
    await entry.create(web({ Protocol: "http" })).catch(() => undefined);
    world.fate = () => "passes";
    await entry.delete();
    const deletes = world.requests.filter(({ method }) => method === "DELETE");
    expect(deletes).toHaveLength(1);
    // The index that was read just before.
    expect(deletes[0]?.query?.cas).toBe("2");
    const { status } = await world.send("GET", "/v1/config/service-defaults/web", undefined, headers);
    expect(status).toBe(404);
  });

  test("that answers true is confirmed by a read, and a create by a look before", async () => {
    const { world, entry } = onMesh();
    await entry.create(web({ Protocol: "http" }));
    expect(world.requests.map(({ method }) => method)).toEqual(["GET", "PUT", "GET"]);
  });

  test("of 0, which the service grants an identical entry, takes over none that somebody else made", async () => {
    const { world, entry } = onMesh();
    const theirs = { Kind: "service-defaults", Name: "web", Protocol: "http" };
    await world.send("PUT", "/v1/config", theirs, headers);
    await expect(entry.create(web({ Protocol: "http" }))).rejects.toThrow(/already exists/);
    expect(world.requests.map(({ method }) => method)).toEqual(["GET"]);
    expect(entry.id).toBe("");
    const adopting = web({ Protocol: "http" }, { adopt: true });
    await entry.create(adopting);
    expect(entry.preview(adopting).changes).toEqual([]);
  });

  test("of 0 is lost where another entry came between the look and the write: it exists already", async () => {
    const { world, entry } = onMesh();
    world.fate = async ({ method }): Promise<Fate> => {
      if (method === "PUT")
        await world.send("PUT", "/v1/config", { Kind: "service-defaults", Name: "web" }, headers);
      return "passes";
    };
    await expect(entry.create(web({ Protocol: "http" }))).rejects.toThrow(/already exists/);
    expect(entry.id).toBe("");
  });

  test("of 0 lets an identical entry through that came between the look and the write: the window that remains", async () => {
    const { world, entry } = onMesh();
    world.fate = async ({ method }): Promise<Fate> => {
      const theirs = { Kind: "service-defaults", Name: "web", Protocol: "http" };
      if (method === "PUT") await world.send("PUT", "/v1/config", theirs, headers);
      return "passes";
    };
    await entry.create(web({ Protocol: "http" }));
    expect(entry.outputs.modifyIndex).toBe("2");
  });

  test("of 0 whose answer was lost is looked at, and the entry that was not there before is ours", async () => {
    const { world, entry } = onMesh();
    setFate(world, /^PUT/, "response lost");
    await entry.create(web({ Protocol: "http" }));
    expect(entry.id).toBe("/default/service-defaults/web");
  });

  test("is not even asked for where the look before a create finds an entry", async () => {
    const { world, entry } = onMesh();
    await world.send("PUT", "/v1/config", { Kind: "service-defaults", Name: "web" }, headers);
    await expect(entry.create(web({ Protocol: "http" }))).rejects.toThrow("already exists");
    await entry.create(web({ Protocol: "http" }, { adopt: true }));
    expect(entry.preview(web({ Protocol: "http" }, { adopt: true })).changes).toEqual([]);
  });

  test("says before an adoption what that would drop of what others wrote, and at it what it goes over", async () => {
    const { world, entry } = onMesh();
    const theirs = { Kind: "service-defaults", Name: "web", Protocol: "tcp", Meta: { team: "theirs" } };
    await world.send("PUT", "/v1/config", theirs, headers);
    const rows = ['spec.Protocol +"http" +"tcp"', 'spec.Meta.team +\\(none\\) +"theirs"'];
    const table = new RegExp(rows.join("\\n +"));
    await expect(entry.create(web({ Protocol: "http" }))).rejects.toThrow(table);
    world.logged.length = 0;
    await entry.create(web({ Protocol: "http" }, { adopt: true }));
    expect(world.logged.join("\n")).toMatch(
      /exists already: taken over, and brought to what the program writes/,
    );
    expect(world.logged.join("\n")).toMatch(table);
  });

  test("sends back neither the hash nor the indexes, which are not ours", async () => {
    const { world, entry } = onMesh();
    await entry.create(web({ Protocol: "http" }));
    await entry.up(web({ Protocol: "grpc" }));
    for (const { body } of world.requests.filter(({ method }) => method === "PUT")) {
      expect(Object.keys(body as object).sort()).toEqual(["Kind", "Name", "Protocol"]);
    }
  });
});

describe("datacenter and namespace", () => {
  test("are the resource's own, else the connection's, else nobody's; they go into the query and the id", async () => {
    const ids: string[] = [];
    const queries: unknown[] = [];
    for (const [settings, more] of [
      [{}, {}],
      [{ datacenter: "dc2", namespace: "team" }, {}],
      [
        { datacenter: "dc2", namespace: "team" },
        { datacenter: "dc1", namespace: "other" },
      ],
    ] as const) {
      const { world, entry } = onMesh(settings);
      await entry.create(web({}, more));
      ids.push(entry.id);
      const { cas: _, ...query } = world.requests.find(({ method }) => method === "PUT")?.query ?? {};
      queries.push(query);
    }
    expect(ids).toEqual([
      "/default/service-defaults/web",
      "dc2/team/service-defaults/web",
      "dc1/other/service-defaults/web",
    ]);
    expect(queries).toEqual([{}, { dc: "dc2", ns: "team" }, { dc: "dc1", ns: "other" }]);
  });

  test("that nobody gives are the token's, as the answer says", async () => {
    const { entry } = onMesh({ token: TOKENS.teamMember });
    await entry.create(web());
    expect(entry.id).toBe("/team/service-defaults/web");
    expect(entry.preview(web()).changes).toEqual([]);
  });

  test("are part of the identity: another one replaces", async () => {
    const { entry } = onMesh();
    await entry.create(web());
    const { changes } = entry.preview(web({}, { namespace: "team" }));
    expect(changes.map(({ path, replaces }) => [path, replaces])).toEqual([[["namespace"], true]]);
  });
});

describe("what the service makes of an entry", () => {
  const switches = [
    {},
    { adds: false },
    { normalises: false },
    { reconciles: false },
    { adds: false, normalises: false },
  ];

  test.each(switches)("is no drift, for any kind, with the switches %j", async (own) => {
    for (const subject of typedEntrySubjects) {
      for (const program of fc.sample(subject.programs, 4)) {
        const world = await subject.world();
        world.stub.configure(own);
        const entry = new Resource(world, subject.definition);
        await entry.create(program);
        expect(entry.preview(program).changes).toEqual([]);
        await entry.refresh();
        expect([subject.definition.token, entry.preview(program).changes]).toEqual([
          subject.definition.token,
          [],
        ]);
        expect(entry.inputs).toEqual(program);
      }
    }
  });

  test("may change with the service itself: what it adds from then on is no drift of ours", async () => {
    const { world, entry } = onMesh({}, { adds: false });
    await entry.create(web({ Protocol: "http" }));
    world.stub.configure({ adds: true });
    await entry.refresh();
    expect(entry.preview(web({ Protocol: "http" })).changes).toEqual([]);
  });
});

describe("what is not there", () => {
  test("is gone where the service says that it is not found", async () => {
    const { world, entry } = onMesh();
    await entry.create(web());
    await world.send("DELETE", "/v1/config/service-defaults/web", undefined, headers);
    expect(await entry.refresh()).toBe(false);
  });

  test("is not gone where the token's rights leave something out of the answer", async () => {
    const { world, entry } = onMesh();
    await entry.create(web());
    const { connection } = world;
    const answer: HttpAnswer = {
      status: 404,
      headers: { "x-mesh-results-filtered-by-acls": "true" },
      text: 'Config entry not found for "service-defaults" / "web"',
      json: undefined,
      attempts: 1,
    };
    const context = { connection } as never;
    const proof = deletionProofOf(configEntry.service, configEntry.life.reads);
    expect(await proof.proves(answer, context, {})).toBe(false);
    expect(await proof.proves({ ...answer, headers: {} }, context, {})).toBe(true);
  });

  test("for want of a right is an error that keeps the state", async () => {
    const { world, entry } = onMesh();
    await entry.create({ kind: "proxy-defaults", name: "global" });
    const reader = new Resource(world.with({ token: TOKENS.serviceReader }), configEntry);
    await expect(reader.create({ kind: "mesh", name: "mesh" })).rejects.toThrow(
      /answered 403.*does not let this token/s,
    );
    expect(reader.id).toBe("");
  });
});

const AT = "/v1/config/http-route/route";
const asConsulManager = { "x-consul-token": "manager", "content-type": "application/json" };
const parents = [{ name: "front" }];
const route = (spec: object = {}) => ({ name: "route", spec: { parents, ...spec } });

/** A route on a service whose own controller says what becomes of it, so that its index moves after every write. */
function onControlledMesh() {
  const seed = { tokens: { manager: { management: true } } };
  const service = new MeshService({ seed, switches: { dialect: "real" } });
  const world = new World(service, httpRoute, { token: "manager", dialect: "real" });
  const put = (body: Values) => world.send("PUT", "/v1/config", body, asConsulManager);
  const now = async () => (await world.send("GET", AT, undefined, asConsulManager)).json as Values;
  return { world, put, now, resource: new Resource(world, httpRoute) };
}

/** What happens once, right after our next write. */
function onceAfterOurs(world: World, what: () => Promise<unknown>) {
  world.afterwards = async ({ nature }) => {
    if (nature === "read") return;
    world.afterwards = () => undefined;
    await what();
  };
}

describe("a route, which the service's own controller looks at", () => {
  test("is ours after our write, whatever the service fills in: nothing is told, and no write is repeated", async () => {
    const { world, resource } = onControlledMesh();
    const rules = [
      {
        filters: { timeoutFilter: { requestTimeout: "60s" }, retryFilter: { retryOn: ["5xx"] } },
        services: [{ name: "web" }],
      },
    ];
    await resource.create(route({ rules }));
    expect(world.requests.filter(({ method }) => method === "PUT")).toHaveLength(1);
    expect(world.logged).toEqual([]);
    await expectNoChanges(resource, route({ rules }));
  });

  test("an equal entry is refused under an earlier index, so that a refusal proves nothing", async () => {
    const { put, now, resource } = onControlledMesh();
    await resource.create(route());
    const { CreateIndex: created, ModifyIndex: modified } = await now();
    expect(modified).not.toBe(created);
    const { Status: _, ...own } = await now();
    await put({ ...own });
    expect((await now()).ModifyIndex).not.toBe(modified);
  });

  test("what somebody makes of it right after our write is told, and shows as drift that the next up puts back", async () => {
    const { world, put, resource } = onControlledMesh();
    onceAfterOurs(world, () =>
      put({ Kind: "http-route", Name: "route", Parents: [{ Name: "front" }], Hostnames: ["theirs.example"] }),
    );
    const program = route({ hostnames: ["ours.example"] });
    await resource.create(program);
    expect(world.logged.join("\n")).toMatch(
      /^warning: it does not hold what was just written: .* somebody was faster:\n[\s\S]*ours\.example[\s\S]*theirs\.example/,
    );
    expect(resource.preview(program).changes).toMatchObject([
      { path: ["spec", "Hostnames"], cause: "drift" },
    ]);
    await resource.up(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("what somebody adds right after our write is told too, and shows as drift", async () => {
    const { world, put, resource } = onControlledMesh();
    const theirs = {
      Kind: "http-route",
      Name: "route",
      Parents: [{ Name: "front" }],
      Meta: { owner: "them" },
    };
    onceAfterOurs(world, () => put(theirs));
    const program = route();
    await resource.create(program);
    expect(world.logged.join("\n")).toMatch(
      /^warning: it does not hold what was just written: [\s\S]*owner[\s\S]*them/,
    );
    expect(resource.preview(program).changes).toMatchObject([{ cause: "drift" }]);
    await resource.up(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("an update whose answer was lost is known as ours", async () => {
    const { world, resource } = onControlledMesh();
    await resource.create(route());
    world.fate = ({ nature }) => {
      if (nature === "read") return "passes";
      world.fate = () => "passes";
      return "response lost";
    };
    await resource.up(route({ hostnames: ["ours.example"] }));
    expect(resource.preview(route({ hostnames: ["ours.example"] })).changes).toEqual([]);
  });

  test("whose index moves just before our write is written once more, although the program only leaves something out", async () => {
    const { world, put, now, resource } = onControlledMesh();
    await resource.create(route());
    const theirs = {
      Kind: "http-route",
      Name: "route",
      Parents: [{ Name: "front" }],
      Hostnames: ["them.example"],
    };
    await put(theirs);
    await resource.refresh();
    expect(resource.preview(route()).changes).toMatchObject([{ cause: "drift" }]);
    world.fate = async ({ nature }): Promise<Fate> => {
      if (nature === "read") return "passes";
      world.fate = () => "passes";
      // The same once more: nothing but its index moves.
      await put(theirs);
      return "passes";
    };
    await resource.up(route());
    expect((await now()).Hostnames ?? []).toEqual([]);
    await resource.refresh();
    expect(resource.preview(route()).changes).toEqual([]);
  });
});
