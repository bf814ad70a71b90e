import { exclusive } from "../../../core";
import { block, choice, flag, freeMap, text, texts } from "./members";
import { proxyMembers } from "./parts";
import { typedEntry } from "./typedEntry";

/** The defaults for every proxy (specification: part B). */
export default typedEntry({
  type: "ProxyDefaults",
  kind: "proxy-defaults",
  onlyName: "global",
  doc: "The `proxy-defaults` entry, of which there is one, `global`: what holds for every proxy.",
  members: {
    // Open: these are settings of the proxy, which Consul does not know.
    config: freeMap("Settings of the proxy itself, such as `protocol`."),
    ...proxyMembers,
    accessLogs: block(
      {
        enabled: flag("Whether connections and requests are logged."),
        disableListenerLogs: flag("Whether connections that no listener takes are left out."),
        type: choice(
          { file: "A file.", stderr: "The standard error.", stdout: "The standard output." },
          "Where the log goes.",
        ),
        path: text("The file, for the type `file` only."),
        jsonFormat: text("The format of a line, as JSON.", "JSONFormat"),
        textFormat: text("The format of a line, as text."),
      },
      "What proxies log.",
    ),
    failoverPolicy: block(
      {
        mode: text(
          "In which order targets are tried: `sequential`, or the nearest first (`order-by-locality`).",
        ),
        regions: texts("The regions, in this order."),
      },
      "How failovers find their next target.",
    ),
    prioritizeByLocality: block(
      { mode: text("Whether they do: `none` or `failover`.") },
      "Whether near instances come first.",
    ),
  },
  rules: [exclusive("spec.accessLogs.jsonFormat", "spec.accessLogs.textFormat", "a line has one format")],
});
