import { type Field, fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import { Resource } from "../steps/resource";
import type { Subject } from "../steps/subject";

/** An update from one program to another. */
export type Change = readonly [from: Values, to: Values];

/** Fields that are sent, restored and compared in one way. */
export interface Group {
  readonly fields: readonly Field[];
  /** Updates that change only one of the fields and that the definition accepts, the most suitable first. */
  readonly changes: readonly Change[];
}

/** The groups of updatable fields without a tested update. */
export async function untestedGroups(
  subject: Subject,
  programs: readonly Values[],
  tried: readonly Change[],
): Promise<Group[]> {
  const { definition } = subject;
  const groups = Map.groupBy(updatableFields(definition), kindOf);
  const isTried = ({ name }: Field) => tried.some(([from, to]) => !isEqual(from[name], to[name]));
  const left = [...groups.values()].filter((fields) => !fields.some(isTried));
  const resource = new Resource(await subject.world(), definition);
  return left.map((fields) => ({ fields, changes: changesOf(fields, programs, resource) }));
}

/** The fields that a program writes and an update can change. */
export function updatableFields(definition: Definition): Field[] {
  return fieldsOf(definition).filter(({ facts: { role, immutable } }) => role === undefined && !immutable);
}

/** How a field is sent, restored and compared. */
function kindOf({ facts }: Field): string {
  const { location, writeOnly, resetsWhenOmitted, everyWrite, unordered, notRestored, leftOut } = facts;
  const { sentWith, sentTogether, additive, keyedBy, document, formOf, spelling } = facts;
  const has = [sentWith, sentTogether, additive, keyedBy, document, formOf, spelling, leftOut];
  const restored = [facts.default, facts.empty].map((value) => value !== undefined);
  return JSON.stringify([
    location,
    writeOnly,
    resetsWhenOmitted,
    everyWrite,
    unordered,
    notRestored,
    has.map((fact) => fact !== undefined),
    restored,
  ]);
}

function changesOf(fields: readonly Field[], programs: readonly Values[], resource: Resource): Change[] {
  return fields
    .flatMap(({ name }) =>
      programs.flatMap((from) =>
        programs
          .filter((other) => !isEqual(from[name], other[name]))
          .map((other): Change => [from, withValue(from, name, other[name])]),
      ),
    )
    .filter(([, to]) => resource.check(to).length === 0)
    .slice(0, MOST);
}

/** The service rejects some of the updates that a definition accepts. */
const MOST = 8;

function withValue(program: Values, name: string, value: Values[string] | undefined): Values {
  const { [name]: _, ...others } = program;
  return value === undefined ? others : { ...others, [name]: value };
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
