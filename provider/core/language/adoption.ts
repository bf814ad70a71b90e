/** The setting of a stack, or of an explicit provider, that decides how creates treat an existing object. */
export const ADOPTION = "quarterdeck:adopt";

/** The environment variable that applies if neither the stack nor the provider has the setting. */
export const ADOPTION_VARIABLE = "QUARTERDECK_ADOPT";

/** The values of the setting, with the meaning of each. */
export const ADOPTIONS = {
  never: "Fail, and print the differences. The program decides with `adopt`.",
  identical:
    "Adopt it without a write if it is identical to the program's object, and print that. Objects with values that the server never returns fail as with `never`.",
} as const;
