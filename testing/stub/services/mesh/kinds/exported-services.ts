import { failed } from "../errors";
import { aliased, list } from "../shape/field";
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
          struct({ Partition: text, Peer: aliased(text, "peer_name", "peername"), SamenessGroup: text }),
        ),
      }),
    ),
  },
  validate({ Services = [] }, self) {
    const partition = JSON.stringify(self.partition);
    if (self.name !== self.partition) throw failed(`exported-services Name must be ${partition}`);
    for (const [index, { Name, Namespace, Consumers = [] }] of Services.entries()) {
      const at = `Services[${index}]`;
      if (Name === undefined) throw failed(`${at}: service name cannot be empty`);
      if (Namespace === "*" && Name !== "*") {
        throw failed(`${at}: service name must be wildcard if namespace is wildcard`);
      }
      if (Consumers.length === 0) throw failed(`${at}: must have at least one consumer`);
      for (const [position, { Partition, Peer, SamenessGroup }] of Consumers.entries()) {
        const who = `${at}.Consumers[${position}]`;
        if ([Partition, Peer, SamenessGroup].filter((each) => each !== undefined).length > 1) {
          throw failed(`${who}: must define at most one of Peer, Partition, or SamenessGroup`);
        }
        if (Partition === "*")
          throw failed(`${who}: exporting to all partitions (wildcard) is not supported`);
        if (Peer === "*") throw failed(`${who}: exporting to all peers (wildcard) is not supported`);
      }
    }
  },
});
