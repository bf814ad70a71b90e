import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { BAD_FILES, badFile } from "../../../badFiles";
import { callsAt } from "./client";

const folder = mkdtempSync(join(tmpdir(), "quarterdeck-files-"));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true }));

const URN = "urn:pulumi:dev::p::quarterdeck:secrets:MfaMethod::method";

/** A plugin in its own process, because a read that never ends blocks the process forever. */
async function plugin(env: Readonly<Record<string, string>> = {}) {
  const child = spawn(resolve(__dirname, "../../../../plugin/pulumi-resource-quarterdeck"), ["127.0.0.1:1"], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  started.push(child);
  const ended = new Promise<number | NodeJS.Signals | null>((done) =>
    child.once("exit", (code, signal) => done(code ?? signal)),
  );
  const port = await new Promise<string>((done, failed) => {
    child.once("exit", (code) => failed(new Error(`it ended with ${code}`)));
    createInterface({ input: child.stdout ?? process.stdin }).once("line", done);
  });
  const { calls, close } = callsAt(port);
  await calls.handshake();
  await calls.configure({ secrets: { address: "http://127.0.0.1:1", token: "t", dialect: "real" } });
  const check = async (fromFile: string) => {
    const { failures } = await calls.check(URN, {}, { orgName: "acme", apiToken: { fromFile } });
    return failures.map(([, reason]) => reason).join("\n");
  };
  const end = async () => {
    child.kill("SIGTERM");
    const code = await ended;
    close();
    return code;
  };
  return { check, end };
}

test.each(BAD_FILES)("fromFile rejects %s, and the plugin exits on SIGTERM", async (...bad) => {
  const path = badFile(folder, bad);
  const { check, end } = await plugin();
  const message = await check(path);
  expect(message).toMatch(bad[2]);
  expect(message).toContain(JSON.stringify(path));
  expect(await end()).toBe(0);
});

test("a named pipe without a writer blocks no other check", async () => {
  const paths = [1, 2, 3, 4, 5, 6].map(() => badFile(folder, BAD_FILES[0] ?? never()));
  const { check, end } = await plugin();
  const checks = Promise.all(paths.map(check));
  writeFileSync(join(folder, "good"), "a-secret-of-some-length\n");
  expect(await check(join(folder, "good"))).toBe("");
  expect((await checks).every((message) => message.includes("is not a regular file"))).toBe(true);
  expect(await end()).toBe(0);
});

test("QUARTERDECK_MAX_FILE_BYTES sets the maximum size of a file that fromFile reads", async () => {
  const path = join(folder, "long");
  writeFileSync(path, "a".repeat(100));
  const small = await plugin({ QUARTERDECK_MAX_FILE_BYTES: "99" });
  expect(await small.check(path)).toMatch(/is larger than 99 bytes/);
  await small.end();
  const large = await plugin({ QUARTERDECK_MAX_FILE_BYTES: "100" });
  expect(await large.check(path)).toBe("");
  await large.end();
});

function never(): never {
  throw new Error("there is no such file");
}
