export interface CloudRoot {
  readonly maxRetries: number;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  readonly iamEndpoint: string;
  readonly stsEndpoint: string;
  readonly usernameTemplate: string;
  readonly roleArn: string;
  readonly identityTokenAudience: string;
  /** Seconds. */
  readonly identityTokenTtl: number;
}

export const CREDENTIAL_TYPES = ["iam_user", "assumed_role", "federation_token", "session_token"] as const;
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

export interface CloudRole {
  /** One type; a legacy `policy` creates two. */
  readonly credentialTypes: readonly CredentialType[];
  readonly isLegacy: boolean;
  readonly roleArns: readonly string[];
  readonly policyArns: readonly string[];
  readonly policyDocument: string;
  readonly iamGroups: readonly string[];
  /** Null if the role was written without tags. */
  readonly iamTags: Readonly<Record<string, string>> | null;
  /** Seconds. */
  readonly defaultStsTtl: number;
  readonly maxStsTtl: number;
  readonly userPath: string;
  readonly permissionsBoundaryArn: string;
  readonly mfaSerialNumber: string;
  /** Role data that an earlier release accepted and this one rejects. */
  readonly invalidData: string;
}

export interface CloudStaticRole {
  readonly name: string;
  readonly username: string;
  /** Seconds. */
  readonly rotationPeriod: number;
  readonly nextRotation: number;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The state of an AWS engine. */
export interface CloudData {
  readonly root: Map<"config", CloudRoot>;
  readonly lease: Map<"config", { readonly lease: number; readonly leaseMax: number }>;
  readonly roles: Map<string, CloudRole>;
  readonly staticRoles: Map<string, CloudStaticRole>;
}

export function newCloud(): CloudData {
  return { root: new Map(), lease: new Map(), roles: new Map(), staticRoles: new Map() };
}
