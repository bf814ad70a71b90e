import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { StubClock } from "../../stub/clock";
import { SchedulerService } from "../../stub/services/scheduler/service";
import { startStub } from "../../stub/start";
import { answers, send } from "./in-process";
import { Scene, START, scene, serviceJob, TOKENS } from "./scheduler-scene";

describe("Scheduler service: real dialect", () => {
  const real = () => new Scene({ dialect: "real" });
  const as = { headers: { "x-nomad-token": TOKENS.manager } };

  test("headers have the product's names", async () => {
    const scene = real();
    await scene.register(serviceJob("a"), {}, as);
    await scene.register(serviceJob("b"), {}, as);
    const { status, headers } = await scene.get("/jobs?per_page=1", as);
    expect(status).toBe(200);
    expect(headers).toEqual({
      "content-type": "application/json",
      "x-nomad-index": expect.any(String),
      "x-nomad-lastcontact": "0",
      "x-nomad-knownleader": "true",
      "x-nomad-nexttoken": "b",
    });
    await answers(scene.get("/jobs"), 403);
  });

  test("a job's fields have the product's names in requests and responses", async () => {
    const scene = real();
    const job = serviceJob(
      "web",
      { VaultNamespace: "ns", ConsulToken: "t", SecretsNamespace: "no" },
      { Consul: { Namespace: "c" } },
      {
        Secrets: [{ Name: "db", Provider: "plugin", Path: "a", Env: { Vault: "kept" } }],
        vault: { Role: "web" },
        SecretBlocks: [{ Name: "no" }],
        Env: { Vault: "kept", Secrets: "kept" },
      },
    );
    await answers(scene.register(job, {}, as), 200);
    const { body } = await scene.get("/job/web", as);
    expect(body).toMatchObject({
      VaultNamespace: "ns",
      ConsulNamespace: "",
      NomadTokenID: "accessor-manager",
    });
    // The product no longer has tokens in jobs.
    for (const name of ["SecretsNamespace", "VaultToken", "ConsulToken"])
      expect(body).not.toHaveProperty(name);
    const [group] = body.TaskGroups;
    expect(group.Consul).toMatchObject({ Namespace: "c" });
    expect(group.Tasks[0]).toMatchObject({ Vault: { Role: "web" }, Env: { Vault: "kept", Secrets: "kept" } });
    expect(group.Tasks[0].Secrets).toEqual([
      { Name: "db", Provider: "plugin", Path: "a", Config: null, Env: { Vault: "kept" } },
    ]);
    expect(group.Tasks[0]).not.toHaveProperty("SecretBlocks");
  });

  test("rejects a task's Secrets that are not a list", async () => {
    const scene = real();
    const refused = await scene.register(serviceJob("web", {}, {}, { Secrets: { Role: "no" } }), {}, as);
    expect(refused.status).toBe(400);
    expect(refused.body).toContain("json: cannot unmarshal object");
  });

  test("does not rename user-defined map keys that equal a field name", async () => {
    const scene = real();
    const volumes = { Vault: { Type: "host", Source: "a" }, Secrets: { Type: "host", Source: "b" } };
    await scene.register(serviceJob("web", {}, { Volumes: volumes }), {}, as);
    const { body } = await scene.get("/job/web", as);
    expect(Object.keys(body.TaskGroups[0].Volumes)).toEqual(["Secrets", "Vault"]);
  });

  test("does not rename user-defined map keys if the map's field name is in lower case", async () => {
    const scene = real();
    const volumes = { Vault: { type: "host", source: "a" }, Secrets: { type: "host", source: "b" } };
    const users = { Vault: "kept", Secrets: "kept", count: "1", Count: "2" };
    await scene.register(serviceJob("web", { meta: users }, { volumes, count: 3 }, { env: users }), {}, as);
    const { body } = await scene.get("/job/web", as);
    expect(body.Meta).toEqual(users);
    expect(body.TaskGroups[0]).toMatchObject({ Count: 3, Tasks: [{ Env: users }] });
    expect(Object.keys(body.TaskGroups[0].Volumes)).toEqual(["Secrets", "Vault"]);
  });

  test("the last of several members whose names differ only in case is used", async () => {
    const scene = real();
    const counted = async (id: string, counts: object) => {
      const job = {
        ID: id,
        TaskGroups: [{ Name: "a", ...counts, Tasks: [{ Name: "b", Driver: "docker" }] }],
      };
      await scene.register(job, {}, as);
      return (await scene.get(`/job/${id}`, as)).body.TaskGroups[0].Count;
    };
    expect(await counted("one", { Count: 2, count: 3 })).toBe(3);
    expect(await counted("two", { count: 3, Count: 2 })).toBe(2);
    expect(await counted("three", { count: 2, COUNT: 5 })).toBe(5);
  });

  test("finds the region of a body case-insensitively", async () => {
    const scene = real();
    const body = { job: { id: "web", region: "nowhere", taskgroups: [] } };
    await answers(scene.send("PUT", "/jobs", body, as), 500, "No path to region");
  });

  test("adds a constraint for each secret provider to every group", async () => {
    const scene = new Scene({ dialect: "real", injects: ["constraints"] });
    const block = (Provider: string) => [{ Name: "a", Provider, Path: "p" }];
    const job = {
      ID: "web",
      TaskGroups: [
        { Name: "a", Tasks: [{ Name: "t", Driver: "docker", Vault: {}, Secrets: block("vault") }] },
        { Name: "b", Tasks: [{ Name: "t", Driver: "docker", Secrets: block("vendor") }] },
      ],
    };
    await answers(scene.register(job, {}, as), 200);
    const { body } = await scene.get("/job/web", as);
    const attribute = (name: string) => `\${attr.${name}.version}`;
    const provided = (name: string) => ({
      LTarget: attribute(`plugins.secrets.${name}`),
      RTarget: "",
      Operand: "is_set",
    });
    const [a, b] = body.TaskGroups;
    expect(a.Constraints).toEqual([
      { LTarget: attribute("vault"), RTarget: ">= 0.6.1", Operand: "semver" },
      provided("vault"),
      provided("vendor"),
    ]);
    expect(b.Constraints).toEqual([provided("vault"), provided("vendor")]);
  });

  test("diff fields, filter selectors and task events have the product's names", async () => {
    const scene = real();
    await scene.register(serviceJob("web"), {}, as);
    await scene.register(serviceJob("web", { VaultNamespace: "ns" }), {}, as);
    const { body } = await scene.get("/job/web/versions?diffs=true", as);
    expect(body.Diffs[0].Fields).toMatchObject([{ Name: "VaultNamespace", Type: "Added" }]);
    expect((await scene.get("/jobs?filter=VaultNamespace==ns", as)).body).toHaveLength(1);
    await answers(scene.get("/jobs?filter=SecretsNamespace==ns", as), 400);
    scene.pass(1000);
    const [allocation] = (await scene.get("/job/web/allocations", as)).body;
    expect(allocation.TaskStates.server.Events[0]).toHaveProperty("VaultError");
  });

  test("in the neutral dialect, the product's names are unknown fields", async () => {
    await scene.existing(serviceJob("web", { VaultNamespace: "ns", SecretsNamespace: "own" }));
    const job = await scene.job("web");
    expect(job.SecretsNamespace).toBe("own");
    expect(job).not.toHaveProperty("VaultNamespace");
  });
});

describe("Scheduler service: switches, seed, dump and reset", () => {
  test("every route is unique and names its section of the specification", () => {
    const { routes } = new SchedulerService({ switches: { dialect: "neutral" } });
    expect(routes.length).toBeGreaterThan(40);
    for (const route of routes) {
      expect(route.path).toMatch(/^\/v1\//);
      expect(route.section).not.toBe("");
    }
    const named = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(named).size).toBe(named.length);
  });

  test("changes one switch without changing the others and rejects an unknown switch", async () => {
    const scene = new Scene({ defaultPriority: 30 });
    scene.service.configure({ lastContactMilliseconds: 7 });
    expect((await scene.get("/jobs")).headers["x-sched-lastcontact"]).toBe("7");
    await scene.existing(serviceJob("web"));
    expect((await scene.job("web")).Priority).toBe(30);
    expect(() => scene.service.configure({ nonsense: true })).toThrow();
  });

  test("a seed registers jobs with their submissions", async () => {
    const jobs = [{ Job: serviceJob("web"), Submission: { Source: "x", Format: "hcl2" } }];
    const scene = new Scene({}, { jobs });
    expect(await scene.job("web")).toMatchObject({
      Version: 0,
      Priority: 50,
      Status: "running",
      Stable: true,
    });
    expect((await scene.get("/job/web/submission?version=0")).body.Source).toBe("x");
  });

  test("a seed adds jobs at the given time, namespaces and tokens, and does not remove existing jobs", async () => {
    await scene.existing(serviceJob("a"));
    scene.service.seed(
      { namespaces: ["late"], jobs: [{ Job: serviceJob("b", { Namespace: "late" }) }] },
      START,
    );
    expect((await scene.get("/job/b?namespace=late")).body.SubmitTime).toBe(START * 1_000_000);
    await answers(scene.get("/job/a"), 200);
    scene.service.seed({ tokens: { fresh: { management: true } } });
    await answers(scene.get("/jobs", { as: "fresh" }), 200);
  });

  test("a seed for a different region adds jobs to that region only", async () => {
    scene.service.seed({ region: "west", jobs: [{ Job: serviceJob("w") }] });
    expect((await scene.get("/jobs?region=west")).body).toHaveLength(1);
    expect((await scene.get("/jobs")).body).toEqual([]);
  });

  test("rejects an invalid seed", () => {
    const { service } = new Scene();
    expect(() => service.seed({ nonsense: 1 })).toThrow();
    expect(() => service.seed({ jobs: [{ Job: { ID: "a" } }] })).toThrow(/Missing job task groups/);
  });

  test("the dump contains plain data of every region and no tokens", async () => {
    await scene.existing(serviceJob("web"));
    const dump = scene.service.dump();
    expect(dump).toMatchObject({
      global: {
        index: 2,
        namespaces: { default: {}, "team-web": {} },
        jobs: { "default/web": {} },
      },
      west: { jobs: {} },
    });
    expect(JSON.parse(JSON.stringify(dump))).toEqual(dump);
    expect(JSON.stringify(dump)).not.toContain(TOKENS.manager);
  });

  test("a reset restores the initial seed and preserves tokens that were added later", async () => {
    const scene = new Scene({}, { jobs: [{ Job: serviceJob("first") }] });
    await scene.existing(serviceJob("second"));
    scene.service.seed({ tokens: { fresh: { management: true } } });
    scene.service.reset();
    const { body } = await scene.get("/jobs", { as: "fresh" });
    expect(body.map(({ ID }: { ID: string }) => ID)).toEqual(["first"]);
  });

  test("generates the same IDs in every run", async () => {
    const evaluation = async () => (await new Scene().existing(serviceJob("web"))).EvalID;
    expect(await evaluation()).toBe(await evaluation());
  });

  test("starts without a seed and returns 403 to anonymous callers", async () => {
    const service = new SchedulerService({ switches: { dialect: "neutral" } });
    await answers(send(service, "GET", "/v1/jobs"), 403);
  });
});

/** Starts a scheduler on loopback with a fixed clock and stops it after the test. */
async function withScheduler(test: (send: Send, advance: (milliseconds: number) => void) => Promise<void>) {
  const clock = new StubClock(() => Date.UTC(2030, 0, 1));
  const stub = await startStub({
    dialect: "neutral",
    clock,
    scheduler: { seed: { tokens: { root: { management: true } } } },
  });
  const send: Send = async (method, path, body, encoding = "gzip") => {
    const response = await request(`${stub.addresses.scheduler}/v1${path}`, {
      method,
      headers: { "x-sched-token": "root", "accept-encoding": encoding },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { statusCode: status, headers } = response;
    const sent = Buffer.from(await response.body.bytes());
    return { status, headers, bytes: headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent };
  };
  try {
    await test(send, (milliseconds) => stub.clock.advance(milliseconds));
  } finally {
    await stub.stop();
  }
}

type Send = (
  method: "GET" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
  encoding?: string,
) => Promise<{ status: number; headers: Record<string, string | string[] | undefined>; bytes: Uint8Array }>;

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe("Scheduler over HTTP", () => {
  test("creates, reads and purges a job whose ID must be percent-encoded", () =>
    withScheduler(async (send) => {
      const path = `/job/${encodeURIComponent("a/b c")}`;
      expect(text((await send("PUT", path, { Job: serviceJob("a/b c") })).bytes)).toContain(
        "contains a space",
      );
      const job = `/job/${encodeURIComponent("a/b%")}`;
      expect((await send("PUT", job, { Job: serviceJob("a/b%") })).status).toBe(200);
      expect((await send("GET", `${job}/versions`)).status).toBe(200);
      expect((await send("DELETE", `${job}?purge=true`)).status).toBe(200);
      const deleted = await send("GET", job);
      expect([deleted.status, deleted.headers["content-type"], text(deleted.bytes)]).toEqual([
        404,
        "text/plain; charset=utf-8",
        "job not found",
      ]);
    }));

  test("Compression: even a short response is gzip if the request accepts gzip", () =>
    withScheduler(async (send) => {
      await send("PUT", "/jobs", { Job: serviceJob("web") });
      for (const path of ["/job/web", "/job/web/deployment", "/job/nobody"]) {
        const { headers, bytes } = await send("GET", path);
        expect([path, headers["content-encoding"]]).toEqual([path, "gzip"]);
        expect(text(bytes)).not.toBe("");
        const plain = await send("GET", path, undefined, "identity");
        expect([path, plain.headers["content-encoding"]]).toEqual([path, undefined]);
        expect(text(plain.bytes)).toBe(text(bytes));
      }
    }));

  test("a blocking query returns after the change that it waits for", () =>
    withScheduler(async (send, advance) => {
      const created = await send("PUT", "/jobs", { Job: serviceJob("web") });
      const index = created.headers["x-sched-index"];
      const waiting = send("GET", `/job/web/evaluations?index=${index}&wait=10m`);
      advance(60_000);
      const { status, headers } = await waiting;
      expect(status).toBe(200);
      expect(Number(headers["x-sched-index"])).toBeGreaterThan(Number(index));
    }));

  test("returns null as the deployment of a job without deployments", () =>
    withScheduler(async (send) => {
      expect(text((await send("GET", "/job/web/deployment")).bytes)).toBe("null");
    }));
});
