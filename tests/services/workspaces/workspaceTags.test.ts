import { PartialError } from "../../../provider/core/state/errors";
import { isObject, type Json } from "../../../provider/core/value/json";
import workspace from "../../../provider/services/workspaces/workspace";
import { Resource } from "../../steps/resource";
import type { Fate, World } from "../../steps/world";
import { as, made, scene } from "./workspace-scene";

const tagged = (...names: string[]) => ({
  data: names.map((name) => ({ type: "tags", attributes: { name } })),
});
const bound = (map: Record<string, string>) => ({
  data: Object.entries(map).map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } })),
});

/** What the service holds, read at a console. */
async function bindingsOf(world: World, id: string): Promise<Record<string, Json>> {
  const { json } = await world.send("GET", `/api/v2/workspaces/${id}/tag-bindings`, undefined, as("owner"));
  // The stub answers a JSON:API list.
  const { data } = json as { data: { attributes: { key: string; value: string } }[] };
  return Object.fromEntries(data.map(({ attributes: { key, value } }) => [key, value]));
}

async function bind(world: World, id: string, map: Record<string, string>): Promise<void> {
  await world.send("PATCH", `/api/v2/workspaces/${id}/tag-bindings`, bound(map), as("owner"));
}

describe("flat tags", () => {
  test("flat tags that others add stay, and only ours are added and removed", async () => {
    const { world, resource } = await made({ name: "app", tagNames: ["One", "two"] });
    const path = `/api/v2/workspaces/${resource.id}/relationships/tags`;
    const theirs = { data: [{ type: "tags", attributes: { name: "theirs" } }] };
    await world.send("POST", path, theirs, as("owner"));
    await resource.refresh();
    expect(resource.preview({ name: "app", tagNames: ["one", "TWO"] }).changes).toEqual([]);
    await resource.up({ name: "app", tagNames: ["two", "three"] });
    await resource.refresh();
    expect(resource.record.observed.tagNames).toEqual(["theirs", "three", "two"]);
  });

  test("are the program's alone where it asks for that: others' are shown, then removed by DELETE", async () => {
    const { world, resource } = await made({ name: "app", tagNames: ["one"] });
    const path = `/api/v2/workspaces/${resource.id}/relationships/tags`;
    await world.send("POST", path, tagged("theirs"), as("owner"));
    const exclusive = { name: "app", tagNames: ["one"], exclusiveTags: true };
    await resource.refresh();
    expect(resource.preview(exclusive).changes).toMatchObject([
      { path: ["tagNames"], kind: "update" },
      { path: ["exclusiveTags"] },
    ]);
    world.requests.length = 0;
    await resource.up(exclusive);
    expect(world.requests.filter(({ nature }) => nature === "write")).toMatchObject([
      { method: "DELETE", path, body: tagged("theirs") },
    ]);
    expect(resource.record.observed.tagNames).toEqual(["one"]);
    await world.send("POST", path, tagged("again"), as("owner"));
    await resource.refresh();
    expect(resource.preview(exclusive).changes).toMatchObject([{ path: ["tagNames"], cause: "drift" }]);
  });

  test("that differ in case only are one, also where they are to be the program's alone", async () => {
    const { resource } = await made({ name: "app", tagNames: ["One", "ONE", "one"], exclusiveTags: true });
    expect(resource.preview({ name: "app", tagNames: ["one", "One"], exclusiveTags: true }).changes).toEqual(
      [],
    );
  });

  test("that others add while the program asks for others are a conflict for one that wants them alone", async () => {
    const { world, resource } = await made({ name: "app", tagNames: ["one"], exclusiveTags: true });
    const path = `/api/v2/workspaces/${resource.id}/relationships/tags`;
    await world.send("POST", path, tagged("theirs"), as("owner"));
    await expect(resource.up({ name: "app", tagNames: ["two"], exclusiveTags: true })).rejects.toThrow(
      /tagNames\["theirs"\] +\(none\) +\(none\) +"theirs"/,
    );
  });

  test("that are to be the program's alone must be written, if only as none", async () => {
    const { resource } = await made({ name: "app" });
    expect(resource.check({ name: "app", exclusiveTags: true })).toEqual([
      { path: "exclusiveTags", reason: expect.stringContaining("needs tagNames: write []") },
    ]);
    expect(resource.check({ name: "app", exclusiveTags: true, tagNames: [] })).toEqual([]);
  });

  test("of a write that failed half-way are still ours: the next up removes what the program dropped", async () => {
    const { world, resource } = await made({ name: "app", tagNames: ["old"] });
    world.fate = ({ method, path }) =>
      method === "DELETE" && path.endsWith("tags") ? "request lost" : "passes";
    await expect(resource.up({ name: "app", tagNames: ["new"] })).rejects.toThrow(PartialError);
    world.fate = () => "passes";
    await resource.up({ name: "app", tagNames: ["newer"] });
    expect(resource.record.observed.tagNames).toEqual(["newer"]);
  });

  test("of which a gateway lets only one of their two requests through are nobody else's: the other one is sent once more", async () => {
    const { world, resource } = await made({ name: "app", tagNames: ["old", "both"] });
    const sent: string[] = [];
    world.fate = ({ method, path }) => {
      if (!path.endsWith("tags")) return "passes";
      sent.push(method);
      const isBlocked = sent.filter((each) => each === "DELETE").length === 1 && method === "DELETE";
      return isBlocked ? { answer: { status: 503, text: "<html>" }, isCarriedOut: false } : "passes";
    };
    await resource.up({ name: "app", tagNames: ["both", "new"] });
    expect(sent).toEqual(["POST", "DELETE", "POST", "DELETE"]);
    expect(resource.record.observed.tagNames).toEqual(["both", "new"]);
  });

  test("of which the second of two requests has to be sent again are nobody else's", async () => {
    const { world, resource } = await made({ name: "app", tagNames: ["old", "both"] });
    let waited = 0;
    world.fate = ({ method }): Fate => (method === "DELETE" && ++waited === 1 ? "waits" : "passes");
    await resource.up({ name: "app", tagNames: ["both", "new"] });
    expect(resource.record.observed.tagNames).toEqual(["both", "new"]);
  });

  test("that somebody else takes away between their two requests are a conflict", async () => {
    const { world, resource } = await made({ name: "app", tagNames: ["old", "both"] });
    const path = `/api/v2/workspaces/${resource.id}/relationships/tags`;
    world.fate = async ({ method }) => {
      if (method !== "DELETE") return "passes";
      await world.send("DELETE", path, tagged("both"), as("owner"));
      return { answer: { status: 503, text: "<html>" }, isCarriedOut: false };
    };
    await expect(resource.up({ name: "app", tagNames: ["both", "new"] })).rejects.toThrow(
      /tagNames\["both"\] +"both" +"both" +\(none\)/,
    );
  });
});

describe("key-value tags", () => {
  const program = { name: "app", tagBindings: { env: "test", owner: "web" } };

  test("change one by one, and the others stay as they are", async () => {
    const { world, resource } = await made(program);
    await resource.up({ name: "app", tagBindings: { env: "live", owner: "web" } });
    expect(await bindingsOf(world, resource.id)).toEqual({ env: "live", owner: "web" });
    await resource.up({ name: "app", tagBindings: { owner: "web", cost: "7" } });
    expect(await bindingsOf(world, resource.id)).toEqual({ owner: "web", cost: "7" });
    await resource.up({ name: "app" });
    expect(await bindingsOf(world, resource.id)).toEqual({});
  });

  test("are in what is imported by the workspace's id", async () => {
    const { world, resource } = await made(program);
    const read = new Resource(world, workspace);
    await read.get(resource.id);
    expect(read.inputs).toMatchObject(program);
    expect(read.preview(program).changes.filter(({ path }) => path[0] === "tagBindings")).toEqual([]);
  });

  test("that others move show after a refresh, tag by tag, and the next up puts them back", async () => {
    const { world, resource } = await made(program);
    await bind(world, resource.id, { env: "live", owner: "web", extra: "1" });
    await resource.refresh();
    expect(resource.preview(program).changes.map(({ path, cause }) => [path.join("."), cause])).toEqual([
      ["tagBindings.env", "drift"],
      ["tagBindings.extra", "drift"],
    ]);
    await resource.up(program);
    expect(await bindingsOf(world, resource.id)).toEqual({ env: "test", owner: "web" });
  });

  test("that others moved just before our write are a conflict, and nothing of theirs is lost", async () => {
    const { world, resource } = await made(program);
    await bind(world, resource.id, { env: "live", owner: "web" });
    const failure = resource.up({ name: "app", tagBindings: { env: "next", owner: "web" } });
    await expect(failure).rejects.toThrow(/tagBindings.env +"test" +"next" +"live"/);
    // They were seen before, so that nothing but a refresh lets the next up replace them.
    await expect(resource.up({ name: "app", tagBindings: { env: "next", owner: "web" } })).rejects.toThrow(
      /tagBindings.env +"test" +"next" +"live"[\s\S]*to insist: +pulumi refresh, then pulumi up/,
    );
    expect(await bindingsOf(world, resource.id)).toEqual({ env: "live", owner: "web" });
  });

  test("that were there before the program began to write its own are shown before any is replaced", async () => {
    const { world, resource } = await made({ name: "app" });
    await bind(world, resource.id, { theirs: "1" });
    const begun = { name: "app", tagBindings: { ours: "2" } };
    await expect(resource.up(begun)).rejects.toThrow(
      /holds something already in what the program only begins to manage.*nothing was written[\s\S]*tagBindings.theirs +\(none\) +\(none\) +"1"[\s\S]*what was found, for the first time, is in the state now/,
    );
    expect(await bindingsOf(world, resource.id)).toEqual({ theirs: "1" });
    await resource.refresh();
    expect(
      resource
        .preview(begun)
        .changes.map(({ path }) => path.join("."))
        .sort(),
    ).toEqual(["tagBindings.ours", "tagBindings.theirs"]);
    await resource.up(begun);
    expect(await bindingsOf(world, resource.id)).toEqual({ ours: "2" });
  });

  test("that were there before the program began to write its own are told as just that when they are gone over", async () => {
    const { world, resource } = await made({ name: "app" });
    await bind(world, resource.id, { theirs: "1" });
    await resource.up({ name: "app", tagBindings: { ours: "2" }, onConflict: "overwrite" });
    const told = world.logged.find((line) => line.includes("tagBindings.theirs"));
    expect(told).toContain("overwriting what it holds already in what the program only begins to manage");
    expect(told).not.toContain("since it was last read");
  });

  test("that were there before the program began to write none are shown before any is taken away", async () => {
    const { world, resource } = await made({ name: "app" });
    await bind(world, resource.id, { theirs: "1" });
    const none = { name: "app", tagBindings: {} };
    expect(resource.preview(none).changes).toMatchObject([{ path: ["tagBindings"], kind: "add" }]);
    await expect(resource.up(none)).rejects.toThrow(/tagBindings.theirs .*[\s\S]*for the first time/);
    expect(resource.preview(none).changes).toMatchObject([{ path: ["tagBindings", "theirs"] }]);
    await resource.up(none);
    expect(await bindingsOf(world, resource.id)).toEqual({});
  });

  test("and keys that a create finds otherwise are told by it, and by the adoption that goes over them", async () => {
    const { world } = await made({ name: "app", tagBindings: { env: "theirs" }, sshKeyId: "sshkey-deploy" });
    const program = { name: "app", tagBindings: { env: "ours" }, sshKeyId: "sshkey-modules" };
    const other = new Resource(world, workspace);
    await expect(other.create(program)).rejects.toThrow(
      /already exists[\s\S]*it differs:[\s\S]*sshKeyId +"sshkey-modules" +"sshkey-deploy"\n +tagBindings\.env +"ours" +"theirs"/,
    );
    await other.create({ ...program, adopt: true });
    expect(world.logged.join("\n")).toMatch(/taken over[\s\S]*sshKeyId .*"sshkey-deploy"[\s\S]*"theirs"/);
  });

  test("that were there before an update that was lost began to write them are none of its own", async () => {
    const { world, resource } = await made({ name: "app" });
    const unanswered: Fate = { answer: { status: 502, text: "" }, isCarriedOut: false };
    world.fate = ({ method }) => (method === "PATCH" ? unanswered : "passes");
    const lost = { name: "app", description: "ours", tagBindings: { env: "b" } };
    await expect(resource.up(lost)).rejects.toThrow(/may still be carried out/);
    world.fate = () => "passes";
    await bind(world, resource.id, { env: "b", owner: "a" });
    await resource.refresh();
    // As the message says, the next up settles it.
    const none = { name: "app", tagBindings: {} };
    await expect(resource.up(none)).rejects.toThrow(
      /tagBindings.env .*"b"\n +tagBindings.owner .*"a"[\s\S]*for the first time/,
    );
    await resource.up(none);
    expect(await bindingsOf(world, resource.id)).toEqual({});
  });

  test("of which there are none are looked at once where the program begins to write none, and nothing is sent", async () => {
    const { world, resource } = await made({ name: "app" });
    const none = { name: "app", tagBindings: {} };
    await resource.up(none);
    expect(world.requests.map(({ nature }) => nature)).toEqual(["read", "read"]);
    expect(resource.preview(none).changes).toEqual([]);
    await bind(world, resource.id, { theirs: "1" });
    await resource.refresh();
    expect(resource.preview(none).changes).toMatchObject([
      { path: ["tagBindings", "theirs"], cause: "drift" },
    ]);
  });

  test("that were there before, beside another conflict, are recorded too, and a refresh settles both", async () => {
    const { world, resource } = await made({ name: "app", description: "ours" });
    await bind(world, resource.id, { theirs: "1" });
    const data = { type: "workspaces", attributes: { description: "theirs" } };
    await world.send("PATCH", `/api/v2/workspaces/${resource.id}`, { data }, as("owner"));
    const begun = { name: "app", description: "new", tagBindings: { ours: "2" } };
    await expect(resource.up(begun)).rejects.toThrow(/to insist: +pulumi refresh, then pulumi up/);
    await resource.refresh();
    await resource.up(begun);
    expect(await bindingsOf(world, resource.id)).toEqual({ ours: "2" });
  });

  test("cost a request of their own in a refresh only while the program writes some, or some were found", async () => {
    const { world, resource } = await made(program);
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

  test("whose write was lost are written again, also by a program that goes back to what it wrote before", async () => {
    const { world, resource } = await made(program);
    world.fate = ({ method }) => (method === "PATCH" ? "request lost" : "passes");
    await expect(resource.up({ name: "app", tagBindings: {} })).rejects.toThrow(PartialError);
    world.fate = () => "passes";
    await resource.up(program);
    expect(await bindingsOf(world, resource.id)).toEqual(program.tagBindings);
  });

  test.each([
    ["something else", { data: { another: "object" } }],
    ["other tags", bound({ other: "1" })],
    ["the tags as they were", bound({ env: "test", owner: "web" })],
  ])("are written only where the answer lists them: one of %s is not believed", async (_, json) => {
    const { world, resource } = await made(program);
    world.fate = ({ method, path }) =>
      method === "PATCH" && path.endsWith("tag-bindings")
        ? { answer: { status: 200, text: JSON.stringify(json) }, isCarriedOut: false }
        : "passes";
    const next = { name: "app", tagBindings: { env: "live", owner: "web" } };
    await expect(resource.up(next)).rejects.toThrow(PartialError);
    world.fate = () => "passes";
    await resource.up(next);
    expect(await bindingsOf(world, resource.id)).toEqual(next.tagBindings);
  });

  test("that somebody bound while the service was not there are shown, and not written over by the same command", async () => {
    const { world, resource } = await made({ name: "app", tagBindings: { env: "a" } });
    let isFirst = true;
    world.fate = async ({ method, path }): Promise<Fate> => {
      if (method !== "PATCH" || !path.endsWith("tag-bindings") || !isFirst) return "passes";
      isFirst = false;
      await bind(world, resource.id, { env: "a", theirs: "1" });
      return { answer: { status: 503, text: "<html>503</html>" }, isCarriedOut: false };
    };
    const wanted = { name: "app", tagBindings: { env: "b" } };
    await expect(resource.up(wanted)).rejects.toThrow(/changed by somebody else[\s\S]*tagBindings\.theirs/);
    expect(await bindingsOf(world, resource.id)).toEqual({ env: "a", theirs: "1" });
  });

  test("whose answer was lost, or came from a gateway, are looked at: what happened is no failure", async () => {
    const { world, resource } = await made(program);
    world.fate = ({ method }) => (method === "PATCH" ? "response lost" : "passes");
    await resource.up({ name: "app", tagBindings: {} });
    expect(await bindingsOf(world, resource.id)).toEqual({});
    world.fate = () => "passes";
    world.afterwards = ({ path, method }, answer) => {
      if (method === "PATCH" && path.endsWith("tag-bindings"))
        Object.assign(answer, { status: 502, text: "bad gateway" });
    };
    await resource.up(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("that were there from the first are to go, and the preview says so", async () => {
    const { world, resource } = scene();
    const theirs = new Resource(world.another(), workspace);
    await theirs.create({ name: "app", tagBindings: { a: "1", extra: "2" } });
    await resource.create({ name: "app", tagBindings: { a: "1" }, adopt: true });
    expect(await bindingsOf(world, resource.id)).toEqual({ a: "1" });
    await bind(world, resource.id, { a: "1", extra: "2" });
    await resource.refresh();
    const { changes } = resource.preview({ name: "app", tagBindings: { a: "9" }, adopt: true });
    expect(changes.map(({ path }) => path.join(".")).sort()).toEqual(["tagBindings.a", "tagBindings.extra"]);
  });

  test("that are to go, go also where the service's own request for them only adds", async () => {
    const { world, resource } = await made({ name: "app", tagBindings: { a: "1", b: "2" } });
    world.fate = ({ method, path, body }) => {
      // The real service's request for tag bindings may keep what it is not told of.
      if (method === "PATCH" && path.endsWith("tag-bindings") && isObject(body) && Array.isArray(body.data)) {
        body.data.push({ type: "tag-bindings", attributes: { key: "b", value: "2" } });
      }
      return "passes";
    };
    await resource.up({ name: "app", tagBindings: { a: "1" } });
    expect(await bindingsOf(world, resource.id)).toEqual({ a: "1" });
  });

  test("that somebody bound while another of our requests was on its way is a conflict, and stays", async () => {
    const { world, resource } = await made({
      name: "app",
      description: "one",
      sshKeyId: "sshkey-deploy",
      tagBindings: { env: "a" },
    });
    world.fate = async ({ path }): Promise<Fate> => {
      if (path.endsWith("ssh-key")) await bind(world, resource.id, { env: "a", theirs: "1" });
      return "passes";
    };
    const wanted = { name: "app", description: "two", sshKeyId: "sshkey-modules", tagBindings: { env: "b" } };
    await expect(resource.up(wanted)).rejects.toThrow(/was changed by somebody else right after our update/);
    expect(await bindingsOf(world, resource.id)).toEqual({ env: "a", theirs: "1" });
    world.fate = () => "passes";
    await resource.refresh();
    await resource.up(wanted);
    expect(resource.preview(wanted).changes).toEqual([]);
  });

  test("that somebody binds right after our write show as drift, and do not pass for ours", async () => {
    const { world, resource } = await made(program);
    world.afterwards = async ({ method, path }) => {
      if (method !== "PATCH" || !path.endsWith("tag-bindings")) return;
      world.afterwards = () => undefined;
      await bind(world, resource.id, { env: "live", owner: "web", theirs: "1" });
    };
    const wanted = { name: "app", tagBindings: { env: "live", owner: "web" } };
    await resource.up(wanted);
    expect(resource.preview(wanted).changes).toMatchObject([
      { path: ["tagBindings", "theirs"], cause: "drift" },
    ]);
  });

  test("that somebody bound meanwhile are replaced by a program that insists, which prints them", async () => {
    const { world, resource } = await made({ name: "app", description: "one", tagBindings: { env: "a" } });
    world.fate = async ({ method }): Promise<Fate> => {
      if (method === "PATCH") {
        world.fate = () => "passes";
        await bind(world, resource.id, { env: "a", theirs: "1" });
      }
      return "passes";
    };
    const wanted = { name: "app", description: "two", tagBindings: { env: "b" }, onConflict: "overwrite" };
    await resource.up(wanted);
    expect(world.logged.join("\n")).toMatch(
      /somebody else changed it right after our update \(onConflict: "overwrite"\):[\s\S]*tagBindings.theirs +\(none\) +\(none\) +"1"/,
    );
    await resource.refresh();
    await resource.up(wanted);
    expect(await bindingsOf(world, resource.id)).toEqual({ env: "b" });
  });
});

test("a tag that the service refuses is named in the error", async () => {
  const { resource } = scene();
  await expect(resource.create({ name: "app", tagNames: ["two words"] })).rejects.toThrow("Correct tagNames");
});
