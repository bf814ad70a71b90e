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

// Complete CLI commands, on any machine.
jest.setTimeout(600_000);

/** The embedded engine generates no programs. The plugin's tests check what an import reads, for every definition. */
const onTheCli = chosenEngine() === "cli" ? describe : describe.skip;

/** Required secrets. No import prints them: the CLI generates an empty string, which a user replaces with the value. */
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
let importer: TestStack | undefined;

afterEach(async () => {
  await importer?.close();
  if (made) await closeWithServices(made);
  made = undefined;
  importer = undefined;
  jest.restoreAllMocks();
});

/** Runs a story in a stack on the plugin. Returns its resources, and a second stack on the same servers. */
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
  importer = await TestStack.open({}, { stub: made.stub });
  await importer.setBridge("plugin");
  await importer.setConnection("second");
  return { all, other: importer };
}

/** Whether the server returns the resource: an object, and not an action, a procedure or a write-only resource. */
const isObject = ({ type }: Made) => catalog[type.slice("quarterdeck:".length)]?.().life.kind === "object";

/** The resource with the alternative form of its ID that `get` accepts, if there is one. */
function inOtherForm(one: Made, all: readonly Made[]): Made | undefined {
  const [connection, own] = one.id.startsWith("second:") ? ["second:", one.id.slice(7)] : ["", one.id];
  if (one.type.startsWith("quarterdeck:mesh:"))
    return { ...one, id: `${connection}${own.split("/").slice(-2).join("/")}` };
  const { name } = all.find(({ type, id }) => type.endsWith(":Workspace") && id === one.id)?.inputs ?? {};
  return name === undefined ? undefined : { ...one, id: `${connection}acme/${name}` };
}

/** The resources as entries of an import file. */
const listed = (all: readonly Made[]) => all.map(({ inputs: _, ...entry }) => entry);

/** Compiles a program's text to an inline program. */
function programOf(text: string): pulumi.automation.PulumiFn {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  return async () => {
    new Function("require", "exports", outputText)(require, {});
  };
}

onTheCli("pulumi import", () => {
  const stories = Object.entries(wholeStories());
  test.each(
    stories.flatMap(([name, story]) =>
      ["the IDs", "the alternative IDs"].map((form) => [name, form, story] as const),
    ),
  )(
    "imports the objects of %s by %s, and the generated program changes only secrets that it cannot read",
    async (_, form, story) => {
      const { all, other } = await stacksOf(story);
      const objects = all.filter(isObject);
      const resources =
        form === "the IDs" ? objects : objects.flatMap((one) => inOtherForm(one, objects) ?? []);
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
      if (form !== "the IDs") expect(generatedCode).not.toContain("namespace:");
      const complete = generatedCode.replace(
        /\b(bindpass|apiToken|privateKey): ""/g,
        (_all, name: string) => `${name}: ${JSON.stringify(UNPRINTED[name])}`,
      );
      const { failure, changes, output } = await other.preview(programOf(complete));
      expect(failure).toBeUndefined();
      // An update is expected for secrets that no server returns, and for a job's token, which the generated program does
      // not contain. A server returns a private key, so that it is compared.
      const unread = [...generatedCode.matchAll(/\b(bindpass|apiToken): ""/g)].length;
      const unprinted = resources.filter(({ name }) => name === "Job-typed");
      const expectedUpdates = unread + unprinted.length;
      expect({ changes, output }).toMatchObject({
        changes: {
          same: resources.length + 1 - expectedUpdates,
          ...(expectedUpdates > 0 && { update: expectedUpdates }),
        },
      });
      expect(await other.writes()).toEqual([]);
    },
  );

  test("explains why actions, procedures and write-only resources cannot be imported", async () => {
    const { all, other } = await stacksOf(wholeStories()["secrets-mesh"] as Story);
    const resources = all.filter((one) => !isObject(one));
    const printed = await other.stack.import({ resources: listed(resources), protect: false }).catch(String);
    for (const { type } of resources) {
      const noun = catalog[type.slice("quarterdeck:".length)]?.().product?.noun;
      expect(printed).toContain(`${noun}: the resource cannot be read by its ID or imported:`);
    }
  });

  test("reports that the object of an ID does not exist", async () => {
    const { other } = await stacksOf(() => async () => undefined);
    const one = { type: "quarterdeck:scheduler:Job", name: "none", id: "default/none" };
    const printed = await other.stack.import({ resources: [one] }).catch(String);
    expect(printed).toContain('Nomad job "default/none" does not exist');
  });
});
