import { serverError } from "../errors";
import { list, withAliases } from "../shape/field";
import { text } from "../shape/scalars";
import { struct } from "../shape/struct";
import { CLUSTER, defineKind, name } from "./define";

/** The services that other partitions and other clusters may see. */
export const exportedServices = defineKind({
  kind: "exported-services",
  write: CLUSTER,
  read: CLUSTER,
  fields: {
    Services: list(
      struct({
        Name: name,
        Namespace: text,
        Consumers: list(
          struct({ Partition: text, Peer: withAliases(text, "peer_name", "peername"), SamenessGroup: text }),
        ),
      }),
    ),
  },
  validate({ Services = [] }, self) {
    const partition = JSON.stringify(self.partition);
    if (self.name !== self.partition) throw serverError(`exported-services Name must be ${partition}`);
    for (const [index, { Name, Namespace, Consumers = [] }] of Services.entries()) {
      const at = `Services[${index}]`;
      if (Name === undefined) throw serverError(`${at}: service name cannot be empty`);
      if (Namespace === "*" && Name !== "*") {
        throw serverError(`${at}: service name must be wildcard if namespace is wildcard`);
      }
      if (Consumers.length === 0) throw serverError(`${at}: must have at least one consumer`);
      for (const [position, { Partition, Peer, SamenessGroup }] of Consumers.entries()) {
        const who = `${at}.Consumers[${position}]`;
        if ([Partition, Peer, SamenessGroup].filter((each) => each !== undefined).length > 1) {
          throw serverError(`${who}: must define at most one of Peer, Partition, or SamenessGroup`);
        }
        if (Partition === "*")
          throw serverError(`${who}: exporting to all partitions (wildcard) is not supported`);
        if (Peer === "*") throw serverError(`${who}: exporting to all peers (wildcard) is not supported`);
      }
    }
  },
});
