import { z } from "zod";
import {
  type AbsenceProof,
  type Address,
  commonFields,
  define,
  errorOfRead,
  field,
  get,
  isSuccess,
  listRequestOf,
  type ObjectHookContext,
  place,
  send,
} from "../../core";
import { workspaces } from "./service";
import { variableFields, variableLife, variableRules } from "./variableParts";
import { isMissing } from "./workspaceGone";

const set = get("/varsets/{variableSetId}");
const sets = get("/organizations/{organization}/varsets");

/** Adds the organization of the set to the address: the proof that the set was deleted needs it. */
async function withOrganization(context: ObjectHookContext, address: Address): Promise<Address> {
  const answer = await send(context, set, address, { nature: "read" });
  const { id, "organization-id": organization } = workspaces.unwrap(answer.json ?? null);
  if (isSuccess(answer) && id === address.variableSetId && typeof organization === "string")
    return { ...address, organization };
  throw errorOfRead(context, answer, set, address);
}

const gone: AbsenceProof = {
  evidence:
    "the variable returns 404, and this token can still read the variable set. Otherwise, the variable set returns 404 and is missing from the organization's list, which this token can read. The missing list entry is the best available evidence, because the server also returns 404 for objects that the token cannot see",
  async proves({ status }, context, address) {
    if (status !== 404 || address.organization === undefined) return false;
    const answer = await send(context, set, address, { nature: "read" });
    if (isSuccess(answer)) return workspaces.unwrap(answer.json ?? null).id === address.variableSetId;
    if (answer.status !== 404) return false;
    const listed = listRequestOf(context, sets, address);
    // Other servers return the complete list at once.
    return isMissing(listed, ({ id }) => id === address.variableSetId, { by: "number" });
  },
};

/** A variable of a variable set (HCP Terraform API: Variable set variables). */
export default define({
  token: "workspaces:VariableSetVariable",
  product: {
    noun: "variable set variable",
    terraform: "`tfe_variable` with `variable_set_id`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/variable-sets",
  },
  doc: "Terraform variable or environment variable of a variable set. Write a readable value in `value`. Write a secret in `sensitiveValue`, with `sensitive: true`. The server never returns it, so changes by others are not detected.",
  section: "API: variable set variables",
  service: workspaces,
  fields: {
    ...commonFields,
    variableSetId: field(z.string().min(1), {
      doc: "ID of the variable set (`varset-…`).",
      role: "identity",
      location: "address",
    }),
    ...variableFields("variable set"),
  },
  rules: variableRules,
  where: place("{variableSetId}/{variableId}", { fromResponse: { variableId: "id" } }),
  life: variableLife("/varsets/{variableSetId}/relationships/vars", {
    locate: withOrganization,
    absence: gone,
  }),
});
