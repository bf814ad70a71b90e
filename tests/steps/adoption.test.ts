import fc from "fast-check";
import { fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import { dumped } from "../faults/dump";
import { rounds } from "../rounds";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import type { World } from "./world";

const RUNS = rounds(40, 8);

const documentsOf = ({ definition }: Subject) =>
  fieldsOf(definition).filter(({ facts }) => facts.document !== undefined && facts.formOf === undefined);

/** The definitions that support adoption and manage a document as one unit. */
const adopting = subjects.filter(
  ([, subject]) =>
    "adopt" in subject.definition.fields && !subject.isFixed && documentsOf(subject).length > 0,
);

/** The documents of an object as an import shows them. */
async function imported(subject: Subject, world: World, id: string): Promise<Values> {
  const inputs = await new Resource(world, subject.definition).get(id);
  return Object.fromEntries(documentsOf(subject).map(({ name }) => [name, inputs[name] ?? null]));
}

/** Whether a program sets this document, in any of its forms. */
const isWritten = ({ definition }: Subject, program: Values, name: string) =>
  fieldsOf(definition).some(
    (field) => (field.name === name || field.facts.formOf === name) && program[field.name] !== undefined,
  );

/** The documents that the rows of comparison tables name. */
function reportedDocuments({ definition }: Subject, logged: readonly string[]): string[] {
  const rows = logged.flatMap((line) => [...line.matchAll(/^ {2}(\w+)/gm)].map(([, name = ""]) => name));
  const documents = fieldsOf(definition).filter(({ facts }) => facts.document ?? facts.formOf);
  return rows.filter((row) => documents.some(({ name }) => name === row));
}

describe.each(adopting)("an adopted %s", (_, subject) => {
  const { definition, programs, edits } = subject;

  test("contains what the program writes, and nothing that someone else added to its documents", async () => {
    await fc.assert(
      fc.asyncProperty(programs, edits, async (program, edit) => {
        const fresh = await subject.world();
        const created = new Resource(fresh, definition);
        await created.create(program);
        const expected = await imported(subject, fresh, created.id);

        const world = await subject.world();
        const old = new Resource(world, definition);
        await old.create(program);
        await subject.edit(world.another(), old, edit).catch(() => undefined);
        const before = dumped(world.stub.dump());
        world.logged.length = 0;
        const adopted = new Resource(world, definition);
        await adopted.create({ ...program, adopt: true });

        const isReportedAsUpdated = world.logged.some((line) => line.includes("brought to what"));
        if (isReportedAsUpdated) expect(dumped(world.stub.dump())).not.toBe(before);
        for (const name of reportedDocuments(subject, world.logged)) expect(program).toHaveProperty(name);
        const found = await imported(subject, world, adopted.id);
        for (const name of Object.keys(expected).filter((each) => isWritten(subject, program, each)))
          expect(found[name]).toEqual(expected[name]);
        expect(adopted.preview({ ...program, adopt: true }).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });
});
