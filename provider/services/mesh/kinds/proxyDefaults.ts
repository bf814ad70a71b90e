import { exclusive } from "../../../core";
import { block, choice, flag, freeMap, text, texts } from "./members";
import { proxyMembers } from "./parts";
import { typedEntry } from "./typedEntry";

/** The defaults for every proxy (specification: part B). */
export default typedEntry({
  type: "ProxyDefaults",
  product: {
    noun: "Consul proxy-defaults entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/docs/agent/config-entries/proxy-defaults",
  },
  kind: "proxy-defaults",
  onlyName: "global",
  doc: "Consul `proxy-defaults` entry (there is only one, `global`): defaults for all proxies.",
  members: {
    // Open: these are settings of the proxy, which Consul does not know.
    config: freeMap("Settings of the Envoy proxy, such as `protocol`."),
    ...proxyMembers,
    accessLogs: block(
      {
        enabled: flag("Log connections and requests."),
        disableListenerLogs: flag("Omit connections that no listener accepts."),
        type: choice(
          { file: "A file.", stderr: "Standard error.", stdout: "Standard output." },
          "Destination of the log.",
        ),
        path: text("Path of the log file, for the type `file` only."),
        jsonFormat: text("Format of a log line, as JSON.", "JSONFormat"),
        textFormat: text("Format of a log line, as text."),
      },
      "Access log settings of the proxies.",
    ),
    failoverPolicy: block(
      {
        mode: text(
          "Order in which failover targets are tried: `sequential`, or nearest first (`order-by-locality`).",
        ),
        regions: texts("Regions to try, in this order."),
      },
      "Failover policy: how the next target is selected.",
    ),
    prioritizeByLocality: block(
      { mode: text("Locality mode: `none` or `failover`.") },
      "Preference for instances in nearby localities.",
    ),
  },
  rules: [exclusive("spec.accessLogs.jsonFormat", "spec.accessLogs.textFormat", "a log line has one format")],
});
