import { callFunction } from "../../../provider/core/functions/call";
import type { Values } from "../../../provider/core/language/object";
import { PartialError } from "../../../provider/core/state/errors";
import { isObject, type Json } from "../../../provider/core/value/json";
import workspace from "../../../provider/services/workspaces/workspace";
import { getWorkspace } from "../../../provider/services/workspaces/workspaceFunctions";
import { Resource } from "../../steps/resource";
import type { World } from "../../steps/world";
import { changedPaths, expectNoChanges } from "../expectations";
import { actAfter, actBefore, actBeforeEach, letPass, refusal, setFate } from "../interference";
import { as, ask, edit, made, scene } from "./workspace-scene";

const tagged = (...names: string[]) => names.map((name) => ({ type: "tags", attributes: { name } }));
const bound = (map: Record<string, string>) =>
  Object.entries(map).map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } }));

/** The key-value tags on the server, read at a console. */
async function bindingsOf(world: World, id: string): Promise<Record<string, Json>> {
  const { json } = await world.send("GET", `/api/v2/workspaces/${id}/tag-bindings`, undefined, as("owner"));
  // The stub answers a JSON:API list.
  const { data } = json as { data: { attributes: { key: string; value: string } }[] };
  return Object.fromEntries(data.map(({ attributes: { key, value } }) => [key, value]));
}

const bind = (world: World, id: string, map: Record<string, string>) =>
  ask(world, "PATCH", `${id}/tag-bindings`, bound(map));

describe("flat tags", () => {
  /** A workspace with these tags, and other users who tag it. */
  async function tags(program: Values) {
    const all = await made({ name: "app", ...program });
    const change = (method: "POST" | "DELETE", ...names: string[]) =>
      ask(all.world, method, `${all.resource.id}/relationships/tags`, tagged(...names));
    return { ...all, change, observed: () => all.resource.record.observed.tagNames };
  }

  test("of other users stay; an update adds and removes its own", async () => {
    const { resource, change, observed } = await tags({ tagNames: ["One", "two"] });
    await change("POST", "theirs");
    await resource.refresh();
    expect(resource.preview({ name: "app", tagNames: ["one", "TWO"] }).changes).toEqual([]);
    await resource.up({ name: "app", tagNames: ["two", "three"] });
    await resource.refresh();
    expect(observed()).toEqual(["theirs", "three", "two"]);
  });

  test("of other users show as changes with exclusiveTags, and are removed by DELETE", async () => {
    const { world, resource, change, observed } = await tags({ tagNames: ["one"] });
    await change("POST", "theirs");
    const exclusive = { name: "app", tagNames: ["one"], exclusiveTags: true };
    await resource.refresh();
    expect(resource.preview(exclusive).changes).toMatchObject([
      { path: ["tagNames"], kind: "update" },
      { path: ["exclusiveTags"] },
    ]);
    world.requests.length = 0;
    await resource.up(exclusive);
    const path = `/api/v2/workspaces/${resource.id}/relationships/tags`;
    expect(world.requests.filter(({ nature }) => nature === "write")).toMatchObject([
      { method: "DELETE", path, body: { data: tagged("theirs") } },
    ]);
    expect(observed()).toEqual(["one"]);
    await change("POST", "again");
    await resource.refresh();
    expect(resource.preview(exclusive).changes).toMatchObject([{ path: ["tagNames"], cause: "drift" }]);
  });

  test("that differ in case only are one tag, also with exclusiveTags", async () => {
    const { resource } = await tags({ tagNames: ["One", "ONE", "one"], exclusiveTags: true });
    const same = { name: "app", tagNames: ["one", "One"], exclusiveTags: true };
    expect(resource.preview(same).changes).toEqual([]);
  });

  test("that another user adds before an update with exclusiveTags are a conflict", async () => {
    const { resource, change } = await tags({ tagNames: ["one"], exclusiveTags: true });
    await change("POST", "theirs");
    await expect(resource.up({ name: "app", tagNames: ["two"], exclusiveTags: true })).rejects.toThrow(
      /tagNames\["theirs"\] +\(none\) +\(none\) +"theirs"/,
    );
  });

  test("are required with exclusiveTags; [] is enough", () => {
    const { resource } = scene();
    expect(resource.check({ name: "app", exclusiveTags: true })).toEqual([
      { path: "exclusiveTags", reason: expect.stringContaining("needs tagNames: write []") },
    ]);
    expect(resource.check({ name: "app", exclusiveTags: true, tagNames: [] })).toEqual([]);
  });

  test("of a partial update are the program's: the next up removes what the program dropped", async () => {
    const { world, resource, observed } = await tags({ tagNames: ["old"] });
    setFate(world, /^DELETE .*tags$/, "request lost");
    await expect(resource.up({ name: "app", tagNames: ["new"] })).rejects.toThrow(PartialError);
    letPass(world);
    await resource.up({ name: "app", tagNames: ["newer"] });
    expect(observed()).toEqual(["newer"]);
  });

  test("of an update whose second request a proxy refuses once are no conflict: both requests are repeated", async () => {
    const { world, resource, observed } = await tags({ tagNames: ["old", "both"] });
    actBefore(world, /^DELETE .*tags$/, () => undefined, refusal(503, "<html>"));
    await resource.up({ name: "app", tagNames: ["both", "new"] });
    const sent = world.requests.filter(({ path }) => path.endsWith("tags")).map(({ method }) => method);
    expect(sent).toEqual(["POST", "DELETE", "POST", "DELETE"]);
    expect(observed()).toEqual(["both", "new"]);
  });

  test("of an update whose second request waits for a rate limit are no conflict", async () => {
    const { world, resource, observed } = await tags({ tagNames: ["old", "both"] });
    actBefore(world, /^DELETE/, () => undefined, "waits");
    await resource.up({ name: "app", tagNames: ["both", "new"] });
    expect(observed()).toEqual(["both", "new"]);
  });

  test("that another user removes between the two requests are a conflict", async () => {
    const { world, resource, change } = await tags({ tagNames: ["old", "both"] });
    actBeforeEach(world, /^DELETE/, () => change("DELETE", "both"), refusal(503, "<html>"));
    await expect(resource.up({ name: "app", tagNames: ["both", "new"] })).rejects.toThrow(
      /tagNames\["both"\] +"both" +"both" +\(none\)/,
    );
  });

  test("that the server refuses are named in the error", async () => {
    const creating = scene().resource.create({ name: "app", tagNames: ["two words"] });
    await expect(creating).rejects.toThrow("Correct tagNames");
  });
});

describe("key-value tags", () => {
  const program = { name: "app", tagBindings: { env: "test", owner: "web" } };

  /** A workspace, and other users who change its key-value tags. */
  async function bindings(own: Values = program) {
    const all = await made({ name: "app", ...own });
    const { world, resource } = all;
    return {
      ...all,
      held: () => bindingsOf(world, resource.id),
      others: (map: Record<string, string>) => bind(world, resource.id, map),
    };
  }

  test("change one by one; the others stay as they are", async () => {
    const { resource, held } = await bindings();
    for (const map of [{ env: "live", owner: "web" }, { owner: "web", cost: "7" }, undefined]) {
      await resource.up({ name: "app", ...(map && { tagBindings: map }) });
      expect(await held()).toEqual(map ?? {});
    }
  });

  test("are imported", async () => {
    const { world, resource } = await bindings();
    const read = new Resource(world, workspace);
    await read.get(resource.id);
    expect(read.inputs).toMatchObject(program);
    expect(changedPaths(read, program).filter((path) => path.startsWith("tagBindings"))).toEqual([]);
  });

  test("that other users change show drift, tag by tag, and the next up restores them", async () => {
    const { resource, held, others } = await bindings();
    await others({ env: "live", owner: "web", extra: "1" });
    await resource.refresh();
    expect(resource.preview(program).changes.map(({ path, cause }) => [path.join("."), cause])).toEqual([
      ["tagBindings.env", "drift"],
      ["tagBindings.extra", "drift"],
    ]);
    await resource.up(program);
    expect(await held()).toEqual({ env: "test", owner: "web" });
  });

  test("that other users changed before an update are a conflict until a refresh", async () => {
    const { resource, held, others } = await bindings();
    await others({ env: "live", owner: "web" });
    const next = { name: "app", tagBindings: { env: "next", owner: "web" } };
    await expect(resource.up(next)).rejects.toThrow(/tagBindings.env +"test" +"next" +"live"/);
    await expect(resource.up(next)).rejects.toThrow(
      /tagBindings.env +"test" +"next" +"live"[\s\S]*to insist: +pulumi refresh, then pulumi up/,
    );
    expect(await held()).toEqual({ env: "live", owner: "web" });
  });

  test("that exist before the program manages any are a conflict, and a refresh shows them", async () => {
    const { resource, held, others } = await bindings({});
    await others({ theirs: "1" });
    const begun = { name: "app", tagBindings: { ours: "2" } };
    await expect(resource.up(begun)).rejects.toThrow(
      /holds something already in what the program only begins to manage.*nothing was written[\s\S]*tagBindings.theirs +\(none\) +\(none\) +"1"[\s\S]*what was found, for the first time, is in the state now/,
    );
    expect(await held()).toEqual({ theirs: "1" });
    await resource.refresh();
    expect(changedPaths(resource, begun).sort()).toEqual(["tagBindings.ours", "tagBindings.theirs"]);
    await resource.up(begun);
    expect(await held()).toEqual({ ours: "2" });
  });

  test("that exist before the program manages any are logged when onConflict overwrites them", async () => {
    const { world, resource, others } = await bindings({});
    await others({ theirs: "1" });
    await resource.up({ name: "app", tagBindings: { ours: "2" }, onConflict: "overwrite" });
    const told = world.logged.find((line) => line.includes("tagBindings.theirs"));
    expect(told).toContain("overwriting what it holds already in what the program only begins to manage");
    expect(told).not.toContain("since it was last read");
  });

  test("that exist before the program writes {} are a conflict before any is removed", async () => {
    const { resource, held, others } = await bindings({});
    await others({ theirs: "1" });
    const none = { name: "app", tagBindings: {} };
    expect(resource.preview(none).changes).toMatchObject([{ path: ["tagBindings"], kind: "add" }]);
    await expect(resource.up(none)).rejects.toThrow(/tagBindings.theirs .*[\s\S]*for the first time/);
    expect(resource.preview(none).changes).toMatchObject([{ path: ["tagBindings", "theirs"] }]);
    await resource.up(none);
    expect(await held()).toEqual({});
  });

  test("and the SSH key that a create finds are in its error, and in the log of an adoption", async () => {
    const { world } = await bindings({ tagBindings: { env: "theirs" }, sshKeyId: "sshkey-deploy" });
    const own = { name: "app", tagBindings: { env: "ours" }, sshKeyId: "sshkey-modules" };
    const other = new Resource(world, workspace);
    await expect(other.create(own)).rejects.toThrow(
      /already exists[\s\S]*it differs:[\s\S]*sshKeyId +"sshkey-modules" +"sshkey-deploy"\n +tagBindings\.env +"ours" +"theirs"/,
    );
    await other.create({ ...own, adopt: true });
    expect(world.logged.join("\n")).toMatch(/taken over[\s\S]*sshKeyId .*"sshkey-deploy"[\s\S]*"theirs"/);
  });

  test("that exist after a lost update that began to manage them are not the program's", async () => {
    const { world, resource, held, others } = await bindings({});
    setFate(world, /^PATCH/, refusal(502, ""));
    const lost = { name: "app", description: "ours", tagBindings: { env: "b" } };
    await expect(resource.up(lost)).rejects.toThrow(/may still be carried out/);
    letPass(world);
    await others({ env: "b", owner: "a" });
    await resource.refresh();
    const none = { name: "app", tagBindings: {} };
    await expect(resource.up(none)).rejects.toThrow(
      /tagBindings.env .*"b"\n +tagBindings.owner .*"a"[\s\S]*for the first time/,
    );
    await resource.up(none);
    expect(await held()).toEqual({});
  });

  test("are read once when the program begins to write {} and there are none; nothing is sent", async () => {
    const { world, resource, others } = await bindings({});
    const none = { name: "app", tagBindings: {} };
    await resource.up(none);
    expect(world.requests.map(({ nature }) => nature)).toEqual(["read", "read"]);
    expect(resource.preview(none).changes).toEqual([]);
    await others({ theirs: "1" });
    await resource.refresh();
    expect(resource.preview(none).changes).toMatchObject([
      { path: ["tagBindings", "theirs"], cause: "drift" },
    ]);
  });

  test("that exist beside another conflict are recorded too, and a refresh resolves both", async () => {
    const { world, resource, held, others } = await bindings({ description: "ours" });
    await others({ theirs: "1" });
    await edit(world, resource.id, { description: "theirs" });
    const begun = { name: "app", description: "new", tagBindings: { ours: "2" } };
    await expect(resource.up(begun)).rejects.toThrow(/to insist: +pulumi refresh, then pulumi up/);
    await resource.refresh();
    await resource.up(begun);
    expect(await held()).toEqual({ ours: "2" });
  });

  test("cost a refresh one more request while the program writes some or some were found", async () => {
    const { world, resource } = await bindings();
    const asked = async () => {
      world.requests.length = 0;
      await resource.refresh();
      return world.requests.length;
    };
    expect(await asked()).toBe(2);
    await resource.up({ name: "app" });
    expect(await asked()).toBe(1);
    expect(resource.preview({ name: "app" }).changes).toEqual([]);
  });

  test("whose update was lost are written again by a program that restores the old value", async () => {
    const { world, resource, held } = await bindings();
    setFate(world, /^PATCH/, "request lost");
    await expect(resource.up({ name: "app", tagBindings: {} })).rejects.toThrow(PartialError);
    letPass(world);
    await resource.up(program);
    expect(await held()).toEqual(program.tagBindings);
  });

  test.each<[string, Json]>([
    ["a different object", { another: "object" }],
    ["different tags", bound({ other: "1" })],
    ["the tags as they were", bound({ env: "test", owner: "web" })],
  ])("are not written if the response lists %s", async (_, data) => {
    const { world, resource, held } = await bindings();
    setFate(world, /^PATCH .*tag-bindings$/, refusal(200, JSON.stringify({ data })));
    const next = { name: "app", tagBindings: { env: "live", owner: "web" } };
    await expect(resource.up(next)).rejects.toThrow(PartialError);
    letPass(world);
    await resource.up(next);
    expect(await held()).toEqual(next.tagBindings);
  });

  test("that another user binds while the server is unavailable are a conflict in the same up", async () => {
    const { world, resource, held, others } = await bindings({ tagBindings: { env: "a" } });
    const theirs = { env: "a", theirs: "1" };
    actBefore(world, /^PATCH .*tag-bindings$/, () => others(theirs), refusal(503, "<html>503</html>"));
    const failure = resource.up({ name: "app", tagBindings: { env: "b" } });
    await expect(failure).rejects.toThrow(/changed by somebody else[\s\S]*tagBindings\.theirs/);
    expect(await held()).toEqual(theirs);
  });

  test("whose response was lost or replaced by a gateway's are read back", async () => {
    const { world, resource, held } = await bindings();
    setFate(world, /^PATCH/, "response lost");
    await resource.up({ name: "app", tagBindings: {} });
    expect(await held()).toEqual({});
    letPass(world);
    world.afterwards = ({ path, method }, answer) => {
      if (method === "PATCH" && path.endsWith("tag-bindings"))
        Object.assign(answer, { status: 502, text: "bad gateway" });
    };
    await resource.up(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("that an adoption finds are removed, and later ones show in the preview", async () => {
    const { world, resource } = scene();
    const theirs = new Resource(world.another(), workspace);
    await theirs.create({ name: "app", tagBindings: { a: "1", extra: "2" } });
    await resource.create({ name: "app", tagBindings: { a: "1" }, adopt: true });
    expect(await bindingsOf(world, resource.id)).toEqual({ a: "1" });
    await bind(world, resource.id, { a: "1", extra: "2" });
    await resource.refresh();
    const changed = changedPaths(resource, { name: "app", tagBindings: { a: "9" }, adopt: true });
    expect(changed.sort()).toEqual(["tagBindings.a", "tagBindings.extra"]);
  });

  test("are removed also if the server's PATCH only adds", async () => {
    const { world, resource, held } = await bindings({ tagBindings: { a: "1", b: "2" } });
    world.fate = ({ method, path, body }) => {
      if (method === "PATCH" && path.endsWith("tag-bindings") && isObject(body) && Array.isArray(body.data))
        body.data.push(...bound({ b: "2" }));
      return "passes";
    };
    await resource.up({ name: "app", tagBindings: { a: "1" } });
    expect(await held()).toEqual({ a: "1" });
  });

  test("that another user binds during another request of the update are a conflict", async () => {
    const own = { description: "one", sshKeyId: "sshkey-deploy", tagBindings: { env: "a" } };
    const { world, resource, held, others } = await bindings(own);
    actBeforeEach(world, /ssh-key$/, () => others({ env: "a", theirs: "1" }));
    const wanted = { name: "app", description: "two", sshKeyId: "sshkey-modules", tagBindings: { env: "b" } };
    await expect(resource.up(wanted)).rejects.toThrow(/was changed by somebody else right after our update/);
    expect(await held()).toEqual({ env: "a", theirs: "1" });
    letPass(world);
    await resource.refresh();
    await resource.up(wanted);
    expect(resource.preview(wanted).changes).toEqual([]);
  });

  test("that another user binds right after the update show drift", async () => {
    const { world, resource, others } = await bindings();
    actAfter(world, /^PATCH .*tag-bindings$/, () => others({ env: "live", owner: "web", theirs: "1" }));
    const wanted = { name: "app", tagBindings: { env: "live", owner: "web" } };
    await resource.up(wanted);
    expect(resource.preview(wanted).changes).toMatchObject([
      { path: ["tagBindings", "theirs"], cause: "drift" },
    ]);
  });

  test("that another user bound during the update are logged and replaced with onConflict: overwrite", async () => {
    const { world, resource, held, others } = await bindings({
      description: "one",
      tagBindings: { env: "a" },
    });
    actBefore(world, /^PATCH/, () => others({ env: "a", theirs: "1" }));
    const wanted = { name: "app", description: "two", tagBindings: { env: "b" }, onConflict: "overwrite" };
    await resource.up(wanted);
    expect(world.logged.join("\n")).toMatch(
      /somebody else changed it right after our update \(onConflict: "overwrite"\):[\s\S]*tagBindings.theirs +\(none\) +\(none\) +"1"/,
    );
    await resource.refresh();
    await resource.up(wanted);
    expect(await held()).toEqual({ env: "b" });
  });
});

describe("a server without key-value tags", () => {
  const plain = { name: "app", description: "one" };
  const withTags = { ...plain, tagBindings: { env: "live" } };
  const none = { ...plain, tagBindings: {} };
  const older = () => scene({ switches: { tagBindingsExist: false } });
  const UNSUPPORTED =
    /tagBindings: this server does not offer it: it answers 404 for (?:GET|PATCH) \/api\/v2\/workspaces\/ws-\S+\/tag-bindings.*Next: drop tagBindings/;

  test("creates, updates, imports, adopts and deletes a workspace that writes none", async () => {
    const { world, resource } = older();
    await resource.create(plain);
    await resource.up({ ...plain, description: "two" });
    expect(await resource.refresh()).toBe(true);
    const caller = { connection: world.connection, log: () => undefined };
    const { result } = await callFunction(getWorkspace, { workspaceId: resource.id }, caller);
    expect(result).toMatchObject({ name: "app" });
    expect(result).not.toHaveProperty("tagBindings");
    const read = new Resource(world, resource.definition);
    for (const id of [resource.id, "acme/app"]) {
      await read.get(id);
      expect(read.inputs).toMatchObject({ name: "app", description: "two" });
      expect(read.inputs).not.toHaveProperty("tagBindings");
    }
    expect(read.preview(read.inputs).changes).toEqual([]);
    await new Resource(world, resource.definition).create({ ...plain, adopt: true });
    await resource.refresh();
    await resource.delete();
    expect(await resource.refresh()).toBe(false);
    expect(world.logged.join()).not.toContain("tagBindings");
  });

  test("accepts tagBindings: {} in a create and in an update", async () => {
    for (const first of [none, plain]) {
      const { resource } = older();
      await resource.create(first);
      if (first === plain) await resource.up(none);
      await expectNoChanges(resource, none);
      await resource.delete();
    }
  });

  test("makes every up that writes some partial, with a clear error", async () => {
    const { resource } = older();
    await expect(resource.create(withTags)).rejects.toThrow(UNSUPPORTED);
    expect(resource.id).toMatch(/^ws-/);
    for (let up = 0; up < 2; up++) {
      expect(resource.preview(withTags).changes).toMatchObject([{ path: ["tagBindings", "env"] }]);
      const failure = resource.update(withTags);
      await expect(failure).rejects.toThrow(UNSUPPORTED);
      await expect(failure).rejects.toBeInstanceOf(PartialError);
    }
    expect(await resource.refresh()).toBe(true);
  });

  test.each([true, false])(
    "lets the program drop them after such an error (refresh first: %s)",
    async (refreshes) => {
      const { resource } = older();
      await resource.create(withTags).catch(() => undefined);
      if (refreshes) await resource.refresh();
      await resource.update(plain);
      await expectNoChanges(resource, plain);
      await resource.up({ ...plain, description: "two" });
      await resource.delete();
    },
  );

  test("deletes a workspace after such an error", async () => {
    const { resource } = older();
    await resource.create(withTags).catch(() => undefined);
    await resource.delete();
    expect(await resource.refresh()).toBe(false);
  });

  test("carries out all other changes of an up that begins to write some", async () => {
    const { resource } = older();
    await resource.create(plain);
    await expect(resource.up({ ...withTags, description: "two" })).rejects.toThrow(UNSUPPORTED);
    expect(resource.preview({ ...plain, description: "two" }).changes).toEqual([]);
  });

  test("lets the program drop tags that it offered before, and the workspace", async () => {
    const { world, resource } = await made(withTags);
    world.stub.configure({ tagBindingsExist: false });
    expect(await resource.refresh()).toBe(true);
    expect(world.logged.join("\n")).toMatch(UNSUPPORTED);
    await resource.up(plain);
    expect(resource.preview(plain).changes).toEqual([]);
    await resource.delete();
  });
});
