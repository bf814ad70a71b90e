import type { Work } from "../../../core/language/lives";
import { errorOfRead, isSuccess } from "../../../core/requests/observe";
import { send } from "../../../core/requests/send";

/**
 * Which server is the active one, and since when, where the dialect knows of clusters: a rekey that is under way is in its
 * memory alone, and over with it, whatever was given. Empty where there is nothing to tell.
 */
export async function activeServer({ context }: Pick<Work, "context">): Promise<string> {
  const { cluster } = context.connection.dialect;
  if (cluster === undefined) return "";
  const route = { method: "GET", path: cluster.active.path } as const;
  const answer = await send(context, route, {}, { nature: "read" });
  if (!isSuccess(answer)) throw errorOfRead(context, answer, route, {});
  const { address = "", since = "" } = cluster.active.tells(answer);
  return `${address} ${since}`.trim();
}
