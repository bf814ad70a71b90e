import { z } from "zod";
import { issueText } from "../../../provider/core/language/issueText";

const messages = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map((issue) => issueText(issue)) ?? [];

test.each<[string, z.ZodType, unknown, string]>([
  ["a missing value", z.string(), undefined, "is missing: text"],
  ["a number instead of a string", z.string(), 7, "must be text"],
  ["a string instead of a boolean", z.boolean(), "yes", "must be true or false"],
  ["a fraction instead of an integer", z.int(), 1.5, "must be an integer"],
  ["a value outside an enum", z.enum(["a", "b"]), "c", 'must be "a" or "b"'],
  [
    "a value of neither type in a union",
    z.union([z.string(), z.array(z.string())]),
    7,
    "must be text or a list",
  ],
  ["an empty string", z.string().min(1), "", "must not be empty"],
  ["an empty list", z.array(z.string()).min(1), [], "must not be empty"],
  ["a string that is too short", z.string().min(3), "ab", "must be a string of at least 3 characters"],
  ["zero instead of a positive number", z.number().positive(), 0, "must be more than 0"],
  ["a number above the maximum", z.number().max(100), 101, "must be at most 100"],
  ["a string that is not a UUID", z.uuid(), "x", "must be a UUID"],
  ["a string that does not match a pattern", z.string().regex(/^a$/), "b", "must match /^a$/"],
  [
    "a string that does not match a pattern with its own message",
    z.string().regex(/^a$/, "must be the letter a"),
    "b",
    "must be the letter a",
  ],
])("issueText describes the allowed values for %s", (_, schema, value, expected) => {
  expect(messages(schema, value)).toEqual([expected]);
});
