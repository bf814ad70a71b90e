import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WarmHost } from "../hosts/warmHost";
import { leaveRejectionsToPrograms } from "../rejections";
import { type CaseOptions, ComparedStack } from "./compared-stack";
import { chosenEngine, cliOnPath } from "./engines";
import type { Outcome } from "./outcome";

type Story = (stack: ComparedStack) => Promise<void>;

const warm = new WarmHost({ project: "comparison", stack: "dev" });
afterAll(() => warm.stop());

/**
 * A case that must have the same outcome on every engine. The expected outcome is the recording of the CLI in
 * `fixtures`. If a CLI is on the PATH, the case also runs on it. Only the CLI creates a missing recording.
 */
export function compare(name: string, story: Story): void {
  compareOn(name, story, warm);
}

/** The same with separate provider processes for each command, whose output is shown. They are slower to start. */
export function compareWithOwnHosts(name: string, story: Story): void {
  compareOn(name, story, undefined);
}

/** The same with the plugin in `plugin/`, which Pulumi.yaml declares. The calls to the plugin are also compared. */
export function compareWithPlugin(name: string, story: Story): void {
  compareWithPlugins(name, { things: "../plugin" }, story);
}

/** The same with the given plugins, by name and folder. */
export function compareWithPlugins(
  name: string,
  plugins: NonNullable<CaseOptions["plugins"]>,
  story: Story,
): void {
  compareOn(name, story, warm, plugins);
}

function compareOn(
  name: string,
  story: Story,
  host: WarmHost | undefined,
  plugins?: CaseOptions["plugins"],
): void {
  const file = join(__dirname, "fixtures", `${name.replaceAll(/[^\w]+/g, "-")}.json`);
  const engine = chosenEngine();
  test(
    name,
    () => check(file, story, { engine, plugins, host: engine === "embedded" ? host : undefined }),
    180_000,
  );
  if (engine === "embedded" && cliOnPath()) {
    test(`${name} (on the CLI)`, () => check(file, story, { engine: "cli", plugins }), 180_000);
  }
}

async function check(file: string, story: Story, options: CaseOptions): Promise<void> {
  const stack = await ComparedStack.open(options);
  const listenAgain = leaveRejectionsToPrograms();
  try {
    await story(stack);
  } finally {
    await listenAgain();
    await stack.close();
  }
  const outcomes = JSON.stringify(stack.outcomes, null, 1);
  if (options.engine === "cli" && !existsSync(file)) {
    mkdirSync(join(__dirname, "fixtures"), { recursive: true });
    writeFileSync(file, `${outcomes}\n`);
  }
  expect(JSON.parse(outcomes) as Outcome[]).toEqual(JSON.parse(readFileSync(file, "utf8")));
}
