import { parseDuration } from "../../../durations";
import { serverError } from "../errors";
import { always, list } from "../shape/field";
import { allOf } from "../shape/problems";
import { flag, integer, text, unworded } from "../shape/scalars";
import { type Body, struct } from "../shape/struct";
import { CLUSTER, defineKind } from "./define";

const DISCOVERY_TYPES = ["STRICT_DNS", "STATIC", "LOGICAL_DNS", "EDS", "ORIGINAL_DST"];
const DEFAULT_CLOCK_SKEW = 30;

const LOCATION = {
  Header: struct({ Name: text, ValuePrefix: text, Forward: flag }),
  QueryParam: struct({ Name: text }),
  Cookie: struct({ Name: text }),
};

const TRUSTED_CA = {
  Filename: text,
  EnvironmentVariable: text,
  InlineString: text,
  InlineBytes: text,
};

const CERTIFICATES = {
  CaCertificateProviderInstance: struct({ InstanceName: text, CertificateName: text }),
  TrustedCA: struct(TRUSTED_CA),
};

const CLUSTER_OF_KEYS = {
  DiscoveryType: text,
  TLSCertificates: struct(CERTIFICATES),
  ConnectTimeout: unworded,
};

const LOCAL = { JWKS: text, Filename: text };

const REMOTE = {
  URI: text,
  RequestTimeoutMs: integer,
  CacheDuration: unworded,
  FetchAsynchronously: flag,
  UseSNI: flag,
  RetryPolicy: struct({
    NumRetries: integer,
    RetryPolicyBackOff: struct({ BaseInterval: unworded, MaxInterval: unworded }),
  }),
  JWKSCluster: struct(CLUSTER_OF_KEYS),
};

/** A provider of JSON web tokens: its keys, and the places of its tokens in a request. */
export const jwtProvider = defineKind({
  kind: "jwt-provider",
  write: CLUSTER,
  read: CLUSTER,
  fields: {
    JSONWebKeySet: struct({ Local: struct(LOCAL), Remote: struct(REMOTE) }),
    Issuer: text,
    Audiences: list(text),
    Locations: list(struct(LOCATION)),
    Forwarding: struct({ HeaderName: text, PadForwardPayloadHeader: always(flag) }),
    ClockSkewSeconds: integer,
    CacheConfig: struct({ Size: integer }),
  },
  normalize: (body) => ({ ...body, ClockSkewSeconds: body.ClockSkewSeconds ?? DEFAULT_CLOCK_SKEW }),
  validate({ JSONWebKeySet: keys, Locations = [], Forwarding }) {
    if (keys === undefined) throw serverError("JSONWebKeySet is required");
    if ((keys.Local === undefined) === (keys.Remote === undefined))
      throw serverError("must specify exactly one of Local or Remote JSON Web key set");
    if (keys.Local !== undefined) validateLocal(keys.Local);
    if (keys.Remote !== undefined) validateRemote(keys.Remote);
    const errors = Locations.flatMap((location) => problemOf(location) ?? []);
    if (errors.length > 0) throw serverError(allOf(errors));
    if (Forwarding !== undefined && Forwarding.HeaderName === undefined)
      throw serverError("Header name required for forwarding config");
  },
});

function validateLocal({ JWKS, Filename }: Body<typeof LOCAL>): void {
  if ((JWKS === undefined) === (Filename === undefined))
    throw serverError("must specify exactly one of String or filename for local keyset");
  if (JWKS !== undefined && Buffer.from(JWKS, "base64").toString("base64") !== JWKS)
    throw serverError("JWKS must be valid base64 encoded string");
}

function validateRemote({ URI, RetryPolicy, JWKSCluster }: Body<typeof REMOTE>): void {
  if (URI === undefined) throw serverError("Remote JWKS URI is required");
  if (!URL.canParse(URI) && !URI.startsWith("/"))
    throw serverError(
      `Remote JWKS URI is invalid: parse ${JSON.stringify(URI)}: invalid URI for request, uri: ${URI}`,
    );
  const { BaseInterval = "0s", MaxInterval = "0s" } = RetryPolicy?.RetryPolicyBackOff ?? {};
  const [base = 0, most = 0] = [parseDuration(BaseInterval), parseDuration(MaxInterval)];
  if (most !== 0 && base > most)
    throw serverError("retry policy backoff's MaxInterval should be greater or equal to BaseInterval");
  if (JWKSCluster !== undefined) validateCluster(JWKSCluster);
}

function validateCluster({ DiscoveryType, TLSCertificates: tls }: Body<typeof CLUSTER_OF_KEYS>): void {
  if (DiscoveryType !== undefined && !DISCOVERY_TYPES.includes(DiscoveryType))
    throw serverError(`unsupported jwks cluster discovery type: ${JSON.stringify(DiscoveryType)}`);
  if (tls === undefined) return;
  if ((tls.CaCertificateProviderInstance === undefined) === (tls.TrustedCA === undefined))
    throw serverError(
      "must specify exactly one of: CaCertificateProviderInstance or TrustedCA for JKWS' TLSCertificates",
    );
  if (tls.TrustedCA !== undefined && Object.keys(tls.TrustedCA).length !== 1)
    throw serverError(
      "must specify exactly one of: Filename, EnvironmentVariable, InlineString or InlineBytes for JWKS' TrustedCA",
    );
}

function problemOf({ Header, QueryParam, Cookie }: Body<typeof LOCATION>): string | undefined {
  const given = [Header, QueryParam, Cookie].filter((each) => each !== undefined);
  if (given.length !== 1) return "must set exactly one of: JWT location header, query param or cookie";
  if (given[0]?.Name !== undefined) return undefined;
  const noun = Header !== undefined ? "header" : QueryParam !== undefined ? "query param" : "cookie";
  return `JWT location ${noun} name must be specified`;
}
