import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as quarterdeck from "../../sdk";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

const ROOT = join(__dirname, "../..");

let stack: TestStack;
afterEach(() => stack.close());

test("a preview names the resource that refers to an object that the program deletes", async () => {
  stack = await TestStack.open();
  const program = (name: string) => async () => {
    new quarterdeck.mesh.ServiceDefaults("api", { name, spec: { protocol: "tcp" } });
    new quarterdeck.mesh.ServiceResolver("web", { name: "web", spec: { redirect: { service: "api" } } });
  };
  expect(await stack.up(program("api"))).toMatchObject({ failure: undefined });
  const { output, failure, changes } = await stack.preview(program("other"));
  expect({ failure, changes }).toMatchObject({ failure: undefined, changes: { replace: 1 } });
  expect(output.replace(/\s+/g, " ")).toMatch(
    /this object refers to Consul service-defaults entry|but Consul service-resolver entry .*refers to it/,
  );
});

/** The provider plugin, started once for several commands. */
async function startPlugin(): Promise<{ process: ChildProcess; port: string }> {
  const process_ = spawn(process.execPath, [join(ROOT, "plugin/index.js")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = await once(createInterface({ input: process_.stdout }), "line");
  return { process: process_, port: String(port) };
}

test("an up and a destroy with one attached provider process leave no objects, and can be repeated", async () => {
  stack = await TestStack.open({}, { plugin: join(ROOT, "plugin") });
  await stack.setBridge("plugin");
  const plugin = await startPlugin();
  try {
    stack.stack.workspace.envVars.PULUMI_DEBUG_PROVIDERS = `quarterdeck:${plugin.port}`;
    const empty = await stack.objects();
    const program = async () => {
      new quarterdeck.mesh.ServiceDefaults("api", { name: "api", spec: { protocol: "http" } });
      new quarterdeck.secrets.QueueRole("app", { name: "app", tags: ["monitoring"] });
    };
    for (const _ of [1, 2]) {
      expect(await stack.up(program)).toMatchObject({ failure: undefined, changes: { create: 3 } });
      expect(await stack.destroy()).toMatchObject({ failure: undefined, changes: { delete: 3 } });
      expect(await stack.objects()).toEqual(empty);
    }
  } finally {
    plugin.process.kill("SIGTERM");
    await once(plugin.process, "exit");
  }
});
