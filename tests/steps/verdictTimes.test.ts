import { type Verdict, verdictOf } from "../../cli/drift/verdict";
import { hostOf } from "../core/bridge/host";
import { JobScene, web } from "../services/scheduler/job-scene";
import { as, scene } from "../services/workspaces/workspace-scene";
import type { Resource } from "./resource";

/** The time of the last write and the changed fields that a drift check reports. */
async function checkDrift({ world, definition, id, inputs, outputs }: Resource) {
  const host = hostOf(() => world.connection);
  const found: Verdict = await verdictOf(definition, host, { id, inputs, outputs, ignored: [] });
  if (found.verdict !== "drifted") throw new Error(found.verdict);
  return { when: found.when, fields: found.fields.map(({ field }) => field) };
}

test("a drift check reports the time of a job's last registration, even an hour later", async () => {
  const own = new JobScene();
  await own.resource.create({ json: web });
  own.clock.advance(90_500);
  await own.register({ ...web, Priority: 77 });
  own.clock.advance(3_600_000);
  expect(await checkDrift(own.resource)).toEqual({
    when: "2030-01-01T00:01:30.500Z",
    fields: ["json.Priority"],
  });
});

test("a drift check reports no time if the state already contains the time", async () => {
  const own = new JobScene();
  await own.resource.create({ json: web });
  // The service's clock does not advance.
  await own.register({ ...web, Priority: 77 });
  expect(await checkDrift(own.resource)).toEqual({ when: undefined, fields: ["json.Priority"] });
});

async function checkChangedWorkspace(path: string, data: object) {
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
  return checkDrift(resource);
}

test("a drift check reports the time of a workspace's last change", async () => {
  const data = { type: "workspaces", attributes: { description: "theirs" } };
  expect(await checkChangedWorkspace("", data)).toEqual({
    when: "2030-01-01T00:01:00.000Z",
    fields: ["description"],
  });
});

test("a drift check reports no time for tag bindings, because they have their own request", async () => {
  const data = [{ type: "tag-bindings", attributes: { key: "team", value: "theirs" } }];
  const { when, fields } = await checkChangedWorkspace("/tag-bindings", data as never);
  expect([when, fields]).toEqual([undefined, [expect.stringMatching(/^tagBindings/)]]);
});
