import { type Body, formatJson, isGiven, isObject, type Json, type Values, wordIn } from "../../core";

/**
 * A role as it is read, also by the legacy names. A legacy policy makes two kinds of credentials, which no other role
 * does; a legacy ARN is the only one of its role.
 */
export function withLegacyNames(role: { readonly [member: string]: Json }): Body {
  const { credential_types: several, credential_type: one, policy_document: document } = role;
  const types = Array.isArray(several) ? several.map(wordIn) : typeof one === "string" ? one.split(",") : [];
  const arns = [role.role_arns, role.policy_arns].flatMap((list) => (Array.isArray(list) ? list : []));
  return {
    ...role,
    credential_type: types.join(","),
    ...(types.length > 1 && document !== undefined && { policy: document }),
    ...(arns.length === 1 && arns[0] !== undefined && { arn: arns[0] }),
  };
}

/** Undeclared members that a write keeps when it omits them, and the types as one of the dialects shows them. */
export const KEPT = ["credential_types", "external_id", "session_tags"];

/** What the legacy parameters stand for: the modern properties, and how each is cleared. */
const LEGACY: Readonly<Record<string, Readonly<Record<string, Body>>>> = {
  policy: { policyDocument: { policy_document: "" } },
  arn: { roleArns: { role_arns: [] }, policyArns: { policy_arns: [] } },
};

/**
 * The body of an update, in one of the two forms: the service refuses a mixture. A legacy write is the whole role; a
 * program that leaves the legacy form clears what that stood for.
 */
export function legacyOrModern(body: Body, { inputs, applied }: { inputs: Values; applied: Values }): Body {
  const isLegacy = (values: Values) => Object.keys(LEGACY).filter((name) => isGiven(values[name]));
  const [written] = isLegacy(inputs);
  const modern = Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(LEGACY, name)));
  if (written === undefined) {
    // What the program writes in the modern form is there already, or in the body.
    const cleared = isLegacy(applied).flatMap((name) =>
      Object.entries(LEGACY[name] ?? {}).flatMap(([modern, empty]) =>
        isGiven(inputs[modern]) ? [] : [empty],
      ),
    );
    return Object.assign({}, ...cleared, ...pathLeftBehind(inputs, applied), modern);
  }
  return { [written]: body[written] ?? legacyText(inputs[written]) };
}

/** The default path of users is cleared where the role no longer makes users: the service takes it for those alone. */
function pathLeftBehind(inputs: Values, applied: Values): Body[] {
  const isLeft =
    isGiven(applied.userPath) && !isGiven(inputs.userPath) && inputs.credentialType !== "iam_user";
  return isLeft ? [{ user_path: "" }] : [];
}

function legacyText(value: Json | undefined): Json {
  return isObject(value) ? formatJson(value) : (value ?? "");
}
