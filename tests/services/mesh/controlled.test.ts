import type { Values } from "../../../provider/core/language/object";
import httpRoute from "../../../provider/services/mesh/kinds/httpRoute";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { Resource } from "../../steps/resource";
import { type Fate, World } from "../../steps/world";

const AT = "/v1/config/http-route/route";
const headers = { "x-consul-token": "manager", "content-type": "application/json" };
const parents = [{ name: "front" }];
const route = (spec: object = {}) => ({ name: "route", spec: { parents, ...spec } });

/** A route on a service whose own controller says what becomes of it, so that its index moves after every write. */
function onMesh() {
  const seed = { tokens: { manager: { management: true } } };
  const service = new MeshService({ seed, switches: { dialect: "real" } });
  const world = new World(service, httpRoute, { token: "manager", dialect: "real" });
  const put = (body: Values) => world.send("PUT", "/v1/config", body, headers);
  const now = async () => (await world.send("GET", AT, undefined, headers)).json as Values;
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
    const { world, resource } = onMesh();
    const rules = [
      {
        filters: { timeoutFilter: { requestTimeout: "60s" }, retryFilter: { retryOn: ["5xx"] } },
        services: [{ name: "web" }],
      },
    ];
    await resource.create(route({ rules }));
    expect(world.requests.filter(({ method }) => method === "PUT")).toHaveLength(1);
    expect(world.logged).toEqual([]);
    expect(resource.preview(route({ rules })).changes).toEqual([]);
    await resource.refresh();
    expect(resource.preview(route({ rules })).changes).toEqual([]);
  });

  test("an equal entry is refused under an earlier index, so that a refusal proves nothing", async () => {
    const { put, now, resource } = onMesh();
    await resource.create(route());
    const { CreateIndex: created, ModifyIndex: modified } = await now();
    expect(modified).not.toBe(created);
    const { Status: _, ...own } = await now();
    await put({ ...own });
    expect((await now()).ModifyIndex).not.toBe(modified);
  });

  test("what somebody makes of it right after our write is told, and shows as drift that the next up puts back", async () => {
    const { world, put, resource } = onMesh();
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
    const { world, put, resource } = onMesh();
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
    const { world, resource } = onMesh();
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
    const { world, put, now, resource } = onMesh();
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
