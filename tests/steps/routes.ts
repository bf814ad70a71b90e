import type { HttpRequest } from "../../provider/core/http/request";
import type { Definition } from "../../provider/core/language/resource";
import type { Route } from "../../provider/core/language/route";

/** Whether a request goes along this route of the definition. */
export function isAlong(
  { service }: Pick<Definition, "service">,
  { method, path }: Pick<Route, "method" | "path">,
  request: Pick<HttpRequest, "method" | "path">,
): boolean {
  return method === request.method && isPathOf(service.prefix + path, request.path);
}

function isPathOf(template: string, path: string): boolean {
  const parts = template.split(/\{\+?\w+\}/).map((part) => part.replace(/[.*+?^$()[\]\\|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`).test(path);
}
