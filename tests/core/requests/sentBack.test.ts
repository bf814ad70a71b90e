import type { HttpAnswer, HttpRequest, ServiceWarning } from "../../../provider/core/http/request";
import { type Definition, object } from "../../../provider/core/language/resource";
import type { Body, Writes } from "../../../provider/core/language/writes";
import { withWarnings } from "../../../provider/core/requests/middleware/warnings";
import { sendingBack, sentBackIn } from "../../../provider/core/requests/sentBack";
import { harbour, quay, quaysLife } from "../../generate/harbour";
import { answered, asking, unanswered } from "./asking";

/** Quays whose writes say this besides. */
const quays = (writes: Partial<Writes>): Definition => ({
  ...quay,
  life: object({ ...quaysLife, writes: { ...quaysLife.writes, ...writes } }),
});

describe("an update sends back", () => {
  const CURRENT: Body = { depth: 7, draught: "9 m", colour: "blue", flag: null, lamps: 0 };

  test("what a read shows and the definition does not declare, null apart", () => {
    expect(sentBackIn(quays({}), CURRENT)).toEqual({ colour: "blue", lamps: 0 });
    expect(sentBackIn(quays({ sends: "merge" }), CURRENT)).toEqual({ colour: "blue", lamps: 0 });
  });

  test("nothing that the definition names for it", () => {
    expect(sentBackIn(quays({ neverSentBack: ["colour"] }), CURRENT)).toEqual({ lamps: 0 });
  });

  test("nothing in a patch, which keeps it, and nothing beside an envelope", () => {
    expect(sentBackIn(quays({ sends: "patch" }), CURRENT)).toEqual({});
    expect(sentBackIn(quays({ envelope: (body) => ({ quay: body }) }), CURRENT)).toEqual({});
  });
});

describe("a write with members that it sends back", () => {
  const BACK: Body = { colour: "a hush of blue", lamp: "a hush of light" };

  /** Sends the write to a service that answers so. */
  async function sent(...answers: readonly (HttpAnswer | Error)[]) {
    const { context } = asking();
    const bodies: Body[] = [];
    const log: string[] = [];
    let looks = 0;
    const beforeAgain = async () => {
      looks += 1;
    };
    const own = { ...context, beforeAgain, log: (_: string, text: string) => log.push(text) };
    const outcome = await sendingBack(own, { written: { berth: "north" }, sentBack: BACK }, async (body) => {
      bodies.push(body);
      const answer = answers[bodies.length - 1];
      if (answer === undefined) throw new Error("it was not expected to ask again");
      if (answer instanceof Error) throw answer;
      return answer;
    }).catch((error: unknown) => error);
    return { outcome, bodies, log, looks, mask: (text: string) => own.redactor.mask(text) };
  }

  const REFUSAL = (text: string, status = 400) => answered(status, { error: text });

  test("is sent once if it is taken", async () => {
    const { bodies, log, looks } = await sent(answered(204));
    expect([bodies, log, looks]).toEqual([[BACK], [], 0]);
  });

  test.each([400, 422])("is sent again, after a look, without the member that a %d names", async (status) => {
    const { bodies, log, looks } = await sent(REFUSAL("colour cannot be set", status), answered(204));
    expect([bodies, looks]).toEqual([[BACK, { lamp: BACK.lamp }], 1]);
    expect(log).toEqual([expect.stringContaining("colour")]);
    expect(log.join()).not.toContain("hush");
  });

  test.each([
    ["names none of them", "lamps and colours are no matter of quays"],
    ["names what the program writes, too", "a berth of this colour is taken"],
  ])("is not sent again if the refusal %s", async (_, text) => {
    const refusal = REFUSAL(text);
    const { bodies, outcome } = await sent(refusal, refusal);
    expect(bodies).toEqual([BACK]);
    expect(outcome).toBe(refusal);
  });

  test.each<[string, HttpAnswer | Error]>([
    ["a refusal of another kind", REFUSAL("colour", 403)],
    ["a lost check", REFUSAL("colour", 409)],
    ["a failure", REFUSAL("colour", 500)],
    ["somebody else's refusal", answered(400, undefined, "colour is no good")],
    ["no answer", unanswered("unclearAnswer", "lost its connection")],
  ])("is not sent again after %s", async (_, answer) => {
    const { bodies, outcome } = await sent(answer);
    expect(bodies).toEqual([BACK]);
    expect(outcome).toBe(answer);
  });

  test("has its values masked from then on", async () => {
    const { mask } = await sent(answered(204));
    expect(mask("refused: a hush of blue, a hush of light")).not.toContain("hush");
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
