/** The setting of a stack, or of an explicit provider, that decides how creates treat an existing object. */
export const ADOPTION = "quarterdeck:adopt";

/** The environment variable that applies if neither the stack nor the provider has the setting. */
export const ADOPTION_VARIABLE = "QUARTERDECK_ADOPT";

/** The values of the setting, with the meaning of each. */
export const ADOPTIONS = {
  never: "It is told, with how it differs; the program says whose it is.",
  identical:
    "It is taken over where it is just what the program writes, which is told; nothing is written. What has values that its service never shows is told as with `never`.",
} as const;
