import queueConnection from "../../../provider/services/secrets/queueConnection";
import queueRole from "../../../provider/services/secrets/queueRole";
import { scene } from "./scene";

const program = { name: "app", tags: "monitoring" };
const WAY_OUT = /no handler for route.*No engine is mounted there.*`mount`.*pulumi state delete/s;

describe("an engine that is no longer mounted", () => {
  async function unmounted() {
    const { resource, take, world } = await scene(queueRole);
    await resource.create(program);
    await take("sys/mounts/msgq");
    return { resource, world };
  }

  test("is no proof that an object is gone: a refresh fails, keeps the state, and names the ways out", async () => {
    const { resource } = await unmounted();
    const { outputs } = resource;
    await expect(resource.refresh()).rejects.toThrow(WAY_OUT);
    expect(resource.outputs).toBe(outputs);
  });

  test("is told by an update and by a delete, with the ways out", async () => {
    const { resource } = await unmounted();
    await expect(resource.up({ ...program, tags: "management" })).rejects.toThrow(WAY_OUT);
    await expect(resource.delete()).rejects.toThrow(WAY_OUT);
  });

  test("is told by what is only written, too", async () => {
    const { resource, take } = await scene(queueConnection);
    await take("sys/mounts/msgq");
    const connection = { connectionUri: "http://broker:15672", username: "admin", password: "hush" };
    await expect(resource.create(connection)).rejects.toThrow(WAY_OUT);
  });
});
