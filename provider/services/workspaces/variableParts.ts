import { z } from "zod";
import {
  type AbsenceProof,
  type Address,
  checksByReadAndRejection,
  del,
  deletes,
  enumeration,
  field,
  get,
  isGiven,
  type ObjectHookContext,
  object,
  patch,
  patches,
  post,
  rule,
} from "../../core";
import { isTaken } from "./service";
import { asVariable, byKey } from "./variableByKey";

/** The server rejects changes of these properties while the variable is sensitive, or never shows them (a readable value). */
const fixed = { while: "sensitive" };

/** The fields of a variable after its address, which a workspace or a variable set contains. */
export function variableFields(owner: "workspace" | "variable set") {
  return {
    key: field(z.string().min(1).max(128), {
      doc: `Name of the variable, unique in its ${owner} and category.`,
      toWrite: "At most 128 characters.",
      immutable: fixed,
    }),
    value: field(z.string().optional(), {
      doc: "Value of the variable; not set if the variable is sensitive.",
      empty: "",
      immutable: fixed,
    }),
    sensitiveValue: field(z.string().optional(), {
      doc: "Value of a sensitive variable.",
      toWrite:
        "Required if `sensitive` is true. Removing both makes the variable readable, which replaces it.",
      wire: "sensitive-value",
      secret: true,
      writeOnly: "when-changed",
    }),
    category: field(
      enumeration({
        terraform: "A Terraform input variable.",
        env: "An environment variable of the runs.",
      }),
      { doc: "Kind of the variable." },
    ),
    hcl: field(z.boolean().optional(), {
      doc: "Parse the value as HCL, for values that are not strings.",
      default: false,
      immutable: fixed,
    }),
    sensitive: field(z.boolean().optional(), {
      doc: "Hide the value: the server never returns it again, and the variable cannot become readable again.",
      default: false,
      immutable: fixed,
    }),
    description: field(z.string().max(512).optional(), {
      doc: "Text that explains the purpose of the variable.",
      toWrite: "At most 512 characters.",
      empty: "",
    }),
    variableId: field(z.string().optional(), {
      doc: "ID of the variable (`var-…`).",
      role: "server's",
      wire: "id",
    }),
  } as const;
}

export const variableRules = [
  rule(
    ["sensitiveValue", "sensitive"],
    (value, sensitive) => (sensitive === true) !== (value !== undefined),
    "is required if sensitive is true, and only allowed then",
  ),
  rule(
    ["value", "sensitive"],
    (value, sensitive) => isGiven(value) && sensitive === true,
    "cannot be set if sensitive is true: the state would contain the value as plain text; use sensitiveValue",
  ),
];

/** How a variable's collection is located, and the proof that a variable was deleted. */
interface Collection {
  locate(context: ObjectHookContext, address: Address): Promise<Address>;
  readonly absence: AbsenceProof;
}

/** The life of the variables in a collection. */
export function variableLife(all: string, { locate, absence }: Collection) {
  const one = `${all}/{variableId}`;
  return object({
    reads: {
      one: get(one),
      expects: { named: { variableId: "id", key: "key" } },
      // An object without a key is not a variable.
      toObject: (body) => ({ ...body, key: body.key ?? "" }),
      locate,
      absence,
    },
    writes: patches({ create: post(all), update: patch(one), envelope: asVariable, returns: "object" }),
    creation: { existing: checksByReadAndRejection(isTaken, byKey(all)) },
    deletion: deletes(del(one)),
  });
}
