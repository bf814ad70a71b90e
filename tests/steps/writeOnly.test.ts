import fc from "fast-check";
import { fieldsOf } from "../../provider/core/language/fields";
import { isObject, type Json } from "../../provider/core/value/json";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import { subjects } from "./subjects";

/**
 * Values that a response contains but no comparison may use: a rotation by the server changes the access key, which is not
 * drift; only the server of the specification returns the token.
 */
const NOT_COMPARED = ["accessKey", "apiToken"];

/** The names of all members of a document, at any depth. */
function namesIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]);
}

const writingOnly = subjects.filter(([, { definition }]) =>
  fieldsOf(definition).some(({ facts }) => facts.writeOnly),
);

describe("a write-only property", () => {
  test.each(writingOnly)(
    "of a %s is in no response to a read, so that no drift is missed",
    async (_, subject) => {
      await fc.assert(
        fc.asyncProperty(subject.programs, async (program) => {
          const world = await subject.world();
          const resource = new Resource(world, subject.definition);
          const returned = new Set<string>();
          world.onResponse = ({ nature }, { json }) => {
            if (nature === "read") for (const name of namesIn(json)) returned.add(name);
          };
          await resource.create(program);
          const writeOnly = fieldsOf(resource.definition).filter(({ facts }) => facts.writeOnly);
          const shown = writeOnly.filter(
            ({ name, wire }) => returned.has(wire) && !NOT_COMPARED.includes(name),
          );
          expect(shown.map(({ name }) => name)).toEqual([]);
        }),
        { numRuns: runs(subject, 5) },
      );
    },
  );
});
