import { serverError } from "../errors";
import { always, anything, list, map, passedOver } from "../shape/field";
import { flag, text } from "../shape/scalars";
import { inline, struct } from "../shape/struct";
import { CLUSTER, defineKind } from "./define";
import { PROXY_FIELDS, validateProxy } from "./proxy";

/** The settings of every proxy. */
export const proxyDefaults = defineKind({
  kind: "proxy-defaults",
  write: CLUSTER,
  read: [],
  onlyName: "global",
  fields: {
    Config: always(map(anything)),
    /** The server derives it from `Config.protocol`; reads never show it. */
    Protocol: passedOver,
    ...PROXY_FIELDS,
    AccessLogs: inline({
      Enabled: flag,
      DisableListenerLogs: flag,
      Type: text,
      Path: text,
      JSONFormat: text,
      TextFormat: text,
    }),
    FailoverPolicy: struct({ Mode: text, Regions: list(text) }),
    PrioritizeByLocality: struct({ Mode: text }),
  },
  validate(body) {
    const { Type, Path, JSONFormat, TextFormat } = body.AccessLogs ?? {};
    if (Type !== undefined && !["file", "stderr", "stdout"].includes(Type)) {
      throw serverError(`invalid access log type: ${Type}`);
    }
    if (JSONFormat !== undefined && TextFormat !== undefined) {
      throw serverError("cannot specify both access log JSONFormat and TextFormat");
    }
    if (Type !== "file" && Path !== undefined) {
      throw serverError("path is only valid for file type access logs");
    }
    if (Type === "file" && Path === undefined) {
      throw serverError("path must be specified when using file type access logs");
    }
    const failover = body.FailoverPolicy?.Mode ?? "";
    if (!["", "sequential", "order-by-locality"].includes(failover)) {
      throw serverError("Failover policy must be one of '', 'sequential', or 'order-by-locality'");
    }
    const priority = body.PrioritizeByLocality?.Mode ?? "";
    if (!["", "none", "failover"].includes(priority)) {
      throw serverError(`invalid prioritize by locality mode: ${priority}`);
    }
    validateProxy(body);
  },
});

/** The protocol of every service without its own. */
export function generalProtocol(body: { readonly Config?: Readonly<Record<string, unknown>> }): string {
  const protocol = body.Config?.protocol;
  return typeof protocol === "string" ? protocol.toLowerCase() : "";
}
