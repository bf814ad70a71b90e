import type { ListRequest } from "../http/paging";
import type { Address } from "../language/object";
import type { Route } from "../language/route";
import type { RequestContext } from "../language/stepInput";
import { timeLimitsOf } from "./lookContext";
import { errorFrom } from "./observe";
import { filledPath, realmHeaders } from "./send";

/** One of a definition's lists, ready to be read page by page. */
export function listRequestOf(
  context: RequestContext,
  route: Pick<Route, "method" | "path">,
  address: Address,
  query: Readonly<Record<string, string | undefined>> = {},
): ListRequest {
  const { connection, label, redactor } = context;
  const headers = realmHeaders(connection, address);
  return {
    send: connection.send,
    service: connection.service.name,
    request: {
      label,
      secrets: redactor,
      method: route.method,
      path: filledPath(route.path, address, connection),
      query,
      ...(headers && { headers }),
      nature: "read",
      ...timeLimitsOf(context),
    },
    refused: (answer) => errorFrom(context, answer, route, address),
  };
}
