export interface MfaMethod {
  readonly id: string;
  readonly name: string;
  readonly orgName: string;
  readonly apiToken: string;
  readonly usernameFormat: string;
  readonly baseUrl: string;
  /** True if the legacy address is the production one; applies if there is no base URL. */
  readonly production: boolean;
  readonly primaryEmail: boolean;
}

export interface Enforcement {
  readonly id: string;
  readonly name: string;
  readonly methodIds: readonly string[];
  readonly selectors: Readonly<Record<Selector, readonly string[]>>;
}

/** The four lists of a login enforcement; at least one is required. */
export const SELECTORS = [
  "auth_method_accessors",
  "auth_method_types",
  "identity_group_ids",
  "identity_entity_ids",
] as const;
export type Selector = (typeof SELECTORS)[number];

/** An identity that can have an alias for each auth method. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly policies: readonly string[];
  readonly disabled: boolean;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The name of an entity or of an external group in an auth method. */
export interface IdentityAlias {
  readonly id: string;
  readonly name: string;
  /** The accessor of the auth method. */
  readonly accessor: string;
  /** The ID of the entity or of the group. */
  readonly owner: string;
  readonly customMetadata: Readonly<Record<string, string>> | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A group of entities and groups. The members of an external group come from its auth method. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly type: "internal" | "external";
  readonly policies: readonly string[];
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly memberEntityIds: readonly string[];
  readonly memberGroupIds: readonly string[];
  /** The number of writes. */
  readonly index: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}
