import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { plugin } from "../../../../provider/plugin";
import { callsAt } from "./client";

const FOLDER = resolve(__dirname, "../../../../plugin");
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Starts the plugin as an engine does, and waits for the first line that it prints. */
async function start(stdin: "pipe" | "ignore" = "pipe") {
  const child = spawn(resolve(FOLDER, "pulumi-resource-quarterdeck"), ["127.0.0.1:1"], {
    stdio: [stdin, "pipe", "inherit"],
  });
  started.push(child);
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const lines: string[] = [];
  const port = await new Promise<string>((done, failed) => {
    createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) => {
      lines.push(line);
      done(line);
    });
    child.once("exit", (code) => failed(new Error(`it ended with ${code}`)));
  });
  return { child, port, lines, ended };
}

test("package.json of the plugin has the version of the provider and no dependencies", () => {
  const { version, dependencies } = require(resolve(FOLDER, "package.json"));
  expect([version, dependencies]).toEqual([plugin.version, undefined]);
});

test("the plugin prints only its port, answers calls, and exits with code 0 on SIGINT", async () => {
  const { child, port, lines, ended } = await start();
  const { calls, close } = callsAt(port);
  expect((await calls.info()).getVersion()).toBe(plugin.version);
  close();
  child.kill("SIGINT");
  expect(await ended).toBe(0);
  expect(lines).toEqual([port]);
});

test("the plugin exits when its standard input is closed", async () => {
  const { child, ended } = await start();
  child.stdin?.end();
  expect(await ended).toBe(0);
});

test("the plugin keeps running if it is started without standard input", async () => {
  const { child, port, ended } = await start("ignore");
  const { calls, close } = callsAt(port);
  // When the process answers, it has already detected the end of its standard input.
  expect((await calls.info()).getVersion()).toBe(plugin.version);
  close();
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
