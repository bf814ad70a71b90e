import { get, object, repeatableWrite } from "../../../provider/core";
import type { Reads } from "../../../provider/core/language/reads";
import type { ObjectContext, ObjectLifecycle } from "../../../provider/core/language/resource";
import type { Service } from "../../../provider/core/language/service";
import { observe } from "../../../provider/core/requests/observe";
import { isObject, type Json } from "../../../provider/core/value/json";
import { exampleDefinition, exampleLifecycle, exampleService } from "../../generate/exampleDefinition";
import { answered, type Caller, createCaller } from "./caller";

const service: Service = {
  ...exampleService,
  unwrap: (answer) => (isObject(answer) ? answer : {}),
  absence: { evidence: "it says so", proves: ({ status }) => status === 404 },
};

const reads: Reads = {
  one: get("/quays/{id}"),
  byName: get("/ports/{port}/quays/{name}"),
  expects: { named: { id: "id" } },
};

/** Observes a quay with these reads and this address. */
function observeQuay(
  { context }: Caller,
  own: Partial<Reads> = {},
  address: Record<string, string> = { id: "q-1" },
  more: Partial<ObjectLifecycle> = {},
) {
  const definition = {
    ...exampleDefinition,
    service,
    life: { ...object({ ...exampleLifecycle, reads: { ...reads, ...own } }), ...more },
  };
  const objectContext: ObjectContext = {
    ...context,
    definition,
    step: "read",
    name: () => "harbour:Quay",
    observe: () => Promise.reject(new Error("it was not expected to look")),
  };
  return observe(objectContext, address);
}

const body = { id: "q-1", ships: ["Ida"] };

test("observe reads an object by its ID, or by its name if the ID is unknown", async () => {
  const byId = createCaller(answered(200, body));
  expect(await observeQuay(byId)).toMatchObject({ body });
  const byName = createCaller(answered(200, body));
  expect(await observeQuay(byName, {}, { port: "Kiel", name: "east" })).toMatchObject({ body });
  expect([byId, byName].map(({ sent }) => sent[0]?.path)).toEqual(["/quays/q-1", "/ports/Kiel/quays/east"]);
});

test("observe converts the response with `as` of the definition", async () => {
  const asked = createCaller(answered(200, body));
  const found = await observeQuay(asked, {
    toObject: ({ id, ships }) => ({ id: id ?? null, berthed: ships ?? [] }),
  });
  expect(found?.body).toEqual({ id: "q-1", berthed: ["Ida"] });
});

test("observe treats a success as absence only through saysNone, or through isNone for the right object", async () => {
  const saysNone: Reads["reportsNoObject"] = (answer) => answer === null;
  const isNone: Reads["containsNoObject"] = ({ ships }) => ships === undefined;
  expect(await observeQuay(createCaller(answered(200, null)), { reportsNoObject: saysNone })).toBeUndefined();
  expect(
    await observeQuay(createCaller(answered(200, { id: "q-1" })), { containsNoObject: isNone }),
  ).toBeUndefined();
  expect(
    await observeQuay(createCaller(answered(200, body)), {
      reportsNoObject: saysNone,
      containsNoObject: isNone,
    }),
  ).toMatchObject({ body });
  for (const other of [{}, { id: "q-2" }, { another: "object" }])
    await expect(
      observeQuay(createCaller(answered(200, other)), {
        reportsNoObject: saysNone,
        containsNoObject: isNone,
      }),
    ).rejects.toThrow("an object other than the requested object");
});

test("observe detects a deletion by the proof of the definition, or else by that of the service", async () => {
  expect(await observeQuay(createCaller(answered(404)))).toBeUndefined();
  const gone = { evidence: "nobody can tell", proves: () => false };
  await expect(observeQuay(createCaller(answered(404)), { absence: gone })).rejects.toThrow("404");
});

test("observe rejects a response without a required member or of another kind", async () => {
  const always: Reads["expects"] = { always: ["id", "ships"] };
  expect(await observeQuay(createCaller(answered(200, body)), { expects: always })).toMatchObject({ body });
  for (const part of [{ id: "q-1" }, { ships: ["Ida"] }] as Json[])
    await expect(observeQuay(createCaller(answered(200, part)), { expects: always })).rejects.toThrow(
      "an object other than the requested object",
    );
  const expects: Reads["expects"] = { named: { id: "id" }, is: { kind: "quay" } };
  expect(
    await observeQuay(createCaller(answered(200, { ...body, kind: "quay" })), { expects }),
  ).toBeDefined();
  for (const other of [body, { ...body, kind: "mole" }])
    await expect(observeQuay(createCaller(answered(200, other)), { expects })).rejects.toThrow(
      "an object other than the requested object",
    );
});

test.each<[string, Json | undefined]>([
  ["missing", undefined],
  ["null", null],
  ["an object", { a: 1 }],
  ["a list", [7]],
  ["a fraction", 7.5],
  ["negative", -1],
  ["a word", "seven"],
  ["an object with its own toString", { toString: 7 }],
])("observe rejects an object whose index is %s if writes use check-and-set", async (_, index) => {
  const check = repeatableWrite({ token: "index", requestParts: () => ({}), isNeverUpdated: () => false });
  const shown = { id: "q-1", ...(index !== undefined && { index }) };
  await expect(observeQuay(createCaller(answered(200, shown)), {}, { id: "q-1" }, { check })).rejects.toThrow(
    "with an object other than the requested object",
  );
  for (const right of [7, "7", 18_446_744_073_709_551_615n])
    expect(
      await observeQuay(
        createCaller(answered(200, { id: "q-1", index: right })),
        {},
        { id: "q-1" },
        { check },
      ),
    ).toMatchObject({ revision: String(right) });
});
