import type { ListInputs } from "../list/discover";
import { namesOf } from "../list/names";
import type { Unlisted, UnmanagedObject } from "../list/report";
import { type Program, type Setting, type Statement, settingsOf } from "../programs/program";
import { adoptStatement } from "./adoptStatement";
import { readObjects } from "./readObjects";

/** A program that adopts existing objects. */
export interface GeneratedProgram {
  readonly program: Program;
  /** The settings that the program reads; secrets are never in the program itself. */
  readonly settings: readonly Setting[];
  /** Objects that could not be read, and why. */
  readonly unread: readonly Unlisted[];
}

/** Reads each object, and writes a program that adopts all of them. */
export default async function generateProgram(
  found: readonly UnmanagedObject[],
  { host, names: used }: Pick<ListInputs, "host" | "names">,
  progress?: (done: number, all: number) => void,
): Promise<GeneratedProgram> {
  const names = namesOf(found, used);
  const statements: Statement[] = [];
  const unread: Unlisted[] = [];
  for (const [index, read] of (await readObjects(found, host, progress)).entries()) {
    const object = found[index] as UnmanagedObject;
    const of = `${object.type} ${object.id}`;
    if (read === "missing") unread.push({ of, why: "the object does not exist" });
    else if ("why" in read) unread.push({ of, why: read.why });
    else statements.push(adoptStatement({ token: object.type, label: names.get(object) ?? object.id }, read));
  }
  const program = { statements };
  return { program, settings: settingsOf(program), unread };
}
