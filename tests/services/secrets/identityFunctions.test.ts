import { callFunction } from "../../../provider/core/functions/call";
import type { Values } from "../../../provider/core/language/object";
import entity from "../../../provider/services/secrets/entity";
import functions from "../../../provider/services/secrets/functions";
import group from "../../../provider/services/secrets/group";
import { scene } from "./scene";

const KINDS = [
  { noun: "entity", definition: entity, of: functions.getEntity, part: "entityId" },
  { noun: "group", definition: group, of: functions.getGroup, part: "groupId" },
] as const;

describe.each(KINDS)("the function that looks up an $noun by its name", ({ definition, of, part }) => {
  const program = { name: "Ops/eu west", policies: ["ops"], metadata: { team: "web" } };

  async function created() {
    const { resource, world } = await scene(definition);
    await resource.create(program);
    world.requests.length = 0;
    const { connection } = world;
    const call = async (asked: Values) =>
      (await callFunction(of, asked, { connection, log: () => {} })).result;
    return { resource, world, call };
  }

  test("returns its ID and its settings with one request, and ignores the case of the name", async () => {
    const { resource, world, call } = await created();
    expect(await call({ name: "ops/EU west" })).toMatchObject({
      id: resource.id,
      [part]: resource.outputs[part],
      name: "Ops/eu west",
      policies: ["ops"],
      metadata: { team: "web" },
    });
    expect(world.requests).toHaveLength(1);
  });

  test("fails if no object has the name, or if it is in another namespace", async () => {
    const { call, world } = await created();
    await expect(call({ name: "others" })).rejects.toThrow("others");
    world.stub.seed({ namespaces: { team: {} } });
    await expect(call({ name: "Ops/eu west", namespace: "team" })).rejects.toThrow("does not exist");
  });
});
