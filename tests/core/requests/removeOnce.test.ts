import { NotFound, type ServiceError } from "../../../provider/core/http/errors";
import type { HttpResponse } from "../../../provider/core/http/request";
import type { Route } from "../../../provider/core/language/route";
import type { ObjectHookContext } from "../../../provider/core/language/stepInput";
import { PROBE_MS } from "../../../provider/core/requests/probe";
import { type RemovalOptions, removeOnce } from "../../../provider/core/requests/single";
import { answered, createCaller } from "./caller";
import { lostConnection, OWN_ERROR } from "./writing";

const DELETE: Route = { method: "DELETE", path: "/quays" };

/** Removes a quay from a service with this response, and returns the number of requests. */
async function removing(
  answer: HttpResponse | ServiceError,
  removal: RemovalOptions,
  signal?: AbortSignal,
): Promise<number> {
  const { context, sent } = createCaller(answer);
  const own: ObjectHookContext = {
    ...context,
    ...(signal && { signal }),
    step: "delete",
    observe: async () => {
      throw new Error("it was not expected to look by itself");
    },
    name: () => "the quay",
  };
  await removeOnce(own, DELETE, {}, removal);
  return sent.length;
}

const deleted = (isDeleted: boolean) => async () => isDeleted;

describe("removeOnce", () => {
  test("succeeds after the documented response", async () => {
    expect(await removing(answered(204), {})).toBe(1);
  });

  test("succeeds after a 404 only if the object no longer exists", async () => {
    const notFound = answered(404, { error: "no such quay" });
    expect(await removing(notFound, { isGone: deleted(true) })).toBe(1);
    await expect(removing(notFound, { isGone: deleted(false) })).rejects.toBeInstanceOf(NotFound);
  });

  test("fails with the 404 if the object cannot be read after it", async () => {
    const isGone = () => Promise.reject(new Error("permission denied"));
    await expect(removing(answered(404, { error: "no such quay" }), { isGone })).rejects.toBeInstanceOf(
      NotFound,
    );
  });

  test("looks for the object after a 404 without the deadline and the signal of the operation", async () => {
    const contexts: ObjectHookContext[] = [];
    const isGone = async (context: ObjectHookContext) => contexts.push(context) > 0;
    await removing(answered(404, { error: "no such quay" }), { isGone }, new AbortController().signal);
    expect(contexts).toEqual([expect.objectContaining({ grace: PROBE_MS })]);
    expect(contexts[0]?.signal).toBeUndefined();
  });

  test("succeeds after a rejection only if isDoneAlready accepts it", async () => {
    const refused = answered(409, { error: "it is not moored" });
    const isDoneAlready = ({ status }: HttpResponse) => status === 409;
    expect(await removing(refused, { isDoneAlready })).toBe(1);
    await expect(removing(refused, { isGone: deleted(true) })).rejects.toMatchObject({ status: 409 });
  });

  test("succeeds after a lost response only if the object no longer exists", async () => {
    expect(await removing(lostConnection(), { isGone: deleted(true) })).toBe(1);
    await expect(removing(lostConnection(), { isGone: deleted(false) })).rejects.toThrow(
      "A read after the request does not show the result.",
    );
    await expect(removing(OWN_ERROR, { isGone: deleted(false) })).rejects.toThrow("no berth is free");
  });
});
