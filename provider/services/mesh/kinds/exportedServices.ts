import { blocks, requiredBlocks, requiredText, text } from "./members";
import { typedEntry } from "./typedEntry";

/** Which services others may see (specification: part B). */
export default typedEntry({
  type: "ExportedServices",
  kind: "exported-services",
  doc: "An `exported-services` entry: which services other partitions and other clusters may see. Its name is the partition's: `default`.",
  members: {
    services: blocks(
      {
        name: requiredText("The service, or `*` for all."),
        namespace: text("Its namespace, or `*` for all (enterprise edition)."),
        consumers: requiredBlocks(
          {
            partition: text("An admin partition (enterprise edition)."),
            peer: text("A peer."),
            samenessGroup: text("A sameness group (enterprise edition)."),
          },
          "Who may see it; exactly one of the three each.",
        ),
      },
      "The services.",
    ),
  },
});
