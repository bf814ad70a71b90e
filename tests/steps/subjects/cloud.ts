import fc from "fast-check";
import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import cloudLease from "../../../provider/services/secrets/cloudLease";
import cloudRole from "../../../provider/services/secrets/cloudRole";
import cloudRoot from "../../../provider/services/secrets/cloudRoot";
import cloudStaticRole from "../../../provider/services/secrets/cloudStaticRole";
import { dialectFor } from "../../dialect";
import type { Edit, Subject } from "../subject";
import { defined, maybe } from "./arbitraries";
import { read, secretsWorld, take, wireOf, write } from "./secretsScene";

/** The common parts of the AWS engine's objects: a POST that merges. */
function onCloud(definition: Definition, path: string): Pick<Subject, "definition" | "edit" | "createTakes"> {
  return {
    definition,
    edit: async (world, _resource, { property, value }) => {
      await write(world, `cloud/${path}`, { [wireOf(property)]: value });
    },
    createTakes: () => ["GET", "POST", "GET"],
  };
}

const edit = (property: string, ...values: Json[]): fc.Arbitrary<Edit> =>
  fc.record({ property: fc.constant(property), value: fc.constantFrom(...values) });

const key = fc.constantFrom(
  { accessKey: "AKIA1", secretKey: "hush-1" },
  { accessKey: "AKIA2", secretKey: "hush-2" },
);

/** True if the stub has the properties of Vault's newer releases, which are not in the specification. */
const isVault = ({ token }: Definition) => dialectFor(token) === "real";

const fallbacks = fc.constantFrom(
  { stsFallbackEndpoints: ["http://a", "http://b"], stsFallbackRegions: "eu-1, eu-2" },
  { stsFallbackEndpoints: "http://b", stsFallbackRegions: ["eu-2"] },
  { stsFallbackEndpoints: [], stsFallbackRegions: [] },
);

/** The rotations of root credentials. */
export const rotations = fc.constantFrom<Record<string, Json>>(
  { rotationPeriod: "24h" },
  { rotationPeriod: 3600, disableAutomatedRotation: true },
  { rotationSchedule: "0 2 * * SAT" },
  { rotationSchedule: "0 3 * * *", rotationWindow: "1h" },
);

const root: Subject = {
  ...onCloud(cloudRoot, "config/root"),
  world: () => secretsWorld(cloudRoot),
  programs: fc
    .record({
      credentials: fc.oneof(
        key,
        fc.constant({}),
        fc.constant({ roleArn: "arn:aws:iam::1:role/x", identityTokenAudience: "aud" }),
      ),
      region: maybe(fc.constantFrom("eu-west-1", "us-east-1", "")),
      iamEndpoint: maybe(fc.constantFrom("http://iam.example", "")),
      maxRetries: maybe(fc.constantFrom(-1, 5)),
      usernameTemplate: maybe(fc.constantFrom("v-{{ random 10 }}", "")),
      identityTokenTtl: maybe(fc.constantFrom<Json>("1h", 7200)),
      newer: fc.record({
        stsRegion: maybe(fc.constantFrom("eu-west-1", "")),
        fallbacks: maybe(fallbacks),
        rotation: maybe(rotations),
      }),
    })
    .map(({ credentials, newer: { stsRegion, fallbacks = {}, rotation = {} }, ...rest }) =>
      defined({
        ...credentials,
        ...rest,
        ...(isVault(cloudRoot) && { stsRegion, ...fallbacks, ...rotation }),
      }),
    ),
  // The service rejects the key of one program together with the identity token of another.
  compatible: fc
    .record({ region: maybe(fc.constantFrom("eu-west-1", "us-east-1")), key: maybe(key) })
    .map(({ key: pair = {}, ...rest }) => defined({ ...pair, ...rest })),
  edits: fc.oneof(
    edit("region", "eu-north-1", "us-east-1", ""),
    edit("maxRetries", 3, 5, -1),
    edit("stsEndpoint", "http://sts.example", ""),
    edit("iamEndpoint", "http://other.example"),
    ...(isVault(cloudRoot)
      ? [
          edit("stsRegion", "us-east-1", ""),
          edit("rotationPeriod", 7200, 0),
          edit("rotationSchedule", "0 4 * * *", ""),
          edit("disableAutomatedRotation", true, false),
          edit("usernameTemplate", "theirs-{{ random 8 }}", ""),
          edit("identityTokenTtl", 900, 3600),
          edit("roleArn", "arn:aws:iam::2:role/theirs"),
        ]
      : []),
  ),
  // The server resets an omitted template.
  async edit(world, _resource, { property, value }) {
    const { username_template = "" } = await read(world, "cloud/config/root");
    await write(world, "cloud/config/root", { username_template, [wireOf(property)]: value });
  },
};

const lease: Subject = {
  ...onCloud(cloudLease, "config/lease"),
  world: () => secretsWorld(cloudLease),
  programs: fc.record({
    lease: fc.constantFrom<Json>("30m", 1800, "1h", "3600", "0h30m"),
    leaseMax: fc.constantFrom<Json>("24h", 86_400, "1440m", "2h"),
  }),
  edits: fc.oneof(edit("lease", "10m", "30m0s"), edit("leaseMax", "12h", "24h0m0s")),
  async edit(world, _resource, { property, value }) {
    const { lease, lease_max } = await read(world, "cloud/config/lease");
    await write(world, "cloud/config/lease", {
      lease: lease ?? "",
      lease_max: lease_max ?? "",
      [wireOf(property)]: value,
    });
  },
};

const ARN_OF_ROLE = "arn:aws:iam::1:role/x";
const BOUNDARY = "arn:aws:iam::1:policy/boundary";
const arns = fc.constantFrom<Json>(
  "arn:aws:iam::1:policy/a",
  ["arn:aws:iam::1:policy/b", "arn:aws:iam::1:policy/a"],
  "arn:aws:iam::1:policy/a, arn:aws:iam::1:policy/b",
);
const document = (action: string) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: action }],
});
const documents = fc.constantFrom<Json>(
  document("s3:*"),
  JSON.stringify(document("s3:*"), null, 2),
  JSON.stringify(document("ec2:*")),
);
const common = {
  name: fc.constant("deploy"),
  iamGroups: maybe(fc.constantFrom<Json>(["ops"], "ops,dev", [])),
  iamTags: maybe(fc.constantFrom<Json>({ team: "web" }, ["team=web", "cost=a=b"], {})),
  mfaSerialNumber: maybe(fc.constantFrom("", "arn:aws:iam::1:mfa/x")),
};
const ttls = {
  defaultStsTtl: maybe(fc.constantFrom<Json>("15m", 900, "1800")),
  maxStsTtl: maybe(fc.constantFrom<Json>("1h", 7200)),
};

const users = fc
  .record({
    ...common,
    credentialType: fc.constant("iam_user"),
    policyArns: arns,
    policyDocument: maybe(documents),
    userPath: maybe(fc.constantFrom("/teams/", "/")),
    permissionsBoundaryArn: maybe(fc.constantFrom(BOUNDARY, "")),
  })
  .map(defined);

const role: Subject = {
  ...onCloud(cloudRole, "roles/deploy"),
  world: () => secretsWorld(cloudRole),
  programs: fc
    .oneof(
      users,
      fc.record({
        ...common,
        ...ttls,
        credentialType: fc.constant("assumed_role"),
        roleArns: fc.constantFrom<Json>("arn:aws:iam::1:role/x", [
          "arn:aws:iam::1:role/x",
          "arn:aws:iam::1:role/y",
        ]),
        policyDocument: maybe(documents),
        ...(isVault(cloudRole) && {
          sessionTags: maybe(fc.constantFrom<Json>({ team: "web" }, ["team=web"], {})),
          externalId: maybe(fc.constantFrom("partner-1", "")),
        }),
      }),
      fc.record({
        ...common,
        ...ttls,
        credentialType: fc.constant("federation_token"),
        policyDocument: documents,
        policyArns: maybe(arns),
      }),
    )
    .map(defined),
  // The service rejects properties of one credential type together with those of another type.
  compatible: users,
  // Properties that every credential type accepts, so that an edit never makes the role invalid.
  edits: fc.oneof(
    edit("policyArns", ["arn:aws:iam::1:policy/z"], ["arn:aws:iam::1:policy/a", "arn:aws:iam::1:policy/z"]),
    edit("policyDocument", JSON.stringify(document("sqs:*"))),
    edit("iamGroups", ["ops"], ["others"], []),
    edit("iamTags", { team: "theirs" }, {}),
    edit("mfaSerialNumber", "arn:aws:iam::1:mfa/y", ""),
  ),
  takeAway: (world) => take(world, "cloud/roles/deploy"),
  // The legacy `arn` is derived from other properties.
  isNoLongerLookedAt: (path) => path === ".arn",
};

const staticRole: Subject = {
  ...onCloud(cloudStaticRole, "static-roles/app"),
  world: () => secretsWorld(cloudStaticRole),
  programs: fc
    .record({
      name: fc.constant("app"),
      username: fc.constant("svc-app"),
      rotationPeriod: fc.constantFrom<Json>("24h", "1440m", 86_400, "86400", "12h", 60),
      account: maybe(
        fc.constantFrom(
          { assumeRoleArn: ARN_OF_ROLE, assumeRoleSessionName: "vault" },
          { assumeRoleArn: ARN_OF_ROLE, assumeRoleSessionName: "vault", externalId: "partner-1" },
          { externalId: "" },
        ),
      ),
    })
    .map(({ account = {}, ...rest }) => defined({ ...rest, ...(isVault(cloudStaticRole) && account) })),
  edits: fc.oneof(
    edit("rotationPeriod", 60, 3600, "24h"),
    ...(isVault(cloudStaticRole) ? [edit("externalId", "theirs", "")] : []),
  ),
  takeAway: (world) => take(world, "cloud/static-roles/app"),
};

/** The objects of the AWS engine at its default mount. */
export const cloudSubjects: readonly Subject[] = [root, lease, role, staticRole];
