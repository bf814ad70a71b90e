import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { type Ask, consoleOn } from "./console";
import { TestStack } from "./stack";

let stack: TestStack;
let ask: Ask;

beforeEach(async () => {
  stack = await TestStack.open({ scheduler: { maxRetries: 0 } });
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

test("a job's text is read once, moves to a typed spec without a change, and its secret shows nowhere", async () => {
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

test("what is read with secret variables is secret, in everything that is printed and in the state", async () => {
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

test("what others changed in a job of text shows, and is put back by the text without asking for it again", async () => {
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

test("a preview of changed text goes on without the service, and says so", async () => {
  await stack.up(asText(50));
  await stack.stub.fault({ kind: "lostRequest", match: { service: "scheduler" }, times: "always" });
  const { failure, output, changes } = await stack.preview(asText(60));
  expect(failure).toBeUndefined();
  expect(changes).toMatchObject({ update: 1, same: 1 });
  expect(output).toContain("hcl could not be read by the service, so it is compared as text only");
});

test("text that the service refuses fails the preview of a create", async () => {
  const { failure, output } = await stack.preview(
    async () => void new quarterdeck.scheduler.Job("web", { hcl: 'job "web" { oops }' }),
  );
  expect(`${failure}${output}`).toContain("Failed to parse job");
});

test("a register that waits ends with its deployment, and one that fails keeps the job for the next up", async () => {
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
  expect(output).toMatch(/deployment \w{8} successful: front 1 placed, 1 healthy of 1 desired/);
  expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
});
