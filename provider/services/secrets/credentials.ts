import { z } from "zod";
import {
  addressOf,
  defineFunction,
  errorFrom,
  errorOfRead,
  type FunctionDefinition,
  field,
  functionFields,
  isSuccess,
  knownAddress,
  type RequestContext,
  type Route,
  send,
  type Values,
} from "../../core";
import { cloudKeys, directoryAccounts, type Fresh, queueUsers, roleName } from "./credentials/fresh";
import { membersOf, requestFor } from "./credentials/request";
import { engineParts, mountField } from "./mounts";
import { namespaceField } from "./namespaces";
import { documentedMembers } from "./results";
import { secrets } from "./service";

const secret = (doc: string) => field(z.string().optional(), { doc, secret: true });
const plain = (doc: string) => field(z.string().optional(), { doc });

const lease = {
  leaseId: plain("The ID of the lease, which the `sys/leases` endpoints accept."),
  leaseDuration: field(z.number().optional(), { doc: "The lease duration in seconds." }),
  renewable: field(z.boolean().optional(), { doc: "True if the lease can be renewed." }),
} as const;

type CredentialRequest = Pick<Fresh, "route" | "needed">;
type CredentialFunction = Pick<FunctionDefinition, "token" | "doc" | "section" | "fields" | "result">;

/** Defines a function that reads existing credentials, which can be read again. */
function reading(
  description: CredentialFunction & Pick<Fresh, "engine" | "needed"> & { route(args: Values): Route },
) {
  return credentials(description, description);
}

/** Declares a function that would create credentials. Calls fail and name the resource that creates them once. */
function deprecatedFunction(token: CredentialFunction["token"], doc: string, by: string, fresh: Fresh) {
  const { engine, section, makes } = fresh;
  const fields = fresh.fields({});
  const result = { ...fresh.result({}), ...lease };
  return credentials({ token, doc, section, engine, fields, result, replaced: { makes, by } }, fresh);
}

function credentials(
  {
    engine,
    fields,
    token,
    doc,
    section,
    result,
    replaced,
  }: CredentialFunction & Pick<FunctionDefinition, "replaced"> & { readonly engine: Fresh["engine"] },
  asking: CredentialRequest,
): FunctionDefinition {
  const definition: FunctionDefinition = defineFunction({
    token,
    doc,
    section,
    result,
    service: secrets,
    fields: { namespace: namespaceField, mount: mountField(engine), ...fields, ...functionFields },
    where: engineParts(engine),
    isCredential: true,
    ...(replaced && { replaced }),
    asks: { kind: "call", call: (context, args) => readCredentials(definition, context, args, asking) },
  });
  return definition;
}

async function readCredentials(
  definition: FunctionDefinition,
  context: RequestContext,
  args: Values,
  asking: CredentialRequest,
): Promise<Values> {
  const address = knownAddress(addressOf(definition, context.connection, args));
  const { route } = requestFor(asking, args);
  const answer = await send(context, route, address, { nature: "read" });
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  const members = membersOf(answer.json ?? null);
  if (asking.needed.every((name) => typeof members[name] === "string"))
    return documentedMembers(definition, members);
  throw errorOfRead(context, answer, route, address);
}

const getQueueCredentials = deprecatedFunction(
  "secrets:getQueueCredentials",
  "Deprecated: issued a RabbitMQ user. Calls always fail; use `QueueCredentials`.",
  "QueueCredentials",
  queueUsers,
);

const getCloudCredentials = deprecatedFunction(
  "secrets:getCloudCredentials",
  "Deprecated: issued AWS credentials. Calls always fail; use `CloudCredentials`.",
  "CloudCredentials",
  cloudKeys,
);

const getCloudStaticCredentials = reading({
  token: "secrets:getCloudStaticCredentials",
  doc: "Reads the current access key of a static role of the AWS secrets engine.",
  section: "A5. Cloud engine",
  engine: "cloud",
  fields: { name: roleName("static role") },
  result: {
    accessKey: plain("The ID of the IAM user's access key."),
    secretKey: secret("The secret access key."),
  },
  needed: ["access_key", "secret_key"],
  route: () => ({ method: "GET", path: "/{+mount}/static-creds/{name}" }),
});

const getDirectoryStaticCredentials = reading({
  token: "secrets:getDirectoryStaticCredentials",
  doc: "Reads the current password of a static role of the LDAP secrets engine.",
  section: "A6. Directory engine",
  engine: "directory",
  fields: { roleName: roleName("static role") },
  result: {
    username: plain("The user name of the LDAP account."),
    dn: plain("The distinguished name of the LDAP account."),
    password: secret("The current password of the LDAP account."),
    lastPassword: secret("The previous password of the LDAP account."),
    lastVaultRotation: plain("The time of the last password rotation (RFC 3339)."),
    rotationPeriod: field(z.number().optional(), { doc: "The time between rotations, in seconds." }),
    ttl: field(z.number().optional(), { doc: "The time until the next rotation, in seconds." }),
  },
  needed: ["username", "password"],
  route: () => ({ method: "GET", path: "/{+mount}/static-cred/{roleName}" }),
});

const getDirectoryCredentials = deprecatedFunction(
  "secrets:getDirectoryCredentials",
  "Deprecated: issued an LDAP account. Calls always fail; use `DirectoryCredentials`.",
  "DirectoryCredentials",
  directoryAccounts,
);

/** The functions that return credentials: Output form only, always secret. */
export default {
  getQueueCredentials,
  getCloudCredentials,
  getCloudStaticCredentials,
  getDirectoryStaticCredentials,
  getDirectoryCredentials,
};
