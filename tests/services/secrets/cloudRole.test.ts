import type { Values } from "../../../provider/core/language/object";
import cloudRole from "../../../provider/services/secrets/cloudRole";
import { Resource } from "../../steps/resource";
import { scene } from "./scene";

const POLICY = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "s3:*", Resource: "*" }] };
const TEXT = JSON.stringify(POLICY);
const ARN = "arn:aws:iam::1:policy/a";
const ROLE = "arn:aws:iam::1:role/x";
const user = { name: "deploy", credentialType: "iam_user", policyArns: [ARN] };
const PATH = "cloud/roles/deploy";

describe("the table Role parameters (A5), in the preview", () => {
  test.each<[string, Values, string[]]>([
    [
      "a role needs a type",
      { iamGroups: ["a"] },
      ["credentialType: is required, unless the legacy policy or arn"],
    ],
    [
      "roleArns are required for assumed_role",
      { credentialType: "assumed_role" },
      ["roleArns: is required where"],
    ],
    [
      "roleArns are prohibited otherwise",
      { credentialType: "iam_user", policyArns: [ARN], roleArns: ROLE },
      [`roleArns: given "${ROLE}": is for assumed_role only, and credentialType is iam_user`],
    ],
    [
      "iam_user needs policyArns or policyDocument",
      { credentialType: "iam_user" },
      ["policyArns: is missing: it or policyDocument is required where credentialType is iam_user"],
    ],
    [
      "federation_token needs policyArns or policyDocument",
      { credentialType: "federation_token", policyArns: [], policyDocument: "" },
      [
        "policyArns: given []: is missing: it or policyDocument is required where credentialType is federation_token",
      ],
    ],
    [
      "session_token takes neither",
      { credentialType: "session_token", policyArns: [ARN], policyDocument: TEXT },
      ["policyArns: given", "policyDocument: given"],
    ],
    [
      "session_token takes no sts ttl",
      { credentialType: "session_token", defaultStsTtl: "1h", maxStsTtl: "2h" },
      ["defaultStsTtl: given", "maxStsTtl: given"],
    ],
    [
      "iam_user takes no sts ttl",
      { ...user, maxStsTtl: 60 },
      ["maxStsTtl: given 60: is for assumed_role, federation_token only"],
    ],
    [
      "defaultStsTtl is not longer than maxStsTtl",
      { credentialType: "assumed_role", roleArns: ROLE, defaultStsTtl: "2h", maxStsTtl: "1h" },
      ['defaultStsTtl: given "2h": must not be longer than maxStsTtl'],
    ],
    [
      "userPath and permissionsBoundaryArn are for iam_user only",
      { credentialType: "assumed_role", roleArns: ROLE, userPath: "/a/", permissionsBoundaryArn: ARN },
      ["userPath: given", "permissionsBoundaryArn: given"],
    ],
    [
      "userPath begins and ends with /",
      { ...user, userPath: "/a" },
      ['userPath: given "/a": must begin and end with /'],
    ],
    [
      "a policy is JSON",
      { credentialType: "iam_user", policyDocument: "{broken" },
      ["policyDocument: given"],
    ],
    [
      "a tag has a key and a value",
      { ...user, iamTags: ["team"] },
      ['iamTags: given ["team"]: must hold key=value, not "team"'],
    ],
    ["the legacy form has one of policy and arn", { policy: TEXT, arn: ARN }, ["policy: given"]],
    [
      "the legacy form stands alone",
      { arn: ARN, credentialType: "iam_user", policyArns: [ARN] },
      ["arn: given", "arn: given"],
    ],
  ])("%s", async (_, program, expected) => {
    const { problems } = await scene(cloudRole);
    const found = problems({ name: "deploy", ...program });
    expect(found).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(found[index]).toContain(start);
  });

  test.each<[string, Values]>([
    ["iam_user", { ...user, userPath: "/teams/web/", permissionsBoundaryArn: ARN, iamGroups: "a,b" }],
    ["assumed_role", { credentialType: "assumed_role", roleArns: [ROLE], maxStsTtl: "1h", userPath: "" }],
    ["federation_token", { credentialType: "federation_token", policyDocument: POLICY, defaultStsTtl: 900 }],
    ["session_token", { credentialType: "session_token", mfaSerialNumber: "arn:aws:iam::1:mfa/x" }],
    ["a list of policies, which is JSON", { ...user, policyDocument: "[]" }],
    ["a tag whose value holds =, and one without a key", { ...user, iamTags: ["team=a=b", "=x"] }],
    ["a limit without a default", { credentialType: "assumed_role", roleArns: [ROLE], maxStsTtl: "90.5s" }],
    ["a legacy policy", { policy: POLICY }],
    ["a legacy arn", { arn: ARN }],
  ])("%s is whole, and the service agrees", async (_, program) => {
    const { resource, problems } = await scene(cloudRole);
    const whole = { name: "deploy", ...program };
    expect(problems(whole)).toEqual([]);
    await resource.create(whole);
    expect(resource.preview(whole).changes).toEqual([]);
    await resource.refresh();
    expect(resource.preview(whole).changes).toEqual([]);
  });
});

describe("a cloud role", () => {
  test("compares policies as JSON, whatever their layout and the order of their keys", async () => {
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

  test("clears what the program drops, with the empty value of each", async () => {
    const { resource, written, held } = await scene(cloudRole);
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
    expect(await held(PATH)).toMatchObject({ policy_document: "", iam_groups: null, user_path: "/" });
  });

  test("of another type loses what only the old type had", async () => {
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

  test("moves from a legacy policy to the modern form and back, and is quiet after each", async () => {
    const { resource, written, held } = await scene(cloudRole);
    const legacy = { name: "deploy", policy: POLICY };
    const modern = { name: "deploy", credentialType: "iam_user", policyDocument: POLICY };
    await resource.create(legacy);
    expect(written()).toEqual([{ policy: TEXT }]);
    await resource.up(modern);
    expect(written().at(-1)).toEqual({ credential_type: "iam_user" });
    expect(await held(PATH)).toMatchObject({ credential_types: ["iam_user"], policy_document: TEXT });
    expect(resource.preview(modern).changes).toEqual([]);
    await resource.up(legacy);
    expect(written().at(-1)).toEqual({ policy: TEXT });
    expect(resource.preview(legacy).changes).toEqual([]);
    expect(await held(PATH)).toMatchObject({ credential_types: ["iam_user", "federation_token"] });
  });

  test("that leaves the legacy arn leaves nothing of it behind", async () => {
    const { resource, held } = await scene(cloudRole);
    await resource.create({ name: "deploy", arn: ARN });
    expect(await held(PATH)).toMatchObject({ policy_arns: [ARN] });
    const modern = { name: "deploy", credentialType: "iam_user", policyDocument: POLICY };
    await resource.up(modern);
    expect(await held(PATH)).toMatchObject({ policy_arns: null, policy_document: TEXT });
    expect(resource.preview(modern).changes).toEqual([]);
  });

  test("in the legacy form shows what others made of it", async () => {
    const { resource, theirs } = await scene(cloudRole);
    await resource.create({ name: "deploy", policy: POLICY });
    await theirs(PATH, { policy: JSON.stringify({ ...POLICY, Id: "theirs" }) });
    await resource.refresh();
    expect(resource.preview({ name: "deploy", policy: POLICY }).changes.map(({ path }) => path)).toEqual([
      ["policy", "Id"],
    ]);
  });

  test("that the service keeps for an earlier release shows its invalid data", async () => {
    const { resource, world } = await scene(cloudRole);
    world.stub.seed({ invalidCloudRoles: [{ name: "old", invalidData: "policy: {" }] });
    await resource.get("cloud/old");
    expect(resource.outputs.invalidData).toBe("policy: {");
  });

  test("is read by its id in the modern form, with the names of either dialect", async () => {
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
