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
  /** The settings of an explicit provider. */
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

/** The IDs that are found with these settings in the stack's configuration. */
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
  ["in the agent's region is omitted", { id: "default/web" }, {}, OTHERS],
  ["in another region is a different object", { id: "east@default/web" }, {}, BOTH],
  [
    "in another region that an earlier version created is a different object",
    { id: "default/web", inputs: { region: "east" } },
    {},
    BOTH,
  ],
  [
    "with another region in its document is a different object",
    { id: "default/web", inputs: { json: { ID: "web", Region: "east" } } },
    {},
    BOTH,
  ],
  [
    "in the region of an explicit provider is a different object",
    { id: "default/web", provider: { region: "east" } },
    {},
    BOTH,
  ],
  [
    "in the listed region is omitted if its ID names the region",
    { id: "east@default/web" },
    { region: "east" },
    ["default/east"],
  ],
  [
    "in the agent's region is a different object if the connection now has another region",
    { id: "default/web", outputs: { region: "home" }, provider: { maxRetries: 1 } },
    { region: "east" },
    ["default/east", "default/web"],
  ],
])("a stack's job %s", async (_, held, settings, ids) => {
  expect(await found(held, settings)).toEqual(ids);
});
