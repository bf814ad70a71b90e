import { answers } from "./in-process";
import { NOT_THERE, Scene, scene } from "./secrets-scene";

const ROOT = { access_key: "AKIAROOT", secret_key: "root-secret" };
const USER = { credential_type: "iam_user", policy_arns: ["arn:aws:iam::1:policy/read"] };
const ARN = "arn:aws:iam::1:role/deploy";
const ASSUMED = { credential_type: "assumed_role", role_arns: [ARN] };

describe("A5. config/root", () => {
  test("answers the non-secret values, and never secret_key", async () => {
    expect(await scene.read("cloud/config/root")).toMatchObject(NOT_THERE);
    await answers(scene.write("cloud/config/root", { ...ROOT, region: "eu-west-1" }), 204);
    expect((await scene.read("cloud/config/root")).body.data).toEqual({
      access_key: "AKIAROOT",
      region: "eu-west-1",
      iam_endpoint: "",
      sts_endpoint: "",
      max_retries: -1,
    });
  });

  test("a POST merges, except username_template, which resets when omitted", async () => {
    const scene = new Scene({ dialect: "real" });
    const headers = { "x-vault-token": "root" };
    const write = (body: object) => scene.send("POST", "aws/config/root", body, { headers });
    await write({ ...ROOT, region: "eu-west-1", max_retries: 3, username_template: "{{.RoleName}}" });
    await write({ region: "us-east-1" });
    const { data } = (await scene.send("GET", "aws/config/root", undefined, { headers })).body;
    expect(data).toMatchObject({ ...{ access_key: "AKIAROOT", region: "us-east-1" }, max_retries: 3 });
    expect(data.username_template).toBe("");
    expect(data.identity_token_ttl).toBe(3600);
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
    ["access_key × identity_token_audience", { ...ROOT, identity_token_audience: "a", role_arn: ARN }],
    ["secret_key with access_key", { access_key: "AKIA" }],
    ["role_arn with identity_token_audience", { identity_token_audience: "a" }],
    ["a template that cannot be read", { ...ROOT, username_template: "{{ nothing }}" }],
    ["what LDIF templates only have", { ...ROOT, username_template: "{{ .RoleName | utf16le }}" }],
  ])("refuses what breaks %s", async (_rule, body) => {
    await answers(scene.write("cloud/config/root", body), 400);
  });

  test("rotate-root answers the new access key, and needs the only key of its user", async () => {
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

describe("A5. config/lease", () => {
  test("answers as 30m0s", async () => {
    expect(await scene.read("cloud/config/lease")).toMatchObject(NOT_THERE);
    await answers(scene.write("cloud/config/lease", { lease: "1h", lease_max: "60m" }), 204);
    await scene.write("cloud/config/lease", { lease: "30m", lease_max: "36h" });
    expect((await scene.read("cloud/config/lease")).body.data).toEqual({
      lease: "30m0s",
      lease_max: "36h0m0s",
    });
  });

  test.each([{ lease: "30m" }, { lease_max: "1h" }, { lease: "1d", lease_max: "2d" }])(
    "refuses %j",
    async (body) => {
      await answers(scene.write("cloud/config/lease", body), 400);
    },
  );
});

describe("A5. roles", () => {
  test("answer everything, with nulls for empty lists and integer seconds", async () => {
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

  test("in the real dialect the types are credential_type, a joined string", async () => {
    const scene = new Scene({ dialect: "real" });
    const headers = { "x-vault-token": "root" };
    await scene.send("POST", "aws/roles/app", { policy: "{}" }, { headers });
    const { data } = (await scene.send("GET", "aws/roles/app", undefined, { headers })).body;
    expect(data.credential_type).toBe("iam_user,federation_token");
    expect(data).not.toHaveProperty("credential_types");
  });

  test("a POST merges; clearing needs an empty value", async () => {
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

  test("policy_document loses its whitespace and keeps its keys' order and spelling", async () => {
    const policy_document = '{ "b": "two  words",\n "1": 12345678901234567890, "a": "\\u0041 \\" x" }';
    await scene.write("cloud/roles/app", { credential_type: "federation_token", policy_document });
    expect((await scene.read("cloud/roles/app")).body.data.policy_document).toBe(
      '{"b":"two  words","1":12345678901234567890,"a":"\\u0041 \\" x"}',
    );
  });

  test("durations come back as integer seconds", async () => {
    await scene.write("cloud/roles/app", { ...ASSUMED, default_sts_ttl: "1h", max_sts_ttl: "7200" });
    expect((await scene.read("cloud/roles/app")).body.data).toMatchObject({
      default_sts_ttl: 3600,
      max_sts_ttl: 7200,
    });
  });

  test.each([
    ["credential_type is required", { policy_arns: ["a"] }],
    ["credential_type is one of four", { ...USER, credential_type: "user" }],
    ["role_arns is required for assumed_role", { credential_type: "assumed_role" }],
    ["role_arns is prohibited otherwise", { ...USER, role_arns: [ARN] }],
    ["iam_user needs policy_arns or policy_document", { credential_type: "iam_user" }],
    ["federation_token needs them too", { credential_type: "federation_token" }],
    ["policy_arns is disallowed for session_token", { ...USER, credential_type: "session_token" }],
    ["policy_document is too", { credential_type: "session_token", policy_document: "{}" }],
    ["ttls are not for iam_user", { ...USER, default_sts_ttl: "1h" }],
    ["ttls are not for session_token", { credential_type: "session_token", max_sts_ttl: 60 }],
    ["the default ttl is within the maximum", { ...ASSUMED, default_sts_ttl: 61, max_sts_ttl: 60 }],
    ["user_path is for iam_user only", { ...ASSUMED, user_path: "/a/" }],
    ["user_path has slashes around it", { ...USER, user_path: "apps" }],
    ["permissions_boundary_arn is for iam_user only", { ...ASSUMED, permissions_boundary_arn: "a" }],
    ["policy_document is JSON", { credential_type: "iam_user", policy_document: "{" }],
    ["iam_tags are key=value", { ...USER, iam_tags: ["team"] }],
    ["policy is not mixed with the others", { policy: "{}", iam_groups: ["a"] }],
    ["policy and arn are not mixed", { policy: "{}", arn: ARN }],
    ["one of policy or arn is required", { arn: "" }],
  ])("%s", async (_rule, body) => {
    await answers(scene.write("cloud/roles/app", body), 400);
    expect(await scene.read("cloud/roles/app")).toMatchObject(NOT_THERE);
  });

  test("a merge is held to the rules of what the role becomes", async () => {
    await scene.write("cloud/roles/app", USER);
    await answers(scene.write("cloud/roles/app", ASSUMED), 204);
    await answers(scene.write("cloud/roles/app", { credential_type: "iam_user" }), 400);
    const back = { credential_type: "iam_user", role_arns: [] };
    await answers(scene.write("cloud/roles/app", back), 204);
  });

  test("a delete answers 204, then 404; a list the names", async () => {
    await scene.write("cloud/roles/app", USER);
    expect((await scene.send("LIST", "cloud/roles")).body.data).toEqual({ keys: ["app"] });
    await answers(scene.send("DELETE", "cloud/roles/app"), 204);
    expect(await scene.send("DELETE", "cloud/roles/app")).toMatchObject(NOT_THERE);
  });

  test("data invalid since an earlier release appears as invalid_data, until a write", async () => {
    scene.service.seed({ invalidCloudRoles: [{ name: "old", invalidData: '{"a"' }] });
    expect((await scene.read("cloud/roles/old")).body.data.invalid_data).toBe('{"a"');
    await scene.write("cloud/roles/old", USER);
    expect((await scene.read("cloud/roles/old")).body.data).not.toHaveProperty("invalid_data");
  });
});

describe("A5. creds and sts", () => {
  test("an IAM user has no session token, and the configured lease", async () => {
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

  test("of an unknown role are 400", async () => {
    await answers(new Scene().read("cloud/creds/none"), 400);
    await answers(new Scene().write("cloud/sts/none", {}), 400);
  });

  test("sts answers GET and POST, with the arn of the assumed role", async () => {
    await scene.write("cloud/roles/app", ASSUMED);
    const posted = await scene.write("cloud/sts/app", { role_session_name: "s".repeat(80) });
    expect(posted.body.data.arn).toBe(`arn:aws:sts::1:assumed-role/deploy/${"s".repeat(64)}`);
    expect(posted.body.data.session_token).toEqual(expect.any(String));
    expect(posted.body).toMatchObject({ renewable: false, lease_duration: 3600 });
    expect((await scene.read("cloud/sts/app?ttl=15m")).body.lease_duration).toBe(900);
  });

  test("ttl falls back to default_sts_ttl and stays within max_sts_ttl", async () => {
    await scene.write("cloud/roles/app", { ...ASSUMED, default_sts_ttl: 1000, max_sts_ttl: 2000 });
    expect((await scene.write("cloud/sts/app", {})).body.lease_duration).toBe(1000);
    expect((await scene.write("cloud/sts/app", { ttl: "9000s" })).body.lease_duration).toBe(2000);
  });

  test("role_arn must be allowed, and is optional only where the role allows one", async () => {
    const other = "arn:aws:iam::1:role/other";
    await scene.write("cloud/roles/app", { ...ASSUMED, role_arns: [ARN, other] });
    await answers(scene.write("cloud/sts/app", {}), 400);
    await answers(scene.write("cloud/sts/app", { role_arn: "arn:aws:iam::1:role/no" }), 400);
    const { arn } = (await scene.write("cloud/sts/app", { role_arn: other })).body.data;
    expect(arn).toContain("assumed-role/other/");
  });

  test("mfa_code is required only where the role has mfa_serial_number", async () => {
    await scene.write("cloud/roles/app", { ...ASSUMED, mfa_serial_number: "arn:mfa" });
    await answers(scene.write("cloud/sts/app", {}), 400);
    await answers(scene.write("cloud/sts/app", { mfa_code: "123456" }), 200);
  });

  test("of a legacy policy, creds gives an IAM user and sts a federation token", async () => {
    await scene.write("cloud/roles/app", { policy: "{}" });
    expect((await scene.read("cloud/creds/app")).body.data.session_token).toBeNull();
    expect((await scene.read("cloud/sts/app")).body.data.session_token).not.toBeNull();
    await scene.write("cloud/roles/arn", { arn: "arn:aws:iam::1:policy/read" });
    await answers(scene.read("cloud/sts/arn"), 400);
    await scene.write("cloud/roles/role", { arn: ARN });
    await answers(scene.read("cloud/creds/role"), 400);
    expect((await scene.read("cloud/sts/role")).body.data.arn).toContain("assumed-role");
  });

  test("a username template knows for which type it is", async () => {
    const tooLongForSts = '{{ printf "%s%s" .Type (random 30) }}';
    await scene.write("cloud/config/root", { ...ROOT, username_template: tooLongForSts });
    await scene.write("cloud/roles/app", USER);
    await scene.write("cloud/roles/fed", { credential_type: "federation_token", policy_document: "{}" });
    await answers(scene.read("cloud/creds/app"), 200);
    await answers(scene.read("cloud/sts/fed"), 500, { errors: [expect.stringContaining(": STS")] });
  });

  test("a username longer than its limit is 500; the default template truncates", async () => {
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

describe("A5. static roles", () => {
  const ROLE = { username: "svc", rotation_period: "24h" };
  const keys = async (scene: Scene) => (await scene.read("cloud/static-creds/db")).body.data;

  test("a POST answers 200 with the role, and makes a credential", async () => {
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
  ])("refuses %j", async (body) => {
    await answers(scene.write("cloud/static-roles/db", body), 400);
  });

  test("the keys rotate as the clock passes each period", async () => {
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

  test("a changed period makes the next rotation now plus the period", async () => {
    await scene.write("cloud/static-roles/db", ROLE);
    const first = await keys(scene);
    scene.pass(80_000);
    await scene.write("cloud/static-roles/db", { rotation_period: 7200 });
    scene.pass(7199);
    expect(await keys(scene)).toEqual(first);
    scene.pass(1);
    expect(await keys(scene)).not.toEqual(first);
  });

  test("a changed username keeps the old keys", async () => {
    await scene.write("cloud/static-roles/db", ROLE);
    const before = await keys(scene);
    expect((await scene.write("cloud/static-roles/db", { username: "other" })).body.data.username).toBe(
      "other",
    );
    expect(await keys(scene)).toEqual(before);
  });

  test("a write without a period leaves the next rotation where it was", async () => {
    await scene.write("cloud/static-roles/db", ROLE);
    const before = await keys(scene);
    scene.pass(80_000);
    await scene.write("cloud/static-roles/db", { username: "other" });
    scene.pass(6400);
    expect(await keys(scene)).not.toEqual(before);
  });

  test("is listed, deleted with 204, and absent as 404", async () => {
    await scene.write("cloud/static-roles/db", ROLE);
    expect((await scene.send("LIST", "cloud/static-roles")).body.data.keys).toEqual(["db"]);
    await answers(scene.send("DELETE", "cloud/static-roles/db"), 204);
    expect(await scene.read("cloud/static-roles/db")).toMatchObject(NOT_THERE);
    expect(await scene.read("cloud/static-creds/db")).toMatchObject(NOT_THERE);
  });
});
