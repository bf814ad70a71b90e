import { NotFound, type ServiceError } from "../../../provider/core/http/errors";
import type { HttpAnswer } from "../../../provider/core/http/request";
import type { Route } from "../../../provider/core/language/route";
import type { ObjectHookContext } from "../../../provider/core/language/stepInput";
import { type Removal, removeOnce } from "../../../provider/core/requests/single";
import { answered, asking } from "./asking";
import { lostConnection, OWN_NO } from "./writing";

const DELETE: Route = { method: "DELETE", path: "/quays" };

/** Removes a quay of a service that answers so, and says how often it was sent. */
async function removing(answer: HttpAnswer | ServiceError, removal: Removal): Promise<number> {
  const { context, sent } = asking(answer);
  const own: ObjectHookContext = {
    ...context,
    step: "delete",
    observe: async () => {
      throw new Error("it was not expected to look by itself");
    },
    name: () => "the quay",
  };
  await removeOnce(own, DELETE, {}, removal);
  return sent.length;
}

const isGone = (gone: boolean) => async () => gone;

describe("a removal", () => {
  test("that is answered as its page says is done", async () => {
    expect(await removing(answered(204), {})).toBe(1);
  });

  test("that does not find the object is done where it is gone, and an error where it is not", async () => {
    const notFound = answered(404, { error: "no such quay" });
    expect(await removing(notFound, { isGone: isGone(true) })).toBe(1);
    await expect(removing(notFound, { isGone: isGone(false) })).rejects.toBeInstanceOf(NotFound);
  });

  test("whose refusal says that nothing is left to do is done, and is an error without that word", async () => {
    const refused = answered(409, { error: "it is not moored" });
    const isDoneAlready = ({ status }: HttpAnswer) => status === 409;
    expect(await removing(refused, { isDoneAlready })).toBe(1);
    await expect(removing(refused, { isGone: isGone(true) })).rejects.toMatchObject({ status: 409 });
  });

  test("whose answer was lost is done only where the object is gone", async () => {
    expect(await removing(lostConnection(), { isGone: isGone(true) })).toBe(1);
    await expect(removing(lostConnection(), { isGone: isGone(false) })).rejects.toThrow(
      "It was looked at, and the service shows nothing of it.",
    );
    await expect(removing(OWN_NO, { isGone: isGone(false) })).rejects.toThrow("no berth is free");
  });
});
