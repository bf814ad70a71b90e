import fc from "fast-check";
import { nameKey, namesOf } from "../../cli/list/names";
import type { UnmanagedObject } from "../../cli/list/report";

const objects = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom("scheduler:Job", "mesh:ServiceDefaults", "secrets:QueueRole", "secrets:CloudRole"),
    id: fc.oneof(
      fc.stringMatching(/^[ab./-]{1,6}$/),
      fc.constantFrom("default/web", "eu/web", "1", "web-job", "é"),
    ),
    name: fc.constantFrom("", "web", "a", "web-job", "日本"),
  }),
  { selector: ({ type, id }) => `${type} ${id}`, maxLength: 12 },
);

const names = (found: readonly UnmanagedObject[]) =>
  [...namesOf(found)].map(([{ type, id }, name]) => [`${type} ${id}`, name]);

test("names are unique, consist of letters, digits, _ and -, and do not depend on the order of the objects", () => {
  fc.assert(
    fc.property(objects, (found) => {
      const named = namesOf(found);
      expect(new Set(named.values()).size).toBe(found.length);
      for (const name of named.values()) expect(name).toMatch(/^[A-Za-z_][\w-]*$/);
      expect(names([...found].reverse()).sort()).toEqual(names(found).sort());
    }),
  );
});

test("a name is not that of a resource of the same type in the state", () => {
  fc.assert(
    fc.property(
      objects,
      fc.array(fc.constantFrom("web", "a", "web-job", "default-web-job", "o-1")),
      (found, inState) => {
        const used = new Set(inState.map((name) => nameKey("scheduler:Job", name)));
        const named = namesOf(found, used);
        expect(new Set(named.values()).size).toBe(found.length);
        for (const [{ type }, name] of named)
          expect([name, used.has(nameKey(type, name))]).toEqual([name, false]);
      },
    ),
  );
  const found = [
    { type: "scheduler:Job", id: "default/web", name: "web" },
    { type: "secrets:QueueRole", id: "rabbitmq/web2", name: "web2" },
  ];
  const used = new Set([nameKey("scheduler:Job", "web"), nameKey("scheduler:Job", "web2")]);
  expect([...namesOf(found, used).values()]).toEqual(["web2", "web-job"]);
});

test("a name is the object's name or the end of its ID, with its type or full ID only if it is ambiguous", () => {
  const found = [
    { type: "scheduler:Job", id: "default/web", name: "web" },
    { type: "mesh:ServiceDefaults", id: "/default/service-defaults/web", name: "web" },
    { type: "scheduler:Job", id: "default/batch", name: "" },
    { type: "scheduler:Job", id: "eu/worker", name: "worker" },
    { type: "scheduler:Job", id: "us/worker", name: "worker" },
  ];
  expect(
    names(found)
      .map(([, name]) => name)
      .sort(),
  ).toEqual(["batch", "eu-worker-job", "us-worker-job", "web-job", "web-service-defaults"]);
});
