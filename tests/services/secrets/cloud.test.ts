import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import { SecretMap } from "../../../provider/core/state/secretMap";
import cloudRole from "../../../provider/services/secrets/cloudRole";
import cloudRoot from "../../../provider/services/secrets/cloudRoot";
import cloudStaticRole from "../../../provider/services/secrets/cloudStaticRole";
import { Resource } from "../../steps/resource";
import { read, secretsWorld, write } from "../../steps/subjects/secretsScene";
import { expectCreate, notesOfCreate } from "../expectations";
import { scene } from "./scene";

const POLICY = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "s3:*", Resource: "*" }] };
const TEXT = JSON.stringify(POLICY);
const ARN = "arn:aws:iam::1:policy/a";
const ROLE = "arn:aws:iam::1:role/x";
const user = { name: "deploy", credentialType: "iam_user", policyArns: [ARN] };
const PATH = "cloud/roles/deploy";

describe('preview of AWS role parameters (A5, table "Role parameters")', () => {
  const assumed = { credentialType: "assumed_role", roleArns: ROLE };
  const missing = "policyArns: is required if credentialType is iam_user, unless policyDocument is set";

  test.each<[what: string, program: Values, problems: string[]]>([
    [
      "requires credentialType in the modern form",
      { iamGroups: ["a"] },
      ["credentialType: is required, unless the legacy policy or arn"],
    ],
    ["requires roleArns for assumed_role", { credentialType: "assumed_role" }, ["roleArns: is required if"]],
    [
      "rejects roleArns for iam_user",
      { ...user, roleArns: ROLE },
      [`roleArns: given "${ROLE}": is only for assumed_role; credentialType is iam_user`],
    ],
    ["requires a policy for iam_user", { credentialType: "iam_user" }, [missing]],
    [
      "requires a non-empty policy for federation_token",
      { credentialType: "federation_token", policyArns: [], policyDocument: "" },
      [
        "policyArns: given []: is required if credentialType is federation_token, unless policyDocument is set",
      ],
    ],
    [
      "rejects policies for session_token",
      { credentialType: "session_token", policyArns: [ARN], policyDocument: TEXT },
      ["policyArns: given", "policyDocument: given"],
    ],
    [
      "rejects STS TTLs for session_token",
      { credentialType: "session_token", defaultStsTtl: "1h", maxStsTtl: "2h" },
      ["defaultStsTtl: given", "maxStsTtl: given"],
    ],
    [
      "rejects maxStsTtl for iam_user",
      { ...user, maxStsTtl: 60 },
      ["maxStsTtl: given 60: is only for assumed_role, federation_token"],
    ],
    [
      "rejects a defaultStsTtl longer than maxStsTtl",
      { ...assumed, defaultStsTtl: "2h", maxStsTtl: "1h" },
      ['defaultStsTtl: given "2h": must not be longer than maxStsTtl'],
    ],
    [
      "rejects userPath and permissionsBoundaryArn for assumed_role",
      { ...assumed, userPath: "/a/", permissionsBoundaryArn: ARN },
      ["userPath: given", "permissionsBoundaryArn: given"],
    ],
    [
      "rejects a userPath that does not end with /",
      { ...user, userPath: "/a" },
      ['userPath: given "/a": must start and end with /'],
    ],
    [
      "rejects a policyDocument that is not JSON",
      { credentialType: "iam_user", policyDocument: "{broken" },
      ["policyDocument: given"],
    ],
    [
      "rejects an IAM tag that is not key=value",
      { ...user, iamTags: ["team"] },
      ['iamTags: given ["team"]: must contain key=value pairs, not "team"'],
    ],
    [
      "rejects an IAM tag without a key",
      { ...user, iamTags: ["=a=b"] },
      ['iamTags: given ["=a=b"]: must contain key=value pairs, not "=a=b"'],
    ],
    [
      "rejects sessionTags and externalId for iam_user",
      { ...user, sessionTags: { team: "web" }, externalId: "partner" },
      [
        'sessionTags: given {"team":"web"}: is only for assumed_role; credentialType is iam_user',
        'externalId: given "partner": is only for assumed_role; credentialType is iam_user',
      ],
    ],
    ["rejects the legacy policy together with the legacy arn", { policy: TEXT, arn: ARN }, ["policy: given"]],
    [
      "rejects the legacy arn together with properties of the modern form",
      { ...user, arn: ARN },
      ["arn: given", "arn: given"],
    ],
  ])("%s", async (_, program, expected) => {
    const { problems } = await scene(cloudRole);
    const starts = expected.map((start) => expect.stringContaining(start));
    expect(problems({ name: "deploy", ...program })).toEqual(starts);
  });

  test.each<[string, Values]>([
    ["iam_user", { ...user, userPath: "/teams/web/", permissionsBoundaryArn: ARN, iamGroups: "a,b" }],
    ["assumed_role", { credentialType: "assumed_role", roleArns: [ROLE], maxStsTtl: "1h", userPath: "" }],
    ["federation_token", { credentialType: "federation_token", policyDocument: POLICY, defaultStsTtl: 900 }],
    ["session_token", { credentialType: "session_token", mfaSerialNumber: "arn:aws:iam::1:mfa/x" }],
    ["a policyDocument that is a JSON list", { ...user, policyDocument: "[]" }],
    ["an IAM tag whose value contains =", { ...user, iamTags: ["team=a=b"] }],
    [
      "maxStsTtl without defaultStsTtl",
      { credentialType: "assumed_role", roleArns: [ROLE], maxStsTtl: "90.5s" },
    ],
    ["a legacy policy", { policy: POLICY }],
    ["a legacy arn", { arn: ARN }],
  ])("accepts %s, as the server does", async (_, program) => {
    const { resource, problems } = await scene(cloudRole);
    const whole = { name: "deploy", ...program };
    expect(problems(whole)).toEqual([]);
    await expectCreate(resource, whole);
  });
});

describe("AWS role", () => {
  test("ignores whitespace and key order when it compares policies", async () => {
    const { resource, theirs } = await scene(cloudRole);
    const program = { ...user, policyDocument: JSON.stringify(POLICY, null, 2) };
    await resource.create(program);
    await theirs(PATH, {
      policy_document:
        '{"Statement":[{"Resource":"*","Action":"s3:*","Effect":"Allow"}],"Version":"2012-10-17"}',
    });
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
    expect(resource.preview({ ...user, policyDocument: POLICY }).changes).toEqual([]);
  });

  test("clears each removed property with its empty value", async () => {
    const { resource, written, readServer } = await scene(cloudRole);
    await resource.create({
      ...user,
      policyDocument: POLICY,
      iamGroups: ["ops"],
      iamTags: { team: "web" },
      userPath: "/teams/",
      permissionsBoundaryArn: ARN,
      mfaSerialNumber: "x",
    });
    await resource.up(user);
    expect(written().at(-1)).toEqual({
      credential_type: "iam_user",
      policy_document: "",
      iam_groups: [],
      iam_tags: {},
      user_path: "/",
      permissions_boundary_arn: "",
      mfa_serial_number: "",
    });
    expect(await readServer(PATH)).toMatchObject({ policy_document: "", iam_groups: null, user_path: "/" });
  });

  test("clears the properties of the old type if credentialType changes", async () => {
    const { resource, written } = await scene(cloudRole);
    await resource.create({ ...user, userPath: "/" });
    await resource.up({ name: "deploy", credentialType: "assumed_role", roleArns: [ROLE] });
    expect(written().at(-1)).toEqual({
      credential_type: "assumed_role",
      role_arns: [ROLE],
      policy_arns: [],
      user_path: "",
    });
  });

  test("shows no changes after a change from a legacy policy to the modern form or back", async () => {
    const { resource, written, readServer } = await scene(cloudRole);
    const legacy = { name: "deploy", policy: POLICY };
    const modern = { name: "deploy", credentialType: "iam_user", policyDocument: POLICY };
    await resource.create(legacy);
    expect(written()).toEqual([{ policy: TEXT }]);
    await resource.up(modern);
    expect(written().at(-1)).toEqual({ credential_type: "iam_user" });
    expect(await readServer(PATH)).toMatchObject({ credential_types: ["iam_user"], policy_document: TEXT });
    expect(resource.preview(modern).changes).toEqual([]);
    await resource.up(legacy);
    expect(written().at(-1)).toEqual({ policy: TEXT });
    expect(resource.preview(legacy).changes).toEqual([]);
    expect(await readServer(PATH)).toMatchObject({ credential_types: ["iam_user", "federation_token"] });
  });

  test("clears the legacy arn on the server if the program changes to the modern form", async () => {
    const { resource, readServer } = await scene(cloudRole);
    await resource.create({ name: "deploy", arn: ARN });
    expect(await readServer(PATH)).toMatchObject({ policy_arns: [ARN] });
    const modern = { name: "deploy", credentialType: "iam_user", policyDocument: POLICY };
    await resource.up(modern);
    expect(await readServer(PATH)).toMatchObject({ policy_arns: null, policy_document: TEXT });
    expect(resource.preview(modern).changes).toEqual([]);
  });

  test("shows drift in a legacy policy", async () => {
    const { resource, theirs } = await scene(cloudRole);
    await resource.create({ name: "deploy", policy: POLICY });
    await theirs(PATH, { policy: JSON.stringify({ ...POLICY, Id: "theirs" }) });
    await resource.refresh();
    expect(resource.preview({ name: "deploy", policy: POLICY }).changes.map(({ path }) => path)).toEqual([
      ["policy", "Id"],
    ]);
  });

  test("a legacy write, which replaces the role, never deletes values that the program did not set", async () => {
    const { resource, theirs, readServer, written } = await scene(cloudRole);
    const legacy = { name: "deploy", arn: ARN };
    await resource.create(legacy);
    await theirs(PATH, { permissions_boundary_arn: ARN, iam_groups: ["theirs"] });
    const before = written().length;
    await expect(resource.up({ ...legacy, arn: `${ARN}2` })).rejects.toThrow(
      "the update would delete iamGroups, permissionsBoundaryArn",
    );
    expect(written()).toHaveLength(before);
    expect(await readServer(PATH)).toMatchObject({ permissions_boundary_arn: ARN, iam_groups: ["theirs"] });
    const modern = { ...user, policyArns: [`${ARN}2`] };
    await resource.up(modern);
    expect(await readServer(PATH)).toMatchObject({ permissions_boundary_arn: ARN, policy_arns: [`${ARN}2`] });
    // Values that the program itself set are removed with the modern form.
    await theirs(PATH, { permissions_boundary_arn: "", iam_groups: [] });
    await resource.up({ ...modern, userPath: "/teams/" });
    await resource.up({ name: "deploy", policy: POLICY });
    await resource.up(legacy);
    expect(await readServer(PATH)).toMatchObject({ policy_arns: [ARN], policy_document: "", user_path: "" });
  });

  test("outputs the invalid data of a role that an earlier release stored", async () => {
    const { resource, world } = await scene(cloudRole);
    world.stub.seed({ invalidCloudRoles: [{ name: "old", invalidData: "policy: {" }] });
    await resource.get("cloud/old");
    expect(resource.outputs.invalidData).toBe("policy: {");
  });

  test("is imported by its ID in the modern form, in either dialect", async () => {
    const { resource, world } = await scene(cloudRole);
    await resource.create({ name: "deploy", credentialType: "iam_user", policyArns: [ARN] });
    for (const dialect of ["neutral", "real"]) {
      world.stub.configure({ dialect });
      const other = world.with({ dialect });

      const read = new Resource(other, cloudRole);
      await read.get("cloud/deploy");
      expect(read.inputs).toEqual({ mount: "cloud", ...user });
    }
  });
});

/** A resource on a Vault server of this edition. */
async function onVault(definition: Definition, edition: "enterprise" | "community" = "enterprise") {
  const world = await secretsWorld(definition, {}, "real");
  world.stub.configure({ edition });
  return { world, resource: new Resource(world, definition) };
}

describe("AWS engine of Vault", () => {
  test("the session tags and the external ID of a role are written, show drift, and are cleared", async () => {
    const { world, resource } = await onVault(cloudRole);
    const assumed = { name: "deploy", credentialType: "assumed_role", roleArns: [ROLE] };
    const whole = { ...assumed, sessionTags: ["team=web"], externalId: "partner" };
    const stored = async () => (await read(world, "aws/roles/deploy")) as Values;
    await resource.create(whole);
    expect(await stored()).toMatchObject({ session_tags: { team: "web" }, external_id: "partner" });
    await write(world, "aws/roles/deploy", { external_id: "theirs" });
    await resource.refresh();
    expect(resource.preview(whole).changes).toMatchObject([{ path: ["externalId"], cause: "drift" }]);
    await resource.up(assumed);
    expect(await stored()).toMatchObject({ session_tags: {}, external_id: "" });
    expect(resource.preview(assumed).changes).toEqual([]);
  });

  test.each<Values>([
    { credentialType: "session_token", defaultStsTtl: "15m", maxStsTtl: "1h" },
    { credentialType: "iam_user", iamGroups: ["ops"] },
    { credentialType: "federation_token", iamGroups: "ops, dev" },
  ])("accepts the role %j, as the server does", async (program) => {
    const { resource } = await onVault(cloudRole);
    const whole = { name: "deploy", ...program };
    expect(resource.check(whole)).toEqual([]);
    await expectCreate(resource, whole);
    expect(resource.check({ name: "deploy", credentialType: "iam_user" })).toHaveLength(1);
  });

  test("a role keeps session tags and an external ID that the program does not set", async () => {
    const { world, resource } = await onVault(cloudRole);
    const assumed = { name: "deploy", credentialType: "assumed_role", roleArns: [ROLE] };
    await resource.create(assumed);
    await write(world, "aws/roles/deploy", { session_tags: { team: "theirs" }, external_id: "theirs" });
    await resource.up({ ...assumed, maxStsTtl: "1h" });
    const stored = await read(world, "aws/roles/deploy");
    expect(stored).toMatchObject({ session_tags: { team: "theirs" }, external_id: "theirs" });
  });

  test("a changed fallback endpoint is sent with the regions, because their numbers must be equal", async () => {
    const { world, resource } = await onVault(cloudRoot);
    const fallbacks = { stsFallbackEndpoints: ["http://a"], stsFallbackRegions: ["a"] };
    await resource.create({ region: "a", ...fallbacks });
    await resource.up({ region: "a", ...fallbacks, stsFallbackEndpoints: ["http://b"] });
    const bodies = world.requests.filter(({ nature }) => nature === "write").map(({ body }) => body);
    expect(bodies.at(-1)).toMatchObject({
      sts_fallback_endpoints: ["http://b"],
      sts_fallback_regions: ["a"],
    });
    const uneven = { ...fallbacks, stsFallbackEndpoints: "http://a, http://b" };
    expect(resource.check(uneven)).toMatchObject([
      { reason: expect.stringContaining("must have as many elements as stsFallbackRegions") },
    ]);
  });

  test("a change of the rotation window is sent with its schedule, and a period replaces both", async () => {
    const { world, resource } = await onVault(cloudRoot);
    const schedule = { rotationSchedule: "0 2 * * SAT" };
    const stored = () => read(world, "aws/config/root");
    await resource.create({ ...schedule, rotationWindow: "1h" });
    await resource.up({ ...schedule, rotationWindow: "2h" });
    expect(await stored()).toMatchObject({ rotation_schedule: "0 2 * * SAT", rotation_window: 7200 });
    await resource.up({ rotationPeriod: "24h" });
    expect(await stored()).toMatchObject({
      rotation_schedule: "",
      rotation_window: 0,
      rotation_period: 86_400,
    });
    expect(resource.check({ rotationWindow: "1h" })).toMatchObject([
      { reason: expect.stringContaining("requires rotationSchedule") },
    ]);
  });

  test("the Community Edition rejects a scheduled rotation, and nothing is written", async () => {
    const { world, resource } = await onVault(cloudRoot, "community");
    await expect(resource.create({ region: "a", rotationPeriod: "24h" })).rejects.toThrow(
      "rotation manager capabilities not supported in Vault community edition",
    );
    expect(await read(world, "aws/config/root")).toEqual({});
  });

  test("a static role of another account fails on the Community Edition, which ignores the account", async () => {
    const account = { assumeRoleArn: ROLE, assumeRoleSessionName: "vault", externalId: "partner" };
    const program = { name: "app", username: "svc-app", rotationPeriod: "24h", ...account };
    const enterprise = await onVault(cloudStaticRole);
    await enterprise.resource.create(program);
    expect(await read(enterprise.world, "aws/static-roles/app")).toMatchObject({
      assume_role_arn: ROLE,
      external_id: "partner",
    });
    const { resource } = await onVault(cloudStaticRole, "community");
    await expect(resource.create(program)).rejects.toThrow(
      "reports that it ignored assumeRoleArn, assumeRoleSessionName, externalId",
    );
  });
});

// These tests change the dialect of a stub that starts in `neutral`.
process.env.QUARTERDECK_TEST_DIALECT = "neutral";

const KEY = { accessKey: "AKIAOLD", secretKey: "hush" };

describe("AWS root configuration (A5, config/root)", () => {
  test("sends accessKey and secretKey together, and only if one of them changed", async () => {
    const { resource, written } = await scene(cloudRoot);
    await resource.create({ ...KEY, region: "eu-west-1" });
    await resource.up({ ...KEY, region: "eu-north-1" });
    await resource.up({ ...KEY, secretKey: "hush hush", region: "eu-north-1" });
    expect(written()).toEqual([
      { access_key: "AKIAOLD", secret_key: "hush", region: "eu-west-1" },
      { region: "eu-north-1" },
      { access_key: "AKIAOLD", secret_key: "hush hush" },
    ]);
  });

  test("shows no drift after a rotation, and an update of another field preserves the rotated key", async () => {
    const { resource, theirs, readServer } = await scene(cloudRoot);
    await resource.create({ ...KEY, region: "eu-west-1" });
    await theirs("cloud/config/rotate-root", {});
    const { access_key: rotated } = await readServer("cloud/config/root");
    expect(rotated).not.toBe("AKIAOLD");
    await resource.refresh();
    expect(resource.preview({ ...KEY, region: "eu-west-1" }).changes).toEqual([]);
    await resource.up({ ...KEY, region: "eu-north-1" });
    expect(await readServer("cloud/config/root")).toMatchObject({
      access_key: rotated,
      region: "eu-north-1",
    });
  });

  test("sends usernameTemplate with every write, because the server would reset it", async () => {
    const { resource, written } = await scene(cloudRoot);
    const template = { usernameTemplate: "v-{{ random 10 }}" };
    await resource.create({ ...template, region: "a" });
    await resource.up({ ...template, region: "b" });
    expect(written().at(-1)).toEqual({ region: "b", username_template: "v-{{ random 10 }}" });
    await resource.up({ region: "b" });
    expect(written().at(-1)).toEqual({ username_template: "" });
  });

  test("preserves a usernameTemplate set by someone else if the server returns it, and adds no note", async () => {
    const { world, resource } = await scene(cloudRoot, { "cloud/config/root": { region: "a" } });
    await resource.create({ region: "a", adopt: true });
    expect(resource.preview({ region: "b", adopt: true }).notes).toEqual([]);
    world.stub.configure({ dialect: "real" });
    const real = world.with({ dialect: "real", cloudMount: "cloud" });
    const headers = { "x-vault-token": "root", "content-type": "application/json" };
    await real.send("POST", "/v1/cloud/config/root", { username_template: "theirs-{{ random 8 }}" }, headers);
    const own = new Resource(real, cloudRoot);
    await own.create({ region: "a", adopt: true });
    await own.up({ region: "c", adopt: true });
    const { json } = await real.send("GET", "/v1/cloud/config/root", undefined, headers);
    expect(json).toMatchObject({ data: { region: "c", username_template: "theirs-{{ random 8 }}" } });
  });

  test("shows a template and the fields of an identity token that someone else changed, in Vault", async () => {
    const { world, resource } = await onVault(cloudRoot);
    const program = {
      usernameTemplate: "v-{{ random 10 }}",
      roleArn: ROLE,
      identityTokenAudience: "aud",
      identityTokenTtl: "1h",
    };
    await resource.create({ ...program, region: "a" });
    await write(world, "aws/config/root", {
      username_template: "",
      role_arn: `${ROLE}2`,
      identity_token_audience: "theirs",
      identity_token_ttl: "2h",
    });
    await expect(resource.up({ ...program, region: "b" })).rejects.toThrow("usernameTemplate");
    await resource.refresh();
    const { changes } = resource.preview({ ...program, region: "a" });
    expect(changes.map(({ path, cause }) => [path[0], cause])).toEqual(
      Object.keys(program).map((name) => [name, "drift"]),
    );
    // The server stores its default instead of an empty template.
    expect(resource.record.observed).toMatchObject({ usernameTemplate: "", identityTokenTtl: 7200 });
  });

  test("clears the key in the write that sets an identity token", async () => {
    const { resource, written, readServer } = await scene(cloudRoot);
    await resource.create(KEY);
    await resource.up({
      roleArn: "arn:aws:iam::1:role/x",
      identityTokenAudience: "aud",
      identityTokenTtl: "2h",
    });
    expect(written().at(-1)).toEqual({
      access_key: "",
      secret_key: "",
      role_arn: "arn:aws:iam::1:role/x",
      identity_token_audience: "aud",
      identity_token_ttl: 7200,
    });
    expect(await readServer("cloud/config/root")).toMatchObject({ access_key: "" });
  });

  test("shows an identity token set by someone else as drift, and clears it when the program sets a new key", async () => {
    const { world } = await scene(cloudRoot);
    world.stub.configure({ dialect: "real" });
    const real = world.with({ dialect: "real", cloudMount: "cloud" });
    const resource = new Resource(real, cloudRoot);
    await resource.create(KEY);
    const headers = { "x-vault-token": "root", "content-type": "application/json" };
    const otherConfig = {
      access_key: "",
      secret_key: "",
      identity_token_audience: "x",
      role_arn: "arn:aws:iam::1:role/x",
    };
    await real.send("POST", "/v1/cloud/config/root", otherConfig, headers);
    const key = { accessKey: "AKIANEW", secretKey: "hush-2" };
    await expect(resource.up(key)).rejects.toThrow(/identityTokenAudience +"" +"" +"x"/);
    await resource.refresh();
    await resource.up(key);
    const { json } = await real.send("GET", "/v1/cloud/config/root", undefined, headers);
    expect(json).toMatchObject({ data: { access_key: "AKIANEW", identity_token_audience: "" } });
  });

  test.each<[string, { [name: string]: string }, string]>([
    ["accessKey without secretKey", { accessKey: "a" }, "secretKey: is required with accessKey"],
    [
      "accessKey with identityTokenAudience",
      { accessKey: "a", secretKey: "s", identityTokenAudience: "x", roleArn: "r" },
      'accessKey: given "a": cannot be combined with identityTokenAudience: the AWS secrets engine uses an access key or an identity token',
    ],
    [
      "identityTokenAudience without roleArn",
      { identityTokenAudience: "x" },
      "roleArn: is required with identityTokenAudience",
    ],
    [
      "a usernameTemplate with an unclosed brace",
      { usernameTemplate: "{{ .DisplayName" },
      'usernameTemplate: given "{{ .DisplayName": is an invalid template: a {{ has no matching }}',
    ],
  ])("rejects %s in the preview", async (_, program, problem) => {
    const { problems } = await scene(cloudRoot);
    expect(problems(program)).toEqual([problem]);
  });

  test.each<[string, Values]>([
    ["secretKey alone, because the server may have the access key", { secretKey: "s" }],
    ["a negative maxRetries", { maxRetries: -5 }],
  ])("the preview accepts %s", async (_, program) => {
    const { problems } = await scene(cloudRoot);
    expect(problems(program)).toEqual([]);
  });

  test("adds a note on functions of usernameTemplate that are not specified, and none on its length", () => {
    expect(notesOfCreate(cloudRoot, { usernameTemplate: "v-{{ uuid }}-{{ sha256 .DisplayName }}" })).toEqual(
      [],
    );
    expect(notesOfCreate(cloudRoot, { usernameTemplate: "{{ reverse .DisplayName }}" })).toEqual([
      "usernameTemplate: the template function reverse is not documented for this template",
    ]);
    expect(notesOfCreate(cloudRoot, { usernameTemplate: "v-{{ random 10 }}" })).toEqual([]);
  });

  test("marks secretKey as secret, and accessKey as plain", () => {
    expect(new SecretMap(cloudRoot, KEY).holdsSecret(["secretKey"], "hush")).toBe(true);
    expect(new SecretMap(cloudRoot, KEY).holdsSecret(["accessKey"], "AKIAOLD")).toBe(false);
    expect(new SecretMap(cloudRoot, KEY).collect()).toEqual(["hush"]);
  });

  test("rejects a create on a mount that is already configured, unless adopt is set", async () => {
    const { resource, readServer } = await scene(cloudRoot, { "cloud/config/root": { region: "theirs" } });
    await expect(resource.create({ region: "ours" })).rejects.toThrow("already exists");
    expect(await readServer("cloud/config/root")).toMatchObject({ region: "theirs" });
    await resource.create({ region: "ours", adopt: true });
    expect(await readServer("cloud/config/root")).toMatchObject({ region: "ours" });
  });
});
