/** The setting of a stack, or of an explicit provider, that says what creates do with what they find in their place. */
export const ADOPTION = "quarterdeck:adopt";

/** The same from the environment, where neither says it. */
export const ADOPTION_VARIABLE = "QUARTERDECK_ADOPT";

/** Its values, and what each means. */
export const ADOPTIONS = {
  never: "It is told, with how it differs; the program says whose it is.",
  identical:
    "It is taken over where it is just what the program writes, which is told; nothing is written. What has values that its service never shows is told as with `never`.",
} as const;
