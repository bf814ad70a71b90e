/** A directory's configuration, by the wire names of its fields. */
export type DirectoryConfig = Readonly<Record<string, string | number | boolean>>;

export interface DirectoryStaticRole {
  readonly username: string;
  readonly dn: string;
  /** Seconds. */
  readonly rotationPeriod: number;
  readonly lastRotation: number;
  readonly password: string;
  readonly lastPassword: string;
}

export interface DirectoryRole {
  readonly creationLdif: string;
  readonly deletionLdif: string;
  readonly rollbackLdif: string;
  readonly usernameTemplate: string;
  /** Seconds. */
  readonly defaultTtl: number;
  readonly maxTtl: number;
}

export interface LibrarySet {
  readonly accounts: readonly string[];
  /** Seconds; 0 is unlimited. */
  readonly ttl: number;
  readonly maxTtl: number;
  readonly checkInIsFree: boolean;
}

/** The borrower of an account, and the end of the check-out by the mock server's clock; null means no end. */
export interface CheckOut {
  readonly borrowerToken: string;
  readonly borrowerEntity: string;
  readonly until: number | null;
}

/** The state of an LDAP engine. */
export interface DirectoryData {
  readonly config: Map<"config", DirectoryConfig>;
  readonly staticRoles: Map<string, DirectoryStaticRole>;
  readonly roles: Map<string, DirectoryRole>;
  readonly sets: Map<string, LibrarySet>;
  /** By account name; an account is in one set only. */
  readonly checkOuts: Map<string, CheckOut>;
}

export function newDirectory(): DirectoryData {
  return {
    config: new Map(),
    staticRoles: new Map(),
    roles: new Map(),
    sets: new Map(),
    checkOuts: new Map(),
  };
}
