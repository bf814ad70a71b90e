import { catalog } from "../../provider/catalog";
import { type Field, fieldsOf } from "../../provider/core/language/fields";
import {
  comparisonTable,
  driftTable,
  movementTable,
  type Secrecy,
} from "../../provider/core/state/conflictTable";
import type { Spelling } from "../../provider/core/value/spelling";

const open: Secrecy = {
  isSecret: () => false,
  isSecretKey: () => false,
  isCopy: () => false,
  shownPath: (path) => path,
  mask: (text) => text,
};

const isDuration = ({ name }: Spelling) => name.startsWith("duration");

/** Every duration of every definition: the property, and the path inside its document. */
const durations = Object.entries(catalog).flatMap(([token, load]) =>
  fieldsOf(load()).flatMap((field): [string, Field, string[], Spelling][] => {
    const { spelling, document } = field.facts;
    const own =
      spelling && isDuration(spelling)
        ? [[`${token}.${field.name}`, field, [], spelling] as [string, Field, string[], Spelling]]
        : [];
    const inside = Object.entries(document?.spellings ?? {}).filter(([, each]) => isDuration(each));
    return [
      ...own,
      ...inside.map(([pattern, each]): [string, Field, string[], Spelling] => [
        `${token}.${field.name}.${pattern}`,
        field,
        pattern.split(".").map((segment) => (segment === "*" ? "0" : segment)),
        each,
      ]),
    ];
  }),
);

test("there are durations in properties and in documents", () => {
  expect(durations.filter(([, , inside]) => inside.length === 0).length).toBeGreaterThan(20);
  expect(durations.filter(([, , inside]) => inside.length > 0).length).toBeGreaterThan(40);
});

test.each(durations)("%s is printed with its units in every table", (_, field, inside, spelling) => {
  const [eight, nine] = ["8h", "1h30m"].map((text) => spelling.canonical(text));
  if (eight === undefined || nine === undefined) throw new Error("a duration has no canonical value");
  const path = [field.name, ...inside];
  const movement = { path, field, base: eight, ours: eight, theirs: nine };
  for (const table of [driftTable, movementTable, comparisonTable])
    expect(table([movement], open).at(-1)).toMatch(/"8h" .*"1h30m"$/);
});

test("a duration inside of what was added is printed with its units", () => {
  const job = fieldsOf(catalog["scheduler:Job"]?.() ?? fail()).find(({ name }) => name === "json");
  if (job === undefined) throw new Error("a job has no json");
  const group = { RestartPolicy: { Delay: 28_800_000_000_000 } };
  const movement = {
    path: ["json", "TaskGroups", "g"],
    field: job,
    base: undefined,
    ours: undefined,
    theirs: group,
  };
  expect(driftTable([movement], open).join("\n")).toContain('"8h"');
});

function fail(): never {
  throw new Error("there is no such definition");
}
