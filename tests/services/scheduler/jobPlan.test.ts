import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { type Inputs, UNKNOWN } from "../../../provider/core/value/unknown";
import { refusal, setFate } from "../interference";
import { JobScene, typedWeb, web, webText } from "./job-scene";

const [front] = web.TaskGroups;

/** The job with other members of its group, and its task. */
const webWith = (group: object, task: object = {}, more: object = {}) => ({
  ...web,
  ...more,
  TaskGroups: [{ ...front, ...group, Tasks: [{ Name: "server", Driver: "docker", ...task }] }],
});

/** The bodies of the plan requests. */
function plansIn({ world }: JobScene): { [member: string]: Json }[] {
  return world.requests.flatMap(({ path, body }) =>
    // The body of a plan request is an object.
    path.endsWith("/plan") ? [body as { [member: string]: Json }] : [],
  );
}

/** A job that has been running for an hour. */
async function running(inputs: Values = { json: web }, scene = new JobScene()): Promise<JobScene> {
  await scene.resource.create(inputs);
  scene.clock.advance(3_600_000);
  scene.world.requests.length = 0;
  scene.world.logged.length = 0;
  return scene;
}

describe("Nomad's plan in a preview", () => {
  test("is requested once for a new job, with the job exactly as it would be registered", async () => {
    const scene = new JobScene();
    await scene.resource.forecast({ json: web, namespace: "shop", policyOverride: true });
    expect(scene.world.requests.map(({ method, path, query }) => [method, path, query])).toEqual([
      ["POST", "/v1/job/web/plan", { namespace: "shop" }],
    ]);
    expect(scene.world.logged).toEqual(['info: Nomad\'s plan: group "front": 2 create']);
    await scene.resource.create({ json: web, namespace: "shop", policyOverride: true });
    const [registered] = scene.registers;
    expect(plansIn(scene)).toEqual([{ Job: registered?.Job, Diff: true, PolicyOverride: true }]);
  });

  test.each<[string, object, object, string]>([
    ["a higher count", { Count: 4 }, {}, "2 create, 2 in-place update"],
    ["a lower count", { Count: 1 }, {}, "1 in-place update, 1 stop"],
    ["a new service", { Services: [{ Name: "web" }] }, {}, "2 in-place update"],
    ["a different image", {}, { Config: { image: "nginx:2" } }, "1 destructive update, 1 ignore"],
    ["a canary update", { Update: { Canary: 1 } }, { Env: { A: "b" } }, "1 canary, 2 ignore"],
  ])("shows the allocation updates of a group with %s", async (_, group, task, updates) => {
    const scene = await running();
    await scene.resource.forecast({ json: webWith(group, task) });
    expect(scene.world.logged).toEqual([`info: Nomad's plan: group "front": ${updates}`]);
    expect(plansIn(scene)).toHaveLength(1);
  });

  test("is printed with one line per group, including removed groups", async () => {
    const scene = await running();
    const cache = { ...front, Name: "a-cache", Count: 1 };
    await scene.resource.forecast({ json: { ...web, TaskGroups: [cache] } });
    expect(scene.world.logged).toEqual([
      'info: Nomad\'s plan:\n  group "a-cache"  1 create\n  group "front"    2 stop',
    ]);
  });

  test("includes the next launch of a periodic job", async () => {
    const scene = new JobScene();
    await scene.resource.forecast({
      json: { ...web, Type: "batch", Periodic: { Spec: "0 2 * * *", TimeZone: "Europe/Berlin" } },
    });
    expect(scene.world.logged[0]?.split("\n")).toEqual([
      "info: Nomad's plan:",
      '  group "front"  2 create',
      "  next launch    2030-01-01T01:00:00Z",
    ]);
  });

  test("includes a warning about a group that no node can run, with each reason on its own line", async () => {
    const scene = new JobScene();
    scene.stub.seed({ outcomes: [{ job: "web", outcome: "unplaceable" }] });
    const Constraints = [{ LTarget: "arch", RTarget: "arm64", Operand: "=" }];
    await scene.resource.forecast({ json: { ...web, Constraints } });
    expect(scene.world.logged[1]?.split("\n")).toEqual([
      'warning: 2 allocations of group "front" cannot be placed now:',
      "  3 nodes evaluated",
      '  constraint "arch = arm64" filtered 3',
    ]);
  });

  test("includes preempted allocations and Nomad's own warnings", async () => {
    const scene = new JobScene();
    scene.world.onResponse = (_, answer) => {
      const json = Object(answer.json);
      Object.assign(json, { Warnings: "1 warning:\n\n* it is old\n" });
      Object.assign(json.Annotations, {
        PreemptedAllocs: [
          { ID: "1", Namespace: "default", JobID: "batch", TaskGroup: "work" },
          { ID: "2", Namespace: "default", JobID: "batch", TaskGroup: "work" },
          { ID: "3", Namespace: "shop", JobID: "other", TaskGroup: "g" },
        ],
      });
    };
    await scene.resource.forecast({ json: web });
    expect(scene.world.logged).toEqual([
      // Every warning in a response is printed.
      expect.stringMatching(/^warning: the server warns: 1 warning:\s+\* it is old/),
      'info: Nomad\'s plan: group "front": 2 create',
      'warning: 3 allocations will be stopped to make room (preemption):\n  2 of job "default/batch", group "work"\n  1 of job "shop/other", group "g"',
    ]);
  });

  test("is requested with the parsed job for hcl, which is parsed only once", async () => {
    const scene = new JobScene();
    const { inputs } = await scene.resource.prepare({ hcl: webText });
    await scene.resource.forecast(inputs);
    expect(scene.parses).toBe(1);
    expect(plansIn(scene)).toMatchObject([{ Job: { ID: "web", TaskGroups: [{ Name: "front", Count: 2 }] } }]);
  });

  test("is printed for a job given as spec", async () => {
    const scene = new JobScene();
    await scene.resource.forecast({ spec: typedWeb });
    expect(scene.world.logged).toEqual(['info: Nomad\'s plan: group "front": 2 create']);
  });
});

describe("plan requests of a preview", () => {
  test("are not sent if nothing or only a provider option changes", async () => {
    const scene = await running();
    await scene.resource.forecast({ json: web });
    await scene.resource.forecast({ json: web, onConflict: "overwrite", wait: "deployment" });
    expect(scene.world.requests).toEqual([]);
    expect(scene.world.logged).toEqual([]);
  });

  test.each<[string, Values, Values]>([
    ["the program", {}, { plan: false }],
    ["the connection", { plan: false }, {}],
    ["the environment, as a string,", { plan: "false" }, {}],
  ])("are not sent if %s turns the plan off", async (_, settings, inputs) => {
    const scene = new JobScene(settings);
    await scene.resource.forecast({ json: web, ...inputs });
    expect(scene.world.requests).toEqual([]);
    expect(scene.world.logged).toEqual([]);
  });

  test("are sent if the program turns the plan on and the connection turns it off", async () => {
    const scene = new JobScene({ plan: false });
    await scene.resource.forecast({ json: web, plan: true });
    expect(plansIn(scene)).toHaveLength(1);
  });

  test("are not sent if a part of the job is unknown, which the preview notes", async () => {
    const scene = await running();
    const inputs: Inputs = { json: { ...web, Meta: { since: UNKNOWN } } };
    await scene.resource.forecast(inputs);
    await new JobScene().resource.forecast(inputs);
    expect(scene.world.requests).toEqual([]);
    expect(scene.world.logged).toEqual(["info: the server's plan is requested once all values are known"]);
  });

  test("are not sent if hcl was not parsed, without a message", async () => {
    const scene = new JobScene();
    await scene.resource.forecast({ hcl: webText });
    expect(scene.world.requests).toEqual([]);
    expect(scene.world.logged).toEqual([]);
  });
});

describe("a preview whose plan request fails", () => {
  const responseWith = (status: number, text: string) => ({ answer: { status, text }, isCarriedOut: false });

  test.each<[string, "request lost" | "request hangs" | ReturnType<typeof responseWith>, RegExp]>([
    ["cannot be reached", "request lost", /lost its connection/],
    ["does not respond in time", "request hangs", /was not answered in time/],
    ["rejects the token", responseWith(403, "Permission denied"), /returned 403: Permission denied/],
    ["has no such endpoint", responseWith(404, "Invalid URL"), /returned 404: Invalid URL/],
    ["is behind a failing gateway", responseWith(502, "Bad Gateway"), /returned 502/],
    ["returns no plan", responseWith(200, '{"Index":1}'), /with an object other than/],
  ])("prints one warning and requests no more plans if Nomad %s", async (_, fate, words) => {
    const scene = new JobScene();
    scene.world.fate = () => fate;
    await scene.resource.forecast({ json: web });
    await scene.resource.forecast({ json: { ...web, ID: "other" } });
    expect(plansIn(scene)).toHaveLength(1);
    expect(scene.world.logged).toEqual([expect.stringMatching(words)]);
    expect(scene.world.logged[0]).toMatch(
      /^warning: the server's plan is not available for this resource and/,
    );
  });

  test("prints one warning for plans that it requests at the same time", async () => {
    const scene = new JobScene();
    scene.world.fate = () => "request lost";
    await Promise.all(["a", "b", "c"].map((ID) => scene.resource.forecast({ json: { ...web, ID } })));
    expect(plansIn(scene)).toHaveLength(3);
    expect(scene.world.logged).toHaveLength(1);
  });

  test("still requests plans in a second namespace if the token may not plan in the first", async () => {
    const scene = new JobScene();
    scene.world.fate = ({ query }) =>
      query?.namespace === "shop" ? responseWith(403, "Permission denied") : "passes";
    for (const namespace of ["shop", "shop", "default"])
      await scene.resource.forecast({ json: web, namespace });
    expect(plansIn(scene)).toHaveLength(2);
    expect(scene.world.logged).toEqual([
      expect.stringContaining("403"),
      expect.stringContaining("Nomad's plan"),
    ]);
  });

  test("prints a warning for each job that Nomad rejects as invalid", async () => {
    const scene = new JobScene({}, { switches: { validationStatus: 500 } });
    const wrong = (ID: string) => ({ json: { ...web, ID, Priority: 300 } });
    await scene.resource.forecast(wrong("a"));
    await scene.resource.forecast(wrong("b"));
    expect(scene.world.logged).toEqual([
      expect.stringMatching(
        /^warning: the server already rejects the object in the preview: .*job priority must be/s,
      ),
      expect.stringMatching(/job priority must be/),
    ]);
  });
});

describe("a preview of a job that Nomad already has", () => {
  test("warns of a change since the last read, which the up will reject or, with overwrite, undo", async () => {
    const scene = await running();
    const { JobModifyIndex: before } = await scene.held();
    await scene.register(webWith({ Count: 5 }));
    const { JobModifyIndex: now } = await scene.held();
    const edit = { json: webWith({ Count: 3 }) };
    await scene.resource.forecast(edit);
    expect(scene.world.logged).toContain(
      `warning: someone else changed the job since it was last read (index ${before} then, ${now} now): pulumi up will fail if the change affects a value that the program sets; to see the change, run pulumi refresh first`,
    );
    await expect(scene.resource.up(edit)).rejects.toThrow(/changed by someone else|conflict/i);
    await scene.resource.forecast({ ...edit, onConflict: "overwrite" });
    expect(scene.world.logged).toContainEqual(expect.stringMatching(/will overwrite those changes/));
  });

  test("warns that someone else purged it", async () => {
    const scene = await running();
    await scene.send("DELETE", "/v1/job/web?purge=true");
    const edit = { json: webWith({ Count: 3 }) };
    await scene.resource.forecast(edit);
    expect(scene.world.logged).toContainEqual(expect.stringMatching(/^warning: someone else purged the job/));
    await expect(scene.resource.up(edit)).rejects.toThrow(/gone|not found|refresh/);
  });

  test("prints only the plan if no one changed it", async () => {
    const scene = await running();
    await scene.resource.forecast({ json: webWith({ Count: 3 }) });
    expect(scene.world.logged).toHaveLength(1);
  });

  test.each<[string, Values, RegExp]>([
    [
      "already exists, which the up will reject",
      {},
      /^warning: .*already exists \(index \d+\): pulumi up will fail; set adopt/,
    ],
    [
      "will be adopted",
      { adopt: true },
      /^info: `pulumi up` adopts the existing object, and changes these values:/,
    ],
  ])("reports that it %s", async (_, inputs, words) => {
    const scene = new JobScene();
    await scene.register(webWith({ Count: 5 }));
    await scene.resource.forecast({ json: web, ...inputs });
    expect(scene.world.logged).toContainEqual(expect.stringMatching(words));
  });

  test("reports that an identical job will be adopted if the stack adopts identical objects", async () => {
    const scene = new JobScene();
    await scene.register(web);
    scene.resource.adoptsIdentical = true;
    await scene.resource.forecast({ json: web });
    expect(scene.world.logged).toContainEqual(
      expect.stringMatching(/and matches the program: the job will be adopted/),
    );
  });

  test("reports that a stopped job will run again", async () => {
    const scene = new JobScene();
    await scene.register(web);
    await scene.send("DELETE", "/v1/job/web");
    await scene.resource.forecast({ json: web });
    expect(scene.world.logged).toContainEqual(
      expect.stringMatching(/^info: .* and is stopped: the job will run again$/),
    );
    await scene.resource.create({ json: web });
  });
});

describe("a preview of a job whose count is not managed", () => {
  const countNote = (group: string, had: number, counts: number) =>
    `info: group "${group}" keeps its count of ${had}; the plan does not contain this count and uses ${counts}`;

  test("prints the count that preserveCounts leaves unchanged, which the plan ignores", async () => {
    const scene = await running({ json: web, preserveCounts: true });
    await scene.register(webWith({ Count: 5 }));
    await scene.resource.refresh();
    const edit = { json: webWith({ Count: 1 }, { Env: { A: "b" } }), preserveCounts: true };
    await scene.resource.forecast(edit);
    expect(scene.world.logged).toContain(countNote("front", 5, 1));
    await scene.resource.up(edit);
    expect(await scene.held()).toMatchObject({ TaskGroups: [{ Count: 5 }] });
  });

  test("prints the task whose resources preserveResources leaves unchanged", async () => {
    const withCpu = (CPU: number, more: object = {}) => webWith({}, { Resources: { CPU } }, more);
    const scene = await running({ json: withCpu(200), preserveResources: true });
    await scene.register(withCpu(900));
    await scene.resource.refresh();
    await scene.resource.forecast({ json: withCpu(300, { Priority: 70 }), preserveResources: true });
    expect(scene.world.logged).toContain(
      'info: task "server" of group "front" keeps its resources; the plan uses those of the program',
    );
  });

  describe("by ignoreChanges", () => {
    const program = (image: string, count = 2) =>
      withMetadata(
        {
          spec: {
            id: "web",
            taskGroups: [
              { name: "front", count, tasks: [{ name: "server", driver: "docker", env: { IMAGE: image } }] },
            ],
          },
        },
        { ignoredPaths: ["spec.taskGroups[0].count"] },
      );
    const edited = (group: object, more: object = {}) => webWith(group, { Env: { IMAGE: "one" } }, more);

    test("is planned with the count on the server, and without a conflict, as the update is carried out", async () => {
      const scene = await running(program("one"));
      await scene.register(edited({ Count: 8 }));
      await scene.resource.forecast(program("two"));
      expect(plansIn(scene)).toMatchObject([{ Job: { TaskGroups: [{ Count: 8 }] } }]);
      expect(scene.world.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
      expect(scene.world.logged.join("\n")).not.toMatch(/stop|someone else changed/);
      await scene.resource.up(program("two"));
      expect(await scene.held()).toMatchObject({ TaskGroups: [{ Count: 8 }] });
    });

    test("does not hide a conflict in another field", async () => {
      const scene = await running(program("one"));
      await scene.register(edited({ Count: 8 }, { Priority: 70 }));
      await scene.resource.forecast(program("two"));
      expect(scene.world.logged.join("\n")).toMatch(/someone else changed the job/);
      await expect(scene.resource.up(program("two"))).rejects.toThrow(/conflict/);
    });

    test("is planned with the recorded count if the job cannot be read", async () => {
      const scene = await running(program("one"));
      await scene.register(edited({ Count: 8 }));
      setFate(scene.world, /^GET/, refusal(403, "no"));
      await scene.resource.forecast(program("two"));
      expect(plansIn(scene)).toMatchObject([{ Job: { TaskGroups: [{ Count: 2 }] } }]);
    });
  });

  test("prints the count that the autoscaler set, unless the program changes the count", async () => {
    const Scaling = { Min: 1, Max: 9 };
    const scene = await running({ json: webWith({ Scaling }) });
    await scene.register(webWith({ Scaling, Count: 7 }));
    await scene.resource.refresh();
    scene.world.logged.length = 0;
    await scene.resource.forecast({ json: webWith({ Scaling, Count: 3 }) });
    expect(scene.world.logged.join("\n")).not.toContain("keeps its count");
    const edit = { json: webWith({ Scaling }, { Env: { A: "b" } }) };
    await scene.resource.forecast(edit);
    expect(scene.world.logged).toContain(countNote("front", 7, 2));
    await scene.resource.up(edit);
    expect(await scene.held()).toMatchObject({ TaskGroups: [{ Count: 7 }] });
  });
});
