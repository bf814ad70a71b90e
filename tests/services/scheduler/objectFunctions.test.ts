import { callFunction } from "../../../provider/core/functions/call";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { Values } from "../../../provider/core/language/object";
import functions from "../../../provider/services/scheduler/functions";
import namespace from "../../../provider/services/scheduler/namespace";
import { scene } from "./scene";

async function functionScene(seed: object = {}) {
  const made = await scene(namespace, {}, { regions: ["west"], ...seed });
  const caller = { connection: made.world.connection, log: () => undefined };
  return {
    ...made,
    call: async (definition: FunctionDefinition, args: Values = {}) => callFunction(definition, args, caller),
  };
}

describe("functions that read Nomad's objects", () => {
  test("list namespaces with the names of their properties, by prefix", async () => {
    const { call, theirs } = await functionScene();
    await theirs("/v1/namespace/shop", {
      Name: "shop",
      Meta: { Owner: "ops" },
      Capabilities: { EnabledTaskDrivers: ["docker"] },
    });
    const { result, isSecret } = await call(functions.getNamespaces, { prefix: "sh" });
    expect(result.namespaces).toMatchObject([
      { name: "shop", meta: { Owner: "ops" }, capabilities: { enabledTaskDrivers: ["docker"] } },
    ]);
    expect(isSecret).toBe(false);
    expect((await call(functions.getNamespaces)).result.namespaces).toHaveLength(2);
  });

  test("list node pools, including the built-in ones", async () => {
    const { call } = await functionScene({ nodePools: ["gpu"] });
    const { result } = await call(functions.getNodePools);
    expect(result.nodePools).toMatchObject([{ name: "all" }, { name: "default" }, { name: "gpu" }]);
  });

  test("read a variable, and its items are secret", async () => {
    const { call, theirs } = await functionScene();
    await theirs("/v1/var/nomad/jobs/web", { Items: { password: "hush-1111" } });
    const { result, isSecret } = await call(functions.getVariable, { path: "nomad/jobs/web" });
    expect(result).toMatchObject({
      id: "default/nomad%2Fjobs%2Fweb",
      items: { password: "hush-1111" },
      modifyIndex: expect.stringMatching(/^\d+$/),
    });
    expect(isSecret).toBe(true);
    await expect(call(functions.getVariable, { path: "none" })).rejects.toThrow(/variable not found/);
  });

  test("list the regions", async () => {
    const { call } = await functionScene();
    expect((await call(functions.getRegions)).result).toEqual({ regions: ["global", "west"] });
  });

  test("list the client nodes, by prefix", async () => {
    const { call } = await functionScene();
    const { result } = await call(functions.getNodes);
    expect(result.nodes).toHaveLength(3);
    const prefix = "00000000-0000-0000-0000-000000000002";
    expect((await call(functions.getNodes, { prefix })).result.nodes).toMatchObject([
      { id: prefix, name: "node-2", nodePool: "default", status: "ready", createIndex: "1", drain: false },
    ]);
  });
});
