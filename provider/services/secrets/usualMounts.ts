import type { Dialect } from "../../core";

/** Where engines are mounted if nobody says it: the specification's segments, and the real product's usual ones. */
export const USUAL_MOUNTS = {
  neutral: { queueMount: "msgq", cloudMount: "cloud", directoryMount: "ldap" },
  real: { queueMount: "rabbitmq", cloudMount: "aws", directoryMount: "ldap" },
} as const;

/** Whether a dialect is that of the products. */
export const isReal = ({ defaults }: Pick<Dialect, "defaults">): boolean => defaults === USUAL_MOUNTS.real;
