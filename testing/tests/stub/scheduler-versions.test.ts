import { answers } from "./in-process";
import { MINUTE, Scene, scene, serviceJob } from "./scheduler-scene";

interface Named {
  readonly Name: string;
}

const named = <Item extends Named>(items: readonly Item[] | null, name: string) =>
  items?.find((item) => item.Name === name);

describe("List job versions", () => {
  test("answers the versions, newest first, and no diffs unless asked", async () => {
    for (const priority of [50, 60, 70]) await scene.existing(serviceJob("web", { Priority: priority }));
    const { status, body } = await scene.get("/job/web/versions");
    expect(status).toBe(200);
    expect(body).toMatchObject({ Diffs: null, KnownLeader: true, LastContact: 0, Index: 4 });
    expect(body.Versions.map(({ Version }: { Version: number }) => Version)).toEqual([2, 1, 0]);
    expect(body.Versions.map(({ Priority }: { Priority: number }) => Priority)).toEqual([70, 60, 50]);
    expect((await scene.get("/job/web/versions?diffs=false")).body.Diffs).toBeNull();
  });

  test("the most recent 6 are kept, and the latest stable one among them", async () => {
    await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    for (let priority = 1; priority <= 8; priority++)
      await scene.existing(serviceJob("web", { Priority: priority }));
    const { body } = await scene.get("/job/web/versions");
    expect(body.Versions.map(({ Version }: { Version: number }) => Version)).toEqual([8, 7, 6, 5, 4, 0]);
  });

  test("of a job that is not there: 404", async () => {
    await answers(scene.get("/job/none/versions"), 404, "job versions not found");
  });

  test("a bad value of diffs is refused", async () => {
    await answers(scene.get("/job/web/versions?diffs=some"), 500);
  });
});

describe("List job versions: Diffs", () => {
  const diffOf = async (before: object, after: object) => {
    const scene = new Scene();
    await scene.existing(before);
    await scene.existing(after);
    const { body } = await scene.get("/job/web/versions?diffs=true");
    expect(body.Diffs).toHaveLength(1);
    return body.Diffs[0];
  };

  test("there is one between each version and the one before", async () => {
    for (const priority of [50, 60, 70]) await scene.existing(serviceJob("web", { Priority: priority }));
    const { Diffs } = (await scene.get("/job/web/versions?diffs=true")).body;
    expect(Diffs.map(({ Fields }: { Fields: object[] }) => Fields)).toEqual([
      [{ Type: "Edited", Name: "Priority", Old: "60", New: "70", Annotations: null }],
      [{ Type: "Edited", Name: "Priority", Old: "50", New: "60", Annotations: null }],
    ]);
  });

  test("the only version has none", async () => {
    await scene.existing(serviceJob("web"));
    expect((await scene.get("/job/web/versions?diffs=true")).body.Diffs).toBeNull();
  });

  test("says what differs in the job's own fields and objects", async () => {
    const diff = await diffOf(
      serviceJob("web", { Meta: { a: "1", b: "2" }, Datacenters: ["dc1"] }),
      serviceJob("web", {
        Meta: { b: "3", c: "4" },
        Datacenters: ["dc1", "dc2"],
        Constraints: [{ LTarget: "x", RTarget: "y", Operand: "=" }],
      }),
    );
    expect(diff).toMatchObject({ Type: "Edited", ID: "web", TaskGroups: null });
    expect(diff.Fields).toEqual([
      { Type: "Deleted", Name: "Meta[a]", Old: "1", New: "", Annotations: null },
      { Type: "Edited", Name: "Meta[b]", Old: "2", New: "3", Annotations: null },
      { Type: "Added", Name: "Meta[c]", Old: "", New: "4", Annotations: null },
    ]);
    expect(diff.Objects).toEqual([
      {
        Type: "Added",
        Name: "Constraint",
        Fields: [
          { Type: "Added", Name: "LTarget", Old: "", New: "x", Annotations: null },
          { Type: "Added", Name: "Operand", Old: "", New: "=", Annotations: null },
          { Type: "Added", Name: "RTarget", Old: "", New: "y", Annotations: null },
        ],
        Objects: null,
      },
      {
        Type: "Edited",
        Name: "Datacenters",
        Fields: [
          { Type: "None", Name: "Datacenters", Old: "dc1", New: "dc1", Annotations: null },
          { Type: "Added", Name: "Datacenters", Old: "", New: "dc2", Annotations: null },
        ],
        Objects: null,
      },
    ]);
  });

  test("says what differs in groups and tasks, by their names", async () => {
    const other = { Name: "new", Tasks: [{ Name: "t", Driver: "exec" }] };
    const before = serviceJob("web", {}, {}, { Config: { image: "a", args: ["x"] }, Env: { A: "1" } });
    const after = serviceJob(
      "web",
      {},
      { Count: 3 },
      { Config: { image: "b", args: ["x", "y"] }, Env: { A: "2" } },
    );
    const { TaskGroups } = after as { TaskGroups: object[] };
    const diff = await diffOf(before, { ...after, TaskGroups: [...TaskGroups, other] });
    expect(diff.Fields).toBeNull();
    expect(named(diff.TaskGroups, "new")).toMatchObject({
      Type: "Added",
      Tasks: [{ Type: "Added", Name: "t" }],
    });
    const web = named<Named & { Tasks: object[] }>(diff.TaskGroups, "web");
    expect(web).toMatchObject({
      Type: "Edited",
      Updates: null,
      Fields: [{ Type: "Edited", Name: "Count", Old: "1", New: "3" }],
    });
    expect(web?.Tasks).toEqual([
      {
        Type: "Edited",
        Name: "server",
        Annotations: null,
        Fields: [{ Type: "Edited", Name: "Env[A]", Old: "1", New: "2", Annotations: null }],
        Objects: [
          {
            Type: "Edited",
            Name: "Config",
            Fields: [
              { Type: "None", Name: "args[0]", Old: "x", New: "x", Annotations: null },
              { Type: "Added", Name: "args[1]", Old: "", New: "y", Annotations: null },
              { Type: "Edited", Name: "image", Old: "a", New: "b", Annotations: null },
            ],
            Objects: null,
          },
        ],
      },
    ]);
  });

  test("a group that is gone is deleted", async () => {
    const both = serviceJob("web") as { TaskGroups: object[] };
    const other = { Name: "old", Tasks: [{ Name: "t", Driver: "exec" }] };
    const diff = await diffOf({ ...both, TaskGroups: [...both.TaskGroups, other] }, both);
    expect(diff.TaskGroups).toMatchObject([{ Type: "Deleted", Name: "old", Tasks: [{ Type: "Deleted" }] }]);
  });

  test("nested objects are told apart from what they are in", async () => {
    const diff = await diffOf(
      serviceJob("web"),
      serviceJob(
        "web",
        {},
        { Networks: [{ Mode: "host", DynamicPorts: [{ Label: "http" }] }], Update: { Canary: 1 } },
      ),
    );
    const [group] = diff.TaskGroups;
    expect(named(group.Objects, "Network")).toMatchObject({
      Type: "Added",
      Objects: [{ Type: "Added", Name: "Dynamic Port" }],
    });
    expect(named(group.Objects, "Update")).toMatchObject({ Type: "Edited" });
  });
});

describe("Revert and stable", () => {
  const withVersions = async () => {
    const scene = new Scene();
    await scene.existing(serviceJob("web"), { Submission: { Source: "first", Format: "hcl2" } });
    await scene.existing(serviceJob("web", { Priority: 60 }), {
      Submission: { Source: "second", Format: "hcl2" },
    });
    return scene;
  };

  test("a revert registers the earlier version again, with its text", async () => {
    const scene = await withVersions();
    const { status, body } = await scene.send("POST", "/job/web/revert", { JobID: "web", JobVersion: 0 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ EvalID: expect.stringMatching(/./), JobModifyIndex: body.Index });
    expect(await scene.job("web")).toMatchObject({
      Priority: 50,
      Version: 2,
      JobModifyIndex: body.JobModifyIndex,
    });
    expect((await scene.get("/job/web/submission?version=2")).body.Source).toBe("first");
  });

  test.each([
    [{ JobVersion: 0 }, 400, "JobID must be specified"],
    [{ JobID: "other", JobVersion: 0 }, 400, "Job ID does not match"],
    [{ JobID: "web", JobVersion: 1 }, 500, "can't revert to current version"],
    [{ JobID: "web", JobVersion: 7 }, 500, 'job "web" in namespace "default" at version 7 not found'],
    [
      { JobID: "web", JobVersion: 0, EnforcePriorVersion: 5 },
      500,
      "Current job has version 1; enforcing version 5",
    ],
  ])("a revert with %j is refused with %d", async (sent, status, text) => {
    const scene = await withVersions();
    await answers(scene.send("POST", "/job/web/revert", sent), status, text);
  });

  test("of a job that is not there is refused", async () => {
    const { status, body } = await scene.send("POST", "/job/web/revert", { JobID: "web", JobVersion: 0 });
    expect([status, body]).toEqual([500, 'job "web" not found']);
  });

  test("marking a version stable moves ModifyIndex and not JobModifyIndex", async () => {
    const scene = await withVersions();
    const before = await scene.job("web");
    const { status, body } = await scene.send("PUT", "/job/web/stable", {
      JobID: "web",
      JobVersion: 1,
      Stable: true,
    });
    expect([status, body]).toEqual([200, { Index: before.ModifyIndex + 1 }]);
    expect(await scene.job("web")).toMatchObject({
      Stable: true,
      ModifyIndex: body.Index,
      JobModifyIndex: before.JobModifyIndex,
    });
    await scene.send("PUT", "/job/web/stable", { JobID: "web", JobVersion: 1 });
    expect((await scene.job("web")).Stable).toBe(false);
    await answers(scene.send("PUT", "/job/web/stable", { JobID: "web", JobVersion: 7, Stable: true }), 500);
  });
});
