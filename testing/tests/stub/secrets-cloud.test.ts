import { answers } from "./in-process";
import { NOT_FOUND, Scene, scene } from "./secrets-scene";

const ROOT = { access_key: "AKIAROOT", secret_key: "root-secret" };
const USER = { credential_type: "iam_user", policy_arns: ["arn:aws:iam::1:policy/read"] };
const ARN = "arn:aws:iam::1:role/deploy";
const ASSUMED = { credential_type: "assumed_role", role_arns: [ARN] };

describe("A5. AWS config/root", () => {
  test("a read returns 404 before the first write, then every field except secret_key", async () => {
    expect(await scene.read("cloud/config/root")).toMatchObject(NOT_FOUND);
    await answers(scene.write("cloud/config/root", { ...ROOT, region: "eu-west-1" }), 204);
    expect((await scene.read("cloud/config/root")).body.data).toEqual({
      access_key: "AKIAROOT",
      region: "eu-west-1",
      iam_endpoint: "",
      sts_endpoint: "",
      max_retries: -1,
    });
  });

  test("a POST leaves omitted fields unchanged, but resets an omitted username_template", async () => {
    const scene = new Scene({ dialect: "real" });
    const headers = { "x-vault-token": "root" };
    const write = (body: object) => scene.send("POST", "aws/config/root", body, { headers });
    await write({ ...ROOT, region: "eu-west-1", max_retries: 3, username_template: "{{.RoleName}}" });
    await write({ region: "us-east-1" });
    const { data } = (await scene.send("GET", "aws/config/root", undefined, { headers })).body;
    expect(data).toMatchObject({ ...{ access_key: "AKIAROOT", region: "us-east-1" }, max_retries: 3 });
    // Vault stores its default template instead of an empty one, but no default TTL.
    expect(data.username_template).toContain("vault-");
    expect(data.identity_token_ttl).toBe(0);
    await write({
      access_key: "",
      secret_key: "",
      role_arn: ARN,
      identity_token_audience: "a",
      identity_token_ttl: "2h",
    });
    await write({ region: "" });
    const federated = (await scene.send("GET", "aws/config/root", undefined, { headers })).body.data;
    expect(federated).toMatchObject({
      role_arn: ARN,
      identity_token_audience: "a",
      identity_token_ttl: 7200,
    });
    expect(JSON.stringify(data)).not.toContain("root-secret");
  });

  test.each([
    ["identity_token_audience with access_key", { ...ROOT, identity_token_audience: "a", role_arn: ARN }],
    ["access_key without secret_key", { access_key: "AKIA" }],
    ["identity_token_audience without role_arn", { identity_token_audience: "a" }],
    ["an invalid username_template", { ...ROOT, username_template: "{{ nothing }}" }],
    [
      "an LDIF-only template function in username_template",
      { ...ROOT, username_template: "{{ .RoleName | utf16le }}" },
    ],
  ])("rejects %s", async (_rule, body) => {
    await answers(scene.write("cloud/config/root", body), 400);
  });

  test("rotate-root returns the new access key; 400 without a key, and 500 if the user has two keys", async () => {
    await answers(scene.write("cloud/config/rotate-root", {}), 400);
    await scene.write("cloud/config/root", ROOT);
    await scene.write("cloud/config/root", { access_key: "" });
    await answers(scene.write("cloud/config/rotate-root", {}), 400);
    await scene.write("cloud/config/root", ROOT);
    const { body } = await scene.write("cloud/config/rotate-root", {});
    expect(body.data.access_key).toMatch(/^AKIA[A-Z2-7]{16}$/);
    expect((await scene.read("cloud/config/root")).body.data.access_key).toBe(body.data.access_key);
    scene.service.configure({ rootUserKeys: 2 });
    await answers(scene.write("cloud/config/rotate-root", {}), 500);
  });
});

describe("A5. AWS config/lease", () => {
  test("a read returns 404 before the first write, then durations in the form 30m0s", async () => {
    expect(await scene.read("cloud/config/lease")).toMatchObject(NOT_FOUND);
    await answers(scene.write("cloud/config/lease", { lease: "1h", lease_max: "60m" }), 204);
    await scene.write("cloud/config/lease", { lease: "30m", lease_max: "36h" });
    expect((await scene.read("cloud/config/lease")).body.data).toEqual({
      lease: "30m0s",
      lease_max: "36h0m0s",
    });
  });

  test.each([{ lease: "30m" }, { lease_max: "1h" }, { lease: "1d", lease_max: "2d" }])(
    "rejects %j",
    async (body) => {
      await answers(scene.write("cloud/config/lease", body), 400);
    },
  );
});

describe("A5. AWS roles", () => {
  test("a read returns every field, with null for an empty list and 0 for an unset duration", async () => {
    await answers(scene.write("cloud/roles/app", USER), 204);
    expect((await scene.read("cloud/roles/app")).body.data).toEqual({
      credential_types: ["iam_user"],
      policy_document: "",
      policy_arns: USER.policy_arns,
      role_arns: null,
      iam_groups: null,
      iam_tags: null,
      default_sts_ttl: 0,
      max_sts_ttl: 0,
      user_path: "",
      permissions_boundary_arn: "",
      mfa_serial_number: "",
    });
  });

  test("in the real dialect, a read returns the types as one comma-separated string, credential_type", async () => {
    const scene = new Scene({ dialect: "real" });
    const headers = { "x-vault-token": "root" };
    await scene.send("POST", "aws/roles/app", { policy: "{}" }, { headers });
    const { data } = (await scene.send("GET", "aws/roles/app", undefined, { headers })).body;
    expect(data.credential_type).toBe("iam_user,federation_token");
    expect(data).not.toHaveProperty("credential_types");
  });

  test("a POST leaves omitted fields unchanged, and an empty value clears a field", async () => {
    const read = async () => (await scene.read("cloud/roles/app")).body.data;
    await scene.write("cloud/roles/app", { ...USER, iam_groups: "a, b", iam_tags: ["team=web", "x=a=b"] });
    await scene.write("cloud/roles/app", { user_path: "/apps/" });
    expect(await read()).toMatchObject({
      policy_arns: USER.policy_arns,
      iam_groups: ["a", "b"],
      iam_tags: { team: "web", x: "a=b" },
      user_path: "/apps/",
    });
    await scene.write("cloud/roles/app", { iam_groups: [], iam_tags: {}, user_path: "" });
    expect(await read()).toMatchObject({ iam_groups: null, iam_tags: {}, user_path: "" });
  });

  test("removes whitespace from policy_document, but not the order and spelling of its keys and values", async () => {
    const policy_document = '{ "b": "two  words",\n "1": 12345678901234567890, "a": "\\u0041 \\" x" }';
    await scene.write("cloud/roles/app", { credential_type: "federation_token", policy_document });
    expect((await scene.read("cloud/roles/app")).body.data.policy_document).toBe(
      '{"b":"two  words","1":12345678901234567890,"a":"\\u0041 \\" x"}',
    );
  });

  test("a read returns durations as integer seconds", async () => {
    await scene.write("cloud/roles/app", { ...ASSUMED, default_sts_ttl: "1h", max_sts_ttl: "7200" });
    expect((await scene.read("cloud/roles/app")).body.data).toMatchObject({
      default_sts_ttl: 3600,
      max_sts_ttl: 7200,
    });
  });

  test.each([
    ["a missing credential_type", { policy_arns: ["a"] }],
    ["an unknown credential_type", { ...USER, credential_type: "user" }],
    ["assumed_role without role_arns", { credential_type: "assumed_role" }],
    ["role_arns for iam_user", { ...USER, role_arns: [ARN] }],
    ["iam_user without policy_arns or policy_document", { credential_type: "iam_user" }],
    ["federation_token without policy_arns or policy_document", { credential_type: "federation_token" }],
    ["policy_arns for session_token", { ...USER, credential_type: "session_token" }],
    ["policy_document for session_token", { credential_type: "session_token", policy_document: "{}" }],
    ["default_sts_ttl for iam_user", { ...USER, default_sts_ttl: "1h" }],
    ["max_sts_ttl for session_token", { credential_type: "session_token", max_sts_ttl: 60 }],
    ["a default_sts_ttl above max_sts_ttl", { ...ASSUMED, default_sts_ttl: 61, max_sts_ttl: 60 }],
    ["user_path for assumed_role", { ...ASSUMED, user_path: "/a/" }],
    ["a user_path without slashes around it", { ...USER, user_path: "apps" }],
    ["permissions_boundary_arn for assumed_role", { ...ASSUMED, permissions_boundary_arn: "a" }],
    ["a policy_document that is not JSON", { credential_type: "iam_user", policy_document: "{" }],
    ["an element of iam_tags without =", { ...USER, iam_tags: ["team"] }],
    ["policy with iam_groups", { policy: "{}", iam_groups: ["a"] }],
    ["policy with arn", { policy: "{}", arn: ARN }],
    ["an empty arn without policy", { arn: "" }],
  ])("rejects %s", async (_rule, body) => {
    await answers(scene.write("cloud/roles/app", body), 400);
    expect(await scene.read("cloud/roles/app")).toMatchObject(NOT_FOUND);
  });

  test("validates the merged role, not only the fields of the request", async () => {
    await scene.write("cloud/roles/app", USER);
    await answers(scene.write("cloud/roles/app", ASSUMED), 204);
    await answers(scene.write("cloud/roles/app", { credential_type: "iam_user" }), 400);
    const back = { credential_type: "iam_user", role_arns: [] };
    await answers(scene.write("cloud/roles/app", back), 204);
  });

  test("a list returns the names; a delete returns 204, and a second delete 404", async () => {
    await scene.write("cloud/roles/app", USER);
    expect((await scene.send("LIST", "cloud/roles")).body.data).toEqual({ keys: ["app"] });
    await answers(scene.send("DELETE", "cloud/roles/app"), 204);
    expect(await scene.send("DELETE", "cloud/roles/app")).toMatchObject(NOT_FOUND);
  });

  test("a read returns a stored invalid role as invalid_data until the next write", async () => {
    scene.service.seed({ invalidCloudRoles: [{ name: "old", invalidData: '{"a"' }] });
    expect((await scene.read("cloud/roles/old")).body.data.invalid_data).toBe('{"a"');
    await scene.write("cloud/roles/old", USER);
    expect((await scene.read("cloud/roles/old")).body.data).not.toHaveProperty("invalid_data");
  });
});

describe("A5. AWS creds and sts", () => {
  test("credentials of an IAM user have the configured lease, and no session token or arn", async () => {
    await scene.write("cloud/config/lease", { lease: "30m", lease_max: "1h" });
    await scene.write("cloud/roles/app", USER);
    const { body } = await scene.read("cloud/creds/app");
    expect(body).toMatchObject({
      lease_id: expect.stringMatching(/^cloud\/creds\/app\//),
      lease_duration: 1800,
      renewable: true,
      data: { access_key: expect.stringMatching(/^AKIA/), session_token: null },
    });
    expect(body.data).not.toHaveProperty("arn");
  });

  test("return 400 for an unknown role", async () => {
    await answers(new Scene().read("cloud/creds/none"), 400);
    await answers(new Scene().write("cloud/sts/none", {}), 400);
  });

  test("sts supports GET and POST, and truncates role_session_name in the returned arn to 64 characters", async () => {
    await scene.write("cloud/roles/app", ASSUMED);
    const posted = await scene.write("cloud/sts/app", { role_session_name: "s".repeat(80) });
    expect(posted.body.data.arn).toBe(`arn:aws:sts::1:assumed-role/deploy/${"s".repeat(64)}`);
    expect(posted.body.data.session_token).toEqual(expect.any(String));
    expect(posted.body).toMatchObject({ renewable: false, lease_duration: 3600 });
    expect((await scene.read("cloud/sts/app?ttl=15m")).body.lease_duration).toBe(900);
  });

  test("a request without ttl uses default_sts_ttl, and a longer ttl is reduced to max_sts_ttl", async () => {
    await scene.write("cloud/roles/app", { ...ASSUMED, default_sts_ttl: 1000, max_sts_ttl: 2000 });
    expect((await scene.write("cloud/sts/app", {})).body.lease_duration).toBe(1000);
    expect((await scene.write("cloud/sts/app", { ttl: "9000s" })).body.lease_duration).toBe(2000);
  });

  test("role_arn must be one of the role's ARNs, and is required if the role has several", async () => {
    const other = "arn:aws:iam::1:role/other";
    await scene.write("cloud/roles/app", { ...ASSUMED, role_arns: [ARN, other] });
    await answers(scene.write("cloud/sts/app", {}), 400);
    await answers(scene.write("cloud/sts/app", { role_arn: "arn:aws:iam::1:role/no" }), 400);
    const { arn } = (await scene.write("cloud/sts/app", { role_arn: other })).body.data;
    expect(arn).toContain("assumed-role/other/");
  });

  test("mfa_code is required if the role has mfa_serial_number", async () => {
    await scene.write("cloud/roles/app", { ...ASSUMED, mfa_serial_number: "arn:mfa" });
    await answers(scene.write("cloud/sts/app", {}), 400);
    await answers(scene.write("cloud/sts/app", { mfa_code: "123456" }), 200);
  });

  test("a legacy policy allows creds and sts, a legacy policy ARN no sts, a legacy role ARN no creds", async () => {
    await scene.write("cloud/roles/app", { policy: "{}" });
    expect((await scene.read("cloud/creds/app")).body.data.session_token).toBeNull();
    expect((await scene.read("cloud/sts/app")).body.data.session_token).not.toBeNull();
    await scene.write("cloud/roles/arn", { arn: "arn:aws:iam::1:policy/read" });
    await answers(scene.read("cloud/sts/arn"), 400);
    await scene.write("cloud/roles/role", { arn: ARN });
    await answers(scene.read("cloud/creds/role"), 400);
    expect((await scene.read("cloud/sts/role")).body.data.arn).toContain("assumed-role");
  });

  test("a username template can use .Type, which is STS for a federation token", async () => {
    const tooLongForSts = '{{ printf "%s%s" .Type (random 30) }}';
    await scene.write("cloud/config/root", { ...ROOT, username_template: tooLongForSts });
    await scene.write("cloud/roles/app", USER);
    await scene.write("cloud/roles/fed", { credential_type: "federation_token", policy_document: "{}" });
    await answers(scene.read("cloud/creds/app"), 200);
    await answers(scene.read("cloud/sts/fed"), 500, { errors: [expect.stringContaining(": STS")] });
  });

  test("a username that is too long returns 500, but the default template truncates it", async () => {
    const name = "r".repeat(70);
    await scene.write(`cloud/roles/${name}`, USER);
    await scene.write("cloud/roles/fed", { credential_type: "federation_token", policy_document: "{}" });
    await answers(scene.read(`cloud/creds/${name}`), 200);
    await scene.write("cloud/config/root", { ...ROOT, username_template: "{{ .RoleName }}" });
    await answers(scene.read(`cloud/creds/${name}`), 500);
    await answers(scene.read("cloud/sts/fed"), 200);
    await scene.write("cloud/config/root", { username_template: "{{ random 33 }}" });
    await answers(scene.read("cloud/sts/fed"), 500);
  });
});

describe("A5. AWS static roles", () => {
  const ROLE = { username: "svc", rotation_period: "24h" };
  const keys = async (scene: Scene) => (await scene.read("cloud/static-creds/db")).body.data;

  test("a POST returns 200 with the role and creates access keys", async () => {
    const { status, body } = await scene.write("cloud/static-roles/db", ROLE);
    expect(status).toBe(200);
    expect(body.data).toEqual({ name: "db", username: "svc", rotation_period: 86400 });
    expect((await scene.read("cloud/static-roles/db")).body.data).toEqual(body.data);
    expect(await keys(scene)).toEqual({
      access_key: expect.stringMatching(/^AKIA/),
      secret_key: expect.any(String),
    });
  });

  test.each([
    { rotation_period: 60 },
    { username: "svc" },
    { username: "svc", rotation_period: 59 },
    { username: "svc", rotation_period: "soon" },
  ])("rejects %j", async (body) => {
    await answers(scene.write("cloud/static-roles/db", body), 400);
  });

  test("the keys rotate at the end of each rotation_period", async () => {
    await scene.write("cloud/static-roles/db", ROLE);
    const first = await keys(scene);
    scene.pass(86_399);
    expect(await keys(scene)).toEqual(first);
    scene.pass(1);
    const second = await keys(scene);
    expect(second.access_key).not.toBe(first.access_key);
    scene.pass(86_399);
    expect(await keys(scene)).toEqual(second);
  });

  test("after a change of rotation_period, the next rotation is one new period after the change", async () => {
    await scene.write("cloud/static-roles/db", ROLE);
    const first = await keys(scene);
    scene.pass(80_000);
    await scene.write("cloud/static-roles/db", { rotation_period: 7200 });
    scene.pass(7199);
    expect(await keys(scene)).toEqual(first);
    scene.pass(1);
    expect(await keys(scene)).not.toEqual(first);
  });

  test("a different username returns 500 and changes nothing", async () => {
    await scene.write("cloud/static-roles/db", ROLE);
    const before = await keys(scene);
    await answers(scene.send("POST", "cloud/static-roles/db", { username: "other" }), 500);
    expect((await scene.read("cloud/static-roles/db")).body.data.username).toBe(ROLE.username);
    expect(await keys(scene)).toEqual(before);
  });

  test("an update without rotation_period does not change the time of the next rotation", async () => {
    await scene.write("cloud/static-roles/db", ROLE);
    const before = await keys(scene);
    scene.pass(80_000);
    await scene.write("cloud/static-roles/db", { username: ROLE.username });
    scene.pass(6400);
    expect(await keys(scene)).not.toEqual(before);
  });

  test("a role is listed; a delete returns 204, then reads of the role and its keys return 404", async () => {
    await scene.write("cloud/static-roles/db", ROLE);
    expect((await scene.send("LIST", "cloud/static-roles")).body.data.keys).toEqual(["db"]);
    await answers(scene.send("DELETE", "cloud/static-roles/db"), 204);
    expect(await scene.read("cloud/static-roles/db")).toMatchObject(NOT_FOUND);
    expect(await scene.read("cloud/static-creds/db")).toMatchObject(NOT_FOUND);
  });
});

describe("AWS engine: fields of newer releases of Vault", () => {
  const headers = { "x-vault-token": "root" };
  const real = (edition: "enterprise" | "community" = "enterprise") => {
    const scene = new Scene({ dialect: "real", edition });
    return {
      write: (path: string, body: object) => scene.send("POST", `aws/${path}`, body, { headers }),
      read: async (path: string) =>
        (await scene.send("GET", `aws/${path}`, undefined, { headers })).body.data,
    };
  };

  test("parses lists, durations and tags, and keeps omitted values", async () => {
    const { write, read } = real();
    await answers(
      write("config/root", {
        sts_fallback_endpoints: "http://a,http://b",
        sts_fallback_regions: ["a", "b"],
        rotation_period: "24h",
      }),
      204,
    );
    await answers(write("config/root", { region: "eu-west-1" }), 204);
    expect(await read("config/root")).toMatchObject({
      sts_fallback_endpoints: ["http://a", "http://b"],
      sts_fallback_regions: ["a", "b"],
      rotation_period: 86_400,
      rotation_window: 0,
    });
    await answers(write("roles/deploy", { ...ASSUMED, session_tags: ["a=b"], external_id: "x" }), 204);
    expect(await read("roles/deploy")).toMatchObject({ session_tags: { a: "b" }, external_id: "x" });
    await answers(write("roles/deploy", { policy: "{}" }), 204);
    expect(await read("roles/deploy")).toMatchObject({ session_tags: null, external_id: "" });
  });

  test.each([
    ["fallback lists of different lengths", "config/root", { sts_fallback_regions: ["a"] }],
    ["a schedule with a period", "config/root", { rotation_schedule: "0 2 * * *", rotation_period: 60 }],
    ["a window with a period", "config/root", { rotation_window: 60, rotation_period: 60 }],
    ["a window without a schedule", "config/root", { rotation_window: 60 }],
    ["a schedule that is not a cron expression", "config/root", { rotation_schedule: "weekly" }],
    ["session tags of IAM users", "roles/deploy", { ...USER, session_tags: { a: "b" } }],
    ["an external ID of IAM users", "roles/deploy", { ...USER, external_id: "x" }],
  ])("rejects %s", async (_what, path, body) => {
    await answers(real().write(path, body), 400);
  });

  test("the Community Edition rejects a rotation, and ignores the account of a static role", async () => {
    const { write, read } = real("community");
    await answers(write("config/root", { rotation_period: 60 }), 400);
    await answers(write("config/root", { rotation_period: 60, disable_automated_rotation: true }), 204);
    const role = { username: "app", rotation_period: "24h", assume_role_arn: ARN };
    const { status, body } = await write("static-roles/app", role);
    expect(status).toBe(200);
    expect(body.warnings).toEqual(["Endpoint ignored these unrecognized parameters: [assume_role_arn]"]);
    expect(await read("static-roles/app")).toMatchObject({ assume_role_arn: "" });
  });
});
