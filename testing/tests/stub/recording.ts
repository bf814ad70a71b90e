import { appendFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { ServiceName } from "../../stub/service";
import { endpointOf } from "../../stub/specification";

const ROOT = resolve(__dirname, "../../..");

/** The file in which `npm run endpoints` collects the users and tests of each endpoint; otherwise undefined. */
const FILE = process.env.QUARTERDECK_ENDPOINTS;
const written = new Set<string>();

/** Records a request: its endpoint, the resource or function that sent it (empty for a stub test) and the test file. */
export function record(service: ServiceName, method: string, target: string, by = ""): void {
  if (FILE === undefined) return;
  const { pathname, searchParams } = new URL(target, "http://stub.invalid");
  const endpoint = endpointOf(service, method, decodeURI(pathname), searchParams);
  if (endpoint === undefined) return;
  const file = relative(ROOT, expect.getState().testPath ?? "");
  const line = [service, endpoint.method, endpoint.path, by, file].join("\t");
  if (written.has(line)) return;
  written.add(line);
  appendFileSync(FILE, `${line}\n`);
}
