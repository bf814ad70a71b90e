import { answers } from "./in-process";
import { indexOf, MINUTE, Scene, SECOND, scene, serviceJob, TOKENS } from "./scheduler-scene";

const ids = (body: readonly { ID: string }[]) => body.map(({ ID }) => ID);

describe("General conventions: methods", () => {
  test("PUT /jobs creates a job, GET /jobs lists jobs", async () => {
    expect((await scene.send("PUT", "/jobs", { Job: serviceJob("web") })).body.EvalID).not.toBe("");
    expect(ids((await scene.get("/jobs")).body)).toEqual(["web"]);
  });

  test("returns 405 for a method that the path does not support", async () => {
    await answers(scene.send("PATCH", "/job/web"), 405, "Invalid method");
  });

  test("returns 404 for an unknown path and 400 in plain text for a body that is not JSON", async () => {
    await answers(scene.get("/nowhere"), 404);
    const { status, headers } = await scene.send("POST", "/jobs", "{not json");
    expect(status).toBe(400);
    expect(headers["content-type"]).toMatch(/^text\/plain/);
  });
});

describe("General conventions: namespace", () => {
  const populated = async () => {
    const scene = new Scene();
    await scene.existing(serviceJob("a"));
    await scene.existing(serviceJob("b", { Namespace: "team-web" }));
    await scene.existing(serviceJob("c", { Namespace: "team-data" }));
    await scene.existing(serviceJob("d", { Namespace: "team-secret" }));
    return scene;
  };

  test("is default if the query has none; * lists the jobs of all namespaces", async () => {
    const scene = await populated();
    expect(ids((await scene.get("/jobs")).body)).toEqual(["a"]);
    expect(ids((await scene.get("/jobs?namespace=team-web")).body)).toEqual(["b"]);
    expect(ids((await scene.get("/jobs?namespace=*")).body)).toEqual(["a", "c", "d", "b"]);
  });

  test("* lists only namespaces in which the token can list jobs", async () => {
    const scene = await populated();
    expect(ids((await scene.get("/jobs?namespace=*", { as: TOKENS.lister })).body)).toEqual(["c", "b"]);
    expect((await scene.get("/jobs?namespace=*", { as: TOKENS.stranger })).body).toEqual([]);
  });

  test("jobs with the same ID in two namespaces are separate jobs", async () => {
    const scene = await populated();
    await scene.existing(serviceJob("a", { Namespace: "team-web", Priority: 70 }));
    expect((await scene.job("a")).Priority).toBe(50);
    expect((await scene.job("a", "?namespace=team-web")).Priority).toBe(70);
    await answers(scene.get("/job/b"), 404);
  });
});

describe("General conventions: filtering", () => {
  const populated = async () => {
    const scene = new Scene();
    await scene.existing(serviceJob("web", { Datacenters: ["dc1"], Meta: { owner: "a" }, AllAtOnce: true }));
    await scene.existing(serviceJob("db", { Datacenters: ["dc2"], Priority: 80 }));
    return scene;
  };
  const list = async (scene: Scene, filter: string, more = "") =>
    scene.get(`/jobs?filter=${encodeURIComponent(filter)}${more}`);

  test.each([
    ['Datacenters contains "dc2"', ["db"]],
    ["Priority == 80 or ID == web", ["db", "web"]],
    ["Meta.owner == a", ["web"]],
    // `AllAtOnce` and the groups are fields of the full job, not of the job stub in the list.
    ["AllAtOnce == true", ["web"]],
    ['TaskGroups["0"].Name == web and not ID == db', ["web"]],
  ])("filter %s selects %j", async (filter, expected) => {
    expect(ids((await list(await populated(), filter)).body)).toEqual(expected);
  });

  test("returns 400 with the position for a filter with a syntax error", async () => {
    const { status, body } = await list(await populated(), "ID ==");
    expect([status, body]).toEqual([
      400,
      "failed to read filter expression: 1:6: expected a value, found the end of the expression",
    ]);
  });

  test("returns 400 for an unknown selector", async () => {
    const { status, body } = await list(await populated(), "Nope == x");
    expect(status).toBe(400);
    expect(body).toContain("error finding value in datum: /Nope");
  });

  test("returns 400 for a filter together with prefix, and accepts meta, per_page and reverse", async () => {
    const { status, body } = await list(await populated(), "ID == web", "&prefix=w");
    expect([status, body]).toEqual([400, "Filter expression cannot be used with other filter parameters"]);
    await answers(list(await populated(), "ID == web", "&meta=true&per_page=1&reverse=true"), 200);
  });

  test("filters deployments by Status, JobID and TaskGroups", async () => {
    const scene = await populated();
    scene.pass(SECOND);
    const query = (filter: string) => scene.get(`/deployments?filter=${encodeURIComponent(filter)}`);
    expect((await query("Status == running")).body).toHaveLength(2);
    expect(
      (await query("Status == running and TaskGroups.web.DesiredTotal == 1 and JobID == db")).body,
    ).toHaveLength(1);
    expect((await query("nothing in TaskGroups")).body).toEqual([]);
    expect((await query("TaskGroups contains web")).body).toHaveLength(2);
  });
});

describe("General conventions: pagination and ordering", () => {
  const populated = async () => {
    const scene = new Scene();
    for (const id of ["d", "a", "c", "b", "e"]) await scene.existing(serviceJob(id));
    return scene;
  };

  test("orders by ID, in descending order with reverse", async () => {
    const scene = await populated();
    expect(ids((await scene.get("/jobs")).body)).toEqual(["a", "b", "c", "d", "e"]);
    expect(ids((await scene.get("/jobs?reverse=true")).body)).toEqual(["e", "d", "c", "b", "a"]);
  });

  test.each(["", "&reverse=true", "&filter=ID+!%3D+c", "&namespace=*"])(
    "per_page and next_token return every job once, and the last page has no token (%s)",
    async (more) => {
      const scene = await populated();
      const all = ids((await scene.get(`/jobs?x${more}`)).body);
      const seen: string[] = [];
      let token: string | undefined = "";
      let pages = 0;
      while (token !== undefined) {
        const { headers, body } = await scene.get(`/jobs?per_page=2&next_token=${token}${more}`);
        expect(body.length).toBeLessThanOrEqual(2);
        seen.push(...ids(body));
        token = headers["x-sched-nexttoken"];
        pages += 1;
      }
      expect(seen).toEqual(all);
      expect(pages).toBe(Math.ceil(all.length / 2));
    },
  );

  test("returns 400 if per_page is not a number; per_page=0 returns everything without a token", async () => {
    const scene = await populated();
    await answers(scene.get("/jobs?per_page=few"), 400);
    const { headers, body } = await scene.get("/jobs?per_page=0");
    expect(body).toHaveLength(5);
    expect(headers).not.toHaveProperty("x-sched-nexttoken");
  });

  test("lists evaluations in order of creation", async () => {
    const scene = await populated();
    const { body } = await scene.get("/evaluations");
    expect(body.map(({ JobID }: { JobID: string }) => JobID)).toEqual(["d", "a", "c", "b", "e"]);
  });
});

describe("General conventions: blocking queries", () => {
  /** Returns whether the response has arrived, after running the callbacks that are already due. */
  const isAnswered = async (answer: Promise<unknown>) => {
    await new Promise((resolve) => setImmediate(resolve));
    const pending = {};
    return (await Promise.race([answer, Promise.resolve(pending)])) !== pending;
  };

  const idleCluster = async () => {
    const scene = new Scene();
    await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    return { scene, index: indexOf(await scene.get("/job/web")) };
  };

  test("the index of a new cluster is 1", async () => {
    expect(indexOf(await scene.get("/jobs"))).toBe(1);
  });

  test("a query for an earlier index returns immediately", async () => {
    const { scene, index } = await idleCluster();
    await answers(scene.get(`/job/web?index=${index - 1}`), 200);
    await answers(scene.get("/job/web?index=0"), 200);
  });

  test("a query for the current index waits for a change", async () => {
    const { scene, index } = await idleCluster();
    const answer = scene.get(`/job/web?index=${index}&wait=5m`);
    expect(await isAnswered(answer)).toBe(false);
    await scene.existing(serviceJob("web", { Priority: 60 }));
    expect((await answer).body.Priority).toBe(60);
    expect(indexOf(await answer)).toBeGreaterThan(index);
  });

  test("a status change that no request caused ends the wait", async () => {
    const { JobModifyIndex } = await scene.existing(serviceJob("web"));
    const answer = scene.get(`/job/web?index=${JobModifyIndex}`);
    expect(await isAnswered(answer)).toBe(false);
    scene.pass(SECOND);
    expect((await answer).body.Status).toBe("running");
  });

  test("a change of a different job does not end the wait", async () => {
    const { scene, index } = await idleCluster();
    const answer = scene.get(`/job/web?index=${index}&wait=1m`);
    await scene.existing(serviceJob("other"));
    scene.pass(30 * SECOND);
    expect(await isAnswered(answer)).toBe(false);
    scene.pass(2 * MINUTE);
    expect(indexOf(await answer)).toBe(index);
  });

  test.each([
    ["wait=10s", 10 * SECOND],
    ["wait=1m30s", 90 * SECOND],
    ["", 5 * MINUTE],
    ["wait=0s", 5 * MINUTE],
    ["wait=1h", 10 * MINUTE],
  ])("with %j, the query waits %d ms plus jitter (here 1/32 of the wait)", async (wait, milliseconds) => {
    const { scene, index } = await idleCluster();
    const answer = scene.get(`/job/web?index=${index}&${wait}`);
    const jitter = milliseconds / 32;
    scene.pass(milliseconds + jitter - 10);
    expect(await isAnswered(answer)).toBe(false);
    scene.pass(10);
    await answers(answer, 200);
  });

  test("a query for a missing job waits until the job is created", async () => {
    const { scene } = await idleCluster();
    const absent = await scene.get("/job/new");
    expect(absent.status).toBe(404);
    const answer = scene.get(`/job/new?index=${indexOf(absent)}`);
    expect(await isAnswered(answer)).toBe(false);
    await scene.existing(serviceJob("new"));
    await answers(answer, 200);
  });

  test("ends if the caller aborts the request, and at a reset of the stub", async () => {
    const { scene, index } = await idleCluster();
    const caller = new AbortController();
    const aborted = scene.get(`/job/web?index=${index}`, { signal: caller.signal });
    caller.abort();
    await answers(aborted, 200);
    const reset = scene.get(`/job/web?index=${index}`);
    expect(await isAnswered(reset)).toBe(false);
    scene.service.reset();
    await answers(reset, 200);
  });

  test.each([
    ["index=x", "Invalid index"],
    ["index=-1", "Invalid index"],
    ["wait=soon", "Invalid wait time"],
    ["wait=5", "Invalid wait time"],
  ])("returns 400 for %s", async (query, text) => {
    await answers(scene.get(`/jobs?${query}`), 400, text);
  });

  test.each([
    "/jobs",
    "/job/web",
    "/job/web/versions",
    "/job/web/allocations",
    "/job/web/evaluations",
    "/job/web/deployments",
  ])("%s supports blocking queries", async (path) => {
    const { scene } = await idleCluster();
    const index = indexOf(await scene.get(path));
    const answer = scene.get(`${path}?index=${index}`);
    expect(await isAnswered(answer)).toBe(false);
    await scene.existing(serviceJob("web", { Priority: 60 }));
    scene.pass(MINUTE);
    expect(indexOf(await answer)).toBeGreaterThan(index);
  });
});

describe("General conventions: consistency", () => {
  test("reads return the headers for last contact and known leader", async () => {
    const scene = new Scene({ lastContactMilliseconds: 12, knownLeader: false });
    const { headers } = await scene.get("/jobs?stale");
    expect(headers).toMatchObject({ "x-sched-lastcontact": "12", "x-sched-knownleader": "false" });
    expect((await new Scene().get("/jobs")).headers).toMatchObject({
      "x-sched-lastcontact": "0",
      "x-sched-knownleader": "true",
    });
  });

  test("a stale read returns the state before the latest write", async () => {
    await scene.existing(serviceJob("web"));
    await scene.existing(serviceJob("web", { Priority: 60 }));
    expect((await scene.get("/job/web", { stale: true })).body.Priority).toBe(50);
    expect((await scene.get("/job/web")).body.Priority).toBe(60);
  });

  test("a rejected write changes nothing", async () => {
    await scene.existing(serviceJob("web"));
    const before = scene.service.dump();
    await scene.register(serviceJob("web", { Type: "batch" }));
    await scene.register(serviceJob("web"), { EnforceIndex: true });
    expect(scene.service.dump()).toEqual(before);
  });
});

describe("General conventions: region", () => {
  test("returns the jobs of the region in the query, and 500 for an unknown region", async () => {
    await scene.existing(serviceJob("web"));
    expect((await scene.get("/jobs?region=global")).body).toHaveLength(1);
    expect((await scene.get("/jobs?region=west")).body).toEqual([]);
    await answers(scene.get("/jobs?region=nowhere"), 500, "No path to region");
  });

  test("an unknown region returns 500 also for an unknown token", async () => {
    const stranger = { as: "no-such-token" };
    expect(await scene.get("/jobs?region=nowhere", stranger)).toMatchObject({ status: 500 });
    expect(await scene.get("/jobs?region=west", stranger)).toMatchObject({ status: 403 });
  });

  test("jobs with the same ID in two regions are separate", async () => {
    await scene.existing(serviceJob("web"));
    await scene.existing(serviceJob("other"));
    const west = await scene.send("POST", "/jobs?region=west", {
      Job: serviceJob("web"),
      EnforceIndex: true,
    });
    expect(west.status).toBe(200);
    const [home, there] = await Promise.all(
      ["", "?region=west"].map((query) => scene.get(`/job/web${query}`)),
    );
    expect([home?.body, there?.body]).toMatchObject([{ Region: "global" }, { Region: "west" }]);
    await scene.send("DELETE", "/job/web?region=west&purge=true");
    await answers(scene.get("/job/web?region=west"), 404);
    await answers(scene.get("/job/web"), 200);
  });

  test("in the real dialect, region=global is the agent's region in a register and a region name in a read", async () => {
    const scene = new Scene({ region: "east", dialect: "real", acl: false });
    const { status } = await scene.send("POST", "/jobs?region=global", { Job: serviceJob("web") });
    expect([status, (await scene.get("/job/web?region=global")).status]).toEqual([200, 500]);
    expect((await scene.job("web")).Region).toBe("east");
  });

  test("a job for region global is stored in the agent's region", async () => {
    const scene = new Scene({ region: "east" });
    await scene.existing(serviceJob("web", { Region: "global" }));
    expect((await scene.job("web")).Region).toBe("east");
  });
});

describe("General conventions: output format", () => {
  test.each([
    ["", false],
    ["?pretty", true],
    ["?pretty=1", true],
    ["?pretty=0", false],
  ])("GET /job/web%s returns JSON; indented: %s", async (query, isPretty) => {
    await scene.existing(serviceJob("web"));
    const { headers, body } = await scene.get(`/job/web${query}`);
    expect(headers["content-type"]).toBe("application/json");
    if (isPretty) {
      expect(body).toContain('\n    "ID": "web"');
      expect(JSON.parse(body)).toEqual(await scene.job("web"));
    } else expect(body.ID).toBe("web");
  });
});

describe("Authentication", () => {
  test.each([
    ["the token header", { "x-sched-token": TOKENS.manager }],
    ["the Authorization header (Bearer)", { "x-sched-token": "", authorization: `Bearer ${TOKENS.manager}` }],
  ])("accepts a token in %s", async (_how, headers) => {
    await answers(scene.get("/jobs", { headers }), 200);
  });

  test("returns 403 for an unknown token and for a request without a token", async () => {
    await answers(scene.get("/jobs", { as: "nonsense" }), 403, "ACL token not found");
    await answers(scene.get("/jobs", { as: "" }), 403, "Permission denied");
  });

  test("with ACLs disabled, requests need no token", async () => {
    const scene = new Scene({ acl: false });
    await answers(scene.register(serviceJob("web"), {}, { as: "" }), 200);
    expect((await scene.job("web")).SchedTokenID).toBe("");
  });

  /** The column "ACL" of the endpoints: a token with the required permission, and a token without it. */
  test.each([
    ["GET", "/jobs", TOKENS.reader, TOKENS.submitter],
    ["POST", "/jobs", TOKENS.submitter, TOKENS.reader],
    ["POST", "/jobs/parse", TOKENS.parser, TOKENS.submitter],
    ["GET", "/job/web", TOKENS.reader, TOKENS.parser],
    ["GET", "/job/web/submission?version=0", TOKENS.reader, TOKENS.parser],
    ["GET", "/job/web/summary", TOKENS.reader, TOKENS.parser],
    ["GET", "/job/web/versions", TOKENS.reader, TOKENS.parser],
    ["GET", "/job/web/allocations", TOKENS.reader, TOKENS.parser],
    ["GET", "/job/web/evaluations", TOKENS.reader, TOKENS.parser],
    ["GET", "/job/web/deployments", TOKENS.reader, TOKENS.parser],
    ["GET", "/job/web/deployment", TOKENS.reader, TOKENS.parser],
    ["GET", "/job/web/scale", TOKENS.scaler, TOKENS.parser],
    ["POST", "/job/web/scale", TOKENS.scaler, TOKENS.reader],
    ["POST", "/job/web/plan", TOKENS.submitter, TOKENS.reader],
    ["POST", "/job/web/evaluate", TOKENS.submitter, TOKENS.reader],
    ["POST", "/job/web/stable", TOKENS.submitter, TOKENS.reader],
    ["POST", "/job/web/revert", TOKENS.submitter, TOKENS.reader],
    ["POST", "/job/cron/periodic/force", TOKENS.dispatcher, TOKENS.reader],
    ["POST", "/job/args/dispatch", TOKENS.dispatcher, TOKENS.submitter],
    ["DELETE", "/job/web", TOKENS.submitter, TOKENS.reader],
  ])("%s %s succeeds with %s and returns 403 with %s", async (method, path, enough, tooLittle) => {
    await scene.existing(serviceJob("web"), { Submission: { Source: "x", Format: "json" } });
    await scene.existing(serviceJob("cron", { Type: "batch", Periodic: { Spec: "@daily" } }));
    await scene.existing(serviceJob("args", { Type: "batch", ParameterizedJob: {} }));
    scene.pass(MINUTE);
    await scene.existing(serviceJob("web", { Priority: 60 }));
    scene.pass(MINUTE);
    const body = method === "GET" || method === "DELETE" ? undefined : BODIES[path.split("/").at(-1) ?? ""];
    await answers(scene.send(method, path, body, { as: tooLittle }), 403, "Permission denied");
    await answers(scene.send(method, path, body, { as: enough }), 200, expect.anything());
  });

  const BODIES: Readonly<Record<string, object>> = {
    jobs: { Job: serviceJob("new") },
    parse: { JobHCL: 'job "j" {}' },
    scale: { Target: { Group: "web" }, Count: 2 },
    plan: { Job: serviceJob("web") },
    evaluate: { JobID: "web" },
    stable: { JobID: "web", JobVersion: 0, Stable: true },
    revert: { JobID: "web", JobVersion: 0 },
    force: {},
    dispatch: {},
  };

  test("returns 403 if the token has no permission in the namespace", async () => {
    await answers(scene.get("/jobs?namespace=team-web", { as: TOKENS.reader }), 403);
    await answers(scene.get("/jobs?namespace=team-web", { as: TOKENS.lister }), 200);
    const job = serviceJob("x", { Namespace: "team-web" });
    await answers(scene.register(job, {}, { as: TOKENS.submitter }), 403);
  });

  test("a rule for the exact namespace takes precedence over a pattern", async () => {
    await answers(scene.get("/jobs?namespace=team-secret", { as: TOKENS.lister }), 403);
  });
});
