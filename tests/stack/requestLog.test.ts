import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { BY_PLUGIN } from "../bridge";
import { linesIn, schemaErrors } from "../requestLog";
import { type Ran, TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(240_000);

const ROOT = resolve(__dirname, "../..");
const run = promisify(execFile);
const TRACE = "0af7651916cd43dd8448eb211c80319c";

let stack: TestStack;
let file: string;
const before = { ...process.env };

beforeEach(async () => {
  stack = await TestStack.open({}, { hasOwnProcesses: true });
  file = join(stack.folder, "requests.log");
  const variables = { QUARTERDECK_LOG: file, TRACEPARENT: `00-${TRACE}-b7ad6b7169203331-01` };
  Object.assign(stack.stack.workspace.envVars, variables);
  // Functions run in the program's process, which is this one.
  Object.assign(process.env, variables);
});
afterEach(async () => {
  process.env = { ...before };
  await stack.close();
});

const program = async () => {
  const role = new quarterdeck.secrets.QueueRole("role", {
    name: "deploy",
    tags: pulumi.secret("canary-of-the-log"),
    vhosts: { "/": { read: ".*" } },
  });
  const read = quarterdeck.secrets.getQueueRoleOutput({ name: role.name });
  return { tags: read.apply((found) => typeof found) };
};

const lines = () => linesIn(readFileSync(file, "utf8"));

describe.each(BY_PLUGIN ? (["plugin"] as const) : (["dynamic", "plugin"] as const))(
  "QUARTERDECK_LOG on the %s bridge",
  (bridge) => {
    beforeEach(() => stack.setBridge(bridge));

    test("records every request of provider, program and CLI, which identify themselves in headers", async () => {
      expect((await stack.up(program)).failure).toBeUndefined();
      const written = lines();
      const sent = await stack.stub.requests();
      for (const line of written) expect(schemaErrors(line)).toEqual([]);
      expect(written.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
        sent.map(({ method, path }) => `${method} ${path}`).sort(),
      );
      expect(new Set(sent.map(({ headers }) => headers["x-request-id"]))).toEqual(
        new Set(written.map(({ requestId }) => requestId)),
      );

      const objects = new Set(written.map(({ object }) => object));
      const urn = `urn:pulumi:dev::platform::quarterdeck:secrets:QueueRole::role`;
      expect(objects).toContain(bridge === "plugin" ? urn : 'RabbitMQ role "rabbitmq/deploy"');
      expect(written.filter(({ definition }) => definition === "secrets:getQueueRole")).not.toEqual([]);
      // Vault returns its own ID of a request, and so does the stub.
      expect(written.filter(({ serviceRequestId }) => serviceRequestId !== undefined)).not.toEqual([]);

      for (const { headers } of sent) {
        const agent = String(headers["user-agent"]);
        expect(agent).toMatch(/^pulumi-quarterdeck\/\S+ pulumi-sdk\/\S+ \(project platform(; stack dev)?\)$/);
        expect(headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
      }
      const named = sent.filter(({ headers }) => String(headers["user-agent"]).endsWith("; stack dev)"));
      // The dynamic provider host does not know its stack; the program and the plugin do.
      expect(named.length).toBe(
        bridge === "plugin" ? sent.length : written.filter(({ step }) => step === "call").length,
      );

      const state = join(stack.folder, "state.json");
      writeFileSync(state, JSON.stringify(await stack.stack.exportStack()));
      const env = { PATH: process.env.PATH, HOME: stack.folder, QUARTERDECK_LOG: file };
      await run(process.execPath, [join(ROOT, "cli/quarterdeck.js"), "drift", "--state", state], {
        cwd: stack.folder,
        env,
      });
      const byCommand = lines().slice(written.length);
      // The connection also asks which server is active.
      expect(byCommand.slice(-1)).toEqual([
        expect.objectContaining({
          object: expect.stringMatching(/^urn:pulumi:dev::platform::.*::role$/),
          step: "read",
        }),
      ]);
      const [last] = (await stack.stub.requests()).slice(-1);
      expect(last?.headers["user-agent"]).toMatch(/\(project platform; stack dev\)$/);
      expect(readFileSync(file, "utf8")).not.toMatch(/canary-of-the-log|secrets-token/);
    });

    test("warns as often for three resources as for one if the file cannot be written, and does not fail", async () => {
      const nowhere = join(stack.folder, "nowhere", "requests.log");
      stack.stack.workspace.envVars.QUARTERDECK_LOG = nowhere;
      process.env.QUARTERDECK_LOG = nowhere;
      const upOf = (...names: readonly string[]) =>
        stack.up(async () => {
          for (const name of names) new quarterdeck.secrets.QueueRole(name, { name, tags: "x" });
        });
      const warningsIn = ({ output }: Ran) =>
        output.match(/QUARTERDECK_LOG: "[^"]*" cannot be written \(ENOENT\)/g) ?? [];
      const one = await upOf("a");
      const more = await upOf("a", "b", "c");
      expect([one.failure, more.failure]).toEqual([undefined, undefined]);
      expect(warningsIn(one)).not.toEqual([]);
      // An engine prints a line immediately, and again at the end.
      expect(warningsIn(more)).toEqual(warningsIn(one));
    });
  },
);
