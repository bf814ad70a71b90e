import type { Values } from "../../../provider/core/language/object";
import directoryConfig from "../../../provider/services/secrets/directoryConfig";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { Resource } from "../../steps/resource";
import { read, secretsWorld, write } from "../../steps/subjects/secretsScene";

const program: Values = { binddn: "cn=admin,dc=example", bindpass: "hush" };

/** The configuration of this product's LDAP engine. */
async function onServer(directoryProduct: "vault" | "openbao") {
  const world = await secretsWorld(directoryConfig, {}, "real");
  if (world.stub instanceof SecretsService) world.stub.configure({ directoryProduct });
  const resource = new Resource(world, directoryConfig);
  return { world, resource, held: async () => (await read(world, "ldap/config")).credential_type };
}

describe("credentialType of an LDAP engine", () => {
  test("survives an update of another property, although Vault resets it when a write omits it", async () => {
    const { world, resource, held } = await onServer("vault");
    await resource.create(program);
    await write(world, "ldap/config", { credential_type: "phrase" });
    await write(world, "ldap/config", { userdn: "ou=people" });
    expect(await held()).toBe("password");
    await write(world, "ldap/config", { credential_type: "phrase" });
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
    await resource.up({ ...program, url: "ldaps://one.example" });
    expect(await held()).toBe("phrase");
  });

  test("is written, shows drift, and returns to its default when it is removed", async () => {
    const { world, resource, held } = await onServer("vault");
    const phrase = { ...program, credentialType: "phrase" };
    await resource.create(phrase);
    expect(await held()).toBe("phrase");
    await write(world, "ldap/config", { userdn: "" });
    await resource.refresh();
    expect(resource.preview(phrase).changes).toMatchObject([{ path: ["credentialType"], cause: "drift" }]);
    await resource.up(phrase);
    expect(await held()).toBe("phrase");
    await resource.up(program);
    expect(await held()).toBe("password");
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("is not sent to OpenBao, which does not know it, unless the program writes it", async () => {
    const { world, resource, held } = await onServer("openbao");
    await resource.create(program);
    await resource.up({ ...program, url: "ldaps://one.example" });
    const bodies = world.requests.filter(({ nature }) => nature === "write").map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    for (const body of bodies) expect(body).not.toHaveProperty("credential_type");
    expect(await held()).toBeUndefined();
  });

  test("causes a warning on OpenBao, which ignores it", async () => {
    const { world, resource } = await onServer("openbao");
    await resource.create({ ...program, credentialType: "phrase" });
    expect(world.logged).toEqual([
      expect.stringMatching(/^warning: .*credentialType +"phrase" +"phrase" +\(none\)/s),
    ]);
  });
});
