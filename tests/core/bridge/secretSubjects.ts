import { createPrivateKey } from "node:crypto";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import configEntry from "../../../provider/services/mesh/configEntry";
import inlineCertificate from "../../../provider/services/mesh/kinds/inlineCertificate";
import job from "../../../provider/services/scheduler/job";
import variable from "../../../provider/services/scheduler/variable";
import cloudCredentials from "../../../provider/services/secrets/cloudCredentials";
import cloudRoot from "../../../provider/services/secrets/cloudRoot";
import directoryConfig from "../../../provider/services/secrets/directoryConfig";
import kvSecret from "../../../provider/services/secrets/kvSecret";
import mfaMethod from "../../../provider/services/secrets/mfaMethod";
import queueConnection from "../../../provider/services/secrets/queueConnection";
import recoveryKeyRekey from "../../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../../provider/services/secrets/recoveryKeyVerification";
import userpassUser from "../../../provider/services/secrets/userpassUser";
import notificationConfiguration from "../../../provider/services/workspaces/notificationConfiguration";
import oauthClient from "../../../provider/services/workspaces/oauthClient";
import sshKey from "../../../provider/services/workspaces/sshKey";
import workspaceVariable from "../../../provider/services/workspaces/variable";
import variableSetVariable from "../../../provider/services/workspaces/variableSetVariable";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { INITIAL_SHARES } from "../../../testing/stub/services/secrets/rekey/records";
import { CERTIFICATE, PRIVATE_KEY } from "../../../testing/tests/stub/mesh-certificate";
import { Resource } from "../../steps/resource";
import { VARIABLE_SET_ID, WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import { secretsWorld } from "../../steps/subjects/secretsScene";
import { World } from "../../steps/world";

/** What a program writes in a secret field: the secret or its source. */
export type Written = Json;

/** A secret field of a definition, with everything that its tests need. */
export interface SecretSubject {
  readonly name: string;
  readonly definition: AnyDefinition;
  /** The path, as the program writes it. */
  readonly path: string;
  /** The pattern of the path, if the program chooses its last part. */
  readonly pattern?: string;
  scene(): Promise<SecretScene>;
  /** Two secrets that the server can parse; without them the tests use arbitrary text. */
  readonly secrets?: readonly [string, string];
  /** Someone else's edit of the field, if the server returns its value. */
  edit?(world: World, secret: string): Promise<void>;
}

export interface SecretScene {
  readonly world: World;
  /** @param isEdited whether a field other than the secret differs from the first program */
  program(secret: Written, isEdited?: boolean): Record<string, Json>;
  /** The secret of this scene, if only the server can generate it. */
  readonly secret?: string;
}

const SEC1 = createPrivateKey(PRIVATE_KEY).export({ format: "pem", type: "sec1" }).toString();
const KEYS = [PRIVATE_KEY, SEC1] as const;

const HUB = {
  name: "hub",
  serviceProvider: "github",
  httpUrl: "https://github.com",
  apiUrl: "https://api.github.com",
};

const groups = [{ name: "front", tasks: [{ name: "main", driver: "docker" }] }];
const Groups = [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }] }];

const MANAGER = {
  switches: { dialect: "neutral" },
  seed: { tokens: { manager: { management: true } } },
} as const;
const token = "manager";

const jobs = async (program: SecretScene["program"]): Promise<SecretScene> => ({
  world: new World(new SchedulerService(MANAGER), job, { token }),
  program,
});

const ofSecrets = async (
  definition: AnyDefinition,
  program: SecretScene["program"],
  before: Readonly<Record<string, Json>> = {},
): Promise<SecretScene> => ({ world: await secretsWorld(definition, before), program });

const notification = (isEdited?: boolean) => ({
  workspaceId: WORKSPACE_ID,
  name: "first",
  destinationType: "generic",
  triggers: isEdited ? ["run:errored"] : ["run:created"],
});

const priority = (isEdited?: boolean) => (isEdited ? 70 : 50);

const wireOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Someone else's write with the same permissions. */
async function write(world: World, method: string, path: string, body: Json, header: string): Promise<void> {
  const answer = await world.send(method, path, body, {
    [header]: token,
    "content-type": "application/json",
  });
  if (answer.status !== 200) throw new Error(answer.text);
}

const editEntry = (world: World, PrivateKey: string) =>
  write(
    world,
    "PUT",
    "/v1/config",
    { Kind: "inline-certificate", Name: "tls", Certificate: CERTIFICATE, PrivateKey },
    "x-mesh-token",
  );

const editJob = (member: string) => (world: World, secret: string) =>
  write(
    world,
    "POST",
    "/v1/jobs",
    { Job: { ID: "web", Priority: 50, TaskGroups: Groups, [member]: secret } },
    "x-sched-token",
  );

/** Every secret that a program may write; a test compares the list with the catalog. */
export const secretSubjects: readonly SecretSubject[] = [
  {
    name: "mesh:ConfigEntry spec.PrivateKey",
    definition: configEntry,
    path: "spec.PrivateKey",
    secrets: KEYS,
    edit: editEntry,
    scene: async () => ({
      world: new World(new MeshService(MANAGER), configEntry, { token }),
      program: (PrivateKey, isEdited) => ({
        kind: "inline-certificate",
        name: "tls",
        spec: { Certificate: CERTIFICATE, PrivateKey, ...(isEdited && { Meta: { team: "a" } }) },
      }),
    }),
  },
  {
    name: "mesh:InlineCertificate spec.privateKey",
    definition: inlineCertificate,
    path: "spec.privateKey",
    secrets: KEYS,
    edit: editEntry,
    scene: async () => ({
      world: new World(new MeshService(MANAGER), inlineCertificate, { token }),
      program: (privateKey, isEdited) => ({
        name: "tls",
        spec: { certificate: CERTIFICATE, privateKey, ...(isEdited && { meta: { team: "a" } }) },
      }),
    }),
  },
  ...["secretsToken", "meshToken"].map(
    (name): SecretSubject => ({
      name: `scheduler:Job spec.${name}`,
      definition: job,
      path: `spec.${name}`,
      edit: editJob(wireOf(name)),
      scene: () =>
        jobs((secret, isEdited) => ({
          spec: { id: "web", priority: priority(isEdited), taskGroups: groups, [name]: secret },
        })),
    }),
  ),
  ...["SecretsToken", "MeshToken"].map(
    (name): SecretSubject => ({
      name: `scheduler:Job json.${name}`,
      definition: job,
      path: `json.${name}`,
      edit: editJob(name),
      scene: () =>
        jobs((secret, isEdited) => ({
          json: { ID: "web", Priority: priority(isEdited), TaskGroups: Groups, [name]: secret },
        })),
    }),
  ),
  {
    name: "secrets:MfaMethod apiToken",
    definition: mfaMethod,
    path: "apiToken",
    scene: () =>
      ofSecrets(mfaMethod, (apiToken, isEdited) => ({
        methodName: "staff",
        orgName: isEdited ? "acme-eu" : "acme",
        apiToken,
      })),
  },
  ...["connectionUri", "password"].map(
    (name): SecretSubject => ({
      name: `secrets:QueueConnection ${name}`,
      definition: queueConnection,
      path: name,
      scene: () =>
        ofSecrets(queueConnection, (secret, isEdited) => ({
          connectionUri: "http://broker:15672",
          username: isEdited ? "administrator" : "admin",
          password: "hush",
          verifyConnection: false,
          [name]: secret,
        })),
    }),
  ),
  {
    name: "secrets:CloudRoot secretKey",
    definition: cloudRoot,
    path: "secretKey",
    scene: () =>
      ofSecrets(cloudRoot, (secretKey, isEdited) => ({
        accessKey: "AKIA",
        secretKey,
        ...(isEdited && { region: "eu-west-1" }),
      })),
  },
  ...["bindpass", "clientTlsKey"].map(
    (name): SecretSubject => ({
      name: `secrets:DirectoryConfig ${name}`,
      definition: directoryConfig,
      path: name,
      scene: () =>
        ofSecrets(directoryConfig, (secret, isEdited) => ({
          binddn: "cn=admin",
          bindpass: "hush",
          clientTlsCert: "certificate",
          clientTlsKey: "key",
          ...(isEdited && { userdn: "ou=people" }),
          [name]: secret,
        })),
    }),
  ),
  {
    name: "secrets:CloudCredentials mfaCode",
    definition: cloudCredentials,
    path: "mfaCode",
    scene: () =>
      ofSecrets(
        cloudCredentials,
        (mfaCode, isEdited) => ({ name: "app", mfaCode, timeouts: { read: isEdited ? 60 : 50 } }),
        {
          "cloud/config/root": { access_key: "AKIA", secret_key: "hush" },
          "cloud/roles/app": { credential_type: "session_token", mfa_serial_number: "arn:mfa" },
        },
      ),
  },
  {
    name: "scheduler:Variable items",
    definition: variable,
    path: "items.key",
    pattern: "items.*",
    edit: (world, secret) =>
      write(
        world,
        "PUT",
        "/v1/var/nomad/jobs/web",
        { Path: "nomad/jobs/web", Items: { key: secret } },
        "x-sched-token",
      ),
    scene: async () => ({
      world: new World(new SchedulerService(MANAGER), variable, { token }),
      program: (key, isEdited) => ({
        path: "nomad/jobs/web",
        items: { key, ...(isEdited && { user: "app" }) },
      }),
    }),
  },
  {
    name: "secrets:KvSecret data",
    definition: kvSecret,
    path: "data.password",
    pattern: "data.*",
    scene: () =>
      ofSecrets(kvSecret, (password, isEdited) => ({
        mount: "kv",
        path: "app",
        data: { password, ...(isEdited && { user: "app" }) },
      })),
  },
  {
    name: "secrets:UserpassUser password",
    definition: userpassUser,
    path: "password",
    scene: () =>
      ofSecrets(userpassUser, (password, isEdited) => ({
        username: "ahab",
        password,
        ...(isEdited && { tokenTtl: 60 }),
      })),
  },
  {
    name: "workspaces:SshKey value",
    definition: sshKey,
    path: "value",
    scene: async () => ({
      world: workspaceWorld(sshKey),
      program: (value, isEdited) => ({ name: isEdited ? "other" : "first", value }),
    }),
  },
  {
    name: "workspaces:Variable sensitiveValue",
    definition: workspaceVariable,
    path: "sensitiveValue",
    scene: async () => ({
      world: workspaceWorld(workspaceVariable),
      program: (sensitiveValue, isEdited) => ({
        workspaceId: WORKSPACE_ID,
        key: "password",
        category: "env",
        sensitive: true,
        sensitiveValue,
        ...(isEdited && { description: "for the database" }),
      }),
    }),
  },
  {
    name: "workspaces:VariableSetVariable sensitiveValue",
    definition: variableSetVariable,
    path: "sensitiveValue",
    scene: async () => ({
      world: workspaceWorld(variableSetVariable),
      program: (sensitiveValue, isEdited) => ({
        variableSetId: VARIABLE_SET_ID,
        key: "password",
        category: "env",
        sensitive: true,
        sensitiveValue,
        ...(isEdited && { description: "for the database" }),
      }),
    }),
  },
  ...(["oauthTokenString", "key", "secret"] as const).map(
    (path): SecretSubject => ({
      name: `workspaces:OauthClient ${path}`,
      definition: oauthClient,
      path,
      scene: async () => ({
        world: workspaceWorld(oauthClient),
        program: (secret, isEdited) => ({
          ...HUB,
          [path]: secret,
          ...(isEdited && { organizationScoped: false }),
        }),
      }),
    }),
  ),
  {
    name: "workspaces:OauthClient privateKey",
    definition: oauthClient,
    path: "privateKey",
    scene: async () => ({
      world: workspaceWorld(oauthClient),
      program: (privateKey, isEdited) => ({
        ...HUB,
        serviceProvider: "ado_server",
        privateKey,
        ...(isEdited && { organizationScoped: false }),
      }),
    }),
  },
  {
    name: "workspaces:NotificationConfiguration token",
    definition: notificationConfiguration,
    path: "token",
    scene: async () => ({
      world: workspaceWorld(notificationConfiguration),
      program: (token, isEdited) => ({
        ...notification(isEdited),
        url: "https://hooks.example.com/one",
        token,
      }),
    }),
  },
  {
    name: "workspaces:NotificationConfiguration url",
    definition: notificationConfiguration,
    path: "url",
    secrets: ["https://hooks.example.com/secret-one", "https://hooks.example.com/secret-two"],
    scene: async () => ({
      world: workspaceWorld(notificationConfiguration),
      program: (url, isEdited) => ({ ...notification(isEdited), url }),
    }),
  },
  {
    name: "secrets:RecoveryKeyRekey shares",
    definition: recoveryKeyRekey,
    path: "shares[1]",
    secrets: [INITIAL_SHARES[1] ?? "", INITIAL_SHARES[2] ?? ""],
    scene: () =>
      ofSecrets(recoveryKeyRekey, (share, isEdited) => ({
        secretShares: 3,
        secretThreshold: 2,
        shares: [INITIAL_SHARES[0] ?? "", share],
        othersGiveShares: isEdited ?? false,
      })),
  },
  {
    name: "secrets:RecoveryKeyVerification shares",
    definition: recoveryKeyVerification,
    path: "shares[0]",
    async scene() {
      const world = await secretsWorld(recoveryKeyVerification);
      const before = new Resource(world.another(), recoveryKeyRekey);
      const shares = INITIAL_SHARES.slice(0, 2);
      await before.create({ secretShares: 3, secretThreshold: 2, shares });
      const { nonce = "", keysBase64 } = before.outputs;
      const [first = "", ...rest] = Array.isArray(keysBase64) ? keysBase64.map(String) : [];
      return {
        world,
        secret: first,
        program: (share, isEdited) => ({
          rekeyNonce: nonce,
          shares: [share, ...rest],
          adopt: isEdited ?? false,
        }),
      };
    },
  },
];
