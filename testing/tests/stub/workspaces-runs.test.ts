import type { Answered } from "./in-process";
import { Scene, TOKENS } from "./workspaces-scene";

let scene: Scene;
let workspace: string;
beforeEach(() => start());

async function start(...switches: ConstructorParameters<typeof Scene>): Promise<void> {
  scene = new Scene(...switches);
  workspace = (await scene.create("web")).body.data.id;
}

const queue = (attributes: object = {}, as: string = TOKENS.owner, target = workspace) =>
  scene.send(
    "POST",
    "/runs",
    {
      data: {
        type: "runs",
        attributes,
        relationships: { workspace: { data: { type: "workspaces", id: target } } },
      },
    },
    { as },
  );
const idOf = ({ body }: Answered): string => body.data.id;
const read = async (id: string) => (await scene.send("GET", `/runs/${id}`)).body.data.attributes;
const act = (id: string, action: "apply" | "discard", as: string = TOKENS.owner) =>
  scene.send("POST", `/runs/${id}/actions/${action}`, { comment: "" }, { as });

describe("Runs", () => {
  test("POST returns 201 with a pending run, whose plan and apply take one phase each", async () => {
    await start({ runPhaseMilliseconds: 1000 });
    const made = await queue({ message: "one" });
    expect(made.status).toBe(201);
    expect(made.body.data.attributes).toMatchObject({
      status: "pending",
      message: "one",
      actions: { "is-discardable": true, "is-confirmable": false },
    });
    const id = idOf(made);
    expect(await read(id)).toMatchObject({ status: "planning", "has-changes": false });
    scene.now += 1000;
    expect(await read(id)).toMatchObject({
      status: "planned",
      "has-changes": true,
      actions: { "is-confirmable": true, "is-discardable": true },
    });
    expect((await act(id, "apply")).status).toBe(202);
    expect(await read(id)).toMatchObject({ status: "applying" });
    scene.now += 1000;
    const applied = await read(id);
    expect(applied).toMatchObject({ status: "applied", actions: { "is-confirmable": false } });
    expect(Object.keys(applied["status-timestamps"])).toEqual([
      ...["plan-queueable-at", "planning-at", "planned-at", "applying-at", "applied-at"],
    ]);
  });

  test("apply and discard return 409 for a run that does not wait for confirmation", async () => {
    const id = idOf(await queue());
    expect((await act(id, "discard")).status).toBe(202);
    expect(await read(id)).toMatchObject({
      status: "discarded",
      "status-timestamps": { "planned-at": expect.any(String), "discarded-at": expect.any(String) },
    });
    expect((await act(id, "apply")).status).toBe(409);
    expect((await act(id, "discard")).status).toBe(409);
  });

  test.each([
    ["none", {}, "planned_and_finished"],
    ["none", { "allow-empty-apply": true }, "planned"],
    ["changes", { "plan-only": true }, "planned_and_finished"],
    ["error", {}, "errored"],
    ["policy", {}, "policy_override"],
    ["policy", { "plan-only": true }, "policy_soft_failed"],
  ] as const)("a plan that ends with %s, with %j, is %s", async (planResult, attributes, status) => {
    await start({ planResult });
    expect(await read(idOf(await queue(attributes)))).toMatchObject({ status });
  });

  test.each([
    ["of the workspace", true, undefined, "applied"],
    ["of the run", false, true, "applied"],
    ["of the run, before the workspace's", true, false, "planned"],
  ])("the auto-apply %s decides whether the plan is applied", async (_, ofWorkspace, ofRun, status) => {
    await scene.send("PATCH", `/workspaces/${workspace}`, {
      data: { type: "workspaces", attributes: { "auto-apply": ofWorkspace } },
    });
    const id = idOf(await queue(ofRun === undefined ? {} : { "auto-apply": ofRun }));
    expect(await read(id)).toMatchObject({ status, "auto-apply": ofRun ?? ofWorkspace });
  });

  test("GET lists the runs of a workspace, the newest first, and searches messages", async () => {
    const first = idOf(await queue({ message: "one" }));
    const second = idOf(await queue({ message: "two" }));
    const list = async (query = "") =>
      (await scene.send("GET", `/workspaces/${workspace}/runs${query}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await list()).toEqual([second, first]);
    expect(await list("?search%5Bbasic%5D=one")).toEqual([first]);
  });

  test("needs the permissions to queue, to apply and to read", async () => {
    expect((await queue({}, TOKENS.reader)).status).toBe(404);
    expect((await queue({}, TOKENS.owner, "ws-absent")).status).toBe(404);
    const id = idOf(await queue());
    expect((await act(id, "apply", TOKENS.reader)).status).toBe(404);
    expect((await scene.send("GET", `/runs/${id}`, undefined, { as: TOKENS.stranger })).status).toBe(404);
    expect(
      (await scene.send("GET", `/workspaces/${workspace}/runs`, undefined, { as: TOKENS.stranger })).status,
    ).toBe(404);
  });

  test.each([
    ["plan-only", "yes"],
    ["auto-apply", "yes"],
    ["message", 1],
    ["target-addrs", "a.b"],
    ["terraform-version", "1.9.0"],
  ])("POST returns 422 for %s: %j", async (name, value) => {
    expect((await queue({ [name]: value })).status).toBe(422);
  });
});
