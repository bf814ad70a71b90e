import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { fromEngine, toEngine } from "../../../../provider/core/bridge/engineValues";
import { parseProperties, structOf } from "../../../../provider/core/bridge/plugin/values";
import { formatJson, parseJson } from "../../../../provider/core/value/json";
import job from "../../../../provider/services/scheduler/job";
import queueRole from "../../../../provider/services/secrets/queueRole";
import { SchedulerService } from "../../../../testing/stub/services/scheduler/service";
import { SecretsService } from "../../../../testing/stub/services/secrets/service";
import { World } from "../../../steps/world";
import { rawBridges } from "../rawBridges";
import type { Bag } from "./calls";

/** A bag with own members of these names. */
const bagOf = (...names: string[]) =>
  parseJson(`{"map": {${names.map((name) => `${JSON.stringify(name)}: "x"`).join()}}}`) as Bag;

const namesIn = (bag: Bag) => Object.getOwnPropertyNames(bag.map);

/** The values that arrive at the other end of a connection. */
const transfer = (bag: Bag) => parseProperties(Struct.deserializeBinary(structOf(bag).serializeBinary()));

test("the codec keeps the keys constructor and toString", () => {
  const bag = bagOf("constructor", "toString");
  expect(namesIn(transfer(toEngine(bag)).values)).toEqual(["constructor", "toString"]);
});

test("Quarterdeck keeps the key __proto__ in its values, and google-protobuf drops it in both directions", () => {
  const bag = bagOf("__proto__", "own");
  expect(namesIn(fromEngine(toEngine(bag)))).toEqual(["__proto__", "own"]);
  expect(structOf(bag).getFieldsMap().get("map")?.getStructValue()?.getFieldsMap().toArray()).toHaveLength(1);
  expect(namesIn(transfer(bag).values)).toEqual(["own"]);
  // Field 1 of a struct is its map: one entry with the key, and a null.
  const entry = Buffer.from([0x0a, 0x0f, 0x0a, 0x09, ...Buffer.from("__proto__"), 0x12, 0x02, 0x08, 0x00]);
  expect(Object.getOwnPropertyNames(Struct.deserializeBinary(entry).toJavaScript())).toEqual([]);
});

const read = { label: { definition: "test", step: "read" }, method: "GET", nature: "read" } as const;

describe.each(["dynamic", "plugin"] as const)("a job on the %s bridge", (kind) => {
  test("can be refreshed and shows a change after someone else adds a key __proto__", async () => {
    const stub = new SchedulerService({
      switches: { dialect: "neutral" },
      seed: { tokens: { manager: { management: true } } },
    });
    const world = new World(stub, job, { token: "manager", dialect: "neutral" });
    const bridge = new rawBridges[kind](job, world);
    const groups = [{ name: "front", tasks: [{ name: "main", driver: "docker" }] }];
    const program = { spec: { id: "web", taskGroups: groups, meta: { b: "x" } } };
    const stored = await bridge.create(program);
    const { json } = await world.connection.send({ ...read, path: "/job/web" });
    const body = { Job: { ...Object(json), Meta: Object(bagOf("__proto__", "b")).map } };
    const answer = await world.connection.send({ ...read, method: "POST", path: "/jobs", body });
    expect(answer).toMatchObject({ status: 200 });
    const { id, state } = await bridge.refresh(stored);
    // The engine's state lacks the key, because the engine's messages do.
    const after = {
      id,
      state: { inputs: afterRoundTrip(state.inputs), outputs: afterRoundTrip(state.outputs) },
    };
    await bridge.refresh(after);
    expect((await bridge.diff(after, program)).isChange).toBe(true);
  });
});

const switches = { dialect: "neutral" } as const;
const texts = [
  [
    "vhosts",
    queueRole,
    () => new SecretsService({ switches, seed: { tokens: { manager: {} } } }),
    '{"__proto__": {"read": ".*"}}',
  ],
  [
    "json",
    job,
    () => new SchedulerService({ switches, seed: { tokens: { manager: { management: true } } } }),
    '{"ID": "web", "Meta": {"__proto__": "x"}, "TaskGroups": [{"Name": "front", "Tasks": [{"Name": "main", "Driver": "docker"}]}]}',
  ],
] as const;

describe.each(["dynamic", "plugin"] as const)("JSON text on the %s bridge", (kind) => {
  test.each(texts)("keeps the key __proto__ in %s", async (property, definition, newStub, text) => {
    const world = new World(newStub(), definition, { token: "manager", dialect: "neutral" });
    const bridge = new rawBridges[kind](definition, world);
    const program = { ...(definition === queueRole && { name: "web" }), [property]: text };
    const stored = await bridge.create(program);
    expect(world.requests.map(({ body }) => formatJson(body ?? null)).join()).toContain("__proto__");
    const after = await bridge.refresh(stored);
    expect(after.state.outputs[property]).toBe(text);
    expect((await bridge.diff(after, program)).isChange).toBe(false);
  });
});

/** A bag with its marks after a round trip through google-protobuf. */
const afterRoundTrip = (bag: Bag) =>
  Struct.deserializeBinary(structOf(bag).serializeBinary()).toJavaScript() as Bag;
