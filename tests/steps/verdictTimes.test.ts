import { type Verdict, verdictOf } from "../../cli/drift/verdict";
import { hostOf } from "../core/bridge/host";
import { JobScene, web } from "../services/scheduler/job-scene";
import { as, scene } from "../services/workspaces/workspace-scene";
import type { Resource } from "./resource";

/** What a look tells of when a resource was written, and of the fields that moved. */
async function looked({ world, definition, id, inputs, outputs }: Resource) {
  const host = hostOf(() => world.connection);
  const found: Verdict = await verdictOf(definition, host, { id, inputs, outputs, ignored: [] });
  if (found.verdict !== "drifted") throw new Error(found.verdict);
  return { when: found.when, fields: found.fields.map(({ field }) => field) };
}

test("a job's last register is told, however late the look is", async () => {
  const own = new JobScene();
  await own.resource.create({ json: web });
  own.clock.advance(90_500);
  await own.register({ ...web, Priority: 77 });
  own.clock.advance(3_600_000);
  expect(await looked(own.resource)).toEqual({
    when: "2030-01-01T00:01:30.500Z",
    fields: ["json.Priority"],
  });
});

test("a time that the state knows already is of an earlier write, and is not told", async () => {
  const own = new JobScene();
  await own.resource.create({ json: web });
  // The service's clock stands still.
  await own.register({ ...web, Priority: 77 });
  expect(await looked(own.resource)).toEqual({ when: undefined, fields: ["json.Priority"] });
});

async function workspaceMoved(path: string, data: object) {
  const { world, resource } = scene();
  await resource.create({ name: "shop", description: "ours", tagBindings: { team: "ours" } });
  world.now += 60_000;
  const { status, text } = await world.send(
    "PATCH",
    `/api/v2/workspaces/${resource.id}${path}`,
    // The stub takes a JSON:API document.
    { data } as never,
    as("owner"),
  );
  if (status >= 300) throw new Error(text);
  world.now += 60_000;
  return looked(resource);
}

test("a workspace's last change is told", async () => {
  const data = { type: "workspaces", attributes: { description: "theirs" } };
  expect(await workspaceMoved("", data)).toEqual({
    when: "2030-01-01T00:01:00.000Z",
    fields: ["description"],
  });
});

test("what has a request of its own is told without a time: the workspace's is of something else", async () => {
  const data = [{ type: "tag-bindings", attributes: { key: "team", value: "theirs" } }];
  const { when, fields } = await workspaceMoved("/tag-bindings", data as never);
  expect([when, fields]).toEqual([undefined, [expect.stringMatching(/^tagBindings/)]]);
});
