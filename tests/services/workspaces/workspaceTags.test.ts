import { callFunction } from "../../../provider/core/functions/call";
import type { Values } from "../../../provider/core/language/object";
import { PartialError } from "../../../provider/core/state/errors";
import { isObject, type Json } from "../../../provider/core/value/json";
import { bindings } from "../../../provider/services/workspaces/tagBindings";
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

/** The key-value tags on the server, read outside the stack. */
async function bindingsOf(world: World, id: string): Promise<Record<string, Json>> {
  const { json } = await world.send("GET", `/api/v2/workspaces/${id}/tag-bindings`, undefined, as("owner"));
  // The stub returns a JSON:API list.
  const { data } = json as { data: { attributes: { key: string; value: string } }[] };
  return Object.fromEntries(data.map(({ attributes: { key, value } }) => [key, value]));
}

test("a request lists key-value tags in the order of their keys, on either bridge", () => {
  const inOrder = bound({ a: "1", b: "2", c: "3" });
  expect(bindings({ c: "3", a: "1", b: "2" })).toEqual(inOrder);
  expect(bindings({ b: "2", c: "3", a: "1" })).toEqual(inOrder);
});

const bind = (world: World, id: string, map: Record<string, string>) =>
  ask(world, "PATCH", `${id}/tag-bindings`, bound(map));

describe("flat tags", () => {
  /** A workspace that this program created, and other users who change its flat tags. */
  async function tags(program: Values) {
    const all = await made({ name: "app", ...program });
    const change = (method: "POST" | "DELETE", ...names: string[]) =>
      ask(all.world, method, `${all.resource.id}/relationships/tags`, tagged(...names));
    return { ...all, change, observed: () => all.resource.record.observed.tagNames };
  }

  test("an update adds and removes the program's tags and keeps those of other users", async () => {
    const { resource, change, observed } = await tags({ tagNames: ["One", "two"] });
    await change("POST", "theirs");
    await resource.refresh();
    expect(resource.preview({ name: "app", tagNames: ["one", "TWO"] }).changes).toEqual([]);
    await resource.up({ name: "app", tagNames: ["two", "three"] });
    await resource.refresh();
    expect(observed()).toEqual(["theirs", "three", "two"]);
  });

  test("tags of other users show as changes with exclusiveTags, and are removed by DELETE", async () => {
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

  test("names that differ only in case are one tag, also with exclusiveTags", async () => {
    const { resource } = await tags({ tagNames: ["One", "ONE", "one"], exclusiveTags: true });
    const same = { name: "app", tagNames: ["one", "One"], exclusiveTags: true };
    expect(resource.preview(same).changes).toEqual([]);
  });

  test("a tag that another user adds before an update with exclusiveTags is a conflict", async () => {
    const { resource, change } = await tags({ tagNames: ["one"], exclusiveTags: true });
    await change("POST", "theirs");
    await expect(resource.up({ name: "app", tagNames: ["two"], exclusiveTags: true })).rejects.toThrow(
      /tagNames\["theirs"\] +\(none\) +\(none\) +"theirs"/,
    );
  });

  test("exclusiveTags requires tagNames; [] is enough", () => {
    const { resource } = scene();
    expect(resource.check({ name: "app", exclusiveTags: true })).toEqual([
      { path: "exclusiveTags", reason: expect.stringContaining("requires tagNames; write []") },
    ]);
    expect(resource.check({ name: "app", exclusiveTags: true, tagNames: [] })).toEqual([]);
  });

  test("after a partial update, the next up removes tags that the program no longer writes", async () => {
    const { world, resource, observed } = await tags({ tagNames: ["old"] });
    setFate(world, /^DELETE .*tags$/, "request lost");
    await expect(resource.up({ name: "app", tagNames: ["new"] })).rejects.toThrow(PartialError);
    letPass(world);
    await resource.up({ name: "app", tagNames: ["newer"] });
    expect(observed()).toEqual(["newer"]);
  });

  test("both requests are repeated without a conflict if a proxy rejects the second one once", async () => {
    const { world, resource, observed } = await tags({ tagNames: ["old", "both"] });
    actBefore(world, /^DELETE .*tags$/, () => undefined, refusal(503, "<html>"));
    await resource.up({ name: "app", tagNames: ["both", "new"] });
    const sent = world.requests.filter(({ path }) => path.endsWith("tags")).map(({ method }) => method);
    expect(sent).toEqual(["POST", "DELETE", "POST", "DELETE"]);
    expect(observed()).toEqual(["both", "new"]);
  });

  test("an update whose second request waits for a rate limit is no conflict", async () => {
    const { world, resource, observed } = await tags({ tagNames: ["old", "both"] });
    actBefore(world, /^DELETE/, () => undefined, "waits");
    await resource.up({ name: "app", tagNames: ["both", "new"] });
    expect(observed()).toEqual(["both", "new"]);
  });

  test("a tag that another user removes between the two requests of an update is a conflict", async () => {
    const { world, resource, change } = await tags({ tagNames: ["old", "both"] });
    actBeforeEach(world, /^DELETE/, () => change("DELETE", "both"), refusal(503, "<html>"));
    await expect(resource.up({ name: "app", tagNames: ["both", "new"] })).rejects.toThrow(
      /tagNames\["both"\] +"both" +"both" +\(none\)/,
    );
  });

  test("the error for a tag that the server rejects names tagNames", async () => {
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
      currentTags: () => bindingsOf(world, resource.id),
      bindAsOther: (map: Record<string, string>) => bind(world, resource.id, map),
    };
  }

  test("an update sets exactly the tags that the program writes", async () => {
    const { resource, currentTags } = await bindings();
    for (const map of [{ env: "live", owner: "web" }, { owner: "web", cost: "7" }, undefined]) {
      await resource.up({ name: "app", ...(map && { tagBindings: map }) });
      expect(await currentTags()).toEqual(map ?? {});
    }
  });

  test("are imported with the workspace", async () => {
    const { world, resource } = await bindings();
    const read = new Resource(world, workspace);
    await read.get(resource.id);
    expect(read.inputs).toMatchObject(program);
    expect(changedPaths(read, program).filter((path) => path.startsWith("tagBindings"))).toEqual([]);
  });

  test("changes by other users show drift for each tag, and the next up restores the program's tags", async () => {
    const { resource, currentTags, bindAsOther } = await bindings();
    await bindAsOther({ env: "live", owner: "web", extra: "1" });
    await resource.refresh();
    expect(resource.preview(program).changes.map(({ path, cause }) => [path.join("."), cause])).toEqual([
      ["tagBindings.env", "drift"],
      ["tagBindings.extra", "drift"],
    ]);
    await resource.up(program);
    expect(await currentTags()).toEqual({ env: "test", owner: "web" });
  });

  test("a tag that another user changed before an update is a conflict in each up until a refresh", async () => {
    const { resource, currentTags, bindAsOther } = await bindings();
    await bindAsOther({ env: "live", owner: "web" });
    const next = { name: "app", tagBindings: { env: "next", owner: "web" } };
    await expect(resource.up(next)).rejects.toThrow(/tagBindings.env +"test" +"next" +"live"/);
    await expect(resource.up(next)).rejects.toThrow(
      /tagBindings.env +"test" +"next" +"live"[\s\S]*to keep yours: +pulumi refresh, then pulumi up/,
    );
    expect(await currentTags()).toEqual({ env: "live", owner: "web" });
    expect(await resource.refresh()).toBe(true);
    await resource.up(next);
    expect(await currentTags()).toEqual({ env: "next", owner: "web" });
  });

  test("existing tags are a conflict when the program starts to manage tags, and a refresh shows them", async () => {
    const { resource, currentTags, bindAsOther } = await bindings({});
    await bindAsOther({ theirs: "1" });
    const begun = { name: "app", tagBindings: { ours: "2" } };
    await expect(resource.up(begun)).rejects.toThrow(
      /already has values in properties that the program starts to manage.*nothing was written[\s\S]*tagBindings.theirs +\(none\) +\(none\) +"1"[\s\S]*the values found are now in the state/,
    );
    expect(await currentTags()).toEqual({ theirs: "1" });
    await resource.refresh();
    expect(changedPaths(resource, begun).sort()).toEqual(["tagBindings.ours", "tagBindings.theirs"]);
    await resource.up(begun);
    expect(await currentTags()).toEqual({ ours: "2" });
  });

  test("existing tags are overwritten and logged when the program starts with onConflict: overwrite", async () => {
    const { world, resource, bindAsOther } = await bindings({});
    await bindAsOther({ theirs: "1" });
    await resource.up({ name: "app", tagBindings: { ours: "2" }, onConflict: "overwrite" });
    const warning = world.logged.find((line) => line.includes("tagBindings.theirs"));
    expect(warning).toContain(
      "overwriting an object that already has values in properties that the program starts to manage",
    );
    expect(warning).not.toContain("outside this stack");
  });

  test("existing tags are a conflict when the program starts to write {}; the next up removes them", async () => {
    const { resource, currentTags, bindAsOther } = await bindings({});
    await bindAsOther({ theirs: "1" });
    const none = { name: "app", tagBindings: {} };
    expect(resource.preview(none).changes).toMatchObject([{ path: ["tagBindings"], kind: "add" }]);
    await expect(resource.up(none)).rejects.toThrow(
      /tagBindings.theirs .*[\s\S]*the values found are now in the state/,
    );
    expect(resource.preview(none).changes).toMatchObject([{ path: ["tagBindings", "theirs"] }]);
    await resource.up(none);
    expect(await currentTags()).toEqual({});
  });

  test("a create that finds other tags or another SSH key lists them; an adoption logs them", async () => {
    const { world } = await bindings({ tagBindings: { env: "theirs" }, sshKeyId: "sshkey-deploy" });
    const own = { name: "app", tagBindings: { env: "ours" }, sshKeyId: "sshkey-modules" };
    const other = new Resource(world, workspace);
    await expect(other.create(own)).rejects.toThrow(
      /already exists[\s\S]*the object differs:[\s\S]*sshKeyId +"sshkey-modules" +"sshkey-deploy"\n +tagBindings\.env +"ours" +"theirs"/,
    );
    await other.create({ ...own, adopt: true });
    expect(world.logged.join("\n")).toMatch(/adopted[\s\S]*sshKeyId .*"sshkey-deploy"[\s\S]*"theirs"/);
  });

  test("tags found after an update of unknown outcome, which started to manage tags, are a conflict", async () => {
    const { world, resource, currentTags, bindAsOther } = await bindings({});
    setFate(world, /^PATCH/, refusal(502, ""));
    const lost = { name: "app", description: "ours", tagBindings: { env: "b" } };
    await expect(resource.up(lost)).rejects.toThrow(/may still be applied/);
    letPass(world);
    await bindAsOther({ env: "b", owner: "a" });
    await resource.refresh();
    const none = { name: "app", tagBindings: {} };
    await expect(resource.up(none)).rejects.toThrow(
      /tagBindings.env .*"b"\n +tagBindings.owner .*"a"[\s\S]*the values found are now in the state/,
    );
    await resource.up(none);
    expect(await currentTags()).toEqual({});
  });

  test("starting to write {} without existing tags sends only reads; tags added later show drift", async () => {
    const { world, resource, bindAsOther } = await bindings({});
    const none = { name: "app", tagBindings: {} };
    await resource.up(none);
    expect(world.requests.map(({ nature }) => nature)).toEqual(["read", "read"]);
    expect(resource.preview(none).changes).toEqual([]);
    await bindAsOther({ theirs: "1" });
    await resource.refresh();
    expect(resource.preview(none).changes).toMatchObject([
      { path: ["tagBindings", "theirs"], cause: "drift" },
    ]);
  });

  test("existing tags found together with another conflict are recorded, and a refresh resolves both", async () => {
    const { world, resource, currentTags, bindAsOther } = await bindings({ description: "ours" });
    await bindAsOther({ theirs: "1" });
    await edit(world, resource.id, { description: "theirs" });
    const begun = { name: "app", description: "new", tagBindings: { ours: "2" } };
    await expect(resource.up(begun)).rejects.toThrow(/to keep yours: +pulumi refresh, then pulumi up/);
    await resource.refresh();
    await resource.up(begun);
    expect(await currentTags()).toEqual({ ours: "2" });
  });

  test("a refresh sends one more request while the program writes tags", async () => {
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

  test("tags whose removal was lost are written again by a program that restores them", async () => {
    const { world, resource, currentTags } = await bindings();
    setFate(world, /^PATCH/, "request lost");
    await expect(resource.up({ name: "app", tagBindings: {} })).rejects.toThrow(PartialError);
    letPass(world);
    await resource.up(program);
    expect(await currentTags()).toEqual(program.tagBindings);
  });

  test.each<[string, Json]>([
    ["a different object", { another: "object" }],
    ["different tags", bound({ other: "1" })],
    ["the old tags", bound({ env: "test", owner: "web" })],
  ])("an update is partial if its response lists %s, and the next up writes the tags", async (_, data) => {
    const { world, resource, currentTags } = await bindings();
    setFate(world, /^PATCH .*tag-bindings$/, refusal(200, JSON.stringify({ data })));
    const next = { name: "app", tagBindings: { env: "live", owner: "web" } };
    await expect(resource.up(next)).rejects.toThrow(PartialError);
    letPass(world);
    await resource.up(next);
    expect(await currentTags()).toEqual(next.tagBindings);
  });

  test("a tag that another user adds while the server is unavailable is a conflict in the same up", async () => {
    const { world, resource, currentTags, bindAsOther } = await bindings({ tagBindings: { env: "a" } });
    const theirs = { env: "a", theirs: "1" };
    actBefore(world, /^PATCH .*tag-bindings$/, () => bindAsOther(theirs), refusal(503, "<html>503</html>"));
    const failure = resource.up({ name: "app", tagBindings: { env: "b" } });
    await expect(failure).rejects.toThrow(/changed outside this stack[\s\S]*tagBindings\.theirs/);
    expect(await currentTags()).toEqual(theirs);
  });

  test("an update whose response is lost or replaced by a gateway's is confirmed by a read", async () => {
    const { world, resource, currentTags } = await bindings();
    setFate(world, /^PATCH/, "response lost");
    await resource.up({ name: "app", tagBindings: {} });
    expect(await currentTags()).toEqual({});
    letPass(world);
    world.onResponse = ({ path, method }, answer) => {
      if (method === "PATCH" && path.endsWith("tag-bindings"))
        Object.assign(answer, { status: 502, text: "bad gateway" });
    };
    await resource.up(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("an adoption removes other tags, and tags added later show in the preview", async () => {
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

  test("are removed even if the server's PATCH only adds tags", async () => {
    const { world, resource, currentTags } = await bindings({ tagBindings: { a: "1", b: "2" } });
    world.fate = ({ method, path, body }) => {
      if (method === "PATCH" && path.endsWith("tag-bindings") && isObject(body) && Array.isArray(body.data))
        body.data.push(...bound({ b: "2" }));
      return "passes";
    };
    await resource.up({ name: "app", tagBindings: { a: "1" } });
    expect(await currentTags()).toEqual({ a: "1" });
  });

  test("a tag that another user adds during a different request of the update is a conflict", async () => {
    const own = { description: "one", sshKeyId: "sshkey-deploy", tagBindings: { env: "a" } };
    const { world, resource, currentTags, bindAsOther } = await bindings(own);
    actBeforeEach(world, /ssh-key$/, () => bindAsOther({ env: "a", theirs: "1" }));
    const wanted = { name: "app", description: "two", sshKeyId: "sshkey-modules", tagBindings: { env: "b" } };
    await expect(resource.up(wanted)).rejects.toThrow(/was changed by someone else right after your update/);
    expect(await currentTags()).toEqual({ env: "a", theirs: "1" });
    letPass(world);
    await resource.refresh();
    await resource.up(wanted);
    expect(resource.preview(wanted).changes).toEqual([]);
  });

  test("a tag that another user adds right after the update shows drift", async () => {
    const { world, resource, bindAsOther } = await bindings();
    actAfter(world, /^PATCH .*tag-bindings$/, () => bindAsOther({ env: "live", owner: "web", theirs: "1" }));
    const wanted = { name: "app", tagBindings: { env: "live", owner: "web" } };
    await resource.up(wanted);
    expect(resource.preview(wanted).changes).toMatchObject([
      { path: ["tagBindings", "theirs"], cause: "drift" },
    ]);
  });

  test("a tag that another user adds during an update with onConflict: overwrite is logged and removed", async () => {
    const { world, resource, currentTags, bindAsOther } = await bindings({
      description: "one",
      tagBindings: { env: "a" },
    });
    actBefore(world, /^PATCH/, () => bindAsOther({ env: "a", theirs: "1" }));
    const wanted = { name: "app", description: "two", tagBindings: { env: "b" }, onConflict: "overwrite" };
    await resource.up(wanted);
    expect(world.logged.join("\n")).toMatch(
      /someone else changed the object right after your update \(onConflict: "overwrite"\):[\s\S]*tagBindings.theirs +\(none\) +\(none\) +"1"/,
    );
    await resource.refresh();
    await resource.up(wanted);
    expect(await currentTags()).toEqual({ env: "b" });
  });
});

describe("a server without key-value tags", () => {
  const plain = { name: "app", description: "one" };
  const withTags = { ...plain, tagBindings: { env: "live" } };
  const none = { ...plain, tagBindings: {} };
  const older = () => scene({ switches: { tagBindingsExist: false } });
  const UNSUPPORTED =
    /this server does not support tagBindings: (?:GET|PATCH) \/api\/v2\/workspaces\/ws-\S+\/tag-bindings returned 404.*Next: remove tagBindings/;

  test("creates, updates, reads, imports, adopts and deletes a workspace without tagBindings", async () => {
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

  test("makes every up that writes tags partial, with an error that names tagBindings", async () => {
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
    "lets the program remove tagBindings after that error (refresh first: %s)",
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

  test("deletes a workspace after that error", async () => {
    const { resource } = older();
    await resource.create(withTags).catch(() => undefined);
    await resource.delete();
    expect(await resource.refresh()).toBe(false);
  });

  test("carries out the other changes of an up that starts to write tags", async () => {
    const { resource } = older();
    await resource.create(plain);
    await expect(resource.up({ ...withTags, description: "two" })).rejects.toThrow(UNSUPPORTED);
    expect(resource.preview({ ...plain, description: "two" }).changes).toEqual([]);
  });

  test("lets the program remove tags that the server supported before, and delete the workspace", async () => {
    const { world, resource } = await made(withTags);
    world.stub.configure({ tagBindingsExist: false });
    expect(await resource.refresh()).toBe(true);
    expect(world.logged.join("\n")).toMatch(UNSUPPORTED);
    await resource.up(plain);
    expect(resource.preview(plain).changes).toEqual([]);
    await resource.delete();
  });
});
