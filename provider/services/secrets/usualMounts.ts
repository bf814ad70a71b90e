import type { Dialect } from "../../core";

/** The default mounts of the engines: the specification's path segments, and the usual ones of Vault and OpenBao. */
export const USUAL_MOUNTS = {
  neutral: { queueMount: "msgq", cloudMount: "cloud", directoryMount: "ldap" },
  real: { queueMount: "rabbitmq", cloudMount: "aws", directoryMount: "ldap" },
} as const;

/** True if a dialect is that of Vault and OpenBao. */
export const isReal = ({ defaults }: Pick<Dialect, "defaults">): boolean => defaults === USUAL_MOUNTS.real;
