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

/** The fields that an update sends back as read, because a server resets them if they are omitted. */
const RESENT = { length: 64, password_policy: "", schema: "openldap" };

describe("LDAP configuration (A6, config)", () => {
  const config = { binddn: "cn=admin,dc=example", bindpass: "hush" };

  test("rejects length together with passwordPolicy in the preview", async () => {
    const { problems } = await scene(directoryConfig);
    expect(problems({ ...config, length: 20, passwordPolicy: "strict" })).toEqual([
      "length: given 20: cannot be combined with passwordPolicy: the server rejects both; length is deprecated",
    ]);
  });

  test("ignores case, spaces and list form in a comparison of url, but not the order", async () => {
    const { resource, readServer } = await scene(directoryConfig);
    await resource.create({ ...config, url: "LDAPS://One.Example, ldap://two" });
    expect(await readServer("ldap/config")).toMatchObject({ url: "ldaps://one.example, ldap://two" });
    for (const url of ["ldaps://one.example,ldap://two", ["LDAPS://ONE.example", "ldap://two"]]) {
      expect(resource.preview({ ...config, url }).changes).toEqual([]);
    }
    expect(resource.preview({ ...config, url: "ldap://two,ldaps://one.example" }).changes).toHaveLength(1);
  });

  test("sends bindpass only if the program changed it, so that a rotated password is preserved", async () => {
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

  test("preserves a length set by someone else, but does not send it together with passwordPolicy", async () => {
    const { resource, theirs, readServer, written } = await scene(directoryConfig);
    await resource.create(config);
    await theirs("ldap/config", { length: 20 });
    await resource.up({ ...config, starttls: true });
    expect(await readServer("ldap/config")).toMatchObject({ length: 20, starttls: true });
    await resource.up({ ...config, starttls: true, passwordPolicy: "strict" });
    expect(written().at(-1)).toEqual({ password_policy: "strict", schema: "openldap" });
  });

  test("shows no changes after a change from length to passwordPolicy or back", async () => {
    const { resource, written } = await scene(directoryConfig);
    await resource.create({ ...config, length: 20 });
    await resource.up({ ...config, passwordPolicy: "strict" });
    expect(written().at(-1)).toEqual({ password_policy: "strict", schema: "openldap" });
    expect(resource.preview({ ...config, passwordPolicy: "strict" }).changes).toEqual([]);
    await resource.up({ ...config, length: 20 });
    expect(written().at(-1)).toEqual({ password_policy: "", length: 20, schema: "openldap" });
    expect(resource.preview({ ...config, length: 20 }).changes).toEqual([]);
  });

  test("without userattr, uses the default of its first schema, and has a note if schema changes", async () => {
    const { resource, readServer } = await scene(directoryConfig);
    await resource.create({ ...config, schema: "ad" });
    expect(await readServer("ldap/config")).toMatchObject({ userattr: "userPrincipalName" });
    expect(resource.preview({ ...config, schema: "racf" }).notes).toEqual([
      expect.stringContaining("userattr keeps its value"),
    ]);
    await resource.up({ ...config, schema: "ad", userattr: "cn" });
    await resource.up({ ...config, schema: "ad" });
    expect(await readServer("ldap/config")).toMatchObject({ userattr: "userPrincipalName" });
    expect(resource.preview({ ...config, schema: "ad" }).changes).toEqual([]);
  });

  test.each([
    ["openldap", "cn"],
    ["ad", "userPrincipalName"],
    ["racf", "racfid"],
  ])(
    "an import with the schema %s omits the userattr that the server filled in",
    async (schema, serverDefault) => {
      const { resource, readServer, theirs } = await scene(directoryConfig);
      await resource.create({ ...config, schema });
      expect(await readServer("ldap/config")).toMatchObject({ userattr: serverDefault });
      expect(await resource.get(resource.id)).not.toHaveProperty("userattr");
      await theirs("ldap/config", { userattr: "uid" });
      expect(await resource.get(resource.id)).toHaveProperty("userattr", "uid");
    },
  );

  test("a create whose response and probe were lost is resumed, although the server filled in the userattr", async () => {
    const { resource, world } = await scene(directoryConfig);
    world.fate = ({ method }) => (method === "POST" ? "response hangs" : "passes");
    const create = resource.create(config);
    world.onResponse = ({ method }) => {
      if (method === "POST") world.fate = () => "request hangs";
    };
    await expect(create).rejects.toThrow("the object could not be read");
    world.fate = () => "passes";
    await resource.up(config);
    await expectNoChanges(resource, config);
  });

  test("accepts timeouts in any format, and resets removed timeouts to 30 and 90 seconds", async () => {
    const { resource, written } = await scene(directoryConfig);
    await resource.create({ ...config, connectionTimeout: "1m", requestTimeout: 120 });
    expect(resource.preview({ ...config, connectionTimeout: 60, requestTimeout: "2m" }).changes).toEqual([]);
    await resource.up(config);
    expect(written().at(-1)).toEqual({ connection_timeout: 30, request_timeout: 90, ...RESENT });
  });

  test.each([
    ["a mount with a trailing slash", { ...config, mount: "ldap/" }, "mount"],
    ["a program without binddn", { bindpass: "x" }, "binddn"],
    ["a program without bindpass", { binddn: "x" }, "bindpass"],
    ["an unknown schema", { ...config, schema: "novell" }, "schema"],
    ["a requestTimeout that is not a duration", { ...config, requestTimeout: "soon" }, "requestTimeout"],
  ])("rejects %s", async (_, program, path) => {
    const { resource } = await scene(directoryConfig);
    expect(resource.check(program as Values).map((problem) => problem.path)).toEqual([path]);
  });

  test.each<Values>([{ clientTlsKey: "key" }, { clientTlsCert: "certificate" }])(
    "accepts %j alone, with a note that certificate and key go together",
    async (half) => {
      const { problems } = await scene(directoryConfig);
      expect(problems({ ...config, ...half })).toEqual([]);
      const notes = notesOfCreate(directoryConfig, { ...config, ...half });
      expect(notes).toEqual([expect.stringContaining("clientTlsKey and clientTlsCert belong together")]);
    },
  );

  test("accepts length 0, and has no note on a client certificate with its key", async () => {
    const { problems } = await scene(directoryConfig);
    const program = { ...config, length: 0, clientTlsKey: "key", clientTlsCert: "certificate" };
    expect(problems(program)).toEqual([]);
    expect(notesOfCreate(directoryConfig, program)).toEqual([]);
  });

  test("marks bindpass and clientTlsKey as secret", () => {
    const program = { ...config, clientTlsKey: "key" };
    expect(new SecretMap(directoryConfig, program).holdsSecret(["bindpass"], "hush")).toBe(true);
    expect(new SecretMap(directoryConfig, program).holdsSecret(["clientTlsKey"], "key")).toBe(true);
    expect(new SecretMap(directoryConfig, program).collect()).toEqual(["hush", "key"]);
  });

  test("outputs the TLS versions that the server sets, and has a note on insecureTls", async () => {
    const { resource } = await scene(directoryConfig);
    await resource.create(config);
    expect(resource.outputs).toMatchObject({ tlsMinVersion: "tls12", tlsMaxVersion: "tls12" });
    expect(notesOfCreate(directoryConfig, { insecureTls: true })).toHaveLength(1);
  });
});

describe("LDAP dynamic role (A6)", () => {
  const creationLdif =
    "dn: cn={{.Username}},dc=example\nobjectClass: person\n2.5.4.4: {{.Username}}\nuserPassword: {{.Password}}\n";
  const deletionLdif = "dn: cn={{.Username}},dc=example\nchangetype: delete\n";
  const role = { roleName: "reader", creationLdif, deletionLdif };
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const PATH = "ldap/role/reader";

  test("treats LDIF and its base64 form as equal", async () => {
    const { resource, readServer } = await scene(directoryRole, DIRECTORY);
    await resource.create({ ...role, creationLdif: base64(creationLdif) });
    expect(await readServer(PATH)).toMatchObject({ creation_ldif: creationLdif });
    await expectNoChanges(resource, role);
  });

  test("sends only changed fields, and clears an emptied rollbackLdif and a removed defaultTtl", async () => {
    const { resource, written, readServer } = await scene(directoryRole, DIRECTORY);
    await resource.create({ ...role, rollbackLdif: deletionLdif, defaultTtl: "1h" });
    await resource.up({ ...role, rollbackLdif: "", defaultTtl: "1h" });
    expect(written().at(-1)).toEqual({ rollback_ldif: "" });
    await resource.up(role);
    expect(written().at(-1)).toEqual({ default_ttl: 0 });
    expect(await readServer(PATH)).toMatchObject({ rollback_ldif: "", default_ttl: 0, max_ttl: 0 });
  });

  test.each<[string, Values]>([
    ["an LDIF template", { creationLdif: "dn: cn={{.Username\nsn: x\n" }],
    ["a base64 LDIF template", { deletionLdif: base64("dn: cn={{.Username\n") }],
    ["a username template", { usernameTemplate: "v_{{ .RoleName" }],
  ])("rejects %s with an unclosed brace", async (_, change) => {
    const { problems } = await scene(directoryRole);
    const problem = "is an invalid template: a {{ has no matching }}";
    expect(problems({ ...role, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  test("accepts utf16le, comments and several entries in LDIF, as the server does", async () => {
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
  ])("accepts %j, as the server does, and shows no changes", async (change) => {
    const { resource, problems } = await scene(directoryRole, DIRECTORY);
    const program = { ...role, ...change };
    expect(problems(program)).toEqual([]);
    await expectCreate(resource, program);
  });

  test.each<[string, Values]>([
    ["LDIF without a dn", { creationLdif: "cn: x\n" }],
    ["base64 of text that is not LDIF", { deletionLdif: base64("nothing") }],
    ["an unknown changetype", { deletionLdif: "dn: cn=x\nchangetype: drop\n" }],
    ["a field that LDIF templates do not have", { creationLdif: "dn: cn={{.User}}\nsn: x\n" }],
    ["a function call without arguments", { usernameTemplate: "{{ truncate }}" }],
  ])("the preview accepts %s, but the server rejects it and stores nothing", async (_, change) => {
    const { resource, problems, readServer } = await scene(directoryRole, DIRECTORY);
    const program = { ...role, ...change };
    expect(problems(program)).toEqual([]);
    await expect(resource.create(program)).rejects.toThrow(/returned (400|500)/);
    expect(resource.id).toBe("");
    expect(await readServer(PATH)).toEqual({});
  });

  test("does not quote LDIF that the program marked as secret", async () => {
    const { problems } = await scene(directoryRole);
    const marked = { ...role, creationLdif: "dn: cn=x\nuserPassword: hunter2-canary{{" };
    expect(problems(withMetadata(marked, { secretPaths: ["creationLdif"] }))).toEqual([
      "creationLdif: given [secret]: must close each `{{`",
    ]);
  });

  test("has notes on unspecified fields and functions, and on a missing rollbackLdif", () => {
    const change = {
      usernameTemplate: "{{ reverse .RoleName }}",
      creationLdif: base64("dn: cn={{.User}}\nsn: x\n"),
    };
    expect(notesOfCreate(directoryRole, { ...role, ...change })).toEqual([
      "usernameTemplate: the template function reverse is not documented for this template",
      expect.stringContaining("creationLdif: the template field .User is not documented for this template"),
      expect.stringContaining("without rollbackLdif"),
    ]);
  });
});

describe("LDAP library set (A6)", () => {
  const set = { name: "ops", serviceAccountNames: ["svc-1", "svc-2"] };
  const PATH = "ldap/library/ops";

  test("is updated in place, and ignores the order of its accounts", async () => {
    const { resource, readServer, written } = await scene(librarySet, DIRECTORY);
    await resource.create(set);
    expect(resource.preview({ ...set, serviceAccountNames: "svc-2, svc-1" }).changes).toEqual([]);
    await resource.up({ ...set, serviceAccountNames: ["svc-1", "svc-3"], ttl: "1h" });
    expect(written().at(-1)).toEqual({ service_account_names: ["svc-1", "svc-3"], ttl: 3600 });
    expect(await readServer(PATH)).toMatchObject({ service_account_names: ["svc-1", "svc-3"] });
  });

  test("a refresh preserves the program's order of accounts, and appends accounts that someone else added", async () => {
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

  test("a checked-out account cannot be removed from the set or deleted with it, and the error has a remedy", async () => {
    const { resource, theirs, readServer } = await scene(librarySet, DIRECTORY);
    await resource.create(set);
    await theirs(`${PATH}/check-out`, {});
    const refusal =
      /"svc-1" can't be deleted because it is currently checked out.*Check the account in first/s;
    await expect(resource.up({ ...set, serviceAccountNames: ["svc-2"] })).rejects.toThrow(refusal);
    expect(await readServer(PATH)).toMatchObject({ service_account_names: ["svc-1", "svc-2"] });
    await expect(resource.delete()).rejects.toThrow(refusal);
    await theirs(`${PATH}/check-in`, { service_account_names: ["svc-1"] });
    await resource.delete();
  });

  test.each<[string, Values, string]>([
    [
      "a ttl longer than maxTtl",
      { ttl: "25h", maxTtl: "24h" },
      'ttl: given "25h": must not be longer than maxTtl',
    ],
    [
      "an empty serviceAccountNames",
      { serviceAccountNames: [] },
      "serviceAccountNames: given []: must not be empty",
    ],
  ])("rejects %s", async (_, change, problem) => {
    const { problems } = await scene(librarySet);
    expect(problems({ ...set, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  test.each<[{ [name: string]: Value }, string[]]>([
    [{ ttl: "25h" }, ["ttl (90000 seconds) exceeds maxTtl (86400 seconds)"]],
    [{ maxTtl: "1h" }, ["ttl (86400 seconds) exceeds maxTtl (3600 seconds)"]],
    [{ maxTtl: "25h" }, []],
    [{ maxTtl: 0 }, []],
    [{ ttl: 0 }, []],
    [{ ttl: UNKNOWN }, []],
    [{}, []],
  ])(
    "with %j, has a note if a server default makes ttl longer than maxTtl (%#)",
    async (change, expected) => {
      const { problems } = await scene(librarySet);
      const inputs = { ...set, ...change };
      expect(problems(inputs as Values)).toEqual([]);
      const notes = notesOfCreate(librarySet, inputs);
      expect(notes).toEqual(expected.map((text) => expect.stringContaining(text)));
      expect(librarySet.notes?.({ step: "update", inputs, changed: [] })).toEqual([]);
    },
  );

  test.each<Values>([
    { ttl: 0, maxTtl: 0 },
    { ttl: 0, maxTtl: "1h" },
    { ttl: 0 },
    { ttl: "48h", maxTtl: 0 },
    { ttl: "1h", maxTtl: "2h" },
    { ttl: "24h" },
  ])("accepts %j, as the server does", async (change) => {
    const { resource, problems } = await scene(librarySet, DIRECTORY);
    const program = { ...set, ...change };
    expect(problems(program)).toEqual([]);
    await resource.create(program);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("fails with the server's error if an account is in another set or not in the directory", async () => {
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

/** The LDAP configuration on a server of this product. */
async function onServer(directoryProduct: "vault" | "openbao") {
  const world = await secretsWorld(directoryConfig, {}, "real");
  if (world.stub instanceof SecretsService) world.stub.configure({ directoryProduct });
  const resource = new Resource(world, directoryConfig);
  return { world, resource, readServer: async () => (await read(world, "ldap/config")).credential_type };
}

describe("credentialType of an LDAP engine", () => {
  test("is preserved by an update of another property, although Vault resets it if a write omits it", async () => {
    const { world, resource, readServer } = await onServer("vault");
    await resource.create(program);
    await write(world, "ldap/config", { credential_type: "phrase" });
    await write(world, "ldap/config", { userdn: "ou=people" });
    expect(await readServer()).toBe("password");
    await write(world, "ldap/config", { credential_type: "phrase" });
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
    await resource.up({ ...program, url: "ldaps://one.example" });
    expect(await readServer()).toBe("phrase");
  });

  test("is written, shows drift, and is reset to its default if it is removed", async () => {
    const { world, resource, readServer } = await onServer("vault");
    const phrase = { ...program, credentialType: "phrase" };
    await resource.create(phrase);
    expect(await readServer()).toBe("phrase");
    await write(world, "ldap/config", { userdn: "" });
    await resource.refresh();
    expect(resource.preview(phrase).changes).toMatchObject([{ path: ["credentialType"], cause: "drift" }]);
    await resource.up(phrase);
    expect(await readServer()).toBe("phrase");
    await resource.up(program);
    expect(await readServer()).toBe("password");
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("is not sent to OpenBao, which does not support it, if the program does not set it", async () => {
    const { world, resource, readServer } = await onServer("openbao");
    await resource.create(program);
    await resource.up({ ...program, url: "ldaps://one.example" });
    const bodies = world.requests.filter(({ nature }) => nature === "write").map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    for (const body of bodies) expect(body).not.toHaveProperty("credential_type");
    expect(await readServer()).toBeUndefined();
  });

  test("causes a warning on OpenBao, which ignores it", async () => {
    const { world, resource } = await onServer("openbao");
    await resource.create({ ...program, credentialType: "phrase" });
    expect(world.logged).toEqual([
      expect.stringMatching(/^warning: .*credentialType +"phrase" +"phrase" +\(none\)/s),
    ]);
  });
});

describe("rotation and TLS versions of an LDAP engine", () => {
  const stored = ({ world }: Pick<Resource, "world">) => read(world, "ldap/config");

  test("a schedule of Vault is written, shows drift, and is cleared", async () => {
    const { world, resource } = await onServer("vault");
    const planned = { ...program, rotationSchedule: "0 2 * * SAT", rotationWindow: "1h" };
    await resource.create(planned);
    expect(await stored({ world })).toMatchObject({
      rotation_schedule: "0 2 * * SAT",
      rotation_window: 3600,
    });
    await write(world, "ldap/config", { rotation_schedule: "0 9 * * *" });
    await resource.refresh();
    expect(resource.preview(planned).changes).toMatchObject([{ path: ["rotationSchedule"], cause: "drift" }]);
    await resource.up(planned);
    await resource.up(program);
    expect(await stored({ world })).toMatchObject({ rotation_schedule: "", rotation_window: 0 });
  });

  test("a rotation period causes a warning on OpenBao, which ignores it", async () => {
    const { world, resource } = await onServer("openbao");
    await resource.create({ ...program, rotationPeriod: "24h" });
    expect(world.logged).toEqual([expect.stringMatching(/^warning: .*rotationPeriod .*\(none\)/s)]);
  });

  test("an update keeps disableAutomatedRotation, which early versions of Vault reset", async () => {
    const { world, resource } = await onServer("vault");
    await resource.create(program);
    await write(world, "ldap/config", { disable_automated_rotation: true });
    await resource.refresh();
    await resource.up({ ...program, userdn: "ou=people" });
    const bodies = world.requests.filter(({ nature }) => nature === "write").map(({ body }) => body);
    expect(bodies.at(-1)).toMatchObject({ userdn: "ou=people", disable_automated_rotation: true });
  });

  test("a maximum below the minimum is rejected, and tls13 without a maximum has a note", async () => {
    const { resource } = await onServer("openbao");
    const old = { ...program, tlsMinVersion: "tls12", tlsMaxVersion: "tls11" };
    expect(resource.check(old)).toMatchObject([
      { path: "tlsMaxVersion", reason: expect.stringContaining("must not be below tlsMinVersion") },
    ]);
    const newest = { ...program, tlsMinVersion: "tls13" };
    expect(notesOfCreate(directoryConfig, newest)).toEqual([
      "tlsMinVersion: the server rejects tls13 unless its tlsMaxVersion, by default tls12, is also tls13",
    ]);
    await expect(resource.create(newest)).rejects.toThrow("must be greater than or equal");
    await resource.create({ ...newest, tlsMaxVersion: "tls13" });
    expect(resource.preview({ ...newest, tlsMaxVersion: "tls13" }).changes).toEqual([]);
  });
});
