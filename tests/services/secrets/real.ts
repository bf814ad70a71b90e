/** The mounts stay where the stub has them; all else goes by the real product's names. */
export const REAL = { dialect: "real", queueMount: "msgq", cloudMount: "cloud", directoryMount: "ldap" };
