import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { jobCheck } from "../../../provider/services/scheduler/jobCheck";
import { bodiesOf } from "../expectations";
import { actAfter, setFate } from "../interference";
import { headers, JobScene, typedWeb, web } from "./job-scene";

const scaled = {
  ID: "web",
  TaskGroups: [
    {
      Name: "front",
      Count: 2,
      Scaling: { Min: 1, Max: 9, Enabled: true },
      Tasks: [{ Name: "server", Driver: "docker" }],
    },
  ],
};

/** A job that is not registered yet, and requests of other Nomad users. */
function scene(settings: Values = {}) {
  const own = new JobScene(settings);
  const { world, resource } = own;
  return {
    own,
    world,
    resource,
    register: (document: Json, query?: string) => own.register(document, query),
    read: () => own.held(),
    stop: () => own.send("DELETE", "/v1/job/web"),
    bodies: () => bodiesOf(world, "POST"),
  };
}

/** A registered job. */
async function created(program: Values = { json: web }) {
  const all = scene();
  await all.resource.create(program);
  return all;
}

const withCount = (Count: number) => ({ ...web, TaskGroups: [{ ...web.TaskGroups[0], Count }] });

const countIn = (found: Values) => (found.TaskGroups as { Count: number }[])[0]?.Count;

describe("a secret inside a longer string", () => {
  const secret = "canary-0123456789-0123456789-0123456789-0123";
  const withSecret = (priority: number): Values =>
    withMetadata(
      { json: { ...web, Priority: priority, Meta: { pass: secret, note: "none" } } },
      { secretPaths: ["json.Meta.pass"] },
    );
  const changedJob = {
    ...web,
    Priority: 50,
    Meta: { pass: secret, note: `the password is ${secret}${secret}` },
  };

  test("is masked in conflicts and refresh messages before the string is shortened", async () => {
    const { world, resource, register } = await created(withSecret(50));
    await register(changedJob);
    const failure = String(await resource.up(withSecret(60)).catch(String));
    expect(failure).toContain("[secret]");
    await resource.refresh();
    expect(world.logged.join()).toContain("[secret]");
    expect(`${failure}${world.logged.join()}`).not.toContain("canary");
  });

  test("is masked in a check failure before the string is shortened", () => {
    const { resource } = scene();
    const connection = ["x", `${"y".repeat(60)}${secret}`];
    const problems = resource.check({ ...withSecret(50), connection });
    expect(problems).toMatchObject([{ path: "connection", reason: expect.stringMatching(/y\[secret\]/) }]);
  });
});

describe("index check of a registration", () => {
  test("sends index 0 in a create and the index from the state in an update", async () => {
    const { resource, bodies } = await created();
    const index = resource.outputs.jobModifyIndex;
    await resource.up({ json: { ...web, Priority: 70 } });
    expect(bodies()).toMatchObject([
      { EnforceIndex: true, JobModifyIndex: 0n },
      { EnforceIndex: true, JobModifyIndex: BigInt(String(index)) },
    ]);
  });

  test("reports a failed check as a conflict with both indexes, not as HTTP 500", async () => {
    const { world, resource, register, read } = await created();
    const ownIndex = String(resource.outputs.jobModifyIndex);
    await register({ ...web, Priority: 60 });
    const serverIndex = String((await read()).JobModifyIndex);
    const failure = await resource.up({ json: { ...web, Priority: 70 } }).catch(String);
    expect(failure).toContain('conflict: Nomad job "default/web" was changed outside this stack');
    expect(failure).toContain(
      `last read at modify index ${ownIndex}; the server is now at index ${serverIndex}`,
    );
    expect(failure).toMatch(/json\.Priority\s+50\s+70\s+60/);
    expect(failure).toContain("pulumi refresh --preview-only");
    expect(failure).not.toContain("500");
    expect((await read()).Priority).toBe(60);
    // The create and the rejected registration.
    expect(world.requests.filter(({ method }) => method === "POST")).toHaveLength(2);
  });

  test("accepts an update after an up that changes nothing", async () => {
    const { resource, read } = await created();
    // An empty map is no change.
    const unchanged = { ...web, Meta: {} };
    await resource.up({ json: unchanged });
    await resource.up({ json: { ...web, Priority: 70 } });
    expect((await read()).Priority).toBe(70);
  });

  test("matches a revision with either the JobModifyIndex or the ModifyIndex of a job", () => {
    const body = { JobModifyIndex: 5n, ModifyIndex: 9n };
    expect(["5", "9", "7"].map((index) => jobCheck.isUnchangedSince(index, body))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("a job that already exists", () => {
  test("is adopted only with adopt: true; otherwise the error lists the differences", async () => {
    const { resource, register, read } = scene();
    await register({ ...web, Priority: 60 });
    const failure = await resource.create({ json: { ...web, Priority: 70 } }).catch(String);
    expect(failure).toContain("already exists; the server rejected the create.");
    expect(failure).toMatch(/json\.Priority +70 +60/);
    expect(failure).toContain("adopt: true");
    await resource.create({ json: { ...web, Priority: 70 }, adopt: true });
    expect((await read()).Priority).toBe(70);
  });

  test("is adopted without adopt: true if it was stopped but not purged, and runs again", async () => {
    const { resource, register, read, stop, bodies } = scene();
    await register(web);
    await stop();
    const stopped = (await read()).JobModifyIndex;
    await resource.create({ json: web });
    expect(bodies()).toMatchObject([
      { EnforceIndex: true, JobModifyIndex: 0n },
      { EnforceIndex: true, JobModifyIndex: BigInt(String(stopped)) },
    ]);
    expect((await read()).Stop).toBe(false);
    expect(resource.preview({ json: web }).changes).toEqual([]);
  });

  test("is drift if someone else stopped it, and the next up registers it with an index check", async () => {
    const { world, resource, read, stop } = await created();
    await stop();
    await resource.refresh();
    expect(resource.preview({ json: web }).changes).toMatchObject([
      { path: ["json", "Stop"], cause: "drift" },
    ]);
    await resource.up({ json: web });
    expect((await read()).Stop).toBe(false);
    expect(world.requests.at(-2)?.body).toMatchObject({ EnforceIndex: true });
  });
});

describe("count of a task group", () => {
  test("shows no drift if the autoscaler changed it, and the next update does not reset it", async () => {
    const { world, resource, read } = await created({ json: scaled });
    await world.send("POST", "/v1/job/web/scale", { Count: 7, Target: { Group: "front" } }, headers);
    await resource.refresh();
    expect(resource.preview({ json: scaled }).changes).toEqual([]);
    await resource.up({ json: { ...scaled, Priority: 70 } });
    expect(countIn(await read())).toBe(7);
  });

  test.each([
    [{ Min: 4, Max: 9 }, 5, 2, 4],
    [{ Min: 1, Max: 6 }, 5, 8, 6],
    [{ Min: 1, Max: 6 }, 5, 3, 3],
  ])(
    "stays within new scaling bounds %j: %d in the program, %d on the server, %d after the update",
    async (bounds, count, there, expected) => {
      const { resource, register, read } = scene();
      const [group] = scaled.TaskGroups;
      const program = (scaling: object) => ({
        json: {
          ...scaled,
          TaskGroups: [{ ...group, Count: count, Scaling: { ...group?.Scaling, ...scaling } }],
        },
      });
      await resource.create(program({}));
      await register({ ...scaled, TaskGroups: [{ ...group, Count: there }] });
      await resource.refresh();
      await resource.up(program(bounds));
      expect(countIn(await read())).toBe(expected);
      expect(resource.preview(program(bounds)).changes).toEqual([]);
    },
  );

  test("replaces the autoscaler's count if the program changes it", async () => {
    const { world, resource, read } = await created({ json: scaled });
    await world.send("POST", "/v1/job/web/scale", { Count: 7, Target: { Group: "front" } }, headers);
    const [group] = scaled.TaskGroups;
    await resource.refresh();
    await resource.up({ json: { ...scaled, TaskGroups: [{ ...group, Count: 4 }] } });
    expect(countIn(await read())).toBe(4);
  });

  test("is not managed with preserveCounts: true", async () => {
    const { resource, register, read } = scene();
    const program = { json: web, preserveCounts: true };
    await resource.create(program);
    await register(withCount(9));
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
    await resource.up({ ...program, json: { ...web, Priority: 70 } });
    expect(await read()).toMatchObject({ Priority: 70, TaskGroups: [{ Count: 9 }] });
  });

  test("is no longer managed after preserveCounts is turned on, which sends no request", async () => {
    const { world, resource, register, read } = await created();
    await register(withCount(7));
    await resource.refresh();
    const program = { json: web, preserveCounts: true };
    expect(resource.preview(program).changes.map(({ path }) => path)).toEqual([["preserveCounts"]]);
    world.requests.length = 0;
    await resource.up(program);
    expect(world.requests).toEqual([]);
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
    expect(resource.inputs).toEqual(program);
    expect(countIn(await read())).toBe(7);
  });

  test("is managed again if preserveCounts is removed", async () => {
    const { resource, register, read } = await created({ json: web, preserveCounts: true });
    await register(withCount(7));
    await resource.refresh();
    await resource.up({ json: web });
    expect(countIn(await read())).toBe(2);
  });

  test("causes no conflict if someone else changed it before an update that turns on preserveCounts", async () => {
    const { resource, register, read } = await created();
    await register(withCount(7));
    await resource.up({ json: { ...web, Priority: 70 }, preserveCounts: true });
    expect(await read()).toMatchObject({ Priority: 70, TaskGroups: [{ Count: 7 }] });
  });
});

describe("the resources of a task", () => {
  const withCpu = (CPU: number, more: object = {}) => ({
    ...web,
    ...more,
    TaskGroups: [{ Name: "front", Tasks: [{ Name: "server", Driver: "docker", Resources: { CPU } }] }],
  });
  const resourcesOf = (found: Values) =>
    (found.TaskGroups as { Tasks: { Resources: object }[] }[])[0]?.Tasks[0]?.Resources;

  test("are not managed with preserveResources: true, and an update preserves them", async () => {
    const { resource, register, read } = scene();
    const program = { json: withCpu(200), preserveResources: true };
    await resource.create(program);
    await register(withCpu(900));
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
    await resource.up({ ...program, json: withCpu(300, { Priority: 70 }) });
    const found = await read();
    expect(found).toMatchObject({ Priority: 70 });
    expect(resourcesOf(found)).toMatchObject({ CPU: 900 });
    expect(resource.preview({ ...program, json: withCpu(300, { Priority: 70 }) }).changes).toEqual([]);
  });

  test("are managed again if preserveResources is removed", async () => {
    const { resource, register, read } = await created({ json: withCpu(200), preserveResources: true });
    await register(withCpu(900));
    await resource.refresh();
    await resource.up({ json: withCpu(200) });
    expect(resourcesOf(await read())).toMatchObject({ CPU: 200 });
  });
});

describe("a change by someone else right after our write", () => {
  test("is a conflict; our value stays in the state and the other user's value in Nomad", async () => {
    const { world, resource, register, read } = await created();
    actAfter(world, /^POST/, () => register({ ...web, Priority: 99 }));
    const failure = await resource.up({ json: { ...web, Priority: 70 } }).catch(String);
    expect(failure).toContain("was changed by someone else right after your update");
    expect(failure).toMatch(/json\.Priority\s+70\s+70\s+99/);
    expect((await read()).Priority).toBe(99);
    expect(resource.preview({ json: { ...web, Priority: 70 } }).changes).toMatchObject([
      { path: ["json", "Priority"], cause: "drift" },
    ]);
  });

  test("is listed after a create without the fields that Nomad filled in", async () => {
    const { world, resource, register } = scene();
    actAfter(world, /^POST/, () => register({ ...web, Priority: 99 }));
    const failure = await resource.create({ json: web }).catch(String);
    expect(failure).toContain("was changed by someone else right after your create");
    const rows = String(failure)
      .split("\n")
      .filter((line) => line.startsWith("  json"));
    expect(rows).toEqual([expect.stringMatching(/json\.Priority +50 +50 +99/)]);
    expect(resource.preview({ json: web }).changes).toMatchObject([
      { path: ["json", "Priority"], cause: "drift" },
    ]);
  });

  test("is no conflict if it is reverted at once, although the index has changed", async () => {
    const { world, resource, register, read } = await created();
    const ours = { ...web, Priority: 70 };
    actAfter(world, /^POST/, async () => {
      await register({ ...web, Priority: 99 });
      await register(ours);
    });
    await resource.up({ json: ours });
    expect(resource.preview({ json: ours }).changes).toEqual([]);
    await resource.up({ json: { ...web, Priority: 60 } });
    expect((await read()).Priority).toBe(60);
  });
});

describe("namespace and region of a job", () => {
  test("come from the property, the job or the connection, and become part of the ID", async () => {
    const bySetting = scene({ namespace: "shop" });
    await bySetting.resource.create({ json: web });
    expect(bySetting.resource.id).toBe("shop/web");
    const byJob = scene({ namespace: "default" });
    await byJob.resource.create({ json: { ...web, Namespace: "shop" } });
    expect(byJob.resource.id).toBe("shop/web");
    const byProperty = scene();
    await byProperty.resource.create({ json: web, namespace: "shop", region: "global" });
    expect(byProperty.resource.id).toBe("global@shop/web");
    expect(byProperty.world.requests[0]).toMatchObject({
      query: { namespace: "shop", region: "global" },
      body: { Job: { Namespace: "shop", Region: "global" } },
    });
  });

  test("come from Nomad's response if nothing sets them, and are not sent", async () => {
    const { world, resource } = await created();
    expect(resource.id).toBe("default/web");
    expect(world.requests[0]?.query).toEqual({});
    expect(resource.preview({ json: web, namespace: "default" }).changes).toEqual([]);
  });

  test.each(["namespace", "region"])(
    "fail the check if the %s property differs from the job's own",
    async (name) => {
      const { resource } = scene();
      const member = name === "namespace" ? "Namespace" : "Region";
      const problems = resource.check({ json: { ...web, [member]: "here" }, [name]: "there" });
      expect(problems).toMatchObject([
        { path: name, reason: expect.stringContaining(`differs from the job's own ${member}`) },
      ]);
    },
  );

  test.each<[string, Values]>([
    ["namespace", { json: web, namespace: "*" }],
    ["json", { json: { ...web, Namespace: "*" } }],
    ["spec.namespace", { spec: { ...typedWeb, namespace: "*" } }],
    ["hcl", { hcl: JSON.stringify({ ...web, Namespace: "*" }) }],
  ])("fail the check if %s contains the namespace *", (path, inputs) => {
    const { resource } = scene();
    const reason = expect.stringContaining("must be one namespace");
    expect(resource.check(inputs)).toEqual(expect.arrayContaining([{ path, reason }]));
  });

  test("replace the job if the namespace or the job ID changes", async () => {
    const { resource } = scene();
    await resource.create({ json: web });
    const replaced = (inputs: Values) =>
      resource
        .preview(inputs)
        .changes.filter(({ replaces }) => replaces)
        .map(({ path }) => path);
    expect(replaced({ json: web, namespace: "shop" })).toEqual([["namespace"]]);
    expect(replaced({ json: { ...web, ID: "other" } })).toEqual([["jobId"]]);
  });
});

describe("a create that cannot be read back", () => {
  const unread = async (settings: Values = {}, namespace?: string) => {
    const own = scene(settings);
    const { world, resource } = own;
    setFate(world, /^GET/, "request lost");
    const program = { json: web, ...(namespace !== undefined && { namespace }) };
    await expect(resource.create(program)).rejects.toThrow("lost its connection");
    world.fate = () => "passes";
    return own;
  };

  test.each<[string, Values, string | undefined, string]>([
    ["nothing sets a namespace", {}, undefined, "default/web"],
    ["the connection sets the namespace", { namespace: "shop" }, undefined, "shop/web"],
    ["the program sets the namespace", {}, "shop", "shop/web"],
  ])("already has its final ID if %s", async (_, settings, own, id) => {
    const { resource } = await unread(settings, own);
    expect(resource.id).toBe(id);
    expect(resource.outputs.namespace).toBe(own ?? settings.namespace);
    await resource.refresh();
    expect(resource.id).toBe(id);
    expect(`${resource.outputs.namespace}/${resource.outputs.jobId}`).toBe(id);
  });

  test("records its namespace on the next refresh or update, so that setting it later replaces nothing", async () => {
    const named = { json: web, namespace: "default" };
    const refreshed = (await unread()).resource;
    expect(refreshed.preview(named).changes.filter(({ replaces }) => replaces)).toEqual([]);
    await refreshed.refresh();
    expect(refreshed.preview({ ...named, region: "global" }).changes).toEqual([]);
    const updated = await unread();
    await updated.resource.update({ json: web });
    expect(updated.resource.outputs.namespace).toBe("default");
    expect(updated.own.registers).toHaveLength(1);
    expect(updated.resource.preview(named).changes).toEqual([]);
  });
});

describe("deleting a job", () => {
  test("stops the job, and purges it only with purge: true", async () => {
    const stopped = scene();
    await stopped.resource.create({ json: web });
    await stopped.resource.delete();
    expect((await stopped.read()).Stop).toBe(true);
    const purged = scene();
    await purged.resource.create({ json: web, purge: true });
    await purged.resource.delete();
    expect((await purged.world.send("GET", "/v1/job/web", undefined, headers)).status).toBe(404);
  });

  test("sends no write without purge if someone else stopped the job", async () => {
    const { world, resource, stop } = await created();
    await stop();
    world.requests.length = 0;
    await resource.delete();
    expect(world.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("with purge: true, purges a job that someone else stopped", async () => {
    const { world, resource, stop } = await created({ json: web, purge: true });
    await stop();
    await resource.delete();
    expect((await world.send("GET", "/v1/job/web", undefined, headers)).status).toBe(404);
  });

  test("with purge: true, fails if someone else stopped and changed the job", async () => {
    const { resource, register, read } = await created({ json: web, purge: true });
    await register({ ...web, Priority: 90, Stop: true });
    const failure = await resource.delete().catch(String);
    expect(failure).toMatch(/json\.Priority/);
    expect(failure).not.toContain("json.Stop");
    expect(await read()).toMatchObject({ Stop: true });
  });

  test("with deregisterOnDelete: false, sends no request and leaves the job running", async () => {
    const { world, resource, read } = await created({ json: web, deregisterOnDelete: false });
    world.requests.length = 0;
    await resource.delete();
    expect(world.requests).toEqual([]);
    expect((await read()).Stop).toBe(false);
  });

  test("reads the job first, and fails if someone else changed it", async () => {
    const { resource, register, read } = await created();
    await register({ ...web, Priority: 60 });
    await expect(resource.delete()).rejects.toThrow(
      /outside this stack \(or by a killed command\); nothing was written/,
    );
    expect((await read()).Stop).toBe(false);
  });
});

describe("the json property", () => {
  test.each<[string, Json]>([
    ["a string", JSON.stringify(web)],
    ["an indented string", JSON.stringify(web, null, 4)],
    ["the body of a registration request", { Job: web }],
    ["an object with explicit defaults", { ...web, Priority: 50, Datacenters: ["*"], Type: "service" }],
    ["an object with a different key order", { TaskGroups: web.TaskGroups, ID: "web" }],
    ["an object with a null policy", { ...web, TaskGroups: [{ ...web.TaskGroups[0], RestartPolicy: null }] }],
  ])("shows no changes if the same job is written as %s", async (_, json) => {
    const { resource } = scene();
    await resource.create({ json: web });
    expect(resource.preview({ json }).changes).toEqual([]);
  });

  test.each<[Json, string]>([
    ["{", "must be a JSON object"],
    ["[]", "must be a JSON object"],
    [{ TaskGroups: [] }, "ID is missing"],
    [7, "given 7: must be text or a map"],
  ])("fails the check if it is %j", (json, reason) => {
    const { resource } = scene();
    const problems = resource.check({ json });
    expect(problems.map((problem) => problem.reason).join()).toMatch(new RegExp(reason, "i"));
  });

  test.each<[string, Json]>([
    ["an object", { SecretsToken: "canary", TaskGroups: [] }],
    ["an object with Nomad's names", { VaultToken: "canary", TaskGroups: [] }],
    ["an object with members next to Job", { Job: { ID: "web", SecretsToken: "canary" }, More: 1 }],
    ["a string", '{"SecretsToken": "canary"}'],
    ["a string with a trailing comma", '{"ID": "web", "SecretsToken": "canary",}'],
    ["an array", [{ SecretsToken: "canary" }]],
  ])("is not quoted in the error if it is invalid, because it may contain tokens: %s", (_, json) => {
    const { resource } = scene();
    const problems = resource.check({ json, spec: { id: "web", secretsToken: "canary", taskGroups: [] } });
    expect(problems.map(({ path }) => path)).toEqual(expect.arrayContaining(["json", "spec"]));
    expect(JSON.stringify(problems)).not.toContain("canary");
  });

  test("is sent unchanged as the submission if it is a string", async () => {
    const { world, resource } = scene();
    const text = JSON.stringify(web, null, 2);
    await resource.create({ json: text });
    const { json } = await world.send("GET", "/v1/job/web/submission?version=0", undefined, headers);
    expect(json).toMatchObject({ Source: text, Format: "json" });
  });

  test("keeps the layout of a string in a refresh that updates changed values", async () => {
    const { resource, register } = scene();
    const text = JSON.stringify(web, null, 2);
    await resource.create({ json: text });
    await register({ ...web, Priority: 60 });
    await resource.refresh();
    expect(resource.inputs.json).toBe(JSON.stringify({ ...web, Priority: 60 }, null, 2));
  });
});
