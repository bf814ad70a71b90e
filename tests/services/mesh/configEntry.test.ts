import fc from "fast-check";
import type { HttpResponse } from "../../../provider/core/http/request";
import type { Values } from "../../../provider/core/language/object";
import { absenceProofOf } from "../../../provider/core/language/reads";
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

describe("check of a configuration entry", () => {
  test.each([
    ["proxy-defaults", "web", /^name: .*must be "global"/],
    ["mesh", "web", /^name: .*must be "mesh"/],
    ["bound-api-gateway", "web", /^kind: .*is read-only/],
  ])("rejects kind %s with the name %s", (kind, name, message) => {
    expect(reasons(onMesh().entry, { kind, name })).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    ["proxy-defaults", "global"],
    ["mesh", "mesh"],
    ["service-defaults", "web"],
  ])("accepts kind %s with the name %s", (kind, name) => {
    expect(reasons(onMesh().entry, { kind, name })).toEqual([]);
  });

  test("notes before a create and an update that an unknown kind is passed through unchecked", () => {
    for (const step of ["create", "update"] as const) {
      const known = { step, inputs: web(), changed: [] };
      expect(configEntry.notes?.(known)).toEqual([]);
      const unknown = { ...known, inputs: { kind: "sameness-group", name: "all" } };
      expect(configEntry.notes?.(unknown)).toEqual([expect.stringContaining("passed through unchecked")]);
    }
  });

  test.each(["Kind", "Name", "CreateIndex", "ModifyIndex", "Hash"])(
    "rejects a spec that contains %s",
    (member) => {
      expect(reasons(onMesh().entry, web({ [member]: "x" }))).toEqual([
        expect.stringContaining(`must not contain ${member}`),
      ]);
    },
  );
});

describe("check-and-set of a configuration entry", () => {
  test("a create sends cas=0; an update and a delete send the last observed index", async () => {
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

  test("a delete never sends cas=0, even after a create that could not be read back", async () => {
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

  test("a create reads the entry before and after its write", async () => {
    const { world, entry } = onMesh();
    await entry.create(web({ Protocol: "http" }));
    expect(world.requests.map(({ method }) => method)).toEqual(["GET", "PUT", "GET"]);
  });

  test("a create does not adopt an identical entry of another user without adopt: true", async () => {
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

  test("a create fails if another user creates a different entry between the read and the write", async () => {
    const { world, entry } = onMesh();
    world.fate = async ({ method }): Promise<Fate> => {
      if (method === "PUT")
        await world.send("PUT", "/v1/config", { Kind: "service-defaults", Name: "web" }, headers);
      return "passes";
    };
    await expect(entry.create(web({ Protocol: "http" }))).rejects.toThrow(/already exists/);
    expect(entry.id).toBe("");
  });

  test("a create adopts an identical entry that another user creates between the read and the write", async () => {
    const { world, entry } = onMesh();
    world.fate = async ({ method }): Promise<Fate> => {
      const theirs = { Kind: "service-defaults", Name: "web", Protocol: "http" };
      if (method === "PUT") await world.send("PUT", "/v1/config", theirs, headers);
      return "passes";
    };
    await entry.create(web({ Protocol: "http" }));
    expect(entry.outputs.modifyIndex).toBe("2");
  });

  test("a create whose response is lost succeeds if the entry did not exist before", async () => {
    const { world, entry } = onMesh();
    setFate(world, /^PUT/, "response lost");
    await entry.create(web({ Protocol: "http" }));
    expect(entry.id).toBe("/default/service-defaults/web");
  });

  test("a create fails for an existing entry, and adopts it with adopt: true", async () => {
    const { world, entry } = onMesh();
    await world.send("PUT", "/v1/config", { Kind: "service-defaults", Name: "web" }, headers);
    await expect(entry.create(web({ Protocol: "http" }))).rejects.toThrow("already exists");
    await entry.create(web({ Protocol: "http" }, { adopt: true }));
    expect(entry.preview(web({ Protocol: "http" }, { adopt: true })).changes).toEqual([]);
  });

  test("the error before an adoption, and the adoption's log, list the values that it overwrites", async () => {
    const { world, entry } = onMesh();
    const theirs = { Kind: "service-defaults", Name: "web", Protocol: "tcp", Meta: { team: "theirs" } };
    await world.send("PUT", "/v1/config", theirs, headers);
    const rows = ['spec.Protocol +"http" +"tcp"', 'spec.Meta.team +\\(none\\) +"theirs"'];
    const table = new RegExp(rows.join("\\n +"));
    await expect(entry.create(web({ Protocol: "http" }))).rejects.toThrow(table);
    world.logged.length = 0;
    await entry.create(web({ Protocol: "http" }, { adopt: true }));
    expect(world.logged.join("\n")).toMatch(
      /the object exists, and was adopted and updated to the program's values/,
    );
    expect(world.logged.join("\n")).toMatch(table);
  });

  test("writes contain neither the hash nor the indexes of the entry", async () => {
    const { world, entry } = onMesh();
    await entry.create(web({ Protocol: "http" }));
    await entry.up(web({ Protocol: "grpc" }));
    for (const { body } of world.requests.filter(({ method }) => method === "PUT")) {
      expect(Object.keys(body as object).sort()).toEqual(["Kind", "Name", "Protocol"]);
    }
  });
});

describe("datacenter and namespace", () => {
  test("come from the resource or the connection, and are part of the query and the ID", async () => {
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

  test("default to those of the token", async () => {
    const { entry } = onMesh({ token: TOKENS.teamMember });
    await entry.create(web());
    expect(entry.id).toBe("/team/service-defaults/web");
    expect(entry.preview(web()).changes).toEqual([]);
  });

  test("a different namespace replaces the entry", async () => {
    const { entry } = onMesh();
    await entry.create(web());
    const { changes } = entry.preview(web({}, { namespace: "team" }));
    expect(changes.map(({ path, replaces }) => [path, replaces])).toEqual([[["namespace"], true]]);
  });
});

describe("values that Consul adds or normalizes", () => {
  const switches = [
    {},
    { adds: false },
    { normalizes: false },
    { reconciles: false },
    { adds: false, normalizes: false },
  ];

  test.each(switches)("show no changes for any kind, with the stub's switches %j", async (own) => {
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

  test("show no changes if the server starts to add them after the create", async () => {
    const { world, entry } = onMesh({}, { adds: false });
    await entry.create(web({ Protocol: "http" }));
    world.stub.configure({ adds: true });
    await entry.refresh();
    expect(entry.preview(web({ Protocol: "http" })).changes).toEqual([]);
  });
});

describe("deleted entry or missing permission", () => {
  test("a refresh removes an entry from the state if the server returns HTTP 404", async () => {
    const { world, entry } = onMesh();
    await entry.create(web());
    await world.send("DELETE", "/v1/config/service-defaults/web", undefined, headers);
    expect(await entry.refresh()).toBe(false);
  });

  test("a 404 does not prove a deletion if ACLs filtered the response", async () => {
    const { world, entry } = onMesh();
    await entry.create(web());
    const { connection } = world;
    const answer: HttpResponse = {
      status: 404,
      headers: { "x-mesh-results-filtered-by-acls": "true" },
      text: 'Config entry not found for "service-defaults" / "web"',
      json: undefined,
      attempts: 1,
    };
    const context = { connection } as never;
    const proof = absenceProofOf(configEntry.service, configEntry.life.reads);
    expect(await proof.proves(answer, context, {})).toBe(false);
    expect(await proof.proves({ ...answer, headers: {} }, context, {})).toBe(true);
  });

  test("a create without the required permission fails with HTTP 403 and stores no ID", async () => {
    const { world, entry } = onMesh();
    await entry.create({ kind: "proxy-defaults", name: "global" });
    const reader = new Resource(world.with({ token: TOKENS.serviceReader }), configEntry);
    await expect(reader.create({ kind: "mesh", name: "mesh" })).rejects.toThrow(
      /returned 403.*token lacks the permission/s,
    );
    expect(reader.id).toBe("");
  });
});

const AT = "/v1/config/http-route/route";
const asConsulManager = { "x-consul-token": "manager", "content-type": "application/json" };
const parents = [{ name: "front" }];
const route = (spec: object = {}) => ({ name: "route", spec: { parents, ...spec } });

/** A route on a stub whose controller updates the status, so that the index changes after every write. */
function onControlledMesh() {
  const seed = { tokens: { manager: { management: true } } };
  const service = new MeshService({ seed, switches: { dialect: "real" } });
  const world = new World(service, httpRoute, { token: "manager", dialect: "real" });
  const put = (body: Values) => world.send("PUT", "/v1/config", body, asConsulManager);
  const now = async () => (await world.send("GET", AT, undefined, asConsulManager)).json as Values;
  return { world, put, now, resource: new Resource(world, httpRoute) };
}

/** Runs an action once, right after the provider's next write. */
function afterNextWrite(world: World, what: () => Promise<unknown>) {
  world.onResponse = async ({ nature }) => {
    if (nature === "read") return;
    world.onResponse = () => undefined;
    await what();
  };
}

describe("HTTP route whose status the Consul controller updates", () => {
  test("a create sends one PUT, logs nothing and shows no changes", async () => {
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

  test("the index changes after a create, and again when the same entry is written without its status", async () => {
    const { put, now, resource } = onControlledMesh();
    await resource.create(route());
    const { CreateIndex: created, ModifyIndex: modified } = await now();
    expect(modified).not.toBe(created);
    const { Status: _, ...own } = await now();
    await put({ ...own });
    expect((await now()).ModifyIndex).not.toBe(modified);
  });

  test("another user's change right after a create is logged, and the next up reverts it as drift", async () => {
    const { world, put, resource } = onControlledMesh();
    afterNextWrite(world, () =>
      put({ Kind: "http-route", Name: "route", Parents: [{ Name: "front" }], Hostnames: ["theirs.example"] }),
    );
    const program = route({ hostnames: ["ours.example"] });
    await resource.create(program);
    expect(world.logged.join("\n")).toMatch(
      /^warning: the object does not have the values just written: .* someone else wrote at the same time:\n[\s\S]*ours\.example[\s\S]*theirs\.example/,
    );
    expect(resource.preview(program).changes).toMatchObject([
      { path: ["spec", "Hostnames"], cause: "drift" },
    ]);
    await resource.up(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("another user's addition right after a create is logged, and the next up removes it as drift", async () => {
    const { world, put, resource } = onControlledMesh();
    const theirs = {
      Kind: "http-route",
      Name: "route",
      Parents: [{ Name: "front" }],
      Meta: { owner: "them" },
    };
    afterNextWrite(world, () => put(theirs));
    const program = route();
    await resource.create(program);
    expect(world.logged.join("\n")).toMatch(
      /^warning: the object does not have the values just written: [\s\S]*owner[\s\S]*them/,
    );
    expect(resource.preview(program).changes).toMatchObject([{ cause: "drift" }]);
    await resource.up(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("an update whose response is lost succeeds and shows no changes", async () => {
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

  test("an update that only removes a field succeeds although the index changes just before the write", async () => {
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
      // The same entry again: only its index changes.
      await put(theirs);
      return "passes";
    };
    await resource.up(route());
    expect((await now()).Hostnames ?? []).toEqual([]);
    await resource.refresh();
    expect(resource.preview(route()).changes).toEqual([]);
  });
});
