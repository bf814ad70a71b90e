import type { Values } from "../../provider/core/language/object";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import type { Fate, World } from "./world";

const found = subjects.find(([token]) => token === "scheduler:Job")?.[1];
if (found === undefined) throw new Error("no subject is called scheduler:Job");
const job = found;

const program = (Priority: number): Values => ({
  json: { ID: "web", Priority, TaskGroups: [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }] }] },
});

/** The next write is carried out, someone else adds a member to the job, and the response to the write is lost. */
function addAndLose(world: World, resource: Resource): void {
  let isOver = false;
  world.fate = async (request): Promise<Fate> => {
    if (request.nature === "read" || isOver) return "passes";
    isOver = true;
    await world.carryOut(request);
    await job.edit(world, resource, { property: "json", value: { priority: 70, meta: "by hand" } });
    return "request lost";
  };
}

async function begin(): Promise<{ world: World; resource: Resource }> {
  const world = await job.world();
  return { world, resource: new Resource(world, job.definition) };
}

test("an update whose response is lost shows a member that someone else added to the job meanwhile", async () => {
  const { world, resource } = await begin();
  await resource.create(program(50));
  addAndLose(world, resource);
  await resource.up(program(70));
  expect(resource.preview(program(70)).changes).toMatchObject([
    { path: ["json", "Meta", "touched"], cause: "drift" },
  ]);
  expect(world.logged.join("\n")).toContain("touched");
  await resource.up(program(70));
  expect(resource.preview(program(70)).changes).toEqual([]);
});

test("a create whose response is lost shows a member that someone else added to the job meanwhile", async () => {
  const { world, resource } = await begin();
  addAndLose(world, resource);
  await resource.create(program(70));
  expect(resource.preview(program(70)).changes).toMatchObject([
    { path: ["json", "Meta", "touched"], cause: "drift" },
  ]);
  expect(world.logged.join("\n")).toContain("touched");
});

test("a create whose response is lost is completed if the job has only the service's own defaults", async () => {
  const { world, resource } = await begin();
  let isOver = false;
  world.fate = ({ nature }): Fate => {
    if (nature === "read" || isOver) return "passes";
    isOver = true;
    return "response lost";
  };
  await resource.create(program(70));
  expect(resource.preview(program(70)).changes).toEqual([]);
});
