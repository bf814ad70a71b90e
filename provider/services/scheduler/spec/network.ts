import { z } from "zod";
import { field, flag, integer, many, one, sharedObject, text, textMap, texts } from "../../../core";

const port = sharedObject("JobPort", {
  label: field(z.string().min(1), { doc: "Name of the port, which services and tasks refer to." }),
  value: integer("Port number on the node. For a dynamic port, Nomad chooses it."),
  to: integer(
    "Port number inside the network namespace. If it is omitted or -1, it equals the port on the node.",
  ),
  hostNetwork: text("Host network of the node to bind the port to (`host_network`)."),
  ignoreCollision: flag("Allow a port that is already in use on the network."),
});

/** A network of a group or a task (specification: Job (full), Networks). */
export const network = sharedObject("JobNetwork", {
  mode: text("Network mode: `host`, `bridge`, `none` or `cni/<name>`."),
  device: text("Network device of the node."),
  cidr: text("CIDR block of the addresses.", "CIDR"),
  ip: text("IP address of the network.", "IP"),
  hostname: text("Hostname inside the network namespace."),
  mBits: integer("Bandwidth in megabits per second. Current Nomad versions ignore it."),
  dns: one(
    sharedObject("JobDns", {
      servers: texts("IP addresses of the DNS servers."),
      searches: texts("DNS search domains."),
      options: texts("Resolver options, as in `resolv.conf`."),
    }),
    "DNS configuration (`dns` block).",
    "DNS",
  ),
  reservedPorts: many(port, "Ports with a fixed number on the node."),
  dynamicPorts: many(port, "Ports with a number that Nomad chooses on the node."),
  cni: one(
    sharedObject("JobCni", { args: textMap("Arguments for the CNI plugin.") }),
    "CNI plugin configuration (`cni` block).",
    "CNI",
  ),
});
