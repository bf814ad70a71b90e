import { z } from "zod";
import type { Address } from "../../core/define";
import { field } from "../../core/facts";
import type { HttpAnswer } from "../../core/http/request";
import { type StepContext, send } from "../../core/steps/context";
import { isSuccess } from "../../core/steps/observe";

/** The workspace to which a resource belongs: part of its identity. */
export const workspaceIdField = field(z.string().min(1), {
  doc: "The workspace's id, `ws-…`.",
  identity: true,
  place: "address",
});

/**
 * A 404 means absent or unauthorised. A workspace that this token can still read has no such part; one that it cannot
 * read proves nothing.
 */
export const goneFromReadableWorkspace = {
  evidence: "the service shows none, and the workspace itself can still be read with this token",
  proves: async (answer: HttpAnswer, context: StepContext, address: Address): Promise<boolean> => {
    if (answer.status !== 404) return false;
    const workspace = { method: "GET", path: "/workspaces/{workspaceId}" } as const;
    return isSuccess(await send(context, workspace, address, { nature: "read" }));
  },
};
