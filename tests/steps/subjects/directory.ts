import fc from "fast-check";
import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import directoryConfig from "../../../provider/services/secrets/directoryConfig";
import directoryRole from "../../../provider/services/secrets/directoryRole";
import directoryStaticRole from "../../../provider/services/secrets/directoryStaticRole";
import librarySet from "../../../provider/services/secrets/librarySet";
import { CERTIFICATE, PRIVATE_KEY } from "../../../testing/tests/stub/mesh-certificate";
import { dialectFor } from "../../dialect";
import type { Edit, Subject } from "../subject";
import { defined, maybe } from "./arbitraries";
import { rotations } from "./cloud";
import { secretsWorld, take, wireOf, write } from "./secretsScene";

const MOUNT = "ldap";
const CONFIG = { "ldap/config": { binddn: "cn=admin", bindpass: "hush" } };

/** The common parts of the LDAP engine's objects: a POST that merges. */
function inDirectory(
  definition: Definition,
  path: string,
  mount = MOUNT,
): Omit<Subject, "programs" | "edits"> {
  return {
    definition,
    world: () => secretsWorld(definition, definition === directoryConfig ? {} : CONFIG),
    edit: async (world, _resource, { property, value }) => {
      await write(world, `${mount}/${path}`, { [wireOf(property)]: value });
    },
    takeAway: (world) => take(world, `${mount}/${path}`),
    createTakes: () => ["GET", "POST", "GET"],
  };
}

const edit = (property: string, ...values: Json[]): fc.Arbitrary<Edit> =>
  fc.record({ property: fc.constant(property), value: fc.constantFrom(...values) });

/** Only Vault has `credential_type` and automated rotation, and its stub in the dialect `real`. */
const HAS_CREDENTIAL_TYPE = dialectFor(directoryConfig.token) === "real";

/** The configuration of the engine at one mount. */
export const directoryConfigAt = (mount: string, hasCredentialType = HAS_CREDENTIAL_TYPE): Subject => ({
  ...inDirectory(directoryConfig, "config", mount),
  programs: fc
    .record({
      binddn: fc.constantFrom("cn=admin,dc=example", "cn=root,dc=example"),
      bindpass: fc.constantFrom("hush-1", "hush-2"),
      url: maybe(fc.constantFrom<Json>("LDAPS://One.Example", ["ldap://a", "ldap://B"], "ldap://a,ldap://b")),
      passwordOf: maybe(fc.constantFrom({ length: 20 }, { length: 64 }, { passwordPolicy: "strict" })),
      schema: maybe(fc.constantFrom("openldap", "ad")),
      userdn: maybe(fc.constantFrom("ou=people,dc=example", "")),
      connectionTimeout: maybe(fc.constantFrom<Json>("30s", 30, "1m")),
      requestTimeout: maybe(fc.constantFrom<Json>(90, "2m")),
      starttls: maybe(fc.boolean()),
      tls: maybe(
        fc.constantFrom<Record<string, Json>>(
          { tlsMinVersion: "tls11" },
          { tlsMinVersion: "tls12", tlsMaxVersion: "tls13" },
          { tlsMaxVersion: "tls12" },
        ),
      ),
      ...(hasCredentialType && { credentialType: maybe(fc.constantFrom("password", "phrase")) }),
      rotation: maybe(rotations),
      clientTls: maybe(
        fc.constantFrom(
          { clientTlsCert: CERTIFICATE, clientTlsKey: PRIVATE_KEY },
          { clientTlsCert: "", clientTlsKey: "" },
        ),
      ),
    })
    .map(({ passwordOf = {}, clientTls = {}, tls = {}, rotation = {}, ...rest }) =>
      defined({
        ...rest,
        ...passwordOf,
        ...clientTls,
        ...tls,
        ...(hasCredentialType && rotation),
        ...(mount !== MOUNT && { mount }),
      }),
    ),
  edits: fc.oneof(
    edit("url", "ldap://theirs", "ldap://a,ldap://b"),
    edit("length", 30, 20),
    edit("userdn", "ou=theirs", ""),
    edit("connectionTimeout", 10, 60),
    edit("starttls", true, false),
    edit("upndomain", "theirs.example"),
    edit("tlsMaxVersion", "tls13", "tls12"),
    edit("tlsMinVersion", "tls10", "tls12"),
    ...(hasCredentialType
      ? [edit("credentialType", "phrase", "password"), edit("rotationPeriod", 7200, 0)]
      : []),
  ),
  async edit(world, _resource, { property, value }) {
    // A write that omits these fields would reset them.
    const { length, credential_type } = (await readConfig(world, mount)) ?? {};
    const unchanged = {
      ...(length !== undefined && { length }),
      ...(credential_type !== undefined && { credential_type }),
    };
    await write(world, `${mount}/config`, { ...unchanged, [wireOf(property)]: value });
  },
  // A password policy overrides the length, and the service rejects a request with both.
  isNoLongerLookedAt: (path, after) => path === ".length" && after.has(".passwordPolicy"),
});

/** Only what the product accepts: it rejects a length from any user while a password policy is set. */
export function withoutRefusedLengths(subject: Subject): Subject {
  return {
    ...subject,
    compatible: subject.programs.filter(({ passwordPolicy }) => passwordPolicy === undefined),
    edits: subject.edits.filter(({ property }) => property !== "length"),
  };
}

async function readConfig(world: Parameters<Subject["edit"]>[0], mount: string) {
  const { json } = await world.send("GET", `/v1/${mount}/config`, undefined, { "x-secrets-token": "root" });
  // The stub answers an object under `data`.
  return (json as { data?: { [member: string]: Json } }).data;
}

const staticRole: Subject = {
  ...inDirectory(directoryStaticRole, "static-role/db"),
  programs: fc
    .record({
      roleName: fc.constant("db"),
      username: fc.constant("svc-db"),
      dn: fc.constant("cn=svc-db,dc=example"),
      rotationPeriod: fc.constantFrom<Json>("24h", "1440m", 86_400, "5s", 3600),
    })
    .map(defined),
  edits: edit("rotationPeriod", 10, 3600, "24h"),
};

const CREATION = "dn: cn={{.Username}},dc=example\nobjectClass: person\ncn: {{.Username}}\n";
const DELETION = "dn: cn={{.Username}},dc=example\nchangetype: delete\n";
const base64 = (text: string) => Buffer.from(text).toString("base64");

const role: Subject = {
  ...inDirectory(directoryRole, "role/reader"),
  programs: fc
    .record({
      roleName: fc.constant("reader"),
      creationLdif: fc.constantFrom(CREATION, base64(CREATION), `${CREATION}sn: {{.Password}}\n`),
      deletionLdif: fc.constantFrom(DELETION, base64(DELETION)),
      rollbackLdif: maybe(fc.constantFrom(DELETION, base64(DELETION), "")),
      usernameTemplate: maybe(fc.constantFrom("v_{{.RoleName}}_{{random 8}}", "")),
      defaultTtl: maybe(fc.constantFrom<Json>("1h", 3600, 600)),
      maxTtl: maybe(fc.constantFrom<Json>("24h", 86_400)),
    })
    .map(defined),
  edits: fc.oneof(
    edit("rollbackLdif", "dn: cn=theirs,dc=example\nchangetype: delete\n", ""),
    edit("usernameTemplate", "x_{{random 9}}", ""),
    edit("defaultTtl", 900, 3600),
    edit("maxTtl", 7200, 86_400),
    edit("creationLdif", `${CREATION}sn: theirs\n`),
  ),
};

const accounts = fc.constantFrom<Json>("svc-1", ["svc-2", "svc-1"], "svc-1, svc-2");

const set: Subject = {
  ...inDirectory(librarySet, "library/ops"),
  programs: fc
    .record({
      name: fc.constant("ops"),
      serviceAccountNames: accounts,
      times: maybe(
        fc.record({
          ttl: fc.constantFrom<Json>("1h", 3600, 600),
          // At least the default of `ttl`: a test may leave that out.
          maxTtl: fc.constantFrom<Json>("24h", 0, "25h"),
        }),
      ),
      ttl: maybe(fc.constantFrom<Json>("1h", "60m")),
      disableCheckInEnforcement: maybe(fc.boolean()),
    })
    .map(({ times, ...rest }) => defined({ ...rest, ...times })),
  // The service may reject the maximum TTL of one program together with the TTL of another.
  compatible: fc
    .record({ serviceAccountNames: accounts, disableCheckInEnforcement: maybe(fc.boolean()) })
    .map((rest) => defined({ name: "ops", ttl: "1h", maxTtl: "2h", ...rest })),
  edits: fc.oneof(
    edit("serviceAccountNames", ["svc-1", "svc-9"], ["svc-1"], ["svc-2", "svc-1"]),
    edit("ttl", 1800, 3600),
    edit("maxTtl", 90_000, 0),
    edit("disableCheckInEnforcement", true, false),
  ),
};

/** The LDAP engine's configuration at its default mount. */
const config = directoryConfigAt(MOUNT);
export const directorySubjects: readonly Subject[] = [
  dialectFor(directoryConfig.token) === "real" ? withoutRefusedLengths(config) : config,
  staticRole,
  role,
  set,
];
