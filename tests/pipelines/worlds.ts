import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as quarterdeck from "../../sdk";
import { type Stub, startStub, TEST_TOKENS } from "../../testing";
import { consoleOn } from "../stack/console";
import { TestStack } from "../stack/stack";

const ROOT = resolve(__dirname, "../..");

export type Bridge = "plugin" | "dynamic";

/** Where a pipeline runs: a project in a folder, a stack, and services. */
export interface World {
  readonly env: Readonly<Record<string, string>>;
  /** Sets the protocol in the program; every preview rejects `wrong`. */
  want(protocol: string): void;
  /** The protocol that was applied last. */
  applied(): Promise<string | undefined>;
  /** Someone else changes the entry, or changes it back. */
  changeOutside(protocol?: string): Promise<void>;
  close(): Promise<void>;
}

const entry = (Protocol: string) => ({ Kind: "service-defaults", Name: "api", Protocol });

/** The CLI, with a program of its own. */
export async function cliWorld(folder: string, bridge: Bridge): Promise<World> {
  const stub = await startStub();
  const env = {
    PULUMI_BACKEND_URL: `file://${folder}/state`,
    PULUMI_CONFIG_PASSPHRASE: "canary-passphrase",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    ...settingsOf(stub),
  };
  const work = join(folder, "work");
  const call = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      cwd: work,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
  mkdirSync(join(folder, "state"));
  writeFileSync(join(work, "Pulumi.yaml"), "name: pipes\nruntime: nodejs\n");
  writeFileSync(
    join(work, "package.json"),
    JSON.stringify({ name: "pipes", private: true, main: "index.ts" }),
  );
  call("pulumi", "stack", "init", "production");
  call("pulumi", "config", "set", "--secret", "tags", "canary-tags");
  if (bridge === "plugin") call(process.execPath, join(ROOT, "cli/quarterdeck.js"), "init");
  const ask = consoleOn(stub);
  const held = async () => (await ask("mesh", "GET", "/v1/config/service-defaults/api")).body.Protocol;
  return {
    env,
    want: (protocol) =>
      writeFileSync(
        join(work, "index.ts"),
        `import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";
const name = ${JSON.stringify(protocol === "wrong" ? "" : "api")};
new quarterdeck.mesh.ConfigEntry("api", { kind: "service-defaults", name, spec: { Protocol: ${JSON.stringify(protocol)} } });
const tags = new pulumi.Config().requireSecret("tags");
new quarterdeck.secrets.QueueRole("orders", { name: "orders", tags, vhosts: { "/": { read: ".*" } } });
`,
      ),
    applied: held,
    changeOutside: async (protocol) => {
      await ask("mesh", "PUT", "/v1/config", entry(protocol ?? "http2"));
    },
    close: () => stub.stop(),
  };
}

/** A stand-in for the CLI, and a stack of the embedded engine for drift. */
export async function standInWorld(folder: string, bridge: Bridge): Promise<World> {
  const stack = await TestStack.open();
  const ran = await stack.up(async () => {
    new quarterdeck.mesh.ConfigEntry("api", {
      kind: "service-defaults",
      name: "api",
      spec: { Protocol: "http" },
    });
  });
  expect(ran.failure).toBeUndefined();
  const bin = join(folder, "bin");
  const file = join(folder, "stack.json");
  writeFileSync(join(folder, "export.json"), JSON.stringify(await stack.stack.exportStack()));
  const change = (with_: object) =>
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...with_ }));
  writeFileSync(file, JSON.stringify({ bridge, previews: 0 }));
  writeFileSync(join(folder, "work/Pulumi.production.yaml"), "config: {}\n");
  standIn(bin, "pulumi", "pulumi.cjs");
  // The command in the project: npm takes half a second to find it.
  script(
    join(bin, "npx"),
    '[ "$1 $2" = "--no-install quarterdeck" ] && shift 2 && exec node_modules/.bin/quarterdeck "$@"',
  );
  const ask = consoleOn(stack.stub);
  return {
    env: {},
    want: (wanted) => change({ wanted }),
    applied: async () => JSON.parse(readFileSync(file, "utf8")).applied,
    changeOutside: async (protocol) => {
      await ask("mesh", "PUT", "/v1/config", entry(protocol ?? "http"));
    },
    close: () => stack.close(),
  };
}

/** A checkout with the pipelines' scripts, and an empty forge. */
export function checkOut(folder: string, merge: string): void {
  for (const name of ["work", "bin", "home"]) mkdirSync(join(folder, name));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "work/node_modules"));
  symlinkSync(join(ROOT, "examples/pipelines"), join(folder, "work/pipelines"));
  const forge = { token: "canary-forge", merge, calls: [], comments: [], issues: [], isReviewed: false };
  writeFileSync(join(folder, "forge.json"), JSON.stringify(forge));
  for (const program of ["gh", "curl"]) standIn(join(folder, "bin"), program, "platform.cjs", program);
  script(join(folder, "bin/npm"), '[ "$*" = ci ]');
}

/** Changes the stack's configuration after the review. */
export function reconfigure(folder: string): void {
  appendFileSync(join(folder, "work/Pulumi.production.yaml"), "# Another one.\n");
}

function standIn(bin: string, name: string, program: string, ...args: readonly string[]): void {
  const words = [process.execPath, join(__dirname, program), ...args].map((word) => `'${word}'`).join(" ");
  script(join(bin, name), `exec ${words} "$@"`);
}

function script(file: string, line: string): void {
  writeFileSync(file, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

function settingsOf(stub: Stub): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ["QUARTERDECK_WORKSPACES_ORGANIZATION", "acme"],
    ...Object.entries(stub.addresses).flatMap(([service, address]) => [
      [`QUARTERDECK_${service.toUpperCase()}_ADDRESS`, address],
      [`QUARTERDECK_${service.toUpperCase()}_TOKEN`, TEST_TOKENS[service as keyof typeof TEST_TOKENS]],
    ]),
  ]);
}
