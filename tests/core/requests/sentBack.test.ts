import type { HttpAnswer, HttpRequest, ServiceWarning } from "../../../provider/core/http/request";
import { type Definition, object } from "../../../provider/core/language/resource";
import type { Body, Writes } from "../../../provider/core/language/writes";
import { withWarnings } from "../../../provider/core/requests/middleware/warnings";
import { membersToSendBack, refusedMembers } from "../../../provider/core/requests/sentBack";
import { harbour, quay, quaysLife } from "../../generate/harbour";
import { answered, asking } from "./asking";

/** Quays whose writes say this besides. */
const quays = (writes: Partial<Writes>): Definition => ({
  ...quay,
  life: object({ ...quaysLife, writes: { ...quaysLife.writes, ...writes } }),
});

describe("an update sends back", () => {
  const CURRENT: Body = { depth: 7, draught: "9 m", colour: "blue", flag: null, lamps: 0 };

  test("what a read shows and the definition does not declare, null apart", () => {
    expect(membersToSendBack(quays({}), CURRENT)).toEqual({ colour: "blue", lamps: 0 });
    expect(membersToSendBack(quays({ sends: "merge" }), CURRENT)).toEqual({ colour: "blue", lamps: 0 });
  });

  test("nothing that the definition names for it", () => {
    expect(membersToSendBack(quays({ neverSentBack: ["colour"] }), CURRENT)).toEqual({ lamps: 0 });
  });

  test("nothing in a patch, which keeps it, and nothing beside an envelope", () => {
    expect(membersToSendBack(quays({ sends: "patch" }), CURRENT)).toEqual({});
    expect(membersToSendBack(quays({ envelope: (body) => ({ quay: body }) }), CURRENT)).toEqual({});
  });
});

describe("a refused write with members that it sends back", () => {
  const WRITE = { body: { berth: "north" }, sentBack: { colour: "a hush of blue", lamp: "a hush of light" } };
  const REFUSAL = (text: string, status = 400) => answered(status, { error: text });

  /** The members that a refusal names, and what is logged. */
  function refused(answer: HttpAnswer, write: Parameters<typeof refusedMembers>[1] = WRITE) {
    const log: string[] = [];
    const context = { ...asking().context, log: (_: string, text: string) => log.push(text) };
    return { members: refusedMembers(context, write, answer), log };
  }

  test.each([400, 422])("is sent again without the member that a %d names", (status) => {
    const { members, log } = refused(REFUSAL("colour cannot be set", status));
    expect(members).toEqual(["colour"]);
    expect(log).toEqual([expect.stringContaining("colour")]);
    expect(log.join()).not.toContain("hush");
    const rest = membersToSendBack(quays({}), { ...WRITE.sentBack }, new Set(members));
    expect(rest).toEqual({ lamp: WRITE.sentBack.lamp });
  });

  test.each([
    ["names none of them", "lamps and colours are no matter of quays"],
    ["names what the program writes, too", "a berth of this colour is taken"],
  ])("is not sent again if the refusal %s", (_, text) => {
    const { members, log } = refused(REFUSAL(text));
    expect(members).toEqual([]);
    expect(log).toEqual([expect.stringContaining("colour, lamp")]);
  });

  test.each([
    ["a refusal of another kind", REFUSAL("colour", 403)],
    ["a failed precondition", REFUSAL("colour", 409)],
    ["a failure", REFUSAL("colour", 500)],
    ["a refusal of a gateway", answered(400, undefined, "colour is no good")],
  ])("is not sent again after %s", (_, answer) => {
    expect(refused(answer)).toEqual({ members: [], log: [] });
  });

  test("that sends nothing back is not sent again", () => {
    expect(refused(REFUSAL("colour"), { body: { berth: "north" } })).toEqual({ members: [], log: [] });
  });
});

describe("a warning that something was not taken", () => {
  const REQUEST: HttpRequest = {
    label: { definition: "harbour:Quay", step: "update" },
    method: "PUT",
    path: "/quays/a",
    nature: "write",
    sentBack: ["colour", "lamp"],
  };
  const warned = (...warnings: ServiceWarning[]) =>
    withWarnings({ ...harbour, warnings: () => warnings }, REQUEST, answered(200)).warnings ?? [];

  test("is none if it is about members that were sent back", () => {
    expect(warned({ text: "ignored colour, lamp", notTaken: ["colour", "lamp"] })).toEqual([]);
  });

  test("is one about what the program writes", () => {
    const both = { text: "ignored colour, depth", notTaken: ["colour", "depth"] };
    expect(warned(both)).toEqual([{ ...both, notTaken: ["depth"] }]);
    const others = [{ text: "old" }, { text: "ignored depth", notTaken: ["depth"] }];
    expect(warned(...others)).toEqual(others);
  });
});
