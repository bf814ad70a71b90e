import { z } from "zod";
import { createIndex, flag, modifyIndex, open, text } from "./members";

/** A client node in a list (Nomad's API documentation, "List Nodes"; Nomad 2.0.5, `api/nodes.go`). */
export const nodeStub = z.object({
  id: text("UUID that identifies the client.", "ID"),
  name: text("Name from the client's configuration, usually its host name."),
  address: text("Host of the client's HTTP address."),
  datacenter: text("Datacenter from the client's configuration."),
  nodeClass: text("Class of the node, empty if it has none."),
  nodePool: text("Pool that the client belongs to."),
  version: text("Version of Nomad on the node."),
  drain: flag("True if the node is draining."),
  schedulingEligibility: text("`eligible`, or `ineligible` if the node takes no new allocations."),
  status: text("State of the connection to the client: `initializing`, `ready`, `down` or `disconnected`."),
  statusDescription: text("Explanation of the status."),
  drivers: open("State of each task driver, by the driver's name."),
  createIndex,
  modifyIndex,
});
