import { rule } from "../../../core";
import { exportedNameNotes, exportedNameProblem } from "../exportedName";
import { blocks, requiredBlocks, requiredText, text } from "./members";
import { typedEntry } from "./typedEntry";

/** The services that other partitions and clusters may see (specification: part B). */
export default typedEntry({
  type: "ExportedServices",
  kind: "exported-services",
  doc: "An `exported-services` entry: which services other partitions and other clusters may see. Its name is the partition's: `default`.",
  rules: [
    rule(
      ["name", "partition"],
      exportedNameProblem,
      "must be the name of its `partition`, if the program writes one",
    ),
  ],
  notes: ({ inputs }) => exportedNameNotes(inputs),
  members: {
    services: blocks(
      {
        name: requiredText("The service, or `*` for all."),
        namespace: text("Its namespace, or `*` for all (enterprise edition)."),
        consumers: requiredBlocks(
          {
            partition: text("The admin partition that may see it (enterprise edition)."),
            peer: text("The peer that may see it."),
            samenessGroup: text("The sameness group that may see it (enterprise edition)."),
          },
          "Who may see it; exactly one of the three each.",
        ),
      },
      "The services that others may see.",
    ),
  },
});
