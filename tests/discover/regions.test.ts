import discover from "../../cli/list/discover";
import { type Stub, startStub } from "../../testing/stub";
import { TOKENS } from "../stack/console";

let stub: Stub;

const job = (ID: string) => ({
  Job: { ID, Type: "batch", TaskGroups: [{ Name: "a", Tasks: [{ Name: "a", Driver: "exec", Config: {} }] }] },
});
const region = (name: string, ...ids: string[]) => ({ region: name, jobs: ids.map(job) });

beforeAll(async () => {
  stub = await startStub({
    scheduler: {
      switches: { region: "home" },
      seed: { tokens: { [TOKENS.scheduler]: { management: true } }, ...region("east", "web", "east") },
    },
  });
  await stub.seed("scheduler", region("home", "web", "home"));
});
afterAll(() => stub.stop());

interface Held {
  readonly id: string;
  readonly inputs?: object;
  readonly outputs?: object;
  /** The settings of a provider of its own. */
  readonly provider?: object;
}

/** A state with one job. */
function stateWith({ id, inputs = {}, outputs = {}, provider }: Held): string {
  const urn = "urn:pulumi:dev::platform::";
  const own = {
    urn: `${urn}pulumi:providers:quarterdeck::own`,
    type: "pulumi:providers:quarterdeck",
    custom: true,
    id: "1c2d",
    inputs: { scheduler: { address: stub.addresses.scheduler, token: TOKENS.scheduler, ...provider } },
  };
  const held = {
    urn: `${urn}quarterdeck:scheduler:Job::web`,
    type: "quarterdeck:scheduler:Job",
    custom: true,
    id,
    inputs,
    outputs,
    ...(provider && { provider: `${own.urn}::${own.id}` }),
  };
  return JSON.stringify({ version: 3, deployment: { resources: [own, held] } });
}

/** What is found where the stack's configuration says these settings. */
async function found(held: Held, settings: object): Promise<string[]> {
  const own = { address: stub.addresses.scheduler, token: TOKENS.scheduler, ...settings };
  const configuration = new Map([["quarterdeck:scheduler", JSON.stringify(own)]]);
  const types = ["scheduler:Job"];
  const report = await discover({ state: stateWith(held), configuration, env: {}, types });
  expect(report.unread).toEqual([]);
  return report.found.map(({ id }) => id).sort();
}

const BOTH = ["default/home", "default/web"];
const OTHERS = ["default/home"];

test.each<[string, Held, object, readonly string[]]>([
  ["of the agent's own region is left out", { id: "default/web" }, {}, OTHERS],
  ["of another region is another object", { id: "east@default/web" }, {}, BOTH],
  [
    "of another region that an earlier version made is another object",
    { id: "default/web", inputs: { region: "east" } },
    {},
    BOTH,
  ],
  [
    "of another region that its document says is another object",
    { id: "default/web", inputs: { json: { ID: "web", Region: "east" } } },
    {},
    BOTH,
  ],
  [
    "of the region of its own provider is another object",
    { id: "default/web", provider: { region: "east" } },
    {},
    BOTH,
  ],
  [
    "of the region that is asked is left out, however its id says it",
    { id: "east@default/web" },
    { region: "east" },
    ["default/east"],
  ],
  [
    "of the agent's region is another object where the connection says another one by now",
    { id: "default/web", outputs: { region: "home" }, provider: { maxRetries: 1 } },
    { region: "east" },
    ["default/east", "default/web"],
  ],
])("a job in the state %s", async (_, held, settings, ids) => {
  expect(await found(held, settings)).toEqual(ids);
});
