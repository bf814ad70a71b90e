import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { difference, Journal, type RawSnapshot, replay } from "../../../engine/backend/journal";
import { temporaryFolder } from "../recorded";

interface Thing {
  readonly [key: string]: string;
}

/** Sequences of states. An update changes each state into the next: it adds, replaces, moves or drops a resource. */
const anyRun = fc
  .array(
    fc.record({
      kind: fc.constantFrom("add", "replace", "move", "drop"),
      at: fc.nat(20),
      to: fc.nat(20),
      name: fc.string({ maxLength: 3 }),
    }),
    { maxLength: 25 },
  )
  .map((edits) => {
    const states: (readonly Thing[])[] = [[]];
    for (const { kind, at, to, name } of edits) {
      const list = [...(states.at(-1) ?? [])];
      const index = at % (list.length + 1);
      if (kind === "add") list.splice(index, 0, { name });
      else if (kind === "replace") list.splice(index, 1, { name });
      else if (kind === "drop") list.splice(index, 1);
      else list.splice(to % (list.length + 1), 0, ...list.splice(index, 1));
      states.push(list);
    }
    return states;
  });

const CHECKPOINT = "the checkpoint";

function record(states: readonly (readonly Thing[])[]): string {
  const path = join(temporaryFolder(), "journal");
  const journal = new Journal(path, CHECKPOINT);
  for (const [index, after] of states.slice(1).entries()) {
    journal.append({ ...difference(states[index] ?? [], after), pending: [{ step: `${index}` }] });
  }
  return path;
}

const empty: RawSnapshot = { resources: [], pending: [] };

test("replaying any sequence of steps returns the state after the last step", () => {
  fc.assert(
    fc.property(anyRun, (states) => {
      expect(replay(record(states), CHECKPOINT, empty).resources).toEqual(states.at(-1));
    }),
    { numRuns: 50 },
  );
});

test("replaying a truncated journal returns the state after the last complete step", () => {
  fc.assert(
    fc.property(anyRun, fc.double({ min: 0, max: 1, noNaN: true }), (states, where) => {
      const path = record(states);
      const text = readFileSync(path, "utf8");
      const cut = text.slice(0, Math.floor(text.length * where));
      writeFileSync(path, cut);
      const complete = Math.max(0, cut.split("\n").length - 2);
      expect(replay(path, CHECKPOINT, empty).resources).toEqual(states[complete]);
    }),
    { numRuns: 50 },
  );
});

test("a step contains only what it changed, whatever the number of resources", () => {
  const before = Array.from({ length: 1000 }, (_, index): Thing => ({ name: `${index}` }));
  const after = before.with(500, { name: "new" });
  expect(difference(before, after)).toEqual({ at: 500, removed: 1, inserted: [{ name: "new" }] });
  expect(difference(before, [...before, { name: "last" }])).toEqual({
    at: 1000,
    removed: 0,
    inserted: [{ name: "last" }],
  });
});

test("a reordered resource is written as its old position, not in full", () => {
  const [a, b, c] = [{ name: "a" }, { name: "b" }, { name: "c" }];
  expect(difference([a, b, c], [c, a, b])).toEqual({ at: 0, removed: 3, inserted: [2, 0, 1] });
});

test("a journal whose steps are already in the checkpoint changes nothing", () => {
  const path = record([[], [{ name: "a" }]]);
  const journal = readFileSync(path, "utf8");
  // The end of an update that was killed after it replaced the checkpoint and before it removed the journal.
  const other = join(temporaryFolder(), "journal");
  const again = new Journal(other, CHECKPOINT);
  again.conclude("the next checkpoint");
  writeFileSync(path, journal + readFileSync(other, "utf8").split("\n").slice(1).join("\n"));
  expect(replay(path, "the next checkpoint", empty)).toBe(empty);
  expect(replay(path, CHECKPOINT, empty).resources).toEqual([{ name: "a" }]);
});

test("replaying a journal of a different checkpoint throws with the path of the journal", () => {
  const path = record([[], [{ name: "a" }]]);
  expect(() => replay(path, "written by someone else", empty)).toThrow(path);
});

test("creating a journal throws if one exists", () => {
  const path = record([[]]);
  expect(() => new Journal(path, CHECKPOINT)).toThrow("EEXIST");
});
