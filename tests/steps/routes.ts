import type { HttpRequest } from "../../provider/core/http/request";
import type { Definition } from "../../provider/core/language/resource";
import { completePath, type Route } from "../../provider/core/language/route";
import type { Dialect } from "../../provider/core/language/service";

/** Whether a request matches this route of the definition, with the path segments of the dialect. */
export function matchesRoute(
  { service }: Pick<Definition, "service">,
  { method, path }: Pick<Route, "method" | "path">,
  request: Pick<HttpRequest, "method" | "path">,
  { segments = {} }: Pick<Dialect, "segments"> = {},
): boolean {
  const named = path.split("/").map((segment) => segments[segment] ?? segment);
  return method === request.method && isPathOf(completePath(service, named.join("/")), request.path);
}

function isPathOf(template: string, path: string): boolean {
  const parts = template.split(/\{\+?\w+\}/).map((part) => part.replace(/[.*+?^$()[\]\\|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`).test(path);
}
