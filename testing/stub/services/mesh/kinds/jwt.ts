import { serverError } from "../errors";
import { list } from "../shape/field";
import { text } from "../shape/scalars";
import { type Body, struct } from "../shape/struct";

const REQUIREMENT = {
  Providers: list(struct({ Name: text, VerifyClaims: list(struct({ Path: list(text), Value: text })) })),
};

/** The requirements for a JSON Web Token. */
export const jwtRequirement = struct(REQUIREMENT);

export function validateJwt(requirement: Body<typeof REQUIREMENT> | undefined): void {
  for (const { Name } of requirement?.Providers ?? []) {
    if (Name === undefined) throw serverError("JWT provider name is required");
  }
}
