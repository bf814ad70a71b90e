import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { BY_PLUGIN } from "../bridge";
import { type Ask, consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

let stack: TestStack;
let ask: Ask;

beforeEach(async () => {
  stack = await TestStack.open({ scheduler: { maxRetries: 0 } }, { dialect: "neutral" });
  ask = consoleOn(stack.stub);
});
afterEach(() => stack.close());

const text = (priority: number, token: string) => `job "web" {
  priority = ${priority}
  secrets_token = ${token}
  group "front" {
    task "server" {
      driver = "docker"
      env { MODE = "plain" }
    }
  }
}
`;

const asText =
  (priority: number, comment = "") =>
  async () =>
    void new quarterdeck.scheduler.Job("web", {
      hcl: comment + text(priority, '"canary-token"'),
      purge: true,
    });

const asSpec = (priority: number) => async () =>
  void new quarterdeck.scheduler.Job("web", {
    spec: {
      id: "web",
      priority,
      secretsToken: "canary-token",
      taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker", env: { MODE: "plain" } }] }],
    },
    purge: true,
  });

const parses = async () =>
  (await stack.stub.requests({ service: "scheduler", path: "/v1/jobs/parse" })).length;
const priority = async () => (await ask("scheduler", "GET", "/v1/job/web")).body.Priority;

test("an HCL job is parsed once, can become a typed spec without changes, and its secret is never printed", async () => {
  expect(await stack.up(asText(50))).toMatchObject({ failure: undefined, changes: { create: 2 } });
  const asked = await parses();
  expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: 2 } });
  expect(await stack.up()).toMatchObject({ failure: undefined, changes: { same: 2 } });
  expect(await stack.preview(asText(50, "# another comment\n"))).toMatchObject({ changes: { same: 2 } });
  expect(await parses()).toBe(asked + 1);
  expect(await stack.refresh()).toMatchObject({ changes: { same: 2 } });

  expect(await stack.preview(asSpec(50))).toMatchObject({ failure: undefined, changes: { same: 2 } });
  expect(await stack.up(asSpec(50))).toMatchObject({ failure: undefined, changes: { same: 2 } });
  expect(await stack.up(asSpec(60))).toMatchObject({ failure: undefined, changes: { update: 1, same: 1 } });
  expect(await priority()).toBe(60);
  expect(await stack.destroy()).toMatchObject({ failure: undefined });
  expect(stack.printed).not.toContain("canary-token");
  expect(stack.state()).not.toContain("canary-token");
});

test("a change and a drift of an HCL text show the changed fields, each with both values", async () => {
  expect(await stack.up(asText(50))).toMatchObject({ failure: undefined });
  const change = await stack.preview(asText(60));
  expect(change.output).toMatch(/changes in hcl:\n +field +current +new\n +hcl\.Priority +50 +60\n/);
  const { body } = await ask("scheduler", "GET", "/v1/job/web");
  await ask("scheduler", "POST", "/v1/jobs", { Job: { ...body, Priority: 70 } });
  const refresh = await stack.refresh();
  expect(refresh.output).toMatch(/hcl\.Priority +50 +70\n/);
  expect(refresh.output).not.toContain("changes in hcl");
  const drift = await stack.preview(asText(50));
  expect(drift.output).toMatch(/changes in hcl:\n +field +current +new\n +hcl\.Priority +70 +50\n/);
  expect(stack.printed).not.toContain("canary-token");
});

test("ignoreChanges inside an HCL text leaves the value of another user, and a wrong path fails the preview", async () => {
  const program = (priority: number, path: string) => async () =>
    void new quarterdeck.scheduler.Job(
      "web",
      { hcl: text(priority, '"canary-token"'), purge: true },
      { ignoreChanges: [path] },
    );
  const count = "hcl.TaskGroups[0].Count";
  expect(await stack.up(program(50, count))).toMatchObject({ failure: undefined });
  const { body } = await ask("scheduler", "GET", "/v1/job/web");
  const [group] = body.TaskGroups;
  await ask("scheduler", "POST", "/v1/jobs", { Job: { ...body, TaskGroups: [{ ...group, Count: 7 }] } });
  expect((await stack.preview(program(60, count))).output).not.toMatch(/stop|others changed/);
  expect(await stack.up(program(60, count))).toMatchObject({ failure: undefined, changes: { update: 1 } });
  expect((await ask("scheduler", "GET", "/v1/job/web")).body).toMatchObject({
    Priority: 60,
    TaskGroups: [{ Count: 7 }],
  });
  await stack.refresh();
  expect(await stack.preview(program(60, count))).toMatchObject({ changes: { same: 2 } });
  const wrong = await stack.preview(program(60, "hcl.TaskGroup[0].Count"));
  expect(wrong.failure).toContain("ignoreChanges names hcl.TaskGroup[0].Count");
  expect(stack.printed).not.toContain("canary-token");
});

test("a change beside a secret in the same property is shown, although the dynamic bridge hides the property", async () => {
  const program = (count: number, secret: string) => async () =>
    void new quarterdeck.scheduler.Job("web", {
      spec: {
        id: "web",
        taskGroups: [
          {
            name: "front",
            count,
            tasks: [{ name: "server", driver: "docker", env: { KEY: pulumi.secret(secret) } }],
          },
        ],
      },
      purge: true,
    });
  expect(await stack.up(program(2, "canary-token"))).toMatchObject({ failure: undefined });
  const { output } = await stack.preview(program(3, "canary-token"));
  // The engine itself shows the field by the plugin's detailed diff.
  if (BY_PLUGIN) expect(output).not.toContain("changes in spec");
  else expect(output).toMatch(/changes in spec:\n.*\n +spec\.taskGroups\["front"\]\.count +2 +3\n/);
  const secret = await stack.preview(program(2, "canary-other"));
  if (!BY_PLUGIN) expect(secret.output).toMatch(/\.env\.KEY +\[secret\] +\[secret\]\n/);
  expect(stack.printed).not.toContain("canary-");
});

test("values from secret HCL variables are secret in all output and in the state", async () => {
  const withVariables = (priority: number) => async () =>
    void new quarterdeck.scheduler.Job("web", {
      hcl: `variable "token" {}\n${text(priority, "var.token").replace('"plain"', "var.token")}`,
      variables: { token: pulumi.secret("canary-token") },
      purge: true,
    });
  expect(await stack.up(withVariables(50))).toMatchObject({ failure: undefined, changes: { create: 2 } });
  expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
  await ask("scheduler", "POST", "/v1/jobs", {
    Job: { ...(await ask("scheduler", "GET", "/v1/job/web")).body, SecretsToken: "canary-other" },
  });
  await stack.refresh();
  expect(await stack.up(withVariables(60))).toMatchObject({ failure: undefined, changes: { update: 1 } });
  expect(await stack.destroy()).toMatchObject({ failure: undefined });
  expect(stack.printed).not.toContain("canary");
  expect(stack.state()).not.toContain("canary");
});

test("values from secret HCL variables stay secret after a refresh that returns the job as JSON", async () => {
  const withVariables = (priority: number) => async () =>
    void new quarterdeck.scheduler.Job("web", {
      hcl: `variable "token" {}
job "web" {
  priority = ${priority}
  group "front" {
    task "server" {
      driver = "docker"
      env { PASSWORD = var.token }
    }
  }
}
`,
      variables: { token: pulumi.secret("canary-token") },
      purge: true,
    });
  expect(await stack.up(withVariables(50))).toMatchObject({ failure: undefined, changes: { create: 2 } });
  const { body } = await ask("scheduler", "GET", "/v1/job/web");
  await ask("scheduler", "POST", "/v1/jobs", { Job: { ...body, Priority: 77 } });
  expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { update: 1 } });
  expect(stack.state()).not.toContain("canary-token");
  expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { update: 1, same: 1 } });
  expect(await stack.up()).toMatchObject({ failure: undefined, changes: { update: 1 } });
  expect(stack.printed).not.toContain("canary-token");
  expect(stack.state()).not.toContain("canary-token");
});

test("a refresh shows drift of an HCL job, and an up reverts it without parsing the HCL again", async () => {
  await stack.up(asText(50));
  const asked = await parses();
  const { body } = await ask("scheduler", "GET", "/v1/job/web");
  await ask("scheduler", "POST", "/v1/jobs", { Job: { ...body, Priority: 77 } });
  expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { update: 1 } });
  expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { update: 1, same: 1 } });
  expect(await stack.up()).toMatchObject({ failure: undefined, changes: { update: 1 } });
  expect(await priority()).toBe(50);
  expect(await parses()).toBe(asked);
  expect(stack.printed).not.toContain("canary-token");
});

test("a preview of changed HCL succeeds with a warning if Nomad cannot be reached", async () => {
  await stack.up(asText(50));
  await stack.stub.fault({ kind: "lostRequest", match: { service: "scheduler" }, times: "always" });
  const { failure, output, changes } = await stack.preview(asText(60));
  expect(failure).toBeUndefined();
  expect(changes).toMatchObject({ update: 1, same: 1 });
  expect(output).toContain("the server could not parse hcl, so Quarterdeck compares hcl as text only");
});

test("a preview of a create fails if Nomad rejects the HCL", async () => {
  const { failure, output } = await stack.preview(
    async () => void new quarterdeck.scheduler.Job("web", { hcl: 'job "web" { oops }' }),
  );
  expect(`${failure}${output}`).toContain("Failed to parse job");
});

test("wait: deployment waits for the deployment, and keeps the job in the state if the deployment fails", async () => {
  await stack.stub.configure("scheduler", { healthyMilliseconds: 500 });
  const waiting = (driver: string) => async () =>
    void new quarterdeck.scheduler.Job("web", {
      spec: {
        id: "web",
        update: { progressDeadline: 0, minHealthyTime: "1ms" },
        taskGroups: [{ name: "front", tasks: [{ name: "server", driver }] }],
      },
      wait: "deployment",
      purge: true,
    });
  await stack.stub.seed("scheduler", { outcomes: [{ job: "web", version: 0, outcome: "fails" }] });
  const failed = await stack.up(waiting("docker"));
  expect(`${failed.failure}${failed.output}`).toMatch(/group "front": 0 of 1 healthy/);
  expect(stack.state()).toContain("default/web");
  const { failure, changes, output } = await stack.up(waiting("exec"));
  expect(failure).toBeUndefined();
  expect(changes).toMatchObject({ update: 1, same: 1 });
  expect(output).toMatch(/front 1 of 1 healthy, 1 placed \(deployment \w{8} successful\)/);
  expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
});

test("secret HCL variables are used to parse the job, but are not part of its submission", async () => {
  const hcl = `
    variable "level" { type = string }
    variable "key" { type = string }
    variable "names" { type = list(string) }
    job "marked" {
      meta {
        level = var.level
        key   = var.key
        names = join(",", var.names)
      }
      group "front" {
        task "server" { driver = "docker" }
      }
    }
  `;
  const program = (submission?: boolean) => async () => {
    const variables = { level: "info", key: pulumi.secret("canary-key"), names: ["a", pulumi.secret("b")] };
    const more = submission === undefined ? {} : { submission };
    new quarterdeck.scheduler.Job("marked", { hcl, variables, purge: true, ...more });
  };
  expect((await stack.up(program())).failure).toBeUndefined();
  const held = await ask("scheduler", "GET", "/v1/job/marked");
  expect(held.body.Meta).toEqual({ level: "info", key: "canary-key", names: "a,b" });
  const sent = await ask("scheduler", "GET", "/v1/job/marked/submission?version=0");
  expect(sent.body).toMatchObject({ Source: hcl, Variables: 'level = "info"\n' });
  expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
  expect(await stack.refresh()).toMatchObject({ changes: { same: 2 } });
  expect(await stack.up(program(false))).toMatchObject({ failure: undefined });
  expect((await ask("scheduler", "GET", "/v1/job/marked")).body.Version).toBe(0);
});

describe("the tokens of a job in every input form", () => {
  const groups = [{ Name: "front", Tasks: [{ Name: "server", Driver: "docker" }] }];
  const plain = (ID: string, team: string) => ({
    ID,
    Meta: { team },
    SecretsToken: `canary-secrets-${ID}`,
    MeshToken: `canary-mesh-${ID}`,
    TaskGroups: groups,
  });
  const forms: Readonly<Record<string, (team: string) => quarterdeck.scheduler.JobArgs>> = {
    typed: (team) => ({
      spec: {
        id: "typed",
        meta: { team },
        secretsToken: "canary-secrets-typed",
        meshToken: "canary-mesh-typed",
        taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }],
      },
    }),
    object: (team) => ({ json: plain("object", team) }),
    text: (team) => ({ json: JSON.stringify(plain("text", team), null, 2) }),
    hcl: (team) => ({
      hcl: `job "hcl" {
  secrets_token = "canary-secrets-hcl"
  mesh_token    = "canary-mesh-hcl"
  meta { team = "${team}" }
  group "front" {
    task "server" { driver = "docker" }
  }
}
`,
    }),
  };
  const names = Object.keys(forms);

  /** One job per input form. The outputs of the stack are the jobs and their submissions. */
  const program =
    (team: string, more: object = {}, of: readonly string[] = names) =>
    async () => {
      const asked = Object.entries(forms).filter(([name]) => of.includes(name));
      const made = asked.map(
        ([name, form]) => new quarterdeck.scheduler.Job(name, { ...form(team), purge: true, ...more }),
      );
      const submissions = made.map(({ jobId }, index) =>
        /text|hcl/.test(asked[index]?.[0] ?? "")
          ? quarterdeck.scheduler.getJobSubmissionOutput({ jobId, version: 0 })
          : undefined,
      );
      return { jobs: made.map(({ spec, json, hcl }) => ({ spec, json, hcl })), submissions };
    };

  /** Another user's edit of every job, with other tokens. */
  async function editAll(team: string): Promise<void> {
    for (const name of names) {
      const Job = {
        ...plain(name, team),
        SecretsToken: `canary-theirs-${team}`,
        MeshToken: `canary-theirs-mesh-${team}`,
      };
      await ask("scheduler", "POST", "/v1/jobs", { Job });
    }
  }

  test("never appear in plain text in the state, in output, in events or in quoted server errors", async () => {
    await stack.preview(program("one"));
    for (const name of names) {
      await stack.stub.fault({
        kind: "status",
        match: {
          service: "scheduler",
          method: "POST",
          path: "/v1/jobs",
          bodyIncludes: `canary-secrets-${name}`,
        },
        status: 400,
        body: `bad tokens canary-secrets-${name} and canary-mesh-${name}`,
      });
      const refused = await stack.up(program("one", {}, [name]));
      expect(`${refused.failure}${refused.output}`).toContain("bad tokens");
    }
    await stack.stub.expectFaultsUsed();

    expect(await stack.up(program("one"))).toMatchObject({
      failure: undefined,
      changes: { create: 4, same: 1 },
    });
    expect(await stack.preview()).toMatchObject({ changes: { same: 5 } });
    await editAll("theirs");
    const conflict = await stack.up(program("two"));
    expect(`${conflict.failure}${conflict.output}`).toContain("was changed outside this stack");
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { update: 4 } });
    await stack.preview(program("two"));
    await editAll("again");
    const overwritten = await stack.up(program("two", { onConflict: "overwrite" }));
    expect(overwritten).toMatchObject({ failure: undefined, changes: { update: 4 } });
    // The dynamic bridge names the job in the line; on the plugin, the engine prints the line below the job.
    expect(overwritten.output).toMatch(
      /(Nomad job "default\/hcl": |scheduler:Job \(hcl\):\n\s+warning: )overwriting an object that was changed/,
    );
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 5 } });
    const state = stack.state();
    expect(await stack.destroy()).toMatchObject({ failure: undefined });

    expect(state.length).toBeGreaterThan(1000);
    for (const text of [stack.printed, state, stack.state()]) {
      expect(text.match(/.{0,80}canary.{0,40}/g) ?? []).toEqual([]);
    }
    const inBase64 = Buffer.from("canary-secrets").toString("base64").slice(0, 16);
    expect(`${stack.printed}${state}`).not.toContain(inBase64);
  });
});
