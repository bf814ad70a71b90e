import variable from "../../../provider/services/scheduler/variable";
import type { Fate, World } from "../../steps/world";
import { changedPaths, expectNoChanges } from "../expectations";
import { scene } from "./scene";

const AT = "/v1/var/nomad/jobs/web";
const program = { path: "nomad/jobs/web", items: { user: "shop", password: "hush-1111" } };
const LOCK = `${AT}?lock-acquire`;

/** Lets another user write just before our next write. */
function writeBeforeOurs(world: World, act: () => Promise<unknown>): void {
  world.fate = async ({ nature }): Promise<Fate> => {
    if (nature === "read") return "passes";
    world.fate = () => "passes";
    await act();
    return "passes";
  };
}

describe("Nomad variable", () => {
  test("is created only if it is absent: the server checks that with the write", async () => {
    const { resource, world, readServer, theirs } = await scene(variable);
    writeBeforeOurs(world, () => theirs(AT, { Items: { password: "theirs-2222" } }));
    const failure = await resource.create(program).catch(String);
    expect(failure).toMatch(
      /Nomad variable "default\/nomad%2Fjobs%2Fweb" already exists; the server rejected the create/,
    );
    expect(failure).not.toMatch(/hush|theirs-2222/);
    expect(world.requests.find(({ nature }) => nature === "write")?.query).toMatchObject({ cas: "0" });
    expect(await readServer(AT)).toMatchObject({ Items: { password: "theirs-2222" } });
  });

  test("shows an item that someone else adds after an update with a lost response as drift", async () => {
    const { resource, world, theirs } = await scene(variable);
    await resource.create(program);
    const ours = { ...program, items: { ...program.items, password: "hush-3333" } };
    world.fate = async ({ nature }): Promise<Fate> => {
      if (nature !== "read") return "response lost";
      world.fate = () => "passes";
      await theirs(AT, { Items: { ...ours.items, added: "theirs-2222" } });
      return "passes";
    };
    await resource.up(ours);
    expect(world.logged.join()).toContain("items.added");
    expect(resource.preview(ours).changes.map(({ path, cause }) => [path, cause])).toEqual([
      [["items", "added"], "drift"],
    ]);
  });

  test("is updated only if its modify index is the last seen: a conflict names the items, without values", async () => {
    const { resource, world, readServer, theirs } = await scene(variable);
    await resource.create(program);
    writeBeforeOurs(world, () => theirs(AT, { Items: { ...program.items, password: "theirs-2222" } }));
    const ours = { ...program, items: { ...program.items, password: "hush-3333" } };
    const failure = await resource.update(ours).catch(String);
    expect(failure).toMatch(/conflict: Nomad variable/);
    expect(failure).toMatch(/items\.password/);
    expect(failure).not.toMatch(/hush|theirs-2222/);
    expect(await readServer(AT)).toMatchObject({ Items: { password: "theirs-2222" } });
  });

  test("is written with the new index if someone else wrote the same items again", async () => {
    const { resource, world, theirs } = await scene(variable);
    await resource.create(program);
    writeBeforeOurs(world, () => theirs(AT, { Items: program.items }));
    const ours = { ...program, items: { user: "shop" } };
    await resource.update(ours);
    await expectNoChanges(resource, ours);
  });

  test("loses the items that others add, because its items are managed as one unit", async () => {
    const { resource, readServer, changeAsOther } = await scene(variable);
    await resource.create(program);
    await changeAsOther(AT, "Items", { ...program.items, more: "x" });
    await resource.refresh();
    expect(changedPaths(resource, program)).toEqual(["items.more"]);
    await resource.up(program);
    expect((await readServer(AT)).Items).toEqual(program.items);
  });

  test("is deleted only if its modify index is the last seen", async () => {
    const { resource, world, readServer, changeAsOther } = await scene(variable);
    await resource.create(program);
    writeBeforeOurs(world, () => changeAsOther(AT, "Items", { password: "theirs-2222" }));
    await expect(resource.delete()).rejects.toThrow(/conflict/);
    expect(await readServer(AT)).toMatchObject({ Items: { password: "theirs-2222" } });
  });

  test("is not changed or deleted while it is locked, and the error says so after one attempt", async () => {
    const { resource, world, readServer, theirs } = await scene(variable);
    await resource.create(program);
    await theirs(LOCK, {});
    await resource.refresh();
    const ours = { ...program, items: { user: "shop" } };
    for (const act of [() => resource.update(ours), () => resource.delete()]) {
      world.requests.length = 0;
      await expect(act()).rejects.toThrow(/the variable is locked/);
      expect(world.requests.filter(({ nature }) => nature !== "read")).toHaveLength(1);
    }
    expect((await readServer(AT)).Items).toEqual(program.items);
  });

  test("shows no changes after someone acquired its lock", async () => {
    const { resource, theirs } = await scene(variable);
    await resource.create(program);
    await theirs(LOCK, {});
    await expectNoChanges(resource, program);
  });

  test("has an ID with its namespace, in which the slashes of its path are encoded", async () => {
    const { resource, readServer } = await scene(variable, {}, { namespaces: ["shop"] });
    await resource.create({ ...program, namespace: "shop" });
    expect(resource.id).toBe("shop/nomad%2Fjobs%2Fweb");
    expect(await readServer(`${AT}?namespace=shop`)).toMatchObject({ Namespace: "shop" });
    expect(await resource.get("shop/nomad%2Fjobs%2Fweb")).toMatchObject({ items: program.items });
  });

  test("has problems in the preview for a path that Nomad rejects, and for items that are too large", async () => {
    const { problems } = await scene(variable);
    const { items } = program;
    for (const path of ["nomad", "nomad/web", "nomad/job-templates", "nomad/job-templates/a/b"])
      expect(problems({ path, items })).toEqual([expect.stringContaining("Nomad reserves")]);
    for (const path of ["nomad/jobs", "nomad/job-templates/web", "nomad/sentinel/a", "nomadic", "app/~web_1"])
      expect(problems({ path, items })).toEqual([]);
    for (const path of ["/app", "app//web"])
      expect(problems({ path, items })).toEqual([expect.stringMatching(/two slashes/)]);
    expect(problems({ path: "app/", items })).toEqual([expect.stringContaining("must not end with a slash")]);
    expect(problems({ path: "a.b", items })).toEqual([expect.stringContaining("only letters")]);
    expect(problems({ path: "app", items: {} })).toEqual([expect.stringContaining("at least one item")]);
    expect(problems({ path: "app", items: { a: "x".repeat(65_536) } })).toEqual([
      expect.stringContaining("64 KiB"),
    ]);
  });
});
