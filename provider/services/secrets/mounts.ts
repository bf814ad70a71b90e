import { z } from "zod";
import type { Connection } from "../../core/connection";
import { field } from "../../core/facts";

/** The engines of the secrets service: their setting for the mount, and the specification's default segment. */
const engines = {
  queue: { called: "message-queue", setting: "queueMount", segment: "msgq" },
  cloud: { called: "cloud credentials", setting: "cloudMount", segment: "cloud" },
  directory: { called: "directory", setting: "directoryMount", segment: "ldap" },
} as const;

/** A mount's path: no slash at either end. */
export const MOUNT = /^[^/]+(\/[^/]+)*$/;

/** A mount's path as a request carries it. */
export const mountPath = z
  .string()
  .regex(MOUNT, "must be a path without a slash at either end, such as ldap or teams/web/ldap");

/** The input that says where an engine is mounted: part of the object's identity. */
export function mountField(engine: keyof typeof engines) {
  const { called, setting, segment } = engines[engine];
  return field(mountPath.optional(), {
    doc: `Where the ${called} engine is mounted; any path. Default: the connection's \`${setting}\`, else \`${segment}\`.`,
    identity: true,
    place: "address",
  });
}

/** Where an engine is mounted if a program does not say it. */
export function mountFallback(engine: keyof typeof engines) {
  const { setting, segment } = engines[engine];
  return {
    mount: ({ settings }: Connection) => {
      const mount = settings[setting];
      return typeof mount === "string" ? mount : segment;
    },
  };
}
