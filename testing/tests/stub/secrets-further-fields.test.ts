import type { FurtherFields } from "../../stub/services/secrets/further-field";
import { answers } from "./in-process";
import { Scene } from "./secrets-scene";

const LATER: FurtherFields = {
  tone: { kind: "writable", initially: "low" },
  pitch: { kind: "reset when omitted", initially: 0 },
  made: { kind: "read-only", initially: "today" },
  shape: { kind: "refused", initially: "round" },
};

describe("Fields beyond the specification", () => {
  const scene = () => {
    const service = new Scene();
    service.service.configure({ laterFields: LATER });
    const held = async (path: string) => (await service.read(path)).body.data;
    return { service, held };
  };

  test("are kept, reset, ignored or refused in a write, by their kind", async () => {
    const { service, held } = scene();
    const config = { binddn: "cn=admin", bindpass: "hush" };
    await service.write("ldap/config", { ...config, tone: "high", pitch: 3, made: "now" });
    expect(await held("ldap/config")).toMatchObject({
      tone: "high",
      pitch: 3,
      made: "today",
      shape: "round",
    });
    await service.write("ldap/config", { userdn: "ou=people" });
    expect(await held("ldap/config")).toMatchObject({ tone: "high", pitch: 0 });
    await answers(service.write("ldap/config", { tone: "low", shape: "flat" }), 400, {
      errors: ["shape cannot be set"],
    });
    expect(await held("ldap/config")).toMatchObject({ tone: "high" });
  });

  test("are reset by a write that replaces the object, and deleted with the object", async () => {
    const { service, held } = scene();
    await service.write("msgq/roles/app", { tags: "a", tone: "high" });
    expect(await held("msgq/roles/app")).toMatchObject({ tone: "high" });
    await service.write("msgq/roles/app", { tags: "b" });
    expect(await held("msgq/roles/app")).toMatchObject({ tone: "low" });
    await service.write("cloud/roles/app", { credential_type: "iam_user", policy_arns: "a", tone: "high" });
    await service.send("DELETE", "cloud/roles/app");
    await service.write("cloud/roles/app", { credential_type: "iam_user", policy_arns: "a" });
    expect(await held("cloud/roles/app")).toMatchObject({ tone: "low" });
  });

  test("are unknown to nobody but a read-only one, of which an answer with a body warns", async () => {
    const { service } = scene();
    const { body } = await service.write("cloud/static-roles/app", {
      username: "svc",
      rotation_period: 60,
      tone: "high",
      made: "now",
    });
    expect(body).toMatchObject({
      data: { tone: "high", made: "today" },
      warnings: ["Endpoint ignored these unrecognized parameters: [made]"],
    });
  });
});

describe("An Okta method of the legacy form", () => {
  test("shows production where it has no base URL; a write without either makes it okta.com", async () => {
    const service = new Scene({ dialect: "real" });
    const asRoot = { headers: { "x-vault-token": "root" } };
    const path = "identity/mfa/method/okta";
    const write = (at: string, body: object) => service.send("POST", at, body, asRoot);
    const method = { org_name: "acme", api_token: "t" };
    const { body } = await write(path, { ...method, production: false });
    const own = `${path}/${body.data.method_id}`;
    const held = async () => (await service.send("GET", own, undefined, asRoot)).body.data;
    expect(await held()).toMatchObject({ production: false });
    expect(await held()).not.toHaveProperty("base_url");
    await write(own, method);
    expect(await held()).toMatchObject({ base_url: "okta.com" });
    expect(await held()).not.toHaveProperty("production");
  });
});
