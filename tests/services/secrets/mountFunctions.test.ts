import { callFunction } from "../../../provider/core/functions/call";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { Values } from "../../../provider/core/language/object";
import authMethod from "../../../provider/services/secrets/authMethod";
import functions from "../../../provider/services/secrets/functions";
import mount from "../../../provider/services/secrets/mount";
import { scene } from "./scene";

const TABLES = [
  {
    definition: mount,
    noun: "secrets engine",
    type: "rabbitmq",
    own: "identity",
    one: functions.getMount,
    all: functions.getMounts,
    property: "mounts",
  },
  {
    definition: authMethod,
    noun: "auth method",
    type: "userpass",
    own: "token",
    one: functions.getAuthMethod,
    all: functions.getAuthMethods,
    property: "authMethods",
  },
] as const;

describe.each(TABLES)("functions that look up a $noun", ({ definition, type, own, one, all, property }) => {
  const args = { path: "teams/web", type, description: "web", defaultLeaseTtl: "1h" };

  async function created() {
    const { resource, world } = await scene(definition);
    await resource.create(args);
    const { connection } = world;
    const call = async (of: FunctionDefinition, asked: Values) => {
      world.requests.length = 0;
      const { result } = await callFunction(of, asked, { connection, log: () => {} });
      return result;
    };
    return { resource, world, call };
  }

  test("by its path return its accessor, type and settings with one request", async () => {
    const { resource, world, call } = await created();
    expect(await call(one, { path: "teams/web" })).toMatchObject({
      id: resource.id,
      accessor: resource.id,
      path: "teams/web",
      type,
      description: "web",
      defaultLeaseTtl: 3600,
    });
    expect(world.requests).toHaveLength(1);
  });

  test("return the ones that the server enables itself, too", async () => {
    const { call } = await created();
    expect(await call(one, { path: own })).toMatchObject({ path: own, type: own });
    expect(await call(all, {})).toMatchObject({
      [property]: expect.arrayContaining([
        expect.objectContaining({ path: own, type: own }),
        expect.objectContaining({ path: "teams/web", type, accessor: expect.any(String) }),
      ]),
    });
  });

  test("fail if the path has none", async () => {
    const { call } = await created();
    await expect(call(one, { path: "teams/shop" })).rejects.toThrow("teams/shop");
  });
});
