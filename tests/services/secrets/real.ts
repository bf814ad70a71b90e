/** Settings of a connection in the real dialect, with the mounts of the stub. */
export const REAL = { dialect: "real", queueMount: "msgq", cloudMount: "cloud", directoryMount: "ldap" };
