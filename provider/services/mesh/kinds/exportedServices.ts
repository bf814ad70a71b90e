import { rule } from "../../../core";
import { exportedNameNotes, exportedNameProblem } from "../exportedName";
import { blocks, requiredBlocks, requiredText, text } from "./members";
import { typedEntry } from "./typedEntry";

/** The services that other partitions and clusters may see (specification: part B). */
export default typedEntry({
  type: "ExportedServices",
  product: {
    noun: "Consul exported-services entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/docs/reference/config-entry/exported-services",
  },
  kind: "exported-services",
  doc: "Consul `exported-services` entry: the services that other partitions and other clusters may use. Its name is the name of the partition, `default` on Community Edition.",
  rules: [rule(["name", "partition"], exportedNameProblem, "must equal `partition`, if `partition` is set")],
  notes: ({ inputs }) => exportedNameNotes(inputs),
  members: {
    services: blocks(
      {
        name: requiredText("Name of the service, or `*` for all services."),
        namespace: text("Namespace of the service, or `*` for all namespaces (Consul Enterprise)."),
        consumers: requiredBlocks(
          {
            partition: text("Admin partition that may use the service (Consul Enterprise)."),
            peer: text("Cluster peer that may use the service."),
            samenessGroup: text("Sameness group that may use the service (Consul Enterprise)."),
          },
          "Consumers of the service; each sets exactly one of the three properties.",
        ),
      },
      "Services that other partitions and clusters may use.",
    ),
  },
});
