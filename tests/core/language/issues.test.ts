import { z } from "zod";
import { issueText } from "../../../provider/core/language/issueText";

const words = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map((issue) => issueText(issue)) ?? [];

test.each<[string, z.ZodType, unknown, string]>([
  ["a missing value", z.string(), undefined, "is missing: text"],
  ["a number for a text", z.string(), 7, "must be text"],
  ["a text for a flag", z.boolean(), "yes", "must be true or false"],
  ["half a number", z.int(), 1.5, "must be a whole number"],
  ["a value of no choice", z.enum(["a", "b"]), "c", 'must be "a" or "b"'],
  ["neither of two types", z.union([z.string(), z.array(z.string())]), 7, "must be text or a list"],
  ["an empty text", z.string().min(1), "", "must not be empty"],
  ["an empty list", z.array(z.string()).min(1), [], "must not be empty"],
  ["a text too short", z.string().min(3), "ab", "must be text of at least 3 characters"],
  ["zero where something is needed", z.number().positive(), 0, "must be more than 0"],
  ["too much", z.number().max(100), 101, "must be at most 100"],
  ["no UUID", z.uuid(), "x", "must be a UUID"],
  ["a text of another form", z.string().regex(/^a$/), "b", "must match /^a$/"],
  [
    "a text of another form, in words",
    z.string().regex(/^a$/, "must be the letter a"),
    "b",
    "must be the letter a",
  ],
])("%s is told by what is allowed", (_, schema, value, expected) => {
  expect(words(schema, value)).toEqual([expected]);
});
