/** The setting of a stack, or of an explicit provider, that decides how creates treat an existing object. */
export const ADOPTION = "quarterdeck:adopt";

/** The environment variable that applies if neither the stack nor the provider has the setting. */
export const ADOPTION_VARIABLE = "QUARTERDECK_ADOPT";

/** The values of the setting, with the meaning of each. */
export const ADOPTIONS = {
  never: "The create fails and reports the differences.",
  identical:
    "An object that equals the program is adopted with a message and without a write. As with `never`, the create fails if the object differs from the program, or contains values that the server never returns.",
} as const;
