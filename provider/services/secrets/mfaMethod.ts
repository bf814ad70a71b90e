import { z } from "zod";
import { commonFields } from "../../core/commonFields";
import { define, type Observation, type Values } from "../../core/define";
import { field } from "../../core/facts";
import { idTemplate } from "../../core/id";
import { isObject } from "../../core/json";
import { type StepContext, send } from "../../core/steps/context";
import { errorFrom, isSuccess, observe } from "../../core/steps/observe";
import { absentProof, isAbsent, secrets } from "./service";

/** An MFA method of the external identity provider (specification: A3). */
export default define({
  token: "secrets:MfaMethod",
  doc: "An MFA method of the external identity provider. The service would update an existing method of the same name; this resource never does so unasked.",
  section: "A3. External identity provider MFA method",
  service: secrets,
  fields: {
    ...commonFields,
    methodName: field(z.string().min(1).optional(), {
      doc: "The method's unique name. From release 1.13.0 of the service.",
      wire: "method_name",
      stays: true,
    }),
    usernameFormat: field(z.string().optional(), {
      doc: "How identity names map to user names; placeholders stand in double braces. Blank takes the entity's name as it is.",
      empty: "",
    }),
    orgName: field(z.string().min(1), { doc: "The organization's name at the identity provider." }),
    apiToken: field(z.string().min(1), {
      doc: "The identity provider's API token. Sent with every write, because the service takes a method whole.",
      secret: true,
      writeOnly: "every-write",
    }),
    baseUrl: field(z.string().optional(), {
      doc: "The base domain for API requests.",
      resetsWhenOmitted: true,
      default: "okta.com",
    }),
    primaryEmail: field(z.boolean().optional(), {
      doc: "Match only the primary email.",
      resetsWhenOmitted: true,
      default: false,
    }),
    methodId: field(z.string().optional(), { doc: "The method's id (UUID).", serverOwned: true, wire: "id" }),
    type: field(z.string().optional(), { doc: "The method's type.", serverOwned: true }),
    namespaceId: field(z.string().optional(), {
      doc: "The id of the namespace that holds the method.",
      serverOwned: true,
    }),
  },
  id: idTemplate("{methodId}"),
  find: findByName,
  fallsBack: { methodId: () => undefined },
  addressOf: (body) => ({ methodId: String(body.id) }),
  addressInAnswer: (answer) => {
    const data = isObject(answer) ? answer.data : undefined;
    return isObject(data) && typeof data.method_id === "string" ? { methodId: data.method_id } : {};
  },
  open: (answer) => {
    const data = secrets.open(answer);
    return data.name === undefined ? data : { ...data, method_name: data.name };
  },
  read: { method: "GET", path: "/identity/mfa/method/extidp/{methodId}" },
  create: { method: "POST", path: "/identity/mfa/method/extidp" },
  update: { method: "POST", path: "/identity/mfa/method/extidp/{methodId}" },
  remove: { method: "DELETE", path: "/identity/mfa/method/extidp/{methodId}" },
  updates: "replace",
  repeatsCreate: ({ methodName }) => methodName !== undefined,
  gone: absentProof,
  list: {
    route: { method: "GET", path: "/identity/mfa/method/extidp", query: { list: "true" } },
    whole: false,
  },
});

/**
 * The method of this name in the current namespace. The list also shows methods of parent namespaces, which are
 * not ours: they are told apart by the namespace that the method itself names.
 */
async function findByName(
  context: StepContext,
  _address: unknown,
  inputs: Values,
): Promise<Observation | undefined> {
  const { list } = context.definition;
  if (typeof inputs.methodName !== "string" || list === undefined) return undefined;
  const answer = await send(context, list.route, {}, { nature: "read" });
  if (isAbsent(answer)) return undefined;
  if (!isSuccess(answer)) throw errorFrom(context, answer, list.route, {});
  const { key_info: info } = secrets.open(answer.json ?? null);
  const named = Object.entries(isObject(info) ? info : {}).filter(
    ([, entry]) => isObject(entry) && entry.name === inputs.methodName,
  );
  const { namespace } = context.connection.settings;
  const own = typeof namespace === "string" ? withoutSlash(namespace) : undefined;
  for (const [methodId] of named) {
    const found = await observe(context, { methodId });
    // Without a namespace of its own the connection is in its token's, which may be any: better to ask than to update.
    if (found && (own === undefined || withoutSlash(String(found.body.namespace_path ?? "")) === own))
      return found;
  }
  return undefined;
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, "");
}
