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

/** Both bridges of a job on one Nomad server, their output, and the number of plan requests. */
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

describe("Nomad plan requests of the dynamic bridge", () => {
  test("the check of a new job requests the plan in a preview, and an up requests none", async () => {
    const { dynamic, plans, printed } = bridges();
    const program = { json: webWith(2), ...provider };
    const { inputs, failures } = await dynamic.check({}, { ...program, ...PREVIEWED });
    expect(failures).toEqual([]);
    expect(plans()).toBe(1);
    expect(printed).toContainEqual(expect.stringContaining('group "g": 2 create'));
    // The inputs do not contain the preview flag, because a saved plan or a state stores them.
    expect(inputs).toEqual((await dynamic.check({}, program)).inputs);
    await dynamic.create(program);
    expect(plans()).toBe(1);
  });

  test("the previewed diff of an update requests the plan; its check, a diff without a change and an up do not", async () => {
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

  test("a replacement requests the plan once, in the check of the new job", async () => {
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

  test("a preview requests no plan if the check fails or the job contains an unknown value", async () => {
    const { dynamic, plans } = bridges();
    await dynamic.check({}, { json: webWith(2), nonsense: 1, ...PREVIEWED });
    await dynamic.check({}, { json: webWith(2, { Meta: { a: UNKNOWN } }), ...PREVIEWED });
    expect(plans()).toBe(0);
  });
});

describe("Nomad plan requests of the plugin", () => {
  test("only a previewed create and a previewed update request the plan", async () => {
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

  test("a previewed update requests no plan if it writes nothing or ignores the change", async () => {
    const { plugin, plans } = bridges();
    const { inputs } = await plugin.check(URN, {}, { json: webWith(2) });
    const { id, outputs } = await plugin.create(URN, inputs);
    const state: State = { inputs, outputs };
    await plugin.update(URN, id, state, { ...inputs, wait: "evaluation" }, { preview: true });
    await plugin.update(URN, id, state, { json: webWith(3) }, { preview: true, ignored: ["json"] });
    expect(plans()).toBe(0);
  });
});

test("both bridges redact values that the program marks as secret in the messages of Nomad's plan", async () => {
  const { plugin, dynamic, world, printed } = bridges();
  const word = "canary-constraint";
  world.onResponse = (_, answer) => {
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
