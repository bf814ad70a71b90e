import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import job from "../../../provider/services/scheduler/job";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { World } from "../../steps/world";
import { plain } from "./engines";
import { hostOf } from "./host";
import { type Bag, type State, secret, UNKNOWN } from "./plugin/calls";
import { callsIn } from "./plugin/inProcess";

const URN = "urn:pulumi:dev::platform::quarterdeck:scheduler:Job::web";
const provider = { __provider: "the provider's text" };

const webWith = (count: number, more: object = {}) => ({
  ID: "web",
  TaskGroups: [{ Name: "g", Count: count, Tasks: [{ Name: "t", Driver: "docker" }] }],
  ...more,
});

/** Both bridges of a job at one scheduler; what they print, and how often a plan was asked for. */
function bridges() {
  const stub = new SchedulerService({
    switches: { dialect: "neutral" },
    seed: { tokens: { manager: { management: true } } },
    random: () => 0.5,
  });
  const world = new World(stub, job, { token: "manager" });
  const printed: string[] = [];
  const host = hostOf(() => world.connection, printed);
  const plugin = callsIn(job, { host, signal: new AbortController().signal });
  const plans = () => world.requests.filter(({ path }) => path.endsWith("/plan")).length;
  return { plugin, dynamic: dynamicHandler(job, () => host), plans, printed, world };
}

const PREVIEWED = { __aside: { preview: true } };

describe("on the dynamic bridge the plan is asked for", () => {
  test("in the check of a create, where the program says that it is previewed, and not in the up", async () => {
    const { dynamic, plans, printed } = bridges();
    const program = { json: webWith(2), ...provider };
    const { inputs, failures } = await dynamic.check({}, { ...program, ...PREVIEWED });
    expect(failures).toEqual([]);
    expect(plans()).toBe(1);
    expect(printed).toContainEqual(expect.stringContaining('group "g": 2 create'));
    // What a saved plan or a state would hold says nothing of previews.
    expect(inputs).toEqual((await dynamic.check({}, program)).inputs);
    await dynamic.create(program);
    expect(plans()).toBe(1);
  });

  test("in the diff of an update, and neither in its check nor where nothing changes, nor in the up", async () => {
    const { dynamic, plans, printed } = bridges();
    const { id, outs } = await dynamic.create({ json: webWith(2), ...provider });
    const state = { ...plain(outs), ...provider };
    const pass = async (count: number, aside: object) => {
      const { inputs } = await dynamic.check({ json: webWith(2) }, { json: webWith(count), ...aside });
      const asked = plans();
      await dynamic.diff(id, state, { ...plain(inputs as Bag), ...provider });
      return plans() - asked;
    };
    expect(await pass(3, PREVIEWED)).toBe(1);
    expect(printed).toContainEqual(expect.stringContaining("3 create"));
    expect(await pass(2, PREVIEWED)).toBe(0);
    expect(await pass(3, {})).toBe(0);
    expect(plans()).toBe(1);
  });

  test("once for a replacement, by its own check", async () => {
    const { dynamic, plans } = bridges();
    const { id, outs } = await dynamic.create({ json: webWith(2), ...provider });
    const news = { json: webWith(2, { ID: "other" }), ...PREVIEWED };
    const { inputs } = await dynamic.check({ json: webWith(2) }, news);
    const { replaces } = await dynamic.diff(id, { ...plain(outs), ...provider }, plain(inputs as Bag));
    expect(replaces).not.toEqual([]);
    expect(plans()).toBe(0);
    await dynamic.check({}, news);
    expect(plans()).toBe(1);
  });

  test("not of what fails the check, and not of what is unknown", async () => {
    const { dynamic, plans } = bridges();
    await dynamic.check({}, { json: webWith(2), nonsense: 1, ...PREVIEWED });
    await dynamic.check({}, { json: webWith(2, { Meta: { a: UNKNOWN } }), ...PREVIEWED });
    expect(plans()).toBe(0);
  });
});

describe("on the plugin the plan is asked for", () => {
  test("where a create or an update is previewed, and never else", async () => {
    const { plugin, plans, printed } = bridges();
    const { inputs } = await plugin.check(URN, {}, { json: webWith(2) });
    expect(plans()).toBe(0);
    await plugin.create(URN, inputs, { preview: true });
    expect(plans()).toBe(1);
    expect(printed).toContainEqual(expect.stringContaining('group "g": 2 create'));
    const { id, outputs } = await plugin.create(URN, inputs);
    const state: State = { inputs, outputs };
    const wanted = await plugin.check(URN, inputs, { json: webWith(3) });
    await plugin.diff(URN, id, state, wanted.inputs);
    expect(plans()).toBe(1);
    await plugin.update(URN, id, state, wanted.inputs, { preview: true });
    expect(plans()).toBe(2);
    await plugin.update(URN, id, state, wanted.inputs);
    expect(plans()).toBe(2);
  });

  test("and not where the update writes nothing, or ignores what changes", async () => {
    const { plugin, plans } = bridges();
    const { inputs } = await plugin.check(URN, {}, { json: webWith(2) });
    const { id, outputs } = await plugin.create(URN, inputs);
    const state: State = { inputs, outputs };
    await plugin.update(URN, id, state, { ...inputs, wait: "evaluation" }, { preview: true });
    await plugin.update(URN, id, state, { json: webWith(3) }, { preview: true, ignored: ["json"] });
    expect(plans()).toBe(0);
  });
});

test("what the program marks secret is masked in what the scheduler says of the plan, on both bridges", async () => {
  const { plugin, dynamic, world, printed } = bridges();
  const word = "canary-constraint";
  world.afterwards = (_, answer) => {
    const metric = { NodesEvaluated: 1, ConstraintFiltered: { [`\${meta.key} = ${word}`]: 1 } };
    Object.assign(Object(answer.json), {
      FailedTGAllocs: { g: metric },
      Warnings: `the job has a constraint ${word}`,
    });
  };
  const constrained = (value: unknown) =>
    webWith(1, { Constraints: [{ LTarget: "key", RTarget: value, Operand: "=" }] });
  const { inputs } = await plugin.check(URN, {}, { json: constrained(secret(word)) });
  await plugin.create(URN, inputs, { preview: true });
  await dynamic.check(
    {},
    { json: constrained(word), __aside: { preview: true, secrets: ["json.Constraints[0].RTarget"] } },
  );
  expect(printed.filter((line) => line.includes("[secret]"))).toHaveLength(4);
  expect(printed.join("\n")).not.toContain(word);
});
