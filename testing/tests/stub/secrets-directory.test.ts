import { answers } from "./in-process";
import { NOT_FOUND, Scene, scene } from "./secrets-scene";

const CONFIG = { binddn: "cn=admin", bindpass: "bind-password" };
const CREATION = "dn: cn={{.Username}},ou=people\nobjectClass: person\nuserPassword: {{.Password}}\n";
const DELETION = "dn: cn={{.Username}},ou=people\nchangetype: delete\n";

async function sceneWithConfig(): Promise<Scene> {
  const scene = new Scene();
  await scene.write("ldap/config", CONFIG);
  return scene;
}

describe("A6. LDAP config", () => {
  const read = async (scene: Scene) => (await scene.read("ldap/config")).body.data;

  test("a read returns the specified defaults, and never bindpass, client_tls_cert or client_tls_key", async () => {
    const secrets = { client_tls_cert: "client-certificate", client_tls_key: "client-key" };
    await answers(scene.write("ldap/config", { ...CONFIG, ...secrets }), 204);
    const data = await read(scene);
    expect(data).toMatchObject({
      binddn: "cn=admin",
      url: "ldap://127.0.0.1",
      schema: "openldap",
      userattr: "cn",
      connection_timeout: 30,
      request_timeout: 90,
      starttls: false,
      insecure_tls: false,
      length: 64,
      certificate: "",
      case_sensitive_names: false,
      tls_min_version: "tls12",
      tls_max_version: "tls12",
    });
    expect(JSON.stringify(data)).not.toMatch(/bind-password|client-certificate|client-key/);
  });

  test("a write leaves omitted fields unchanged, but resets an omitted length, and lower-cases url", async () => {
    await scene.write("ldap/config", {
      ...CONFIG,
      url: "LDAPS://Directory.Example.com",
      length: 20,
      userdn: "ou=p",
    });
    expect(await read(scene)).toMatchObject({ url: "ldaps://directory.example.com", length: 20 });
    await scene.write("ldap/config", { starttls: true, request_timeout: "2m" });
    expect(await read(scene)).toMatchObject({
      url: "ldaps://directory.example.com",
      userdn: "ou=p",
      starttls: true,
      request_timeout: 120,
      length: 64,
    });
  });

  test("a read returns the real product's additional fields with their defaults", async () => {
    expect(await read(await sceneWithConfig())).toMatchObject({
      anonymous_group_search: false,
      deny_null_bind: true,
      dereference_aliases: "never",
      discoverdn: false,
      groupattr: "cn",
      max_page_size: 0,
      use_token_groups: false,
      username_as_alias: false,
    });
  });

  test.each([
    ["ad", "userPrincipalName"],
    ["racf", "racfid"],
  ])("the default userattr of schema %s is %s", async (schema, userattr) => {
    await scene.write("ldap/config", { ...CONFIG, schema });
    expect((await read(scene)).userattr).toBe(userattr);
  });

  test.each([
    ["both length and password_policy", { ...CONFIG, length: 20, password_policy: "p" }],
    ["a missing binddn", { bindpass: "x" }],
    ["a missing bindpass", { binddn: "x" }],
    ["an unknown schema", { ...CONFIG, schema: "novell" }],
  ])("%s returns 500", async (_what, body) => {
    await answers(scene.write("ldap/config", body), 500);
    expect(await scene.read("ldap/config")).toMatchObject(NOT_FOUND);
  });

  test("a delete returns 204; without a config, rotate-root and creating a static role return 500", async () => {
    const scene = await sceneWithConfig();
    await answers(scene.write("ldap/rotate-root", {}), 204);
    await answers(scene.send("DELETE", "ldap/config"), 204);
    await answers(scene.write("ldap/rotate-root", {}), 500);
    const role = { username: "svc", rotation_period: "1h" };
    await answers(scene.write("ldap/static-role/db", role), 500);
  });

  test("accepts an unknown password_policy, but generating a password with it returns 500", async () => {
    await answers(scene.write("ldap/config", { ...CONFIG, password_policy: "digits" }), 204);
    const role = { username: "svc", rotation_period: "1h" };
    await answers(scene.write("ldap/static-role/db", role), 500);
    scene.service.seed({ passwordPolicies: { digits: { length: 8, alphabet: "0123456789" } } });
    await scene.write("ldap/static-role/db", role);
    expect((await scene.read("ldap/static-cred/db")).body.data.password).toMatch(/^\d{8}$/);
  });
});

describe("A6. LDAP static roles", () => {
  const ROLE = { username: "svc", dn: "cn=svc,ou=people", rotation_period: "1h" };
  const credentials = async (scene: Scene) => (await scene.read("ldap/static-cred/db")).body.data;

  test("creating a role rotates the password immediately", async () => {
    const scene = await sceneWithConfig();
    await answers(scene.write("ldap/static-role/db", ROLE), 204);
    expect((await scene.read("ldap/static-role/db")).body.data).toEqual({
      username: "svc",
      dn: "cn=svc,ou=people",
      rotation_period: 3600,
      last_vault_rotation: "2030-01-01T00:00:00.000Z",
    });
    expect(await credentials(scene)).toMatchObject({
      username: "svc",
      dn: "cn=svc,ou=people",
      rotation_period: 3600,
      ttl: 3600,
      last_password: "",
      password: expect.stringMatching(/^\w{64}$/),
    });
  });

  test("the password rotates after each rotation_period and on rotate-role", async () => {
    const scene = await sceneWithConfig();
    await scene.write("ldap/static-role/db", ROLE);
    const first = await credentials(scene);
    scene.pass(600);
    expect(await credentials(scene)).toMatchObject({ password: first.password, ttl: 3000 });
    scene.pass(3000);
    const second = await credentials(scene);
    expect(second).toMatchObject({ last_password: first.password, ttl: 3600 });
    expect(second.password).not.toBe(first.password);
    scene.pass(60);
    await answers(scene.write("ldap/rotate-role/db", {}), 204);
    expect(await credentials(scene)).toMatchObject({
      last_password: second.password,
      last_vault_rotation: "2030-01-01T01:01:00.000Z",
    });
  });

  test("an update leaves omitted fields unchanged", async () => {
    const scene = await sceneWithConfig();
    await scene.write("ldap/static-role/db", ROLE);
    await answers(scene.write("ldap/static-role/db", { rotation_period: 7200 }), 204);
    expect((await scene.read("ldap/static-role/db")).body.data).toMatchObject({
      username: "svc",
      rotation_period: 7200,
    });
  });

  test.each([{ username: "other" }, { dn: "cn=other" }, { rotation_period: 4 }])(
    "an update to %j returns 400",
    async (body) => {
      const scene = await sceneWithConfig();
      await scene.write("ldap/static-role/db", ROLE);
      await answers(scene.write("ldap/static-role/db", body), 400);
    },
  );

  test.each([{ rotation_period: 60 }, { username: "svc" }, { username: "svc", rotation_period: "4s" }])(
    "creating a role with %j returns 400",
    async (body) => {
      await answers((await sceneWithConfig()).write("ldap/static-role/db", body), 400);
    },
  );

  test("creating a role for an account that is not in the directory returns 500", async () => {
    const scene = await sceneWithConfig();
    scene.service.seed({ directoryAccounts: ["other"] });
    await answers(scene.write("ldap/static-role/db", ROLE), 500);
  });

  test("static-cred and rotate-role return 400 for an unknown role", async () => {
    const scene = await sceneWithConfig();
    await answers(scene.read("ldap/static-cred/none"), 400);
    await answers(scene.write("ldap/rotate-role/none", {}), 400);
  });

  test("a role is listed; a second delete returns 204, or 500 if absentStaticRoleDelete is 500", async () => {
    const scene = await sceneWithConfig();
    await scene.write("ldap/static-role/db", ROLE);
    expect((await scene.read("ldap/static-role?list=true")).body.data).toEqual({ keys: ["db"] });
    await answers(scene.send("DELETE", "ldap/static-role/db"), 204);
    expect(await scene.read("ldap/static-role/db")).toMatchObject(NOT_FOUND);
    await answers(scene.send("DELETE", "ldap/static-role/db"), 204);
    scene.service.configure({ absentStaticRoleDelete: 500 });
    await answers(scene.send("DELETE", "ldap/static-role/db"), 500);
  });
});

describe("A6. LDAP dynamic roles", () => {
  const ROLE = { creation_ldif: CREATION, deletion_ldif: DELETION };

  test("a read returns base64 LDIF decoded, and durations as integer seconds", async () => {
    const creation_ldif = Buffer.from(CREATION).toString("base64");
    const written = await scene.write("ldap/role/app", {
      ...ROLE,
      creation_ldif,
      default_ttl: "1h",
      max_ttl: 86400,
    });
    expect(written.status).toBe(204);
    expect(await scene.read("ldap/role/app")).toMatchObject({
      status: 200,
      body: {
        data: {
          creation_ldif: CREATION,
          deletion_ldif: DELETION,
          rollback_ldif: "",
          username_template: "",
          default_ttl: 3600,
          max_ttl: 86400,
        },
      },
    });
  });

  test("an update changes only the given fields, and an empty string clears a field", async () => {
    await scene.write("ldap/role/app", { ...ROLE, rollback_ldif: DELETION, default_ttl: 60 });
    await scene.write("ldap/role/app", { rollback_ldif: "", max_ttl: "2m" });
    expect((await scene.read("ldap/role/app")).body.data).toMatchObject({
      creation_ldif: CREATION,
      rollback_ldif: "",
      default_ttl: 60,
      max_ttl: 120,
    });
  });

  test.each([
    ["a missing creation_ldif", { deletion_ldif: DELETION }, 400],
    ["a missing deletion_ldif", { creation_ldif: CREATION }, 400],
    ["LDIF without a dn", { ...ROLE, creation_ldif: "cn: x" }, 500],
    ["LDIF with an invalid line", { ...ROLE, rollback_ldif: "dn: cn=x\nnothing" }, 500],
    ["an unknown template field in LDIF", { ...ROLE, deletion_ldif: "dn: {{.Nothing}}" }, 400],
    ["an invalid username_template", { ...ROLE, username_template: "{{ random }}" }, 400],
    ["utf16le in username_template", { ...ROLE, username_template: "{{ .RoleName | utf16le }}" }, 400],
    ["a max_ttl above the maximum of the mount", { ...ROLE, max_ttl: "800h" }, 400],
  ])("rejects %s", async (_what, body, status) => {
    await answers(scene.write("ldap/role/app", body), status);
  });

  test("rejects an update that empties deletion_ldif", async () => {
    await scene.write("ldap/role/app", ROLE);
    await answers(scene.write("ldap/role/app", { deletion_ldif: "" }), 400);
  });

  test("creds returns a username, a password, distinguished names and a lease; 400 for an unknown role", async () => {
    const scene = await sceneWithConfig();
    await scene.write("ldap/role/app", { ...ROLE, default_ttl: 60 });
    const { body } = await scene.read("ldap/creds/app");
    expect(body).toMatchObject({
      lease_id: expect.stringMatching(/^ldap\/creds\/app\//),
      lease_duration: 60,
      renewable: true,
    });
    expect(body.data.username).toMatch(/^v_token_app_\w{10}_1893456000$/);
    expect(body.data.distinguished_names).toEqual([`cn=${body.data.username},ou=people`]);
    expect(body.data.password).toHaveLength(64);
    await answers(scene.read("ldap/creds/none"), 400);
  });

  test("LDIF templates can use the role name and the issue and expiration times", async () => {
    const scene = await sceneWithConfig();
    const dn = "{{.RoleName}},{{.IssueTimeSeconds}},{{.ExpirationTimeSeconds}},{{.ExpirationTime}}";
    await scene.write("ldap/role/app", { ...ROLE, creation_ldif: `dn: cn=${dn}\ncn: app`, default_ttl: 60 });
    expect((await scene.read("ldap/creds/app")).body.data.distinguished_names).toEqual([
      "cn=app,1893456000,1893456060,2030-01-01T00:01:00.000Z",
    ]);
  });

  test("a role is listed; a delete returns 204, then a read 404", async () => {
    await scene.write("ldap/role/app", ROLE);
    expect((await scene.send("LIST", "ldap/role")).body.data.keys).toEqual(["app"]);
    await answers(scene.send("DELETE", "ldap/role/app"), 204);
    expect(await scene.read("ldap/role/app")).toMatchObject(NOT_FOUND);
  });
});

describe("A6. TLS versions and rotations of the configuration", () => {
  const config = { binddn: "cn=admin", bindpass: "hush" };
  const write = (body: object, directoryProduct: "vault" | "openbao" = "vault") =>
    new Scene({ dialect: "real", directoryProduct }).send(
      "POST",
      "ldap/config",
      { ...config, ...body },
      {
        headers: { "x-vault-token": "root" },
      },
    );

  test("rejects an unknown TLS version, and a maximum below the minimum", async () => {
    await answers(write({ tls_min_version: "tls14" }), 500);
    await answers(write({ tls_min_version: "tls13" }), 500);
    await answers(write({ tls_min_version: "tls13", tls_max_version: "tls13" }), 204);
  });

  test("only Vault checks a rotation, which OpenBao ignores", async () => {
    await answers(write({ rotation_window: 60 }), 400);
    await answers(write({ rotation_window: 60 }, "openbao"), 204);
    await answers(write({ rotation_window: 60, rotation_schedule: "0 2 * * *" }), 204);
  });
});
