import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020";

const schema = JSON.parse(readFileSync(join(__dirname, "../docs/schemas/requests.json"), "utf8"));
const FORMATS = {
  "date-time": /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};
const isValid = new Ajv({ formats: FORMATS }).compile(schema);

/** What is wrong with a line of the log of requests, by its published schema. */
export function schemaErrors(line: unknown): unknown[] {
  return isValid(line) ? [] : (isValid.errors ?? []);
}

/** The lines of a log, each of which must be whole. */
export function linesIn(text: string): Record<string, unknown>[] {
  if (!text.endsWith("\n")) throw new Error("the last line is torn");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
