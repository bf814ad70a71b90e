/** One version of a secret. */
export interface KvVersion {
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  /** The time of its delete, in milliseconds since the epoch. It can be in the future. */
  readonly deletedAt?: number | undefined;
  /** True if a request deleted the version. Every later request sees that, also with an earlier clock. */
  readonly isDeleted?: boolean;
  readonly isDestroyed: boolean;
}

/** A secret and its settings. */
export interface KvSecret {
  /** The number of the latest version; 0 if there is none. */
  readonly version: number;
  readonly latest?: KvVersion;
  /** The stored older versions by number. */
  readonly versions: Readonly<Record<number, KvVersion>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** 0 selects the default. */
  readonly maxVersions: number;
  readonly casRequired: boolean;
  readonly customMetadata: Readonly<Record<string, string>> | null;
}

/** The state of a KV engine, version 2. */
export interface KvData {
  readonly secrets: Map<string, KvSecret>;
}

export function newKv(): KvData {
  return { secrets: new Map() };
}
