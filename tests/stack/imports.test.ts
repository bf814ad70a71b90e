import type * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import { catalog } from "../../provider/catalog";
import { chosenEngine } from "../../testing/tests/engine/comparison/engines";
import { PRIVATE_KEY } from "../../testing/tests/stub/mesh-certificate";
import { compiled } from "../generate/compiled";
import { consoleOn } from "./console";
import { TestStack } from "./stack";
import { makeFound, type Story, wholeStories } from "./states/programs";
import { closeWithServices, stackThen } from "./states/recording";

// Whole commands of the CLI, on whatever machine.
jest.setTimeout(600_000);

/** The embedded engine generates no programs; what an import reads is tried beside the plugin, for every definition. */
const onTheCli = chosenEngine() === "cli" ? describe : describe.skip;

/** Required secrets, which no import prints: the CLI writes empty text in their place, and the object's own is to be written there. */
const UNPRINTED: Readonly<Record<string, string>> = {
  bindpass: "hush",
  apiToken: "hush",
  privateKey: PRIVATE_KEY,
};

interface Made {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

let made: TestStack | undefined;
let taker: TestStack | undefined;

afterEach(async () => {
  await taker?.close();
  if (made) await closeWithServices(made);
  made = undefined;
  taker = undefined;
  jest.restoreAllMocks();
});

/** A story in a stack by the plugin, as an import file names it, and another stack at the same services. */
async function stacksOf(story: Story): Promise<{ all: readonly Made[]; other: TestStack }> {
  made = await stackThen();
  await made.setBridge("plugin");
  await makeFound(consoleOn(made.stub));
  expect((await made.up(story())).failure).toBeUndefined();
  const { deployment } = await made.stack.exportStack();
  const all = deployment.resources
    .filter(({ type, id }: Made) => id !== undefined && type.startsWith("quarterdeck:"))
    .map(({ urn, type, id, inputs }: { urn: string } & Made) => ({
      type,
      name: `${type.split(":")[2]}-${urn.split("::").at(-1)}`,
      id,
      inputs,
    }));
  taker = await TestStack.open({}, { stub: made.stub });
  await taker.setBridge("plugin");
  await taker.setConnection("second");
  return { all, other: taker };
}

/** Whether its service shows it: an object, and no action, procedure or what is only written. */
const isObject = ({ type }: Made) => catalog[type.slice("quarterdeck:".length)]?.().life.kind === "object";

/** A resource by the other form of its id that `get` takes; undefined where there is none. */
function inOtherForm(one: Made, all: readonly Made[]): Made | undefined {
  const [connection, own] = one.id.startsWith("second:") ? ["second:", one.id.slice(7)] : ["", one.id];
  if (one.type.startsWith("quarterdeck:mesh:"))
    return { ...one, id: `${connection}${own.split("/").slice(-2).join("/")}` };
  const { name } = all.find(({ type, id }) => type.endsWith(":Workspace") && id === one.id)?.inputs ?? {};
  return name === undefined ? undefined : { ...one, id: `${connection}acme/${name}` };
}

/** What an import file says of each. */
const listed = (all: readonly Made[]) => all.map(({ inputs: _, ...entry }) => entry);

/** A program's text as an inline program. */
function programOf(text: string): pulumi.automation.PulumiFn {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  return async () => {
    new Function("require", "exports", outputText)(require, {});
  };
}

onTheCli("the CLI", () => {
  const stories = Object.entries(wholeStories());
  test.each(
    stories.flatMap(([name, story]) =>
      ["the ids", "every other form of id"].map((form) => [name, form, story] as const),
    ),
  )(
    "imports all of %s by %s that there is, and the program that it writes is quiet",
    async (_, form, story) => {
      const { all, other } = await stacksOf(story);
      const objects = all.filter(isObject);
      const resources =
        form === "the ids" ? objects : objects.flatMap((one) => inOtherForm(one, objects) ?? []);
      await other.stub.clearRequests();
      const { generatedCode } = await other.stack.import({ resources: listed(resources), protect: false });
      expect(compiled(new Map([["tests/stack/generated.ts", generatedCode]]))).toEqual([]);
      for (const words of [
        "EphemeralDisk",
        "RestartPolicy",
        "mount:",
        'region: "global"',
        "Namespace:",
        PRIVATE_KEY,
      ])
        expect(generatedCode).not.toContain(words);
      if (form !== "the ids") expect(generatedCode).not.toContain("namespace:");
      const complete = generatedCode.replace(
        /\b(bindpass|apiToken|privateKey): ""/g,
        (_all, name: string) => `${name}: ${JSON.stringify(UNPRINTED[name])}`,
      );
      const { failure, changes, output } = await other.preview(programOf(complete));
      expect(failure).toBeUndefined();
      // What no service shows is new to the state, and what is not printed is not in the program: a job's own token. A
      // private key is shown, and so is compared.
      const unread = [...generatedCode.matchAll(/\b(bindpass|apiToken): ""/g)].length;
      const unprinted = resources.filter(({ name }) => name === "Job-typed");
      const news = unread + unprinted.length;
      expect({ changes, output }).toMatchObject({
        changes: { same: resources.length + 1 - news, ...(news > 0 && { update: news }) },
      });
      expect(await other.writes()).toEqual([]);
    },
  );

  test("says of each thing that its service does not show why it cannot be imported", async () => {
    const { all, other } = await stacksOf(wholeStories()["secrets-mesh"] as Story);
    const resources = all.filter((one) => !isObject(one));
    const printed = await other.stack.import({ resources: listed(resources), protect: false }).catch(String);
    for (const { type } of resources)
      expect(printed).toContain(
        `a ${type.slice("quarterdeck:".length)} cannot be read by its id, and so not be imported:`,
      );
  });

  test("says that an id names nothing", async () => {
    const { other } = await stacksOf(() => async () => undefined);
    const one = { type: "quarterdeck:scheduler:Job", name: "none", id: "default/none" };
    const printed = await other.stack.import({ resources: [one] }).catch(String);
    expect(printed).toContain('scheduler:Job "default/none" does not exist');
  });
});
