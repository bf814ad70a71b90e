import type { Values } from "../../../provider/core/language/object";
import { SecretMap } from "../../../provider/core/state/secretMap";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { UNKNOWN, type Value } from "../../../provider/core/value/unknown";
import directoryConfig from "../../../provider/services/secrets/directoryConfig";
import directoryRole from "../../../provider/services/secrets/directoryRole";
import librarySet from "../../../provider/services/secrets/librarySet";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { Resource } from "../../steps/resource";
import { read, secretsWorld, write } from "../../steps/subjects/secretsScene";
import { expectCreate, expectNoChanges, notesOfCreate } from "../expectations";
import { DIRECTORY, scene } from "./scene";

/** What an update sends back as it was read, because a server resets it if it is omitted. */
const RESENT = { length: 64, password_policy: "", schema: "openldap" };

describe("the configuration of the directory engine (A6, config)", () => {
  const config = { binddn: "cn=admin,dc=example", bindpass: "hush" };

  test("refuses length with passwordPolicy, before the service does", async () => {
    const { problems } = await scene(directoryConfig);
    expect(problems({ ...config, length: 20, passwordPolicy: "strict" })).toEqual([
      "length: given 20: cannot be given together with passwordPolicy: the service rejects both; length is deprecated",
    ]);
  });

  test("takes a URL in any case, one or several, for the same", async () => {
    const { resource, held } = await scene(directoryConfig);
    await resource.create({ ...config, url: "LDAPS://One.Example, ldap://two" });
    expect(await held("ldap/config")).toMatchObject({ url: "ldaps://one.example, ldap://two" });
    for (const url of ["ldaps://one.example,ldap://two", ["LDAPS://ONE.example", "ldap://two"]]) {
      expect(resource.preview({ ...config, url }).changes).toEqual([]);
    }
    expect(resource.preview({ ...config, url: "ldap://two,ldaps://one.example" }).changes).toHaveLength(1);
  });

  test("sends the password only when the program changed it, so that a rotated one survives", async () => {
    const { resource, written, theirs } = await scene(directoryConfig);
    await resource.create(config);
    await theirs("ldap/rotate-root", {});
    await resource.refresh();
    expect(resource.preview(config).changes).toEqual([]);
    await resource.up({ ...config, userdn: "ou=people" });
    await resource.up({ ...config, bindpass: "hush hush", userdn: "ou=people" });
    expect(written()).toEqual([
      { binddn: "cn=admin,dc=example", bindpass: "hush" },
      { userdn: "ou=people", ...RESENT },
      { bindpass: "hush hush", ...RESENT },
    ]);
  });

  test("keeps a length that others set, which the service would reset, and never beside a policy", async () => {
    const { resource, theirs, held, written } = await scene(directoryConfig);
    await resource.create(config);
    await theirs("ldap/config", { length: 20 });
    await resource.up({ ...config, starttls: true });
    expect(await held("ldap/config")).toMatchObject({ length: 20, starttls: true });
    await resource.up({ ...config, starttls: true, passwordPolicy: "strict" });
    expect(written().at(-1)).toEqual({ password_policy: "strict", schema: "openldap" });
  });

  test("moves from length to passwordPolicy and back, and is quiet after each", async () => {
    const { resource, written } = await scene(directoryConfig);
    await resource.create({ ...config, length: 20 });
    await resource.up({ ...config, passwordPolicy: "strict" });
    expect(written().at(-1)).toEqual({ password_policy: "strict", schema: "openldap" });
    expect(resource.preview({ ...config, passwordPolicy: "strict" }).changes).toEqual([]);
    await resource.up({ ...config, length: 20 });
    expect(written().at(-1)).toEqual({ password_policy: "", length: 20, schema: "openldap" });
    expect(resource.preview({ ...config, length: 20 }).changes).toEqual([]);
  });

  test("without a userattr follows the schema, and says that a later schema does not change it", async () => {
    const { resource, held } = await scene(directoryConfig);
    await resource.create({ ...config, schema: "ad" });
    expect(await held("ldap/config")).toMatchObject({ userattr: "userPrincipalName" });
    expect(resource.preview({ ...config, schema: "racf" }).notes).toEqual([
      expect.stringContaining("userattr stays"),
    ]);
    await resource.up({ ...config, schema: "ad", userattr: "cn" });
    await resource.up({ ...config, schema: "ad" });
    expect(await held("ldap/config")).toMatchObject({ userattr: "userPrincipalName" });
    expect(resource.preview({ ...config, schema: "ad" }).changes).toEqual([]);
  });

  test.each([
    ["openldap", "cn"],
    ["ad", "userPrincipalName"],
    ["racf", "racfid"],
  ])(
    "an import with the schema %s leaves out the userattr that the server filled in",
    async (schema, filled) => {
      const { resource, held, theirs } = await scene(directoryConfig);
      await resource.create({ ...config, schema });
      expect(await held("ldap/config")).toMatchObject({ userattr: filled });
      expect(await resource.get(resource.id)).not.toHaveProperty("userattr");
      await theirs("ldap/config", { userattr: "uid" });
      expect(await resource.get(resource.id)).toHaveProperty("userattr", "uid");
    },
  );

  test("a create whose response and probe were lost is resumed, although the server filled in the userattr", async () => {
    const { resource, world } = await scene(directoryConfig);
    world.fate = ({ method }) => (method === "POST" ? "response hangs" : "passes");
    const create = resource.create(config);
    world.afterwards = ({ method }) => {
      if (method === "POST") world.fate = () => "request hangs";
    };
    await expect(create).rejects.toThrow("it could not be looked at");
    world.fate = () => "passes";
    await resource.up(config);
    await expectNoChanges(resource, config);
  });

  test("takes timeouts in any spelling, and drops back to 30 and 90 seconds", async () => {
    const { resource, written } = await scene(directoryConfig);
    await resource.create({ ...config, connectionTimeout: "1m", requestTimeout: 120 });
    expect(resource.preview({ ...config, connectionTimeout: 60, requestTimeout: "2m" }).changes).toEqual([]);
    await resource.up(config);
    expect(written().at(-1)).toEqual({ connection_timeout: 30, request_timeout: 90, ...RESENT });
  });

  test.each([
    ["a mount with a slash at its end", { ...config, mount: "ldap/" }, "mount"],
    ["no binddn", { bindpass: "x" }, "binddn"],
    ["no bindpass", { binddn: "x" }, "bindpass"],
    ["an unknown schema", { ...config, schema: "novell" }, "schema"],
    ["a timeout that is none", { ...config, requestTimeout: "soon" }, "requestTimeout"],
  ])("refuses %s", async (_, program, path) => {
    const { resource } = await scene(directoryConfig);
    expect(resource.check(program as Values).map((problem) => problem.path)).toEqual([path]);
  });

  test.each<Values>([{ clientTlsKey: "key" }, { clientTlsCert: "certificate" }])(
    "takes %j, whose other half others may hold there, and says that the service wants both",
    async (half) => {
      const { problems } = await scene(directoryConfig);
      expect(problems({ ...config, ...half })).toEqual([]);
      const notes = notesOfCreate(directoryConfig, { ...config, ...half });
      expect(notes).toEqual([expect.stringContaining("clientTlsKey and clientTlsCert go together")]);
    },
  );

  test("leaves the length to the service, and says nothing of a certificate with its key", async () => {
    const { problems } = await scene(directoryConfig);
    const program = { ...config, length: 0, clientTlsKey: "key", clientTlsCert: "certificate" };
    expect(problems(program)).toEqual([]);
    expect(notesOfCreate(directoryConfig, program)).toEqual([]);
  });

  test("keeps the password and the client's key encrypted", () => {
    const program = { ...config, clientTlsKey: "key" };
    expect(new SecretMap(directoryConfig, program).holdsSecret(["bindpass"], "hush")).toBe(true);
    expect(new SecretMap(directoryConfig, program).holdsSecret(["clientTlsKey"], "key")).toBe(true);
    expect(new SecretMap(directoryConfig, program).collect()).toEqual(["hush", "key"]);
  });

  test("shows what only the service sets", async () => {
    const { resource } = await scene(directoryConfig);
    await resource.create(config);
    expect(resource.outputs).toMatchObject({ tlsMinVersion: "tls12", tlsMaxVersion: "tls12" });
    expect(notesOfCreate(directoryConfig, { insecureTls: true })).toHaveLength(1);
  });
});

describe("a dynamic role of the directory engine (A6)", () => {
  const creationLdif =
    "dn: cn={{.Username}},dc=example\nobjectClass: person\n2.5.4.4: {{.Username}}\nuserPassword: {{.Password}}\n";
  const deletionLdif = "dn: cn={{.Username}},dc=example\nchangetype: delete\n";
  const role = { roleName: "reader", creationLdif, deletionLdif };
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const PATH = "ldap/role/reader";

  test("takes LDIF and base64 of it for one value", async () => {
    const { resource, held } = await scene(directoryRole, DIRECTORY);
    await resource.create({ ...role, creationLdif: base64(creationLdif) });
    expect(await held(PATH)).toMatchObject({ creation_ldif: creationLdif });
    await expectNoChanges(resource, role);
  });

  test("sends only what changed, and an emptied rollbackLdif goes away", async () => {
    const { resource, written, held } = await scene(directoryRole, DIRECTORY);
    await resource.create({ ...role, rollbackLdif: deletionLdif, defaultTtl: "1h" });
    await resource.up({ ...role, rollbackLdif: "", defaultTtl: "1h" });
    expect(written().at(-1)).toEqual({ rollback_ldif: "" });
    await resource.up(role);
    expect(written().at(-1)).toEqual({ default_ttl: 0 });
    expect(await held(PATH)).toMatchObject({ rollback_ldif: "", default_ttl: 0, max_ttl: 0 });
  });

  test.each<[string, Values]>([
    ["LDIF", { creationLdif: "dn: cn={{.Username\nsn: x\n" }],
    ["base64 of LDIF", { deletionLdif: base64("dn: cn={{.Username\n") }],
    ["a user name", { usernameTemplate: "v_{{ .RoleName" }],
  ])("refuses %s with a brace that is never closed", async (_, change) => {
    const { problems } = await scene(directoryRole);
    const problem = "is a template that the service refuses: a {{ has no }}";
    expect(problems({ ...role, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  test("takes what the service takes: utf16le in LDIF, comments, several entries", async () => {
    const { resource, problems } = await scene(directoryRole, DIRECTORY);
    const program = {
      ...role,
      deletionLdif: `version: 1\n${deletionLdif}`,
      creationLdif: `# an account\n${creationLdif}\ndn: cn=group,dc=example\nchangetype: modify\nadd: member\nmember: cn={{.Username}}\n-\n`,
      rollbackLdif:
        'dn: cn={{.Username}}\nchangetype: modify\nreplace: unicodePwd\nunicodePwd:: {{ printf "%q" .Password | utf16le | base64 }}\n-\n',
    };
    expect(problems(program)).toEqual([]);
    await resource.create(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test.each<Values>([
    { defaultTtl: "2h", maxTtl: "1h" },
    { defaultTtl: "", maxTtl: "" },
    { defaultTtl: "1500ms" },
    { usernameTemplate: '{{ if eq .RoleName "a" }}a{{ else }}{{ .RoleName }}{{ end }}' },
    { usernameTemplate: "{{ with $role := .RoleName }}{{ $role | len | print }}{{ end }}" },
  ])("takes %j, of which no table says that it is refused, and is quiet", async (change) => {
    const { resource, problems } = await scene(directoryRole, DIRECTORY);
    const program = { ...role, ...change };
    expect(problems(program)).toEqual([]);
    await expectCreate(resource, program);
  });

  test.each<[string, Values]>([
    ["LDIF without a dn", { creationLdif: "cn: x\n" }],
    ["base64 of no LDIF", { deletionLdif: base64("nothing") }],
    ["an unknown change", { deletionLdif: "dn: cn=x\nchangetype: drop\n" }],
    ["a field that LDIF has not", { creationLdif: "dn: cn={{.User}}\nsn: x\n" }],
    ["a call that cannot be", { usernameTemplate: "{{ truncate }}" }],
  ])("leaves %s to the service, which refuses it and keeps nothing", async (_, change) => {
    const { resource, problems, held } = await scene(directoryRole, DIRECTORY);
    const program = { ...role, ...change };
    expect(problems(program)).toEqual([]);
    await expect(resource.create(program)).rejects.toThrow(/answered (400|500)/);
    expect(resource.id).toBe("");
    expect(await held(PATH)).toEqual({});
  });

  test("quotes nothing of LDIF that the program marked secret", async () => {
    const { problems } = await scene(directoryRole);
    const marked = { ...role, creationLdif: "dn: cn=x\nuserPassword: hunter2-canary{{" };
    expect(problems(withMetadata(marked, { secretPaths: ["creationLdif"] }))).toEqual([
      "creationLdif: given [secret]: must close each `{{`",
    ]);
  });

  test("warns of fields and functions that are not specified, and of a creation without rollback", () => {
    const change = {
      usernameTemplate: "{{ reverse .RoleName }}",
      creationLdif: base64("dn: cn={{.User}}\nsn: x\n"),
    };
    expect(notesOfCreate(directoryRole, { ...role, ...change })).toEqual([
      "usernameTemplate: the function reverse is none that the specification names here",
      expect.stringContaining("creationLdif: the field .User is none that the specification names here"),
      expect.stringContaining("without rollbackLdif"),
    ]);
  });
});

describe("a library set (A6)", () => {
  const set = { name: "ops", serviceAccountNames: ["svc-1", "svc-2"] };
  const PATH = "ldap/library/ops";

  test("is updated in place, and the order of its accounts means nothing", async () => {
    const { resource, held, written } = await scene(librarySet, DIRECTORY);
    await resource.create(set);
    expect(resource.preview({ ...set, serviceAccountNames: "svc-2, svc-1" }).changes).toEqual([]);
    await resource.up({ ...set, serviceAccountNames: ["svc-1", "svc-3"], ttl: "1h" });
    expect(written().at(-1)).toEqual({ service_account_names: ["svc-1", "svc-3"], ttl: 3600 });
    expect(await held(PATH)).toMatchObject({ service_account_names: ["svc-1", "svc-3"] });
  });

  test("that others changed keeps the program's order when it is refreshed, and what they added comes after", async () => {
    for (const serviceAccountNames of [["svc-3", "svc-1", "svc-2"], "svc-3, svc-1,svc-2"]) {
      const { resource, theirs } = await scene(librarySet, DIRECTORY);
      await resource.create({ ...set, serviceAccountNames });
      await theirs(PATH, { service_account_names: ["svc-1", "svc-9", "svc-3", "svc-8"] });
      expect(await resource.refresh()).toBe(true);
      const now = ["svc-3", "svc-1", "svc-8", "svc-9"];
      expect(resource.outputs.serviceAccountNames).toEqual(now);
      expect(resource.inputs.serviceAccountNames).toEqual(now);
      expect(resource.preview(resource.inputs).changes).toEqual([]);
    }
  });

  test("an account that is checked out can neither leave the set nor be deleted with it, and the message says what to do", async () => {
    const { resource, theirs, held } = await scene(librarySet, DIRECTORY);
    await resource.create(set);
    await theirs(`${PATH}/check-out`, {});
    const refusal =
      /"svc-1" can't be deleted because it is currently checked out.*Check the account in first/s;
    await expect(resource.up({ ...set, serviceAccountNames: ["svc-2"] })).rejects.toThrow(refusal);
    expect(await held(PATH)).toMatchObject({ service_account_names: ["svc-1", "svc-2"] });
    await expect(resource.delete()).rejects.toThrow(refusal);
    await theirs(`${PATH}/check-in`, { service_account_names: ["svc-1"] });
    await resource.delete();
  });

  test.each<[string, Values, string]>([
    [
      "a ttl beyond maxTtl",
      { ttl: "25h", maxTtl: "24h" },
      'ttl: given "25h": must not be longer than maxTtl',
    ],
    ["no account", { serviceAccountNames: [] }, "serviceAccountNames: given []: must not be empty"],
  ])("refuses %s", async (_, change, problem) => {
    const { problems } = await scene(librarySet);
    expect(problems({ ...set, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  test.each<[{ [name: string]: Value }, string[]]>([
    [{ ttl: "25h" }, ["ttl is 90000 and maxTtl 86400 seconds"]],
    [{ maxTtl: "1h" }, ["ttl is 86400 and maxTtl 3600 seconds"]],
    [{ maxTtl: "25h" }, []],
    [{ maxTtl: 0 }, []],
    [{ ttl: 0 }, []],
    [{ ttl: UNKNOWN }, []],
    [{}, []],
  ])("of %j tells in the preview what the service will make of the default", async (change, expected) => {
    const { problems } = await scene(librarySet);
    const inputs = { ...set, ...change };
    expect(problems(inputs as Values)).toEqual([]);
    const notes = notesOfCreate(librarySet, inputs);
    expect(notes).toEqual(expected.map((text) => expect.stringContaining(text)));
    expect(librarySet.notes?.({ step: "update", inputs, changed: [] })).toEqual([]);
  });

  test.each<Values>([
    { ttl: 0, maxTtl: 0 },
    { ttl: 0, maxTtl: "1h" },
    { ttl: 0 },
    { ttl: "48h", maxTtl: 0 },
    { ttl: "1h", maxTtl: "2h" },
    { ttl: "24h" },
  ])("takes %j, as the service does", async (change) => {
    const { resource, problems } = await scene(librarySet, DIRECTORY);
    const program = { ...set, ...change };
    expect(problems(program)).toEqual([]);
    await resource.create(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("whose account is in another set, or not in the directory, is the service's own refusal", async () => {
    const { resource, world } = await scene(librarySet, {
      ...DIRECTORY,
      "ldap/library/other": { service_account_names: ["svc-2"] },
    });
    await expect(resource.create(set)).rejects.toThrow('"svc-2" is already managed by the set "other"');
    world.stub.seed({ directoryAccounts: ["svc-1"] });
    await expect(resource.create({ ...set, serviceAccountNames: ["svc-9"] })).rejects.toThrow(
      "does not exist in the directory",
    );
    expect(resource.id).toBe("");
  });
});

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
