import type { Datacenter, Entry } from "./entries";
import { failed } from "./errors";

const HTTP = new Set(["http", "http2", "grpc"]);
const ADVANCED = new Set(["service-splitter", "service-router"]);

/**
 * The rules between entries: routing and splitting need a service that speaks HTTP, by its own defaults or the
 * proxies'. They hold after every write and every delete; what would break them is refused.
 */
export function requireWholeChains(datacenter: Datacenter, namespace: string): void {
  const entries = [...datacenter.entries.values()].filter((stored) => stored.namespace === namespace);
  for (const { entry } of entries) {
    if (!ADVANCED.has(entry.Kind)) continue;
    const protocol = protocolOf(datacenter, namespace, entry.Name);
    if (HTTP.has(protocol)) continue;
    throw failed(
      `discovery chain "${entry.Name}" uses a protocol "${protocol}" that does not permit advanced routing or splitting behavior`,
    );
  }
}

/** The rules inside one entry. */
export function requireSound(entry: Entry): void {
  if (entry.Kind === "service-splitter") {
    const splits: readonly { Weight?: number }[] = Array.isArray(entry.Splits) ? entry.Splits : [];
    if (splits.length === 0) throw failed("no splits configured");
    const sum = splits.reduce((total, { Weight = 0 }) => total + Math.round(Weight * 100), 0);
    if (sum !== 10_000) throw failed(`the sum of all split weights must be 100, not ${sum / 100}`);
  }
  if (entry.Kind === "service-intentions") {
    const sources: readonly { Name?: string; Action?: string }[] = Array.isArray(entry.Sources)
      ? entry.Sources
      : [];
    for (const [index, { Name, Action }] of sources.entries()) {
      if (Name === undefined || Name === "") throw failed(`Sources[${index}].Name is required`);
      if (Action !== undefined && Action !== "allow" && Action !== "deny" && Action !== "") {
        throw failed(`Sources[${index}].Action must be set to 'allow' or 'deny'`);
      }
    }
    const names = sources.map(({ Name }) => Name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw failed(`Sources defines "${twice}" more than once`);
  }
}

function protocolOf(datacenter: Datacenter, namespace: string, service: string): string {
  const own = datacenter.find(namespace, "service-defaults", service)?.entry.Protocol;
  if (typeof own === "string" && own !== "") return own.toLowerCase();
  const proxies = datacenter.find(namespace, "proxy-defaults", "global")?.entry;
  const config = proxies?.Config;
  const general =
    typeof config === "object" && config !== null && "protocol" in config ? config.protocol : undefined;
  return typeof general === "string" && general !== "" ? general.toLowerCase() : "tcp";
}
