import { OBJECTS } from "./consulObjects";
import { type Contracts, INDEXES, SERVER } from "./contract";

const NEWER = "newer than Consul 1.22; `mesh.ConfigEntry` accepts it";
const OF_OVERRIDES = "only valid in `Overrides`";
const LEGACY = "of intentions before Consul 1.9";

const COMMON = { Kind: "given by the class", ...INDEXES };

/** Fields that several entries have. */
const BREAKER = `
  PassiveHealthCheck{ Interval MaxFailures EnforcingConsecutive5xx EnforcingConsecutiveGatewayFailure
  Consecutive5xx ConsecutiveGatewayFailure MaxEjectionPercent BaseEjectionTime }`;
const LIMITS = `MaxConnections MaxPendingRequests MaxConcurrentRequests ${BREAKER}`;
const STATUS = `
  Status{ Conditions{ Type Status Reason Message Resource{ Kind Name SectionName Partition Namespace }
  LastTransitionTime } }`;

/** Consul: the types of its Go package `api`, version 1.34.5. */
export const consul: Contracts = {
  product: "Consul api 1.34.5",
  resources: {
    ...OBJECTS,
    "mesh:ServiceDefaults": {
      source: "`service-defaults`",
      fields: `
        Kind Name Partition Namespace Protocol Mode TransparentProxy{ OutboundListenerPort DialedDirectly }
        MutualTLSMode MeshGateway{ Mode } Expose{ Checks Paths{ ListenerPort Path LocalPathPort Protocol
        ParsedFromCheck } } ExternalSNI UpstreamConfig{ Overrides{ Name Partition Namespace Peer
        EnvoyListenerJSON EnvoyClusterJSON Protocol ConnectTimeoutMs Limits{ ${LIMITS} } ${BREAKER} MeshGateway{
        Mode } BalanceOutboundConnections } Defaults{ Name Partition Namespace Peer EnvoyListenerJSON
        EnvoyClusterJSON Protocol ConnectTimeoutMs Limits{ ${LIMITS} } ${BREAKER} MeshGateway{ Mode }
        BalanceOutboundConnections } } Destination{ Addresses Port } MaxInboundConnections LocalConnectTimeoutMs
        LocalRequestTimeoutMs BalanceInboundConnections RateLimits{ InstanceLevel{ RequestsPerSecond
        RequestsMaxBurst Routes{ PathExact PathPrefix PathRegex RequestsPerSecond RequestsMaxBurst } } }
        EnvoyExtensions{ Name Required Arguments ConsulVersion EnvoyVersion } Meta CreateIndex ModifyIndex
        MaxRequestHeadersKB`,
      notOffered: {
        ...COMMON,
        "Expose.Paths.ParsedFromCheck": SERVER,
        "UpstreamConfig.Overrides.Limits.PassiveHealthCheck": NEWER,
        "UpstreamConfig.Defaults.Limits.PassiveHealthCheck": NEWER,
        "UpstreamConfig.Defaults.Name": OF_OVERRIDES,
        "UpstreamConfig.Defaults.Partition": OF_OVERRIDES,
        "UpstreamConfig.Defaults.Namespace": OF_OVERRIDES,
        "UpstreamConfig.Defaults.Peer": OF_OVERRIDES,
      },
    },
    "mesh:ProxyDefaults": {
      source: "`proxy-defaults`",
      fields: `
        Kind Name Partition Namespace Mode TransparentProxy{ OutboundListenerPort DialedDirectly } MutualTLSMode
        Config MeshGateway{ Mode } Expose{ Checks Paths{ ListenerPort Path LocalPathPort Protocol
        ParsedFromCheck } } AccessLogs{ Enabled DisableListenerLogs Type Path JSONFormat TextFormat }
        EnvoyExtensions{ Name Required Arguments ConsulVersion EnvoyVersion } FailoverPolicy{ Mode Regions }
        PrioritizeByLocality{ Mode } Meta CreateIndex ModifyIndex`,
      notOffered: {
        ...COMMON,
        Name: "always `global`",
        "Expose.Paths.ParsedFromCheck": SERVER,
      },
    },
    "mesh:ServiceRouter": {
      source: "`service-router`",
      fields: `
        Kind Name Partition Namespace Routes{ Match{ HTTP{ PathExact PathPrefix PathRegex CaseInsensitive
        Header{ Name Present Exact Prefix Suffix Regex Invert } QueryParam{ Name Present Exact Regex } Methods }
        } Destination{ Service ServiceSubset Namespace Partition PrefixRewrite RequestTimeout IdleTimeout
        NumRetries RetryOnConnectFailure RetryOnStatusCodes RetryOn RequestHeaders{ Add Set Remove }
        ResponseHeaders{ Add Set Remove } } } Meta CreateIndex ModifyIndex`,
      notOffered: COMMON,
    },
    "mesh:ServiceSplitter": {
      source: "`service-splitter`",
      fields: `
        Kind Name Partition Namespace Splits{ Weight Service ServiceSubset Namespace Partition RequestHeaders{
        Add Set Remove } ResponseHeaders{ Add Set Remove } } Meta CreateIndex ModifyIndex`,
      notOffered: COMMON,
    },
    "mesh:ServiceResolver": {
      source: "`service-resolver`",
      fields: `
        Kind Name Partition Namespace DefaultSubset Subsets{ Filter OnlyPassing } Redirect{ Service
        ServiceSubset Namespace Partition Datacenter Peer SamenessGroup } Failover{ Service ServiceSubset
        Namespace Datacenters Targets{ Service ServiceSubset Partition Namespace Datacenter Peer } Policy{ Mode
        Regions } SamenessGroup } ConnectTimeout RequestTimeout PrioritizeByLocality{ Mode } LoadBalancer{
        Policy RingHashConfig{ MinimumRingSize MaximumRingSize } LeastRequestConfig{ ChoiceCount } HashPolicies{
        Field FieldValue CookieConfig{ Session TTL Path } SourceIP Terminal } } Meta CreateIndex ModifyIndex`,
      notOffered: COMMON,
    },
    "mesh:IngressGateway": {
      source: "`ingress-gateway`",
      fields: `
        Kind Name Partition Namespace TLS{ Enabled SDS{ ClusterName CertResource } TLSMinVersion TLSMaxVersion
        CipherSuites } Listeners{ Port Protocol Services{ Name Hosts Namespace Partition TLS{ SDS{ ClusterName
        CertResource } } RequestHeaders{ Add Set Remove } ResponseHeaders{ Add Set Remove } ${LIMITS} } TLS{
        Enabled SDS{ ClusterName CertResource } TLSMinVersion TLSMaxVersion CipherSuites } } Meta Defaults{
        ${LIMITS} } CreateIndex ModifyIndex`,
      notOffered: COMMON,
      elsewhere: { "Listeners.Services.Meta": "in the server's type" },
    },
    "mesh:TerminatingGateway": {
      source: "`terminating-gateway`",
      fields: `
        Kind Name Services{ DisableAutoHostRewrite Namespace Name CAFile CertFile KeyFile SNI } Meta CreateIndex
        ModifyIndex Partition Namespace`,
      notOffered: COMMON,
      elsewhere: { "Services.Partition": "in the server's type" },
    },
    "mesh:ServiceIntentions": {
      source: "`service-intentions`",
      fields: `
        Kind Name Partition Namespace Sources{ Name Peer Partition Namespace SamenessGroup Action Permissions{
        Action HTTP{ PathExact PathPrefix PathRegex Header{ Name Present Exact Prefix Suffix Contains Regex
        Invert IgnoreCase } Methods } JWT{ Providers{ Name VerifyClaims{ Path Value } } } } Precedence Type
        Description LegacyID LegacyMeta LegacyCreateTime LegacyUpdateTime } JWT{ Providers{ Name VerifyClaims{
        Path Value } } } Meta CreateIndex ModifyIndex`,
      notOffered: {
        ...COMMON,
        "Sources.Precedence": SERVER,
        "Sources.LegacyID": LEGACY,
        "Sources.LegacyMeta": LEGACY,
        "Sources.LegacyCreateTime": LEGACY,
        "Sources.LegacyUpdateTime": LEGACY,
      },
    },
    "mesh:Mesh": {
      source: "`mesh`",
      fields: `
        Partition Namespace TransparentProxy{ MeshDestinationsOnly } AllowEnablingPermissiveMutualTLS
        ValidateClusters TLS{ Incoming{ TLSMinVersion TLSMaxVersion CipherSuites } Outgoing{ TLSMinVersion
        TLSMaxVersion CipherSuites } } HTTP{ SanitizeXForwardedClientCert Incoming{ RequestNormalization{
        InsecureDisablePathNormalization MergeSlashes PathWithEscapedSlashesAction HeadersWithUnderscoresAction
        } } } Peering{ PeerThroughMeshGateways } Meta CreateIndex ModifyIndex`,
      notOffered: INDEXES,
    },
    "mesh:ExportedServices": {
      source: "`exported-services`",
      fields: `
        Name Partition Services{ Name Namespace Consumers{ Partition Peer SamenessGroup } } Meta CreateIndex
        ModifyIndex`,
      notOffered: INDEXES,
    },
    "mesh:ApiGateway": {
      source: "`api-gateway`",
      fields: `
        Kind Name TLS{ Enabled SDS{ ClusterName CertResource } TLSMinVersion TLSMaxVersion CipherSuites } Meta
        Listeners{ Name Hostname Port Protocol TLS{ Certificates{ Kind Name SectionName Partition Namespace }
        SDS{ ClusterName CertResource } MaxVersion MinVersion CipherSuites } Override{ JWT{ Providers{ Name
        VerifyClaims{ Path Value } } } } Default{ JWT{ Providers{ Name VerifyClaims{ Path Value } } } }
        MaxRequestHeadersKB } Defaults{ ${LIMITS} } ExtAuthz{ Enabled } ${STATUS} CreateIndex ModifyIndex
        Partition Namespace`,
      notOffered: {
        ...COMMON,
        Status: SERVER,
      },
    },
    "mesh:TcpRoute": {
      source: "`tcp-route`",
      fields: `
        Kind Name Parents{ Kind Name SectionName Partition Namespace } Services{ Name TLS{ SDS{ ClusterName
        CertResource } } Limits{ ${LIMITS} } Partition Namespace } Meta ${STATUS} CreateIndex ModifyIndex
        Partition Namespace`,
      notOffered: {
        ...COMMON,
        Status: SERVER,
      },
    },
    "mesh:InlineCertificate": {
      source: "`inline-certificate`",
      fields: "Kind Name Certificate PrivateKey Meta CreateIndex ModifyIndex Partition Namespace",
      notOffered: COMMON,
    },
    "mesh:FileSystemCertificate": {
      source: "`file-system-certificate`",
      fields: "Kind Name Certificate PrivateKey Meta CreateIndex ModifyIndex Partition Namespace",
      notOffered: COMMON,
    },
    "mesh:HttpRoute": {
      source: "`http-route`",
      fields: `
        Kind Name Parents{ Kind Name SectionName Partition Namespace } Rules{ Filters{ Headers{ Add Remove Set }
        URLRewrite{ Path } RetryFilter{ NumRetries RetryOn RetryOnStatusCodes RetryOnConnectFailure }
        TimeoutFilter{ RequestTimeout IdleTimeout } JWT{ Providers{ Name VerifyClaims{ Path Value } } } ExtProc{
        StatPrefix Mode Overrides{ Processing{ Request{ HeadersMode BodyMode TrailersMode MaxBodyBytes }
        Response{ HeadersMode BodyMode TrailersMode MaxBodyBytes } } } } ExtAuthz{ Enabled } } ResponseFilters{
        Headers{ Add Remove Set } } Matches{ Headers{ Match Name Value Invert } Method Path{ Match Value }
        Query{ Match Name Value } } Services{ Name Weight Filters{ Headers{ Add Remove Set } URLRewrite{ Path }
        RetryFilter{ NumRetries RetryOn RetryOnStatusCodes RetryOnConnectFailure } TimeoutFilter{ RequestTimeout
        IdleTimeout } JWT{ Providers{ Name VerifyClaims{ Path Value } } } ExtProc{ StatPrefix Mode Overrides{
        Processing{ Request{ HeadersMode BodyMode TrailersMode MaxBodyBytes } Response{ HeadersMode BodyMode
        TrailersMode MaxBodyBytes } } } } ExtAuthz{ Enabled } } ResponseFilters{ Headers{ Add Remove Set } }
        TLS{ SDS{ ClusterName CertResource } } Limits{ ${LIMITS} } Partition Namespace } } Hostnames Meta
        CreateIndex ModifyIndex Partition Namespace ${STATUS}`,
      notOffered: {
        ...COMMON,
        Status: SERVER,
      },
    },
    "mesh:JwtProvider": {
      source: "`jwt-provider`",
      fields: `
        Kind Name JSONWebKeySet{ Local{ JWKS Filename } Remote{ URI RequestTimeoutMs CacheDuration
        FetchAsynchronously UseSNI RetryPolicy{ NumRetries RetryPolicyBackOff{ BaseInterval MaxInterval } }
        JWKSCluster{ DiscoveryType TLSCertificates{ CaCertificateProviderInstance{ InstanceName CertificateName
        } TrustedCA{ Filename EnvironmentVariable InlineString InlineBytes } } ConnectTimeout } } } Issuer
        Audiences Locations{ Header{ Name ValuePrefix Forward } QueryParam{ Name } Cookie{ Name } } Forwarding{
        HeaderName PadForwardPayloadHeader } ClockSkewSeconds CacheConfig{ Size } Meta CreateIndex ModifyIndex
        Partition Namespace`,
      notOffered: COMMON,
    },
  },
  without: { "mesh:ConfigEntry": "its `spec` accepts every field of every kind" },
};
