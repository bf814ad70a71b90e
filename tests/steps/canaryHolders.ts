import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import configEntry from "../../provider/services/mesh/configEntry";
import inlineCertificate from "../../provider/services/mesh/kinds/inlineCertificate";
import job from "../../provider/services/scheduler/job";
import cloudRoot from "../../provider/services/secrets/cloudRoot";
import directoryConfig from "../../provider/services/secrets/directoryConfig";
import mfaMethod from "../../provider/services/secrets/mfaMethod";
import queueConnection from "../../provider/services/secrets/queueConnection";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { CERTIFICATE, PRIVATE_KEY } from "../../testing/tests/stub/mesh-certificate";
import { randomBytes } from "../bytes";
import { secretsWorld } from "./subjects/secretsScene";
import { World } from "./world";

/** A resource that contains a secret, and two programs for it with the same secret. */
export interface Holder {
  readonly definition: AnyDefinition;
  world(): World | Promise<World>;
  programs(secret: string): readonly [Values, Values];
  /** The only secret that the service accepts, if it validates the format. */
  readonly only?: string;
}

/** A management token: without it, every response would be a permission error. */
const MANAGED = {
  switches: { dialect: "neutral" },
  seed: { tokens: { manager: { management: true } } },
} as const;
const AS_MANAGER = { token: "manager" };

export const holders: readonly Holder[] = [
  {
    definition: configEntry,
    world: () => new World(new MeshService(MANAGED), configEntry, AS_MANAGER),
    programs: (PrivateKey) => [
      { kind: "inline-certificate", name: "tls", spec: { Certificate: CERTIFICATE, PrivateKey } },
      {
        kind: "inline-certificate",
        name: "tls",
        spec: { Certificate: CERTIFICATE, PrivateKey, Meta: { team: "a" } },
      },
    ],
    only: PRIVATE_KEY,
  },
  {
    definition: inlineCertificate,
    world: () => new World(new MeshService(MANAGED), inlineCertificate, AS_MANAGER),
    programs: (privateKey) => [
      { name: "tls", spec: { certificate: CERTIFICATE, privateKey } },
      { name: "tls", spec: { certificate: CERTIFICATE, privateKey, meta: { team: "a" } } },
    ],
    only: PRIVATE_KEY,
  },
  {
    definition: job,
    world: () => new World(new SchedulerService(MANAGED), job, AS_MANAGER),
    programs: (SecretsToken) => [
      {
        json: {
          ID: "web",
          SecretsToken,
          TaskGroups: [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }] }],
        },
      },
      {
        json: {
          ID: "web",
          Priority: 70,
          SecretsToken,
          TaskGroups: [{ Name: "front", Tasks: [{ Name: "main", Driver: "docker" }] }],
        },
      },
    ],
  },
  {
    definition: mfaMethod,
    world: () => secretsWorld(mfaMethod),
    programs: (apiToken) => [
      { methodName: "corporate", orgName: "acme", apiToken },
      { methodName: "corporate", orgName: "acme-eu", apiToken },
    ],
  },
  {
    definition: cloudRoot,
    world: () => secretsWorld(cloudRoot),
    programs: (secretKey) => [
      { accessKey: "AKIA1", secretKey },
      { accessKey: "AKIA1", secretKey, region: "eu-west-1" },
    ],
  },
  {
    definition: directoryConfig,
    world: () => secretsWorld(directoryConfig),
    programs: (bindpass) => [
      { binddn: "cn=admin,dc=example", bindpass },
      { binddn: "cn=admin,dc=example", bindpass, userdn: "ou=people" },
    ],
  },
  {
    definition: queueConnection,
    world: () => secretsWorld(queueConnection),
    programs: (password) => [
      { connectionUri: "http://broker:15672", username: "admin", password, verifyConnection: false },
      {
        connectionUri: "http://broker:15672",
        username: "admin",
        password,
        verifyConnection: false,
        passwordPolicy: "long",
      },
    ],
  },
];

/** Secrets that are hard to recognize in a text. */
export const SECRETS: Readonly<Record<string, string>> = {
  "25,000 characters": randomBytes(18_750).toString("base64"),
  "several lines": PRIVATE_KEY,
  "characters that every layer escapes": `p@ss <w&rd> "${randomBytes(15).toString("base64")}" \\ü/ 100% + #${randomBytes(6).toString("hex")}`,
};
