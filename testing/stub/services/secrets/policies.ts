import type { StubResponse } from "../../service";
import { absent, invalid, Refusal } from "./errors";
import { answer, answerKeys, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import type { AclPolicy } from "./world";

/** `/sys/policies`: ACL policies and password policies, whose names may contain slashes. */
export const policyEndpoints: readonly Endpoint[] = [
  { path: "sys/policies/acl", list: listAcl },
  { path: "sys/policies/acl/:policy*", read: readAcl, write: writeAcl, remove: removeAcl },
  { path: "sys/policies/password", list: listPassword },
  {
    path: "sys/policies/password/:policy*",
    read: readPassword,
    write: writePassword,
    remove: removePassword,
  },
];

/** The names of ACL policies are in lower case. */
const aclName = ({ params }: Operation) => (params.policy ?? "").toLowerCase();

function listAcl(operation: Operation): StubResponse {
  const names = [...operation.namespace.aclPolicies.keys()].sort();
  return answer(operation, { keys: [...names, "root"] });
}

/** The policy that permits everything. It has no text. */
const ROOT: AclPolicy = { text: "", version: 0, casRequired: false, modifiedAt: 0 };

function readAcl(operation: Operation): StubResponse {
  const { namespace, switches } = operation;
  const name = aclName(operation);
  const policy = namespace.aclPolicies.get(name) ?? (name === "root" ? ROOT : undefined);
  if (policy === undefined) throw absent();
  const { text, version, casRequired, expiration, modifiedAt } = policy;
  return answer(operation, {
    name,
    policy: text,
    ...(switches.policyVersions && {
      version,
      cas_required: casRequired,
      modified: new Date(modifiedAt).toISOString(),
      ...(expiration !== undefined && { expiration }),
    }),
  });
}

/** A write replaces the policy: an omitted `cas_required` or `expiration` is reset. */
function writeAcl(operation: Operation): StubResponse {
  const { namespace, fields, params, request, switches } = operation;
  const name = aclName(operation);
  if (name === "root") throw invalid('cannot update "root" policy');
  const text = decoded(fields.string("policy") ?? "");
  if (text === "") throw invalid("'policy' parameter not supplied or empty");
  if (!/[{=]/.test(text))
    throw invalid("failed to parse policy: expected start of object ('{') or assignment ('=')");
  const before = namespace.aclPolicies.get(name);
  const casRequired = fields.boolean("cas_required") ?? false;
  if (switches.policyVersions) checkCas(before, fields.integer("cas"), casRequired);
  const ttl = fields.duration("ttl");
  if (fields.has("expiration") && ttl !== undefined)
    throw invalid("cannot supply both 'expiration' and 'ttl' for policies");
  const ends = ttl === undefined ? undefined : new Date(request.now + ttl * 1000).toISOString();
  const expiration = fields.string("expiration") ?? ends;
  namespace.aclPolicies.set(name, {
    text,
    version: (before?.version ?? 0) + 1,
    casRequired,
    ...(expiration !== undefined && { expiration }),
    modifiedAt: request.now,
  });
  if (params.policy === name) return NO_CONTENT;
  return answer(operation, null, undefined, [`policy name was converted to ${name}`]);
}

/** OpenBao's check-and-set: -1 requires that the policy is absent, any other value its version. */
function checkCas(before: AclPolicy | undefined, cas: number | undefined, casRequired: boolean): void {
  if (cas === undefined) {
    if (casRequired || before?.casRequired) throw invalid("check-and-set parameter required for this call");
    return;
  }
  if (cas === -1 && before !== undefined)
    throw invalid("check-and-set parameter set to -1 on existing entry");
  if (cas !== -1 && cas !== (before?.version ?? 0))
    throw invalid("check-and-set parameter did not match the current version");
}

function removeAcl(operation: Operation): StubResponse {
  const name = aclName(operation);
  if (name === "root") throw invalid('cannot delete "root" policy');
  if (name === "default") throw invalid("cannot delete default policy");
  operation.namespace.aclPolicies.delete(name);
  return NO_CONTENT;
}

function listPassword(operation: Operation): StubResponse {
  return answerKeys(operation, operation.namespace.passwordPolicies);
}

function readPassword(operation: Operation): StubResponse {
  const text = operation.namespace.passwordPolicies.get(operation.params.policy ?? "");
  if (text === undefined) throw new Refusal(404, ["1 error occurred:\n\t* policy does not exist\n\n"]);
  return answer(operation, { policy: text });
}

function writePassword({ namespace, fields, params }: Operation): StubResponse {
  const text = decoded(fields.string("policy") ?? "");
  if (text === "") throw invalid("1 error occurred:\n\t* missing policy\n\n");
  if (!/\bcharset\b/.test(text))
    throw invalid("1 error occurred:\n\t* invalid password policy: no charset rule specified\n\n");
  namespace.passwordPolicies.set(params.policy ?? "", text);
  return NO_CONTENT;
}

function removePassword({ namespace, params }: Operation): StubResponse {
  namespace.passwordPolicies.delete(params.policy ?? "");
  return NO_CONTENT;
}

/** A text that is valid base64 is stored decoded. */
function decoded(text: string): string {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, "base64").toString("utf8") : text;
}
