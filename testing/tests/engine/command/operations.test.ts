import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { StackStore } from "../../../engine/backend/store";
import { newSandbox, runCommand, type Sandbox } from "./running";

async function newStack(): Promise<Sandbox> {
  const sandbox = newSandbox();
  await runCommand(sandbox, "stack init dev");
  return sandbox;
}

const first = { environment: { HARBOUR: "first" } };
const second = { environment: { HARBOUR: "second" } };

test("`up` prints a preview before the update", async () => {
  const sandbox = await newStack();
  const { code, stdout } = await runCommand(sandbox, "up --yes --stack dev", first);
  expect(code).toBe(0);
  expect(stdout.match(/^.*\(dev\):$/gm)).toEqual(["Previewing update (dev):", "Updating (dev):"]);
  expect(stdout).toContain("+ 3 to create");
  expect(stdout).toContain("+ 3 created");
}, 60_000);

test("`preview` writes nothing and works on a locked stack, on which `up` fails", async () => {
  const sandbox = await newStack();
  const lock = new StackStore(sandbox.state).lock({ project: "harbour", name: "dev" });
  const stateFiles = () =>
    readdirSync(sandbox.state, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]);
  const before = stateFiles();
  expect((await runCommand(sandbox, "preview --stack dev", first)).code).toBe(0);
  expect(stateFiles()).toEqual(before);
  expect((await runCommand(sandbox, "up --yes --skip-preview --stack dev", first)).stderr).toContain(
    "currently locked",
  );
  expect(stateFiles()).toEqual(before);
  lock.release();
}, 60_000);

test("--expect-no-changes exits with 7 if there are changes, and `up` applies them first", async () => {
  const sandbox = await newStack();
  await runCommand(sandbox, "up --yes --skip-preview --stack dev", first);
  const preview = await runCommand(sandbox, "preview --expect-no-changes --stack dev", second);
  expect(preview).toMatchObject({
    code: 7,
    stderr: "error: no changes were expected for preview but changes were proposed\n",
  });
  const up = await runCommand(sandbox, "up --yes --skip-preview --expect-no-changes --stack dev", second);
  expect(up).toMatchObject({
    code: 7,
    stderr: "error: no changes were expected for update but changes were proposed\n",
  });
  expect(
    (await runCommand(sandbox, "up --yes --skip-preview --expect-no-changes --stack dev", second)).code,
  ).toBe(0);
  const drifted = { environment: { HARBOUR: "second", HARBOUR_WORLD: "drifted" } };
  expect(
    await runCommand(sandbox, "refresh --preview-only --expect-no-changes --stack dev", drifted),
  ).toMatchObject({
    code: 7,
    stderr: "error: no changes were expected for refresh but changes were proposed\n",
  });
}, 120_000);

test("--event-log writes the events as the Automation API receives them, without secrets", async () => {
  const sandbox = await newStack();
  await runCommand(sandbox, "preview --stack dev --event-log events.jsonl", first);
  const events: EngineEvent[] = readFileSync(join(sandbox.project, "events.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
  expect(events[0]?.preludeEvent).toBeDefined();
  expect(events.at(-1)?.cancelEvent).toEqual({});
  // Debug messages of the SDK contain the program's secrets on every engine.
  const withoutDebug = events.filter(({ diagnosticEvent }) => !diagnosticEvent?.prefix?.startsWith("debug"));
  expect(JSON.stringify(withoutDebug)).not.toContain("hidden-");
}, 60_000);

test("`destroy` keeps the stack, and `destroy --remove` also deletes the stack and its settings", async () => {
  const sandbox = await newStack();
  await runCommand(sandbox, "up --yes --skip-preview --stack dev", first);
  const destroyed = await runCommand(sandbox, "destroy --yes --skip-preview --stack dev");
  expect(destroyed.stdout).toContain(
    "If you want to remove the stack completely, run `pulumi stack rm dev`.",
  );
  expect(existsSync(join(sandbox.project, "Pulumi.dev.yaml"))).toBe(true);
  const removed = await runCommand(sandbox, "destroy --yes --skip-preview --remove --stack dev");
  expect(removed.stdout).toContain("and the history and configuration removed.");
  expect(existsSync(join(sandbox.project, "Pulumi.dev.yaml"))).toBe(false);
  expect((await runCommand(sandbox, "stack ls --json")).stdout).toBe("[]\n");
}, 120_000);

test("the history contains the message and the flags of an update", async () => {
  const sandbox = await newStack();
  await runCommand(
    sandbox,
    ["up", "--yes", "--skip-preview", "--stack", "dev", "--message", "why it was done"],
    first,
  );
  const [update] = JSON.parse((await runCommand(sandbox, "stack history --json --stack dev")).stdout);
  expect(update).toMatchObject({
    message: "why it was done",
    kind: "update",
    environment: { "pulumi.flag.message": "set", "pulumi.flag.yes": "true", "exec.kind": "cli" },
  });
}, 60_000);

test("`stack init` keeps the settings file that `stack rm --preserve-config` left", async () => {
  const sandbox = await newStack();
  const settings = join(sandbox.project, "Pulumi.dev.yaml");
  const before = readFileSync(settings, "utf8");
  await runCommand(sandbox, "stack rm dev --yes --preserve-config");
  await runCommand(sandbox, "stack init dev");
  expect(readFileSync(settings, "utf8")).toBe(before);
});

test("rejects an operation on a stack of a different project", async () => {
  const sandbox = newSandbox();
  await runCommand(sandbox, "stack init organization/other/dev");
  const { stderr } = await runCommand(sandbox, "preview --stack organization/other/dev");
  expect(stderr).toContain(`provided project name "other" doesn't match Pulumi.yaml (found "harbour")`);
});

test("configuration secrets are masked in the output and in the event log", async () => {
  const sandbox = await newStack();
  await runCommand(sandbox, "config set --secret token said --stack dev");
  await runCommand(sandbox, "config set --secret --path deep.word nothing --stack dev");
  const { stdout, stderr } = await runCommand(
    sandbox,
    "preview --stack dev --debug --event-log events.jsonl",
    {
      environment: { HARBOUR: "talks" },
    },
  );
  expect(stdout).toContain("[secret] of [secret]");
  const events = readFileSync(join(sandbox.project, "events.jsonl"), "utf8");
  expect(stdout + stderr + events).not.toMatch(/said|nothing/);
}, 60_000);

test("preview, up, refresh, stack and destroy print no secret in plaintext", async () => {
  const sandbox = await newStack();
  const shown: string[] = [];
  for (const words of [
    "preview --diff",
    "up --yes --diff",
    "up --yes",
    "refresh --yes --diff",
    "stack",
    "destroy --yes --diff",
  ]) {
    for (const { stdout, stderr } of [await runCommand(sandbox, `${words} --stack dev`, first)])
      shown.push(stdout, stderr);
  }
  expect(shown.join("")).toContain("[secret]");
  expect(shown.join("")).not.toContain("hidden-");
}, 120_000);
