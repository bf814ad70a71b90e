import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_PORTS, SERVICE_NAMES } from "../../testing/stub";
import { newSandbox, runCommand, type Sandbox } from "../../testing/tests/engine/command/running";
import { chosenEngine } from "../../testing/tests/engine/comparison/engines";
import { pageAt, ROOT, WRITTEN } from "./pages";

const filesIn = (folder: string, ending: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending) && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => `${folder}/${file}`);

/** Every page that a user may read, the generated ones included. */
const PAGES = new Set([
  ...WRITTEN,
  ...["docs/reference", "examples"].flatMap((folder) => filesIn(folder, ".md")),
]);

/** Everything that prints commands. The stub prints its commands from data, and is run for them. */
const SOURCES = ["provider", "cli", "sdk/runtime", "tools/generate"].flatMap((folder) =>
  filesIn(folder, ".ts"),
);

const KEYS = SERVICE_NAMES.map((name) => `quarterdeck:${name}`);

/** The values of the expressions in the programs' messages, and of the placeholders on the pages. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "${key}": KEYS,
  "${path}": [
    ...KEYS.flatMap((key) => [`${key}.address`, `${key}.dialect`]),
    "quarterdeck:workspaces.organization",
  ],
  "${value}": ["https://nomad.example.com:4646", "real", "neutral"],
  "${given.key}": KEYS,
  "${first?.name}": ["workspaces"],
  "${ADOPTION}": ["quarterdeck:adopt"],
  "${SETTING}": ["quarterdeck:bridge"],
  "${JSON.stringify(name)}": ['"identity:token"'],
  "<service>": SERVICE_NAMES,
};

/** The command with each value of its placeholders. */
function filledIn(command: string): readonly string[] {
  const found = /\$\{[^}]*\}|<service>/.exec(command)?.[0];
  if (found === undefined) return [command];
  const values = VALUES[found];
  if (values === undefined) throw new Error(`VALUES has no value for ${found} in: ${command}`);
  return values.flatMap((value) => filledIn(command.replaceAll(found, value)));
}

/** A page may name the command without its key. */
const hasKey = (command: string) => /[\w.-]+:[\w.-]+/.test(command);

const onPages = [...PAGES]
  .flatMap((page) => pageAt(page).match(/pulumi config set [^`\n]*/g) ?? [])
  .filter(hasKey);
const inMessages = SOURCES.flatMap((path) =>
  [...readFileSync(join(ROOT, path), "utf8").matchAll(/pulumi config set (?:[^`"\n]|"\$TOKEN")*/g)]
    // A sentence may go on after the command.
    .map(([command]) => command.replace(/,? (then|which|or|\(or) .*$|[,;`]$/, "")),
).flatMap(filledIn);

let child: ChildProcess | undefined;
afterAll(() => child?.kill());

async function printedByStub(): Promise<readonly string[]> {
  const ports = Object.keys(DEFAULT_PORTS).flatMap((name) => [`--${name}-port`, "0"]);
  const flags = ["--dialect", "real", ...ports];
  child = spawn(process.execPath, [join(ROOT, "testing/bin/quarterdeck-stub.js"), ...flags]);
  let printed = "";
  for await (const part of child.stdout ?? []) {
    printed += part;
    if (printed.includes("Ctrl+C")) break;
  }
  const ended = once(child, "exit");
  child.kill();
  await ended;
  return printed.match(/pulumi config set .*/g) ?? [];
}

/** The arguments into which a shell splits a command line. */
function wordsOf(command: string): readonly string[] {
  const script = `pulumi() { printf '%s\\0' "$@"; }\n${command}`;
  const variables = Object.fromEntries(
    [...command.matchAll(/\$(\w+)/g)].map(([, name = ""]) => [
      name,
      name.endsWith("_ADDR") ? "https://server.example.com:8200" : "an-example-of-a-long-token-4711",
    ]),
  );
  const env = { ...process.env, ...variables };
  return execFileSync("sh", ["-e", "-c", script], { encoding: "utf8", env }).split("\0").slice(0, -1);
}

/** Runs a command on the chosen engine, with a value appended if it has none. Returns the error, or "". */
async function refusal(sandbox: Sandbox, words: readonly string[]): Promise<string> {
  const isComplete = words.filter((word) => !word.startsWith("-")).length > 3;
  const complete = isComplete ? words : [...words, "an-example-of-a-value-4711"];
  if (chosenEngine() === "embedded") return (await runCommand(sandbox, complete)).stderr;
  try {
    const { project: cwd, environment } = sandbox;
    const env = { ...process.env, ...environment };
    execFileSync("pulumi", ["--non-interactive", ...complete], { cwd, env, stdio: "pipe" });
    return "";
  } catch (error) {
    return String((error as { stderr: unknown }).stderr);
  }
}

test("the engine accepts every `pulumi config set` that a page or a program prints", async () => {
  const sandbox = newSandbox();
  writeFileSync(join(sandbox.project, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  if (chosenEngine() === "embedded") await runCommand(sandbox, "stack init prod");
  else {
    const env = { ...process.env, ...sandbox.environment };
    execFileSync("pulumi", ["stack", "init", "prod"], { cwd: sandbox.project, env, stdio: "pipe" });
  }
  const stub = await printedByStub();
  for (const found of [onPages, inMessages, stub]) expect(found.length).toBeGreaterThan(5);
  const refused: string[] = [];
  for (const command of new Set([...onPages.flatMap(filledIn), ...inMessages, ...stub])) {
    const error = await refusal(sandbox, wordsOf(command));
    if (error !== "") refused.push(`${command}: ${error}`);
  }
  expect(refused).toEqual([]);
}, 300_000);
