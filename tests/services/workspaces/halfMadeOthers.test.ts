import type { Values } from "../../../provider/core/language/object";
import type { Fate, World } from "../../steps/world";
import { as, made, scene } from "./workspace-scene";

/** What others do to a workspace in the middle of an update of more than one request, whatever becomes of that. */

const MOVED = "changed by somebody else";
const NO_SUCH_TAG = { errors: [{ status: "422", title: "no such tag" }] };
const UNAVAILABLE: Fate = { answer: { status: 503, text: "<html>503</html>" }, isCarriedOut: false };
const refused = (status: number, body: object): Fate => ({
  answer: { status, text: JSON.stringify(body) },
  isCarriedOut: false,
});

async function ask(world: World, method: string, path: string, data?: object): Promise<Values> {
  const body = data && { data };
  const { status, json } = await world.send(method, `/api/v2/workspaces/${path}`, body as never, as("owner"));
  expect(status).toBeLessThan(300);
  return (json ?? {}) as Values;
}

const describedAs = (world: World, id: string, description: string) =>
  ask(world, "PATCH", id, { type: "workspaces", attributes: { description } });

async function attributesOf(world: World, id: string): Promise<Values> {
  return ((await ask(world, "GET", id)).data as { attributes: Values }).attributes;
}

const tags = (...names: string[]) => names.map((name) => ({ type: "tags", attributes: { name } }));

describe("a workspace whose description somebody edits while a link of it fails", () => {
  const before = { name: "app", description: "ours", tagNames: ["x"], tagBindings: { env: "a" } };
  const fates: [string, Fate][] = [
    ["is refused", refused(422, NO_SUCH_TAG)],
    ["hangs", "request hangs"],
  ];

  /** An update whose request for its tags fails, and what somebody does then. */
  async function half(fate: Fate, wanted: Values) {
    const { world, resource } = await made(before);
    world.fate = async ({ method, path }): Promise<Fate> => {
      if (!path.endsWith("relationships/tags") || method !== "POST") return "passes";
      world.fate = () => "passes";
      await describedAs(world, resource.id, "theirs");
      return fate;
    };
    await expect(resource.up(wanted)).rejects.toThrow();
    return { world, resource };
  }

  describe.each(fates)("because it %s", (_, fate) => {
    test.each([
      ["alone", {}],
      ["beside a change of the workspace itself", { autoApply: true }],
    ])("%s, is shown", async (__, more) => {
      const wanted = { ...before, tagNames: ["x", "y"], ...more };
      const { resource } = await half(fate, wanted);
      await expect(resource.up(wanted)).rejects.toThrow(MOVED);
    });
  });

  test("is shown before the next change of it goes over theirs", async () => {
    const wanted = { ...before, tagNames: ["x", "y"] };
    const { world, resource } = await half(refused(422, NO_SUCH_TAG), wanted);
    await expect(resource.up({ ...wanted, description: "ours, second" })).rejects.toThrow(MOVED);
    expect(await attributesOf(world, resource.id)).toMatchObject({ description: "theirs" });
  });

  test("is shown, too, where it was just made", async () => {
    const { world, resource } = scene();
    world.fate = async ({ method, path }): Promise<Fate> => {
      if (!path.endsWith("relationships/ssh-key") || method !== "PATCH") return "passes";
      world.fate = () => "passes";
      await describedAs(world, path.split("/").at(-3) ?? "", "theirs");
      return refused(422, NO_SUCH_TAG);
    };
    const wanted = { name: "app", description: "ours", sshKeyId: "sshkey-deploy" };
    await expect(resource.create(wanted)).rejects.toThrow("no such tag");
    await expect(resource.up(wanted)).rejects.toThrow(MOVED);
  });
});

describe("a link of one request that has to go again", () => {
  const bindings = (map: Record<string, string>) =>
    Object.entries(map).map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } }));
  const unbind = (world: World, id: string) =>
    ask(world, "PATCH", id, {
      type: "workspaces",
      relationships: { "tag-bindings": { data: bindings({ owner: "w" }) } },
    });
  const unassign = (world: World, id: string) =>
    ask(world, "PATCH", `${id}/relationships/ssh-key`, { type: "workspaces", attributes: { id: null } });

  const ways: [string, Fate][] = [
    ["a rate limit", "waits"],
    ["a gateway", UNAVAILABLE],
    ["a broken connection", "request lost"],
  ];
  const links: [string, string, typeof unbind, Values, Values][] = [
    [
      "a tag",
      "tag-bindings",
      unbind,
      { tagBindings: { env: "a", owner: "w" } },
      { tagBindings: { env: "b", owner: "w" } },
    ],
    ["the SSH key", "ssh-key", unassign, { sshKeyId: "sshkey-deploy" }, { sshKeyId: "sshkey-modules" }],
  ];

  describe.each(ways)("because of %s", (_, way) => {
    test.each(links)(
      "does not go over it when somebody took %s away",
      async (__, end, takeAway, first, second) => {
        const { world, resource } = await made({ name: "app", ...first });
        world.fate = async ({ method, path }): Promise<Fate> => {
          if (method !== "PATCH" || !path.endsWith(end)) return "passes";
          world.fate = () => "passes";
          await takeAway(world, resource.id);
          return way;
        };
        await expect(resource.up({ name: "app", ...second })).rejects.toThrow(MOVED);
      },
    );
  });
});

test("a tag whose request was refused, and that somebody binds later, is theirs", async () => {
  const { world, resource } = await made({ name: "app", tagNames: ["x"] });
  const path = `${resource.id}/relationships/tags`;
  world.fate = ({ method, path: asked }): Fate =>
    method === "POST" && asked.endsWith(path)
      ? refused(403, { errors: [{ status: "403", title: "forbidden" }] })
      : "passes";
  await expect(resource.up({ name: "app", tagNames: ["x", "theirs"] })).rejects.toThrow("403");
  world.fate = () => "passes";
  await ask(world, "POST", path, tags("theirs"));
  await resource.refresh();
  await resource.up({ name: "app", tagNames: ["x"] });
  expect((await attributesOf(world, resource.id))["tag-names"]).toEqual(["x", "theirs"]);
});

describe("an update in two requests", () => {
  const vcs = { identifier: "acme/app", oauthTokenId: "ot-code" };
  const before = {
    name: "app",
    description: "ours",
    vcsRepo: vcs,
    triggerPatterns: ["/a/*"],
    tagNames: ["x"],
  };
  const { triggerPatterns: _, ...kept } = before;
  const after = { ...kept, vcsRepo: { ...vcs, tagsRegex: "^v" } };

  /** The same update, and somebody's edit at the first request that is so; whether it succeeded. */
  async function updated(wanted: Values, isMoment: (method: string, path: string) => boolean) {
    const { world, resource } = await made(before);
    let isEdited = false;
    world.fate = async ({ method, path }): Promise<Fate> => {
      if (isEdited || !isMoment(method, path)) return "passes";
      isEdited = true;
      await describedAs(world, resource.id, "theirs");
      return "passes";
    };
    const failure = await resource.up(wanted).catch((error: unknown) => error);
    expect(isEdited).toBe(true);
    expect(await attributesOf(world, resource.id)).toMatchObject({ description: "theirs" });
    return failure;
  }

  test("does not carry what the program did not change over an edit before the first one", async () => {
    const failure = await updated(after, (method) => method === "PATCH");
    expect(String(failure)).toContain(MOVED);
  });

  test("nor over one before it is read back", async () => {
    const wanted = { ...after, tagNames: ["x", "y"] };
    const isTagged = (method: string, path: string) =>
      method === "POST" && path.endsWith("relationships/tags");
    expect(String(await updated(wanted, isTagged))).toContain(MOVED);
  });

  test("goes over it where the program insists, and prints what that was", async () => {
    const { world, resource } = await made(before);
    world.fate = async ({ method }): Promise<Fate> => {
      if (method !== "PATCH") return "passes";
      world.fate = () => "passes";
      await describedAs(world, resource.id, "theirs");
      return "passes";
    };
    await resource.up({ ...after, onConflict: "overwrite" });
    expect(await attributesOf(world, resource.id)).toMatchObject({ description: "ours" });
    expect(world.logged.join("\n")).toMatch(/warning: .*overw[\s\S]*description/);
  });
});
