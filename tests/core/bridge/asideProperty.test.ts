import { catalog } from "../../../provider/catalog";
import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import { withRecordsRead } from "../../../provider/core/bridge/records";
import { parseRecords } from "../../../provider/core/state/records";
import { metadataOf } from "../../../provider/core/value/programInputs";
import job from "../../../provider/services/scheduler/job";
import { JobScene, web, webText } from "../../services/scheduler/job-scene";
import { hostOf } from "./host";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const provider = { __provider: "the provider's text" };
type Bag = Record<string, unknown>;

/** Values as the engine passes them back: it removes the secret marks. */
function asState(bag: object): Bag {
  return JSON.parse(
    JSON.stringify(bag, (_, value) =>
      value !== null && typeof value === "object" && SIGNATURE in value ? value.value : value,
    ),
  );
}

/** An engine that manages one job: it stores inputs and outputs, and starts a provider for every command. */
class Engine {
  readonly scene = new JobScene();
  readonly printed: string[] = [];
  id = "";
  inputs: Bag = {};
  outputs: Bag = {};

  /** The provider of one command. */
  get handler() {
    const host = hostOf(() => this.scene.world.connection, this.printed);
    return dynamicHandler(job, () => host);
  }

  /** One `pulumi up` in one process; returns whether anything changed. */
  async up(program: Bag): Promise<boolean> {
    const { handler } = this;
    const { inputs, failures } = await handler.check(this.inputs, { ...program, ...provider });
    expect(failures).toEqual([]);
    const checked = asState(inputs);
    const news = { ...checked, ...provider };
    const isFirst = this.id === "";
    if (isFirst) {
      const { id, outs } = await handler.create(news);
      Object.assign(this, { id, outputs: asState(outs) });
    } else {
      const { changes } = await handler.diff(this.id, { ...this.outputs, ...provider }, news);
      if (changes) {
        const { outs } = await handler.update(this.id, { ...this.outputs, ...provider }, news);
        this.outputs = asState(outs);
      }
      this.inputs = checked;
      return changes;
    }
    this.inputs = checked;
    return true;
  }

  async refresh(): Promise<void> {
    const { props = {}, inputs } = await this.handler.read(this.id, { ...this.outputs, ...provider });
    this.outputs = asState(props);
    if (inputs) this.inputs = asState(inputs);
  }
}

const text = { hcl: webText };

describe("the property __aside", () => {
  test("does not collide with a property of any definition", () => {
    const all = Object.values(catalog).flatMap((load) => Object.keys(load().fields));
    expect(all.filter((name) => name.startsWith("__"))).toEqual([]);
  });

  test("is neither applied nor returned as an output; the records store its secret paths as metadata", async () => {
    const engine = new Engine();
    const along = { secrets: ["json.Meta.pass"], ignored: ["json.Priority"] };
    await engine.up({ json: { ...web, Meta: { pass: "canary" } }, __aside: along });
    expect(Object.keys(engine.outputs).filter((name) => name.startsWith("__"))).toEqual(["__quarterdeck"]);
    const { __quarterdeck } = withRecordsRead(job, engine.outputs);
    const records = parseRecords({ __quarterdeck: String(__quarterdeck) });
    expect(Object.keys(records?.lastApplied ?? {})).toEqual(["json"]);
    expect(metadataOf(records?.lastApplied ?? {})).toEqual({
      secretPaths: along.secrets,
      ignoredPaths: [],
      secretSources: {},
    });
    expect(engine.inputs.__aside).toEqual(along);
  });

  test("changes the state and sends no request if a value becomes secret or stops being secret", async () => {
    const engine = new Engine();
    const program = { json: { ...web, Meta: { pass: "canary" } } };
    await engine.up(program);
    const sent = engine.scene.world.requests.length;
    const marked = { ...program, __aside: { secrets: ["json.Meta.pass"] } };
    expect(await engine.up(marked)).toBe(true);
    expect(await engine.up(marked)).toBe(false);
    expect(await engine.up(program)).toBe(true);
    expect(await engine.up(program)).toBe(false);
    expect(engine.scene.world.requests).toHaveLength(sent);
  });
});

describe("the parsed form of an HCL text", () => {
  test("is passed from the check to later steps, and is stored in the records once the job is written", async () => {
    const engine = new Engine();
    await engine.up(text);
    expect(engine.scene.parses).toBe(1);
    expect(JSON.stringify(engine.inputs)).not.toContain("TaskGroups");
    expect(await engine.up(text)).toBe(false);
    expect(await engine.up({ ...text, purge: true })).toBe(true);
    expect(engine.scene.parses).toBe(1);
  });

  test("is not requested again after a refresh that found drift", async () => {
    const engine = new Engine();
    await engine.up(text);
    await engine.scene.register({ ...web, Priority: 60 });
    await engine.refresh();
    expect(await engine.up(text)).toBe(true);
    expect(await engine.up(text)).toBe(false);
    expect(engine.scene.parses).toBe(1);
    expect(await engine.scene.held()).toMatchObject({ Priority: 50 });
  });

  test("is requested once per command if the text differs but the job does not, because nothing is written", async () => {
    const engine = new Engine();
    await engine.up(text);
    const other = { hcl: `# the front\n${webText}` };
    expect(await engine.up(other)).toBe(false);
    expect(await engine.up(other)).toBe(false);
    expect(engine.scene.parses).toBe(3);
    engine.scene.world.fate = ({ path }) => (path === "/v1/jobs/parse" ? "request lost" : "passes");
    expect(await engine.up(other).catch(String)).toBeDefined();
    expect(engine.printed.join()).toContain("the server could not parse hcl");
  });

  test("is requested once by the check and once by the update if the server does not answer", async () => {
    const engine = new Engine();
    await engine.up(text);
    engine.scene.world.fate = ({ path }) => (path === "/v1/jobs/parse" ? "request lost" : "passes");
    const before = engine.scene.parses;
    await engine.up({ hcl: webText.replace("count = 2", "count = 3") }).catch(() => undefined);
    // The check sends one request, and the update that needs the parsed form sends one.
    expect(engine.scene.parses).toBe(before + 2);
  });
});
