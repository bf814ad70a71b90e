import type { Values } from "../../../provider/core/language/object";
import { PartialError } from "../../../provider/core/state/errors";
import { isObject } from "../../../provider/core/value/json";
import type { Fate } from "../../steps/world";
import { as, made, scene } from "./workspace-scene";

const vcs = { identifier: "acme/app", oauthTokenId: "ot-code" };
const sides: Readonly<Record<string, Values>> = {
  triggerPrefixes: { triggerPrefixes: ["/a"], vcsRepo: vcs },
  triggerPatterns: { triggerPatterns: ["/a/*"], vcsRepo: vcs },
  tagsRegex: { vcsRepo: { ...vcs, tagsRegex: "^v" } },
  autoDestroyAt: { autoDestroyAt: "2031-01-01T00:00:00Z" },
  autoDestroyActivityDuration: { autoDestroyActivityDuration: "14d" },
};
const triggers = ["triggerPrefixes", "triggerPatterns", "tagsRegex"];
const moves = [triggers, ["autoDestroyAt", "autoDestroyActivityDuration"]].flatMap((pair) =>
  pair.flatMap((from) => pair.filter((to) => to !== from).map((to) => [from, to] as const)),
);
const program = (side: string, more: Values = {}): Values => ({ name: "app", ...sides[side], ...more });

/** The attributes of every PATCH of the workspace. */
function patches({ requests }: Awaited<ReturnType<typeof made>>["world"]): unknown[] {
  return requests
    .filter(({ method }) => method === "PATCH")
    .map(({ body }) => (isObject(body) && isObject(body.data) ? body.data.attributes : undefined));
}

describe("a program that moves from one of an exclusive pair to the other", () => {
  test.each(moves)("from %s to %s does so in one up", async (from, to) => {
    const { resource } = await made(program(from));
    await resource.up(program(to));
    expect(resource.preview(program(to)).changes).toEqual([]);
    await resource.refresh();
    expect(resource.preview(program(to)).changes).toEqual([]);
    expect(resource.record).not.toHaveProperty("pending");
  });

  test("empties the one first, with all else that changes, and then gives the other", async () => {
    const { world, resource } = await made(program("triggerPatterns"));
    await resource.up(program("tagsRegex", { description: "two" }));
    expect(patches(world)).toEqual([
      { "trigger-patterns": [], description: "two" },
      { "vcs-repo": { identifier: "acme/app", "oauth-token-id": "ot-code", "tags-regex": "^v" } },
    ]);
    // One look before both.
    expect(world.requests.map(({ method }) => method)).toEqual(["GET", "PATCH", "PATCH"]);
  });

  test("empties one that it goes on writing, as empty", async () => {
    const { world, resource } = await made(program("triggerPatterns"));
    const emptied = program("tagsRegex", { triggerPatterns: [] });
    await resource.up(emptied);
    expect(patches(world)).toHaveLength(2);
    expect(resource.preview(emptied).changes).toEqual([]);
  });

  test("sends one request where the service takes both, or where nothing is emptied", async () => {
    const { world, resource } = await made(program("autoDestroyAt"));
    await resource.up(program("autoDestroyActivityDuration"));
    expect(patches(world)).toHaveLength(1);
    await resource.up(program("autoDestroyActivityDuration", { vcsRepo: { ...vcs, tagsRegex: "^v" } }));
    expect(patches(world)).toHaveLength(2);
  });

  test.each(["triggerPatterns", "triggerPrefixes"])(
    "creates with an empty %s beside the other",
    async (empty) => {
      const { resource } = scene();
      const both = program("tagsRegex", { [empty]: [] });
      await resource.create(both);
      expect(resource.preview(both).changes).toEqual([]);
    },
  );
});

describe("next to an activity duration, when the service computes the time of the destroy run", () => {
  const wanted = program("autoDestroyActivityDuration");

  test("the time is no change, and an import does not write it", async () => {
    const { resource } = await made(wanted);
    expect(resource.outputs.autoDestroyAt).toMatch(/^20/);
    await resource.refresh();
    expect(resource.preview(wanted).changes).toEqual([]);
    expect(await resource.get(resource.id)).not.toHaveProperty("autoDestroyAt");
  });

  test("a program that moves to the duration has no further change, and no warning", async () => {
    const { world, resource } = await made(program("autoDestroyAt"));
    await resource.up(wanted);
    expect(world.logged).toEqual([]);
    expect(resource.preview(wanted).changes).toEqual([]);
    await resource.refresh();
    expect(resource.preview(wanted).changes).toEqual([]);
  });
});

test.each(["autoDestroyAt", "autoDestroyActivityDuration"])(
  "%s is emptied by an empty text, which travels as null",
  async (property) => {
    const { world, resource } = await made(program(property));
    await resource.up({ name: "app", [property]: "" });
    expect(patches(world)).toEqual([
      { [property === "autoDestroyAt" ? "auto-destroy-at" : "auto-destroy-activity-duration"]: null },
    ]);
    expect(resource.preview({ name: "app", [property]: "" }).changes).toEqual([]);
  },
);

test("a tag expression that another user sets on a repository that the program does not write is emptied", async () => {
  const { world, resource } = await made({ name: "app", triggerPrefixes: ["/a"] });
  const wanted = { name: "app", triggerPrefixes: ["/a"] };
  const onWire = { identifier: "acme/app", "oauth-token-id": "ot-code", "tags-regex": "^v" };
  for (const attributes of [{ "trigger-prefixes": [] }, { "vcs-repo": onWire }])
    await world.send(
      "PATCH",
      `/api/v2/workspaces/${resource.id}`,
      { data: { type: "workspaces", attributes } },
      as("owner"),
    );
  await resource.refresh();
  expect(resource.preview(wanted).changes.map(({ path }) => path.join("."))).toEqual([
    "triggerPrefixes",
    "vcsRepo.tagsRegex",
  ]);
  await resource.up(wanted);
  await resource.refresh();
  expect(resource.preview(wanted).changes).toEqual([]);
  expect(resource.record.observed.vcsRepo).toMatchObject({ identifier: "acme/app", oauthTokenId: "ot-code" });
});

describe("a failure between the two requests", () => {
  test.each(["refused", "request lost twice", "a gateway's answer"])(
    "(%s) leaves the workspace half made, and the next up finishes it",
    async (how) => {
      const { world, resource } = await made(program("triggerPatterns"));
      const wanted = program("tagsRegex", { description: "two" });
      const isSecond = (body: unknown) => JSON.stringify(body ?? "").includes("tags-regex");
      if (how === "request lost twice")
        world.fate = ({ body }) => (isSecond(body) ? "request lost" : "passes");
      else {
        world.fate = ({ body }) => {
          if (isSecond(body)) Object.assign(body as object, { data: "not a resource" });
          return "passes";
        };
        if (how === "a gateway's answer")
          world.afterwards = (_, answer) => {
            if (answer.status === 422)
              Object.assign(answer, { status: 502, text: "bad gateway", json: undefined });
          };
      }
      const failure = await resource.up(wanted).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(PartialError);
      expect(resource.record.observed).toMatchObject({ description: "two" });
      expect(resource.record.observed.triggerPatterns ?? []).toEqual([]);
      expect(resource.record.pending).toBeDefined();
      world.fate = () => "passes";
      world.afterwards = () => undefined;
      expect(resource.preview(wanted).changes.map(({ path }) => path.join("."))).toEqual([
        "vcsRepo.tagsRegex",
      ]);
      await resource.up(wanted);
      expect(resource.preview(wanted).changes).toEqual([]);
      expect(resource.record).not.toHaveProperty("pending");
    },
  );

  test("that somebody else's edit makes is a conflict that keeps what was emptied", async () => {
    const { world, resource } = await made(program("triggerPatterns"));
    world.fate = async ({ body }): Promise<Fate> => {
      if (JSON.stringify(body ?? "").includes("tags-regex")) {
        world.fate = () => "passes";
        const data = { type: "workspaces", attributes: { "trigger-prefixes": ["/theirs"] } };
        await world.send("PATCH", `/api/v2/workspaces/${resource.id}`, { data }, as("owner"));
      }
      return "passes";
    };
    await expect(resource.up(program("tagsRegex"))).rejects.toThrow(/answered 422.*trigger-prefixes/s);
    expect(resource.record.lastApplied).not.toHaveProperty("triggerPatterns");
    expect(resource.record.observed.triggerPatterns ?? []).toEqual([]);
  });
});

test("a property that is dropped by a request that was lost is dropped all the same, by another one", async () => {
  const { world, resource } = await made({ name: "app", description: "old", triggerPatterns: ["/a/*"] });
  let lost = 0;
  world.fate = ({ method }) => (method === "PATCH" && lost++ === 0 ? "request lost" : "passes");
  await resource.up({ name: "app" });
  await resource.refresh();
  expect(resource.record.observed.description ?? "").toBe("");
  expect(resource.record.observed.triggerPatterns ?? []).toEqual([]);
});

test("a property that is dropped by a request whose answer was lost is dropped, whatever takes its place", async () => {
  const { world, resource } = await made({ name: "app", executionMode: "local", tagBindings: {} });
  world.fate = ({ method }) => (method === "PATCH" ? "response lost" : "passes");
  await resource.up({ name: "app" });
  expect(resource.preview({ name: "app" }).changes).toEqual([]);
  expect(world.requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
});
