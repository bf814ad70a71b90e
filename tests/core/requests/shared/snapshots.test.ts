import type { Connection } from "../../../../provider/core/language/service";
import { withMiddleware } from "../../../../provider/core/requests/middleware";
import { OLDEST_MS, Snapshots } from "../../../../provider/core/requests/shared/snapshots";
import { answered, createCaller } from "../caller";

const made: object[] = [];
const make = () => {
  const one = { number: made.length };
  made.push(one);
  return one;
};

let now = 0;
beforeEach(() => {
  now = 0;
  made.length = 0;
});

const snapshots = () => new Snapshots(() => now);

test("a value is shared by key within a service, and not between services", () => {
  const all = snapshots();
  const value = all.of("harbour").kept("list", make);
  expect(all.of("harbour").kept("list", make)).toBe(value);
  expect(all.of("harbour").kept("another", make)).not.toBe(value);
  expect(all.of("airport").kept("list", make)).not.toBe(value);
});

test("a value expires after OLDEST_MS", () => {
  const { kept } = snapshots().of("harbour");
  const first = kept("list", make);
  now = OLDEST_MS - 1;
  expect(kept("list", make)).toBe(first);
  now = OLDEST_MS;
  const second = kept("list", make);
  expect(second).not.toBe(first);
  now = OLDEST_MS + 1;
  expect(kept("list", make)).toBe(second);
});

test("a read invalidates no value", async () => {
  const all = snapshots();
  const { connection } = createCaller(answered(200, {})).context;
  const first = all.of(connection.service.name).kept("list", make);
  await invalidating(all, connection).send(request("read"));
  expect(all.of(connection.service.name).kept("list", make)).toBe(first);
});

test.each(["write", "single-use"] as const)(
  "a %s request invalidates all values when it is sent, and again when it ends",
  async (nature) => {
    const all = snapshots();
    const { connection } = createCaller().context;
    const shared = all.of(connection.service.name);
    let answer: () => void = () => undefined;
    const slow: Connection = {
      ...connection,
      send: () => new Promise((resolve) => (answer = () => resolve(answered(200, {})))),
    };
    const before = shared.kept("list", make);
    const writing = invalidating(all, slow).send(request(nature));
    const during = shared.kept("list", make);
    expect(during).not.toBe(before);
    answer();
    await writing;
    expect(shared.kept("list", make)).not.toBe(during);
  },
);

test("a write with an unknown outcome invalidates all values when it ends", async () => {
  const all = snapshots();
  const { connection } = createCaller().context;
  const shared = all.of(connection.service.name);
  const lost = invalidating(all, {
    ...connection,
    send: async () => {
      shared.kept("list", make);
      throw new Error("the answer is lost");
    },
  });
  await expect(lost.send(request("write"))).rejects.toThrow("lost");
  expect(made).toHaveLength(1);
  shared.kept("list", make);
  expect(made).toHaveLength(2);
});

function invalidating(all: Snapshots, connection: Connection): Connection {
  return withMiddleware(connection, all.invalidation(connection.service.name));
}

function request(nature: "read" | "write" | "single-use") {
  return {
    label: { definition: "harbour:Quay", step: "read" },
    method: "POST",
    path: "/quays",
    nature,
  } as const;
}
