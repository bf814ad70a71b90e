import {
  checksByRead,
  checksByReadAndRejection,
  checksByRejection,
  deletes,
  deletesChecked,
  readsBeforeCreate,
  stays,
} from "../../../provider/core/language/creation";
import { action } from "../../../provider/core/language/lifecycles";
import { place } from "../../../provider/core/language/place";
import { absenceProofOf } from "../../../provider/core/language/reads";
import { define, hasLifecycle, object, partsToMake } from "../../../provider/core/language/resource";
import { del, get, patch, post, put } from "../../../provider/core/language/route";
import type { Service } from "../../../provider/core/language/service";
import {
  merges,
  patches,
  repeatableWrite,
  replaces,
  returnedIndex,
} from "../../../provider/core/language/writes";
import { exampleDefinition, exampleService } from "../../generate/exampleDefinition";

// The compiler checks that invalid definitions do not compile: `npm run check` compiles the tests, too.

const reads = { one: get("/quays/{name}"), expects: { named: { name: "name" } } } as const;
const writes = replaces(put("/quays/{name}"));
const deletion = deletes(del("/quays/{name}"));
const base = { reads, writes, deletion } as const;
const carried = { token: "Index", requestParts: (cas: string) => ({ query: { cas } }) };
const check = repeatableWrite({ ...carried, isNeverUpdated: () => true });

describe("lifecycle of an object", () => {
  test("contains the definition's parts and the defaults of the others", () => {
    expect(object(base)).toEqual({ kind: "object", reads, writes, deletion, creation: {}, links: [] });
    expect(object({ ...base, check }).check).toBe(check);
  });

  test("sends an update to the route of the create by default", () => {
    const create = post("/quays");
    const update = patch("/quays/{name}");
    expect(merges(create)).toEqual({ semantics: "merge", create, update: create });
    expect(replaces({ create, returns: "object" })).toMatchObject({ semantics: "replace", update: create });
    expect(patches({ create, update })).toEqual({ semantics: "patch", create, update });
  });

  test.each([
    ["a create without a check reads the object first", {}, true],
    ["a create with a check does not read first", { check }, false],
    [
      "a create with a check reads first if the definition asks for it",
      { check, creation: { existing: checksByRead() } },
      true,
    ],
    [
      "a create whose rejection shows that the object exists does not read first",
      { creation: { existing: checksByRejection(() => true) } },
      false,
    ],
    [
      "a create can read first and also interpret the rejection",
      { creation: { existing: checksByReadAndRejection(() => true) } },
      true,
    ],
  ])("%s", (_, own, readsFirst) => {
    expect(readsBeforeCreate({ creation: {}, ...own })).toBe(readsFirst);
  });

  test("does not compile with a checked delete but no check", () => {
    // @ts-expect-error a checked delete needs the token of a check
    object({ ...base, deletion: deletesChecked(del("/quays/{name}")) });
    object({ ...base, check, deletion: deletesChecked(del("/quays/{name}")) });
  });

  test("does not compile with a function for a checked delete", () => {
    // @ts-expect-error a function has no token; Quarterdeck reads the object first instead
    deletesChecked(del("/quays/{name}"), { perform: async () => undefined });
    deletes(del("/quays/{name}"), { perform: async () => undefined });
  });

  test("does not compile with a description of remains if nothing is deleted", () => {
    // @ts-expect-error the complete object stays
    stays("it is there for ever", { leavesBehind: "its ropes" });
  });

  test("does not compile with both a check and a rejection that shows that the object exists", () => {
    // @ts-expect-error the check rejects a create of an existing object
    object({ ...base, check, creation: { existing: checksByRejection(() => true) } });
  });

  test("does not compile with both an age and a function that recognizes own objects", () => {
    const born = { creationTimeMember: "made-at" };
    // @ts-expect-error the function judges all signs together, including the age
    object({ ...base, creation: { recognition: { ...born, recognize: () => undefined } } });
    object({ ...base, creation: { recognition: born } });
  });

  test("does not compile with an incomplete or contradictory proof of a write", () => {
    // @ts-expect-error an index in the answer must be compared with the object's index
    returnedIndex({ ...carried, returnedToken: () => "7" });
    // @ts-expect-error a repeatable write must define how an untouched object is recognized
    repeatableWrite(carried);
    // @ts-expect-error a write that the answer proves is not repeated
    repeatableWrite({ ...carried, isNeverUpdated: () => true, named: () => "7" });
  });

  test("does not compile without members that identify a response", () => {
    // @ts-expect-error any JSON would be accepted as the object
    object({ ...base, reads: { one: get("/quays/{name}") } });
    // @ts-expect-error the list of members that are always present must not be empty
    object({ ...base, reads: { one: get("/quays/{name}"), expects: { always: [] } } });
  });
});

describe("one-time action", () => {
  test("needs either a witness or instructions for an unknown outcome", () => {
    const act = post("/quays/{name}/flood");
    // @ts-expect-error the definition must handle a lost response
    action(act, {});
    // @ts-expect-error with a witness the outcome is never unknown
    action(act, { witness: async () => 7, ifUnclear: "look out of the window" });
    expect(action(act, { ifUnclear: "look out of the window" })).toMatchObject({
      kind: "action",
      route: act,
    });
  });
});

describe("definition", () => {
  const { token, doc, section, fields } = exampleDefinition;
  const described = { token, doc, section, fields, where: place("{name}") };
  const serviceWithoutProof: Service = { ...exampleService };

  test("uses its own proof of deletion or its service's, and does not compile without either", () => {
    const gone = { evidence: "the tide took it", proves: () => true };
    const own = define({
      ...described,
      service: serviceWithoutProof,
      life: object({ ...base, reads: { ...reads, absence: gone } }),
    });
    expect(absenceProofOf(serviceWithoutProof, own.life.reads).evidence).toBe("the tide took it");
    const byService = define({ ...described, service: exampleService, life: object(base) });
    expect(absenceProofOf(exampleService, byService.life.reads).evidence).toBe(
      exampleService.absence.evidence,
    );
    // @ts-expect-error neither the definition nor the service proves a deletion
    define({ ...described, service: serviceWithoutProof, life: object(base) });
  });

  test("has exactly one kind of lifecycle", () => {
    const life = action(post("/quays/{name}/flood"), { ifUnclear: "look out of the window" });
    const flood = define({ ...described, service: exampleService, life });
    expect([hasLifecycle(flood, "action"), hasLifecycle(flood, "object")]).toEqual([true, false]);
  });

  test("needs the address parts in the path of the create request", () => {
    const at = define({
      ...described,
      service: exampleService,
      life: object({ ...base, writes: merges(post("/{+port}/{name}")) }),
    });
    expect(partsToMake(at)).toEqual(["port", "name"]);
  });
});
