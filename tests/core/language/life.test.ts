import {
  checksByRead,
  checksByReadAndRejection,
  checksByRejection,
  deletes,
  deletesChecked,
  looksBeforeCreate,
  stays,
} from "../../../provider/core/language/creation";
import { action } from "../../../provider/core/language/lives";
import { place } from "../../../provider/core/language/place";
import { deletionProofOf } from "../../../provider/core/language/reads";
import { define, livesAs, object, partsToMake } from "../../../provider/core/language/resource";
import { del, get, patch, post, put } from "../../../provider/core/language/route";
import type { Service } from "../../../provider/core/language/service";
import {
  merges,
  namedIndex,
  patches,
  repeatableWrite,
  replaces,
} from "../../../provider/core/language/writes";
import { harbour, quay } from "../../generate/harbour";

// What must not compile is held by the compiler: `npm run check` reads the tests, too.

const reads = { one: get("/quays/{name}"), shows: { named: { name: "name" } } } as const;
const writes = replaces(put("/quays/{name}"));
const deletion = deletes(del("/quays/{name}"));
const base = { reads, writes, deletion } as const;
const carried = { token: "Index", carry: (cas: string) => ({ query: { cas } }) };
const check = repeatableWrite({ ...carried, isUntouched: () => true });

describe("how an object lives", () => {
  test("is what its definition says, and what follows from that", () => {
    expect(object(base)).toEqual({ kind: "object", reads, writes, deletion, creation: {}, links: [] });
    expect(object({ ...base, check }).check).toBe(check);
  });

  test("an update is sent like a create where nothing else is said", () => {
    const create = post("/quays");
    const update = patch("/quays/{name}");
    expect(merges(create)).toEqual({ sends: "merge", create, update: create });
    expect(replaces({ create, answer: "object" })).toMatchObject({ sends: "whole", update: create });
    expect(patches({ create, update })).toEqual({ sends: "patch", create, update });
  });

  test.each([
    ["without a check it looks", {}, true],
    ["with one, the check tells what exists", { check }, false],
    [
      "with one that takes the same object for no conflict, it looks",
      { check, creation: { existing: checksByRead() } },
      true,
    ],
    ["a refusal tells what exists", { creation: { existing: checksByRejection(() => true) } }, false],
    ["or comes after a look", { creation: { existing: checksByReadAndRejection(() => true) } }, true],
  ])("before a create: %s", (_, own, looks) => {
    expect(looksBeforeCreate({ creation: {}, ...own })).toBe(looks);
  });

  test("cannot check a delete where the service checks nothing", () => {
    // @ts-expect-error without a check there is no token for it
    object({ ...base, deletion: deletesChecked(del("/quays/{name}")) });
    object({ ...base, check, deletion: deletesChecked(del("/quays/{name}")) });
  });

  test("cannot leave a checked delete to a function, which knows no token", () => {
    // @ts-expect-error what is carried out by hand is looked at before, and not checked
    deletesChecked(del("/quays/{name}"), { perform: async () => undefined });
    deletes(del("/quays/{name}"), { perform: async () => undefined });
  });

  test("cannot say what a delete leaves behind where nothing is deleted", () => {
    // @ts-expect-error it stays as a whole
    stays("it is there for ever", { leavesBehind: "its ropes" });
  });

  test("cannot be told by a refusal where the check tells", () => {
    // @ts-expect-error a create that is checked is refused by the check
    object({ ...base, check, creation: { existing: checksByRejection(() => true) } });
  });

  test("cannot be told by its age and by other signs at once", () => {
    const born = { born: "made-at" };
    // @ts-expect-error the signs are judged as a whole, the age among them
    object({ ...base, creation: { ours: { ...born, recognise: () => undefined } } });
    object({ ...base, creation: { ours: born } });
  });

  test("cannot prove its writes by half", () => {
    // @ts-expect-error an index that the answer names is compared with the object's
    namedIndex({ ...carried, named: () => "7" });
    // @ts-expect-error a write that is repeated to prove something must say what was never touched
    repeatableWrite(carried);
    // @ts-expect-error nobody repeats what the answer proves
    repeatableWrite({ ...carried, isUntouched: () => true, named: () => "7" });
  });

  test("cannot be read without what an answer is known by", () => {
    // @ts-expect-error anything that is JSON would pass for it
    object({ ...base, reads: { one: get("/quays/{name}") } });
    // @ts-expect-error nothing is not what a page always answers
    object({ ...base, reads: { one: get("/quays/{name}"), shows: { always: [] } } });
  });
});

describe("what is done once", () => {
  test("says either what shows that it was, or what to do where nothing does", () => {
    const act = post("/quays/{name}/flood");
    // @ts-expect-error a lost answer must come to something
    action(act, {});
    // @ts-expect-error who can tell is asked
    action(act, { witness: async () => 7, ifUnclear: "look out of the window" });
    expect(action(act, { ifUnclear: "look out of the window" })).toMatchObject({
      kind: "action",
      route: act,
    });
  });
});

describe("a definition", () => {
  const { token, doc, section, fields } = quay;
  const described = { token, doc, section, fields, where: place("{name}") };
  const mute: Service = { ...harbour };

  test("says what proves that an object is gone, unless its service does", () => {
    const gone = { evidence: "the tide took it", proves: () => true };
    const own = define({ ...described, service: mute, life: object({ ...base, reads: { ...reads, gone } }) });
    expect(deletionProofOf(mute, own.life.reads).evidence).toBe("the tide took it");
    const byService = define({ ...described, service: harbour, life: object(base) });
    expect(deletionProofOf(harbour, byService.life.reads).evidence).toBe(harbour.gone.evidence);
    // @ts-expect-error nobody says it
    define({ ...described, service: mute, life: object(base) });
  });

  test("lives in one way", () => {
    const life = action(post("/quays/{name}/flood"), { ifUnclear: "look out of the window" });
    const flood = define({ ...described, service: harbour, life });
    expect([livesAs(flood, "action"), livesAs(flood, "object")]).toEqual([true, false]);
  });

  test("needs the parts in the path of the request that makes it", () => {
    const at = define({
      ...described,
      service: harbour,
      life: object({ ...base, writes: merges(post("/{+port}/{name}")) }),
    });
    expect(partsToMake(at)).toEqual(["port", "name"]);
  });
});
