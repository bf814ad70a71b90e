import type { HttpRequest, HttpResponse, ServiceWarning } from "../../../provider/core/http/request";
import { type Definition, object } from "../../../provider/core/language/resource";
import type { Body, Writes } from "../../../provider/core/language/writes";
import { withWarnings } from "../../../provider/core/requests/middleware";
import { membersToSendBack, refusedMembers } from "../../../provider/core/requests/sentBack";
import { exampleDefinition, exampleLifecycle, exampleService } from "../../generate/exampleDefinition";
import { answered, createCaller } from "./caller";

/** Quays with these additional properties of their writes. */
const quays = (writes: Partial<Writes>): Definition => ({
  ...exampleDefinition,
  life: object({ ...exampleLifecycle, writes: { ...exampleLifecycle.writes, ...writes } }),
});

describe("an update sends back", () => {
  const CURRENT: Body = { depth: 7, draught: "9 m", color: "blue", flag: null, buoys: 0 };

  test("members that a read returns and the definition does not declare, except null", () => {
    expect(membersToSendBack(quays({}), CURRENT)).toEqual({ color: "blue", buoys: 0 });
    expect(membersToSendBack(quays({ semantics: "merge" }), CURRENT)).toEqual({ color: "blue", buoys: 0 });
  });

  test("no member in neverSentBack", () => {
    expect(membersToSendBack(quays({ neverSentBack: ["color"] }), CURRENT)).toEqual({ buoys: 0 });
  });

  test("nothing in a patch or in a write with an envelope", () => {
    expect(membersToSendBack(quays({ semantics: "patch" }), CURRENT)).toEqual({});
    expect(membersToSendBack(quays({ envelope: (body) => ({ quay: body }) }), CURRENT)).toEqual({});
  });
});

describe("rejected write with members that it sends back", () => {
  const WRITE = { body: { berth: "north" }, sentBack: { color: "a hush of blue", lamp: "a hush of light" } };
  const REJECTION = (text: string, status = 400) => answered(status, { error: text });

  /** The members that a rejection names, and the log. */
  function reject(answer: HttpResponse, write: Parameters<typeof refusedMembers>[1] = WRITE) {
    const log: string[] = [];
    const context = { ...createCaller().context, log: (_: string, text: string) => log.push(text) };
    return { members: refusedMembers(context, write, answer), log };
  }

  test.each([400, 422])("is sent again without the member that a %d names", (status) => {
    const { members, log } = reject(REJECTION("color cannot be set", status));
    expect(members).toEqual(["color"]);
    expect(log).toEqual([expect.stringContaining("color")]);
    expect(log.join()).not.toContain("hush");
    const rest = membersToSendBack(quays({}), { ...WRITE.sentBack }, new Set(members));
    expect(rest).toEqual({ lamp: WRITE.sentBack.lamp });
  });

  test.each([
    ["names none of them", "buoys and colors are no matter of quays"],
    ["also names a member that the program writes", "a berth of this color is taken"],
  ])("is not sent again if the rejection %s", (_, text) => {
    const { members, log } = reject(REJECTION(text));
    expect(members).toEqual([]);
    expect(log).toEqual([expect.stringContaining("color, lamp")]);
  });

  test.each([
    ["a 403", REJECTION("color", 403)],
    ["a failed precondition", REJECTION("color", 409)],
    ["a server error", REJECTION("color", 500)],
    ["a 400 from a gateway", answered(400, undefined, "color is no good")],
  ])("is not sent again after %s", (_, answer) => {
    expect(reject(answer)).toEqual({ members: [], log: [] });
  });

  test("that sends nothing back is not sent again", () => {
    expect(reject(REJECTION("color"), { body: { berth: "north" } })).toEqual({ members: [], log: [] });
  });
});

describe("warning about ignored members", () => {
  const REQUEST: HttpRequest = {
    label: { definition: "harbour:Quay", step: "update" },
    method: "PUT",
    path: "/quays/a",
    nature: "write",
    sentBack: ["color", "lamp"],
  };
  const warned = (...warnings: ServiceWarning[]) =>
    withWarnings({ ...exampleService, warnings: () => warnings }, REQUEST, answered(200)).warnings ?? [];

  test("is dropped if it is about members that were sent back", () => {
    expect(warned({ text: "ignored color, lamp", notAccepted: ["color", "lamp"] })).toEqual([]);
  });

  test("is reported for members that the program writes", () => {
    const both = { text: "ignored color, depth", notAccepted: ["color", "depth"] };
    expect(warned(both)).toEqual([{ ...both, notAccepted: ["depth"] }]);
    const unrelated = [{ text: "old" }, { text: "ignored depth", notAccepted: ["depth"] }];
    expect(warned(...unrelated)).toEqual(unrelated);
  });
});
