import { SecretMap } from "../../../provider/core/state/secretMap";
import queueConnection from "../../../provider/services/secrets/queueConnection";
import { deeds } from "../../steps/deeds";
import { Resource } from "../../steps/resource";

async function connection() {
  const [, deed] = deeds.find(([token]) => token === "secrets:QueueConnection") ?? [];
  if (deed === undefined) throw new Error("no such deed");
  const { world, program } = await deed.scene();
  return { world, program, resource: new Resource(world, queueConnection) };
}

describe("a queue connection", () => {
  test.each(["connectionUri", "username", "password"])("needs %s", async (name) => {
    const { program, resource } = await connection();
    const { [name]: _, ...rest } = program;
    expect(resource.check(rest).map(({ path }) => path)).toEqual([name]);
  });

  test("sends its three required values together, whatever changed", async () => {
    const { world, program, resource } = await connection();
    await resource.create({ ...program, verifyConnection: false });
    await resource.up({ ...program, passwordPolicy: "long" });
    expect(world.requests.map(({ body }) => body)).toEqual([
      {
        connection_uri: "http://broker:15672",
        username: "admin",
        password: "hush",
        verify_connection: false,
      },
      { connection_uri: "http://broker:15672", username: "admin", password: "hush", password_policy: "long" },
    ]);
  });

  test("that the service cannot verify is an error, and nothing of it is kept", async () => {
    const { world, program, resource } = await connection();
    world.stub.configure({ broker: "down" });
    await expect(resource.create(program)).rejects.toThrow("failed to validate the connection");
    expect(resource.id).toBe("");
    await resource.create({ ...program, verifyConnection: false });
    expect(resource.id).toBe("msgq");
  });

  test("keeps its URI and its password encrypted, and out of every message", async () => {
    const { program } = await connection();
    for (const name of ["connectionUri", "password"]) {
      expect(new SecretMap(queueConnection, program).holdsSecret([name], program[name])).toBe(true);
      // A URI without credentials is kept encrypted, and its host may stand in a message.
      if (name === "password")
        expect(new SecretMap(queueConnection, program).collect()).toContain(program[name]);
    }
  });
});
