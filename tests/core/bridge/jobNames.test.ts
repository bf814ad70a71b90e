import { verdictOf } from "../../../cli/drift/verdict";
import { readProposed } from "../../../provider/core/bridge/proposed";
import { inDialect } from "../../../provider/core/language/resource";
import { SecretMap } from "../../../provider/core/state/secretMap";
import type { Json } from "../../../provider/core/value/json";
import job from "../../../provider/services/scheduler/job";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { World } from "../../steps/world";
import { engines } from "./engines";
import { hostOf } from "./host";

const BLOCKS = [{ Name: "db", Provider: "nomad", Path: "apps/db" }];

/** One job with the field names of each dialect. */
const JOBS = {
  neutral: { token: "SecretsToken", task: { Secrets: { Role: "app" }, SecretBlocks: BLOCKS } },
  real: { token: "VaultToken", task: { Secrets: BLOCKS, Vault: { Role: "app" } } },
} as const;

const jobOf = (task: { readonly [member: string]: Json }) => ({
  ID: "web",
  TaskGroups: [{ Name: "front", Tasks: [{ ...task, Name: "server", Driver: "docker" }] }],
});

function worldOf(dialect: "neutral" | "real"): World {
  const stub = new SchedulerService({ switches: { dialect, acl: false }, random: () => 0.5 });
  return new World(stub, job, { dialect });
}

describe.each(["neutral", "real"] as const)(
  "a Nomad job with the field names of the %s dialect",
  (dialect) => {
    const { token, task } = JOBS[dialect];

    describe.each(["dynamic", "plugin"] as const)("on the %s bridge", (bridge) => {
      test("is created, shows no changes, and shows and corrects a change by someone else", async () => {
        const world = worldOf(dialect);
        const engine = new engines[bridge](job, world);
        const json = { ...jobOf(task), [token]: "canary-of-a-token" };
        expect(await engine.up({ json })).toBe(true);
        expect(
          world.requests.find(({ path, method }) => method === "POST" && path === "/v1/jobs"),
        ).toMatchObject({
          body: { Job: json },
        });
        expect(await engine.changes({ json })).toBe(false);
        expect(await engine.refresh()).toBe(true);
        expect(engine.state?.inputs.json).toEqual(json);
        await world.send(
          "POST",
          "/v1/jobs",
          { Job: jobOf({ ...task, User: "them" }) },
          { "content-type": "application/json" },
        );
        expect(await engine.refresh()).toBe(true);
        expect(engine.state?.inputs.json).toMatchObject(jobOf({ ...task, User: "them" }));
        expect(await engine.changes({ json })).toBe(true);
        expect(await engine.up({ json })).toBe(true);
        expect(await engine.changes({ json })).toBe(false);
      });
    });

    test("stores its token as a secret, as a JSON object and as JSON text", () => {
      const json = { ...jobOf(task), [token]: "canary" };
      const definition = inDialect(job, worldOf(dialect).connection.dialect);
      expect(new SecretMap(definition, { json }).holdsSecret(["json", token], "canary")).toBe(true);
      const text = JSON.stringify(json);
      expect(new SecretMap(definition, { json: text }).holdsSecret(["json"], text)).toBe(true);
    });

    test("has these field names in the proposed import and in the drift report", async () => {
      const world = worldOf(dialect);
      await world.send("POST", "/v1/jobs", { Job: jobOf(task) }, { "content-type": "application/json" });
      const host = hostOf(() => world.connection);
      const proposed = await readProposed(job, host, "default/web");
      expect(proposed?.inputs.json).toMatchObject(jobOf(task));
      const engine = new engines.plugin(job, world);
      await engine.up({ json: jobOf(task), adopt: true });
      const { state } = engine;
      if (state === undefined) throw new Error("nothing is in the state");
      expect(await verdictOf(job, host, { ...state, id: "default/web", ignored: [] })).toEqual({
        verdict: "in sync",
      });
      await world.send(
        "POST",
        "/v1/jobs",
        { Job: jobOf({ ...task, [dialect === "real" ? "Vault" : "Secrets"]: { Role: "their" } }) },
        { "content-type": "application/json" },
      );
      const verdict = await verdictOf(job, host, { ...state, id: "default/web", ignored: [] });
      const name = dialect === "real" ? "Vault" : "Secrets";
      expect(verdict).toMatchObject({
        verdict: "drifted",
        fields: [
          { field: `json.TaskGroups["front"].Tasks["server"].${name}.Role`, was: '"app"', is: '"their"' },
        ],
      });
    });
  },
);
