import {
  ActionableError,
  type Body,
  editProgram,
  formatJson,
  isGiven,
  isObject,
  type Json,
  stringIn,
  type UpdateInput,
  type Values,
  wireName,
} from "../../core";
import { hasValue, MODERN, userPath } from "./cloudRoleRules";

/**
 * Adds the legacy names to a role as read. Only a legacy policy makes two kinds of credentials. A legacy ARN is the only ARN
 * of its role.
 */
export function withLegacyNames(role: { readonly [member: string]: Json }): Body {
  const { credential_types: several, credential_type: one, policy_document: document } = role;
  const types = Array.isArray(several)
    ? several.map(stringIn)
    : typeof one === "string"
      ? one.split(",")
      : [];
  const arns = [role.role_arns, role.policy_arns].flatMap((list) => (Array.isArray(list) ? list : []));
  return {
    ...role,
    credential_type: types.join(","),
    ...(types.length > 1 && document !== undefined && { policy: document }),
    ...(arns.length === 1 && arns[0] !== undefined && { arn: arns[0] }),
  };
}

/** The credential types as one dialect returns them. */
export const KEPT = ["credential_types"];

/** The modern properties that each legacy parameter sets, and the body that clears each. */
const LEGACY: Readonly<Record<string, Readonly<Record<string, Body>>>> = {
  policy: { policyDocument: { policy_document: "" } },
  arn: { roleArns: { role_arns: [] }, policyArns: { policy_arns: [] } },
};

/**
 * The body of an update, in one of the two forms, because the server rejects a mixture. A legacy write sends the complete
 * role. If a program leaves the legacy form, the write clears the values that the legacy parameters set.
 * @throws Error if a legacy write would delete values that the program did not set
 */
export function legacyOrModern(body: Body, { inputs, applied, current = {} }: UpdateInput): Body {
  const isLegacy = (values: Values) => Object.keys(LEGACY).filter((name) => isGiven(values[name]));
  const [written] = isLegacy(inputs);
  const modern = Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(LEGACY, name)));
  if (written === undefined) {
    // The program's modern values are already on the server, or in the body.
    const cleared = isLegacy(applied).flatMap((name) =>
      Object.entries(LEGACY[name] ?? {}).flatMap(([modern, empty]) =>
        isGiven(inputs[modern]) ? [] : [empty],
      ),
    );
    return Object.assign({}, ...cleared, ...pathLeftBehind(inputs, applied), modern);
  }
  const replaced = [written, ...isLegacy(applied)].flatMap((name) => Object.keys(LEGACY[name] ?? {}));
  const deleted = MODERN.filter(
    (name) => isSet(name, current) && !isGiven(applied[name]) && !replaced.includes(name),
  );
  if (deleted.length > 0) throw deletesOthers(deleted);
  return { [written]: body[written] ?? legacyText(inputs[written]) };
}

/** True if a role as read has a value of this property that differs from the value of a new role. */
function isSet(name: (typeof MODERN)[number], role: NonNullable<UpdateInput["current"]>): boolean {
  const value = role[wireName(name, "snake")];
  return hasValue(value) && !(name === "userPath" && userPath.canonical(value ?? null) === "/");
}

function deletesOthers(names: readonly string[]): ActionableError {
  return new ActionableError(
    `the update would delete ${names.join(", ")}, which the program did not set; nothing was written. A write of the legacy policy or arn replaces the complete role.`,
    [editProgram("use credentialType with policyDocument, policyArns or roleArns instead of policy or arn")],
    { outcome: "notApplied" },
  );
}

/**
 * Clears a removed user path, instead of resetting it to the default, if the role no longer makes users. The server accepts
 * a path only for roles that make users.
 */
function pathLeftBehind(inputs: Values, applied: Values): Body[] {
  const isLeft =
    isGiven(applied.userPath) && !isGiven(inputs.userPath) && inputs.credentialType !== "iam_user";
  return isLeft ? [{ user_path: "" }] : [];
}

function legacyText(value: Json | undefined): Json {
  return isObject(value) ? formatJson(value) : (value ?? "");
}
