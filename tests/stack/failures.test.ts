import type * as auto from "@pulumi/pulumi/automation";
import * as quarterdeck from "../../sdk";
import { type Ask, consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

let stack: TestStack;
let ask: Ask;

beforeEach(async () => {
  stack = await TestStack.open({ workspaces: { maxRetries: 1 }, scheduler: { maxRetries: 1 } });
  ask = consoleOn(stack.stub);
});
afterEach(() => stack.close());

const job = { ID: "web", TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }] };
const workspace = async () => void new quarterdeck.workspaces.Workspace("app", { name: "app" });
const role = async () => void new quarterdeck.secrets.QueueRole("app", { name: "app", tags: "monitoring" });
const aJob = async () => void new quarterdeck.scheduler.Job("web", { json: job, purge: true });
const entry = async () =>
  void new quarterdeck.mesh.ConfigEntry("web", {
    kind: "service-defaults",
    name: "web",
    spec: { Protocol: "http" },
  });

describe("a lost response to a create", () => {
  test("is resolved by a read in every service, so that no object is created twice or lost", async () => {
    const creates = [
      [{ service: "workspaces", method: "POST" }, 1],
      [{ service: "scheduler", method: "POST" }, 1],
      [{ service: "secrets", method: "POST" }, 1],
      [{ service: "mesh", method: "PUT" }, 1],
    ] as const;
    for (const [match] of creates) await stack.stub.fault({ kind: "lostResponse", match });
    const all = async () => {
      for (const program of [workspace, aJob, role, entry]) await program();
    };
    expect(await stack.up(all)).toMatchObject({ failure: undefined, changes: { create: 5 } });
    await stack.stub.expectFaultsUsed();
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 5 } });
    for (const [match, times] of creates) expect(await stack.stub.requests(match)).toHaveLength(times);
  });
});

describe("a partially completed create", () => {
  test("stores the ID and prints the reason, and the next up completes it", async () => {
    const program = (sshKeyId: string) => async () =>
      void new quarterdeck.workspaces.Workspace("app", { name: "app", sshKeyId });
    const { failure, output } = await stack.up(program("sshkey-none"));
    expect(`${failure}${output}`).toMatch(/ssh/i);
    expect(stack.state()).toContain("ws-");
    const finished = await stack.up(program("sshkey-deploy"));
    expect(finished).toMatchObject({ failure: undefined, changes: { update: 1 } });
    expect(await stack.refresh()).toMatchObject({ changes: { same: 2 } });
  });

  test("whose read of the new object failed is completed by the next up", async () => {
    await stack.stub.fault({
      kind: "status",
      match: { service: "scheduler", method: "GET" },
      times: "always",
      status: 403,
      body: "Permission denied",
    });
    const { failure, output } = await stack.up(aJob);
    expect(`${failure}${output}`).toContain("Permission denied");
    await stack.stub.clearFaults();
    expect(await stack.up()).toMatchObject({ failure: undefined });
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 2 } });
    expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
  });
});

describe("an error of a server", () => {
  const errors = [
    ["returns a proxy's page", { kind: "html" }, /web page with the title.*check that the address/s],
    ["returns half a body", { kind: "tornBody" }, /cut|torn|closed|ended|connection|JSON/i],
    [
      "rejects the token",
      { kind: "status", status: 403, body: "Permission denied" },
      /403.*Permission denied/s,
    ],
    ["does not know the token", { kind: "status", status: 401, body: "no token" }, /401/],
    ["fails", { kind: "status", status: 500, body: "boom" }, /500.*boom/s],
  ] as const;

  test("is printed with the service and the path, and leaves the state unchanged", async () => {
    await stack.up(aJob);
    const before = await stack.resources();
    for (const [what, fault, words] of errors) {
      await stack.stub.fault({ ...fault, match: { service: "scheduler" }, times: "always" });
      const { failure, output } = await stack.refresh();
      const message = `${what}: ${failure}${output}`;
      expect(message).toMatch(words);
      expect(message).toContain("scheduler");
      expect(message).toContain("/v1/job/web");
      await stack.stub.clearFaults();
      expect(await stack.resources()).toEqual(before);
    }
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 2 } });
  });

  test("is printed with the address if the server cannot be reached", async () => {
    await stack.stack.setConfig("quarterdeck:scheduler", {
      value: JSON.stringify({ address: "http://127.0.0.1:9", maxRetries: 0 }),
    });
    const { failure, output } = await stack.up(aJob);
    expect(`${failure}${output}`).toMatch(/scheduler.*127\.0\.0\.1:9/s);
    expect(await ask("scheduler", "GET", "/v1/job/web")).toMatchObject({ status: 404 });
  });
});

describe("invalid input", () => {
  test.each<[string, auto.PulumiFn, readonly string[]]>([
    [
      "a workspace",
      async () =>
        void new quarterdeck.workspaces.Workspace("bad", {
          name: "my app",
          executionMode: "agent",
          autoDestroyActivityDuration: "soon",
          nonsense: true,
        } as never),
      [
        'name: given "my app": may contain only letters',
        "agentPoolId: is required when executionMode",
        'autoDestroyActivityDuration: given "soon"',
        "nonsense: given true: unknown property",
      ],
    ],
    [
      "a job",
      async () => void new quarterdeck.scheduler.Job("bad", { json: "{", evalPriority: 900 }),
      ["json: must be a JSON object", "evalPriority: given 900: must be from 1 to 100, or 0"],
    ],
    [
      "a RabbitMQ role",
      async () => void new quarterdeck.secrets.QueueRole("bad", { name: "", vhosts: "[]" }),
      ['name: given "": must not be empty', 'vhosts: given "[]": must be a map'],
    ],
    [
      "a login enforcement",
      async () =>
        // @ts-expect-error it selects no one
        void new quarterdeck.secrets.LoginEnforcement("bad", { name: "x", mfaMethodIds: [""] }),
      ['mfaMethodIds[0]: given "": must not be empty', "one of authMethodAccessors"],
    ],
    [
      "an MFA method",
      async () =>
        void new quarterdeck.secrets.MfaMethod("bad", {
          orgName: "",
          apiToken: "canary" as never,
          baseUrl: 7 as never,
        }),
      ["orgName: given", "baseUrl: given 7: must be text"],
    ],
    [
      "a configuration entry",
      async () =>
        void new quarterdeck.mesh.ConfigEntry("bad", {
          kind: "proxy-defaults",
          name: "web",
          spec: { Kind: "x" },
        }),
      ['name: given "web": must be "global"', "spec: "],
    ],
    [
      "a read-only configuration entry",
      async () => void new quarterdeck.mesh.ConfigEntry("bad", { kind: "bound-api-gateway", name: "web" }),
      ['kind: given "bound-api-gateway": is read-only'],
    ],
  ])("of %s is reported completely by the preview, which sends no request", async (_, program, problems) => {
    const { failure, output } = await stack.preview(program);
    for (const problem of problems) expect(`${failure}${output}`).toContain(problem);
    expect(await stack.stub.requests()).toEqual([]);
  });

  test("in the configuration is reported with the name of the setting", async () => {
    await stack.stack.setConfig("quarterdeck:scheduler", {
      value: JSON.stringify({ addres: "x", timeout: "long" }),
    });
    const { failure, output } = await stack.preview(aJob);
    const message = `${failure}${output}`;
    expect(message).toMatch(/quarterdeck:scheduler/);
    expect(message).toMatch(/addres/);
    expect(message).toMatch(/timeout/);
  });
});

describe("secrets", () => {
  const CANARIES = ["canary-api-token", "canary-secrets-token", "canary-key", "canary-env", "canary-theirs"];

  test("appear in no output, event or error, and never in plain text in the state", async () => {
    const pulumi = await import("@pulumi/pulumi");
    const program = (orgName: string) => async () => {
      new quarterdeck.secrets.MfaMethod("staff", {
        methodName: "staff",
        orgName,
        apiToken: "canary-api-token",
      });
      new quarterdeck.scheduler.Job("web", {
        json: {
          ...job,
          SecretsToken: "canary-secrets-token",
          Meta: { org: orgName, env: pulumi.secret("canary-env") },
        },
        purge: true,
      });
      new quarterdeck.mesh.ConfigEntry("certificate", {
        kind: "inline-certificate",
        name: "web",
        spec: { Certificate: orgName, PrivateKey: "canary-key" },
      });
    };
    await stack.preview(program("one"));
    await stack.up(program("one"));
    await ask("scheduler", "POST", "/v1/jobs", { Job: { ...job, SecretsToken: "canary-theirs" } });
    await stack.up(program("two"));
    await stack.refresh();
    await stack.preview(program("two"));
    const everything = `${stack.printed}${stack.state()}`;
    for (const canary of CANARIES) expect(contextsOf(canary, everything)).toEqual([]);
    expect(await stack.up(program("two"))).toMatchObject({ failure: undefined });
    const after = `${stack.printed}${stack.state()}`;
    for (const canary of CANARIES) expect(contextsOf(canary, after)).toEqual([]);
  });
});

/** Each occurrence of a text, with its context. */
function contextsOf(text: string, everything: string): string[] {
  return [...everything.matchAll(new RegExp(`.{0,150}${text}.{0,50}`, "g"))].map(([context]) => context);
}
