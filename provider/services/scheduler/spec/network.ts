import { z } from "zod";
import { field, flag, integer, many, one, sharedObject, text, textMap, texts } from "../../../core";

const port = sharedObject("JobPort", {
  label: field(z.string().min(1), { doc: "The port's name, by which services and tasks refer to it." }),
  value: integer("The port on the node; chosen by the service for a dynamic port."),
  to: integer("The port inside of the network; the same number where none is given, -1 for the chosen one."),
  hostNetwork: text("The node's network to which it is bound."),
  ignoreCollision: flag("Whether a port that is taken already is no obstacle."),
});

/** A network of a group or a task (specification: Job (full), Networks). */
export const network = sharedObject("JobNetwork", {
  mode: text("The kind of network: `host`, `bridge`, `none` or `cni/<name>`."),
  device: text("The node's network device."),
  cidr: text("The block of addresses.", "CIDR"),
  ip: text("The address of the network.", "IP"),
  hostname: text("The name of the host inside of the network."),
  mBits: integer("The bandwidth, in megabits a second. Newer services take no notice of it."),
  dns: one(
    sharedObject("JobDns", {
      servers: texts("The addresses of the name servers that are asked."),
      searches: texts("The domains that are searched."),
      options: texts("Options with which the resolver works."),
    }),
    "How names are resolved.",
    "DNS",
  ),
  reservedPorts: many(port, "Ports that are fixed."),
  dynamicPorts: many(port, "Ports that the service chooses."),
  cni: one(
    sharedObject("JobCni", { args: textMap("Arguments that the plugin is given.") }),
    "What a plugin is told.",
    "CNI",
  ),
});
