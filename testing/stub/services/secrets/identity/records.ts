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
