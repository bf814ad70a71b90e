import { type Contracts, DEPRECATED, INDEXES, SERVER } from "./contract";

/** Another name of a member, for old requests. */
const OLD_NAME = "the old name of `Expose.Paths`";

const VOLUME = `
  Namespace ID Name PluginID NodePool NodeID Constraints{LTarget RTarget Operand} RequestedCapacityMinBytes
  RequestedCapacityMaxBytes CapacityBytes RequestedCapabilities{AttachmentMode AccessMode} Parameters HostPath
  State CreateIndex CreateTime ModifyIndex ModifyTime Allocations`;

/** Members of a volume that the server sets, in every request. */
const OF_VOLUMES = {
  ID: SERVER,
  State: SERVER,
  CreateTime: SERVER,
  ModifyTime: SERVER,
  Allocations: SERVER,
};

/** Nomad: the types of its Go package `api`. */
export const nomad: Contracts = {
  product: "Nomad 2.0.5",
  resources: {
    "scheduler:HostVolumeRegistration": {
      source: "`api.HostVolume`, in a registration",
      fields: VOLUME,
      notOffered: {
        ...INDEXES,
        ...OF_VOLUMES,
        PluginID: "no plugin creates a registered volume",
        NodePool: "set by the server",
        Constraints: "the node is given",
        RequestedCapacityMinBytes: "only a plugin uses it",
        RequestedCapacityMaxBytes: "only a plugin uses it",
      },
    },
    "scheduler:HostVolume": {
      source: "`api.HostVolume`, in a create",
      fields: VOLUME,
      notOffered: {
        ...INDEXES,
        ...OF_VOLUMES,
        CapacityBytes: SERVER,
        HostPath: SERVER,
      },
    },
    "scheduler:Job": {
      source: "`api.Job`, `api.JobRegisterRequest`",
      fields: `
        Region Namespace ID Name Type Priority AllAtOnce Datacenters NodePool Constraints{ LTarget RTarget Operand }
        Affinities{ LTarget RTarget Operand Weight } TaskGroups{ Name Count Constraints{ LTarget RTarget Operand }
        Affinities{ LTarget RTarget Operand Weight } Tasks{ Name Driver User Lifecycle{ Hook Sidecar } Config
        Constraints{ LTarget RTarget Operand } Affinities{ LTarget RTarget Operand Weight } Env Services{ Name Tags
        CanaryTags EnableTagOverride PortLabel AddressMode Address Checks{ Name Type Command Args Path Protocol
        PortLabel Expose AddressMode Advertise Interval Timeout InitialStatus Notes TLSServerName TLSSkipVerify Header
        Method CheckRestart{ Limit Grace IgnoreWarnings } GRPCService GRPCUseTLS TaskName SuccessBeforePassing
        FailuresBeforeCritical FailuresBeforeWarning Body OnUpdate } CheckRestart{ Limit Grace IgnoreWarnings }
        Connect{ Native Gateway{ Proxy{ ConnectTimeout EnvoyGatewayBindTaggedAddresses EnvoyGatewayBindAddresses{ Name
        Address Port } EnvoyGatewayNoDefaultBind EnvoyDNSDiscoveryType Config } Ingress{ TLS{ Enabled TLSMinVersion
        TLSMaxVersion CipherSuites SDS{ ClusterName CertResource } } Listeners{ Port Protocol Services{ Name Hosts
        TLS{ Enabled TLSMinVersion TLSMaxVersion CipherSuites SDS{ ClusterName CertResource } } RequestHeaders{ Add
        Set Remove } ResponseHeaders{ Add Set Remove } MaxConnections MaxPendingRequests MaxConcurrentRequests } } }
        Terminating{ Services{ Name CAFile CertFile KeyFile SNI } } Mesh } SidecarService{ Tags Port Proxy{
        LocalServiceAddress LocalServicePort Expose{ Paths{ Path Protocol LocalPathPort ListenerPort } Path{ Path
        Protocol LocalPathPort ListenerPort } } ExposeConfig{ Paths{ Path Protocol LocalPathPort ListenerPort } Path{
        Path Protocol LocalPathPort ListenerPort } } Upstreams{ DestinationName DestinationNamespace DestinationPeer
        DestinationPartition DestinationType LocalBindPort Datacenter LocalBindAddress LocalBindSocketPath
        LocalBindSocketMode MeshGateway{ Mode } Config } TransparentProxy{ UID OutboundPort ExcludeInboundPorts
        ExcludeOutboundPorts ExcludeOutboundCIDRs ExcludeUIDs NoDNS } Config } DisableDefaultTCPCheck Meta }
        SidecarTask{ Name Driver User Config Env Resources{ CPU Cores MemoryMB MemoryMaxMB DiskMB Networks{ Mode
        Device CIDR IP DNS{ Servers Searches Options } ReservedPorts{ Label Value To HostNetwork IgnoreCollision }
        DynamicPorts{ Label Value To HostNetwork IgnoreCollision } Hostname MBits CNI{ Args } } Devices{ Name Count
        Constraints{ LTarget RTarget Operand } Affinities{ LTarget RTarget Operand Weight } } NUMA{ Affinity Devices }
        SecretsMB IOPS } Meta KillTimeout LogConfig{ MaxFiles MaxFileSizeMB Enabled Disabled } ShutdownDelay
        KillSignal VolumeMounts{ Volume Destination ReadOnly PropagationMode SELinuxLabel } Identities{ Name Audience
        ChangeMode ChangeSignal Env File Filepath ServiceName TTL ExtraClaims } } } Meta CanaryMeta TaggedAddresses
        TaskName OnUpdate Identity{ Name Audience ChangeMode ChangeSignal Env File Filepath ServiceName TTL
        ExtraClaims } Weights{ Passing Warning } Provider Cluster Kind } Resources{ CPU Cores MemoryMB MemoryMaxMB
        DiskMB Networks{ Mode Device CIDR IP DNS{ Servers Searches Options } ReservedPorts{ Label Value To HostNetwork
        IgnoreCollision } DynamicPorts{ Label Value To HostNetwork IgnoreCollision } Hostname MBits CNI{ Args } }
        Devices{ Name Count Constraints{ LTarget RTarget Operand } Affinities{ LTarget RTarget Operand Weight } }
        NUMA{ Affinity Devices } SecretsMB IOPS } RestartPolicy{ Interval Attempts Delay Mode RenderTemplates } Meta
        KillTimeout LogConfig{ MaxFiles MaxFileSizeMB Enabled Disabled } Artifacts{ GetterSource GetterOptions
        GetterHeaders GetterMode GetterInsecure RelativeDest Chown } Vault{ Policies Role Namespace Cluster Env
        DisableFile ChangeMode ChangeSignal AllowTokenExpiration } Consul{ Namespace Cluster Partition } Templates{
        SourcePath DestPath EmbeddedTmpl ChangeMode ChangeScript{ Command Args Timeout FailOnError RunOnFirstRender }
        ChangeSignal Once Splay Perms Uid Gid LeftDelim RightDelim Envvars VaultGrace Wait{ Min Max } ErrMissingKey }
        DispatchPayload{ File } VolumeMounts{ Volume Destination ReadOnly PropagationMode SELinuxLabel }
        CSIPluginConfig{ ID Type MountDir StagePublishBaseDir HealthTimeout } Leader ShutdownDelay KillSignal Kind
        ScalingPolicies{ Min Max Policy Enabled Type ID Namespace Target CreateIndex ModifyIndex } Secrets{ Name
        Provider Path Config Env } Identity{ Name Audience ChangeMode ChangeSignal Env File Filepath ServiceName TTL
        ExtraClaims } Identities{ Name Audience ChangeMode ChangeSignal Env File Filepath ServiceName TTL ExtraClaims
        } Actions{ Name Command Args } Schedule{ Cron{ Start End Timezone } } } Spreads{ Attribute Weight
        SpreadTarget{ Value Percent } } Volumes{ Name Type Source ReadOnly Sticky AccessMode AttachmentMode
        MountOptions{ FSType MountFlags } PerAlloc } RestartPolicy{ Interval Attempts Delay Mode RenderTemplates }
        Disconnect{ LostAfter StopOnClientAfter Replace Reconcile } ReschedulePolicy{ Attempts Interval Delay
        DelayFunction MaxDelay Unlimited } EphemeralDisk{ Sticky Migrate SizeMB } Update{ Stagger MaxParallel
        HealthCheck MinHealthyTime HealthyDeadline ProgressDeadline Canary AutoRevert AutoPromote } Migrate{
        MaxParallel HealthCheck MinHealthyTime HealthyDeadline } Networks{ Mode Device CIDR IP DNS{ Servers Searches
        Options } ReservedPorts{ Label Value To HostNetwork IgnoreCollision } DynamicPorts{ Label Value To HostNetwork
        IgnoreCollision } Hostname MBits CNI{ Args } } Meta Services{ Name Tags CanaryTags EnableTagOverride PortLabel
        AddressMode Address Checks{ Name Type Command Args Path Protocol PortLabel Expose AddressMode Advertise
        Interval Timeout InitialStatus Notes TLSServerName TLSSkipVerify Header Method CheckRestart{ Limit Grace
        IgnoreWarnings } GRPCService GRPCUseTLS TaskName SuccessBeforePassing FailuresBeforeCritical
        FailuresBeforeWarning Body OnUpdate } CheckRestart{ Limit Grace IgnoreWarnings } Connect{ Native Gateway{
        Proxy{ ConnectTimeout EnvoyGatewayBindTaggedAddresses EnvoyGatewayBindAddresses{ Name Address Port }
        EnvoyGatewayNoDefaultBind EnvoyDNSDiscoveryType Config } Ingress{ TLS{ Enabled TLSMinVersion TLSMaxVersion
        CipherSuites SDS{ ClusterName CertResource } } Listeners{ Port Protocol Services{ Name Hosts TLS{ Enabled
        TLSMinVersion TLSMaxVersion CipherSuites SDS{ ClusterName CertResource } } RequestHeaders{ Add Set Remove }
        ResponseHeaders{ Add Set Remove } MaxConnections MaxPendingRequests MaxConcurrentRequests } } } Terminating{
        Services{ Name CAFile CertFile KeyFile SNI } } Mesh } SidecarService{ Tags Port Proxy{ LocalServiceAddress
        LocalServicePort Expose{ Paths{ Path Protocol LocalPathPort ListenerPort } Path{ Path Protocol LocalPathPort
        ListenerPort } } ExposeConfig{ Paths{ Path Protocol LocalPathPort ListenerPort } Path{ Path Protocol
        LocalPathPort ListenerPort } } Upstreams{ DestinationName DestinationNamespace DestinationPeer
        DestinationPartition DestinationType LocalBindPort Datacenter LocalBindAddress LocalBindSocketPath
        LocalBindSocketMode MeshGateway{ Mode } Config } TransparentProxy{ UID OutboundPort ExcludeInboundPorts
        ExcludeOutboundPorts ExcludeOutboundCIDRs ExcludeUIDs NoDNS } Config } DisableDefaultTCPCheck Meta }
        SidecarTask{ Name Driver User Config Env Resources{ CPU Cores MemoryMB MemoryMaxMB DiskMB Networks{ Mode
        Device CIDR IP DNS{ Servers Searches Options } ReservedPorts{ Label Value To HostNetwork IgnoreCollision }
        DynamicPorts{ Label Value To HostNetwork IgnoreCollision } Hostname MBits CNI{ Args } } Devices{ Name Count
        Constraints{ LTarget RTarget Operand } Affinities{ LTarget RTarget Operand Weight } } NUMA{ Affinity Devices }
        SecretsMB IOPS } Meta KillTimeout LogConfig{ MaxFiles MaxFileSizeMB Enabled Disabled } ShutdownDelay
        KillSignal VolumeMounts{ Volume Destination ReadOnly PropagationMode SELinuxLabel } Identities{ Name Audience
        ChangeMode ChangeSignal Env File Filepath ServiceName TTL ExtraClaims } } } Meta CanaryMeta TaggedAddresses
        TaskName OnUpdate Identity{ Name Audience ChangeMode ChangeSignal Env File Filepath ServiceName TTL
        ExtraClaims } Weights{ Passing Warning } Provider Cluster Kind } ShutdownDelay MaxRunDuration
        StopAfterClientDisconnect MaxClientDisconnect Scaling{ Min Max Policy Enabled Type ID Namespace Target
        CreateIndex ModifyIndex } Consul{ Namespace Cluster Partition } PreventRescheduleOnLost } Update{ Stagger
        MaxParallel HealthCheck MinHealthyTime HealthyDeadline ProgressDeadline Canary AutoRevert AutoPromote }
        Multiregion{ Strategy{ MaxParallel OnFailure } Regions{ Name Count Datacenters NodePool Meta } } Spreads{
        Attribute Weight SpreadTarget{ Value Percent } } Periodic{ Enabled Spec Specs SpecType ProhibitOverlap
        TimeZone } ParameterizedJob{ Payload MetaRequired MetaOptional } Reschedule{ Attempts Interval Delay
        DelayFunction MaxDelay Unlimited } Migrate{ MaxParallel HealthCheck MinHealthyTime HealthyDeadline } Meta UI{
        Description Links{ Label Url } } Stop ParentID Dispatched DispatchIdempotencyToken Payload ConsulNamespace
        VaultNamespace NomadTokenID Status StatusDescription Stable Version SubmitTime CreateIndex ModifyIndex
        JobModifyIndex VersionTag{ Name Description TaggedTime }
        Submission EnforceIndex PolicyOverride PreserveCounts PreserveResources EvalPriority`,
      notOffered: {
        ...INDEXES,
        "TaskGroups.Services.Connect.SidecarService.Proxy.Expose.Path": OLD_NAME,
        "TaskGroups.Services.Connect.SidecarService.Proxy.ExposeConfig": OLD_NAME,
        "TaskGroups.Services.Connect.SidecarTask.LogConfig.Enabled": DEPRECATED,
        "TaskGroups.Tasks.Services.Connect.SidecarService.Proxy.Expose.Path": OLD_NAME,
        "TaskGroups.Tasks.Services.Connect.SidecarService.Proxy.ExposeConfig": OLD_NAME,
        "TaskGroups.Tasks.Services.Connect.SidecarTask.LogConfig.Enabled": DEPRECATED,
        "TaskGroups.Tasks.LogConfig.Enabled": DEPRECATED,
        "TaskGroups.Tasks.ScalingPolicies.ID": SERVER,
        "TaskGroups.Tasks.ScalingPolicies.Namespace": SERVER,
        "TaskGroups.Tasks.ScalingPolicies.CreateIndex": SERVER,
        "TaskGroups.Tasks.ScalingPolicies.ModifyIndex": SERVER,
        "TaskGroups.Scaling.ID": SERVER,
        "TaskGroups.Scaling.Namespace": SERVER,
        "TaskGroups.Scaling.CreateIndex": SERVER,
        "TaskGroups.Scaling.ModifyIndex": SERVER,
        ParentID: SERVER,
        Dispatched: SERVER,
        DispatchIdempotencyToken: SERVER,
        NomadTokenID: SERVER,
        Status: SERVER,
        StatusDescription: SERVER,
        Stable: SERVER,
        Version: SERVER,
        SubmitTime: SERVER,
        JobModifyIndex: SERVER,
        VersionTag: "a tag belongs to one version of the job, not to the job",
        Submission: "sent with `hcl` and its variables",
        EnforceIndex: "sent with every registration",
        PolicyOverride: "an option: `policyOverride`",
        PreserveCounts: "an option: `preserveCounts`",
        PreserveResources: "an option: `preserveResources`",
        EvalPriority: "an option: `evalPriority`",
      },
      elsewhere: {
        "TaskGroups.Services.Namespace": "in the server's type",
        "TaskGroups.Tasks.Services.Namespace": "in the server's type",
        ConsulToken: "removed in Nomad 1.10",
        VaultToken: "removed in Nomad 1.10",
      },
    },
    "scheduler:Namespace": {
      source: "`api.Namespace`",
      fields: `
        Name Description Quota Meta Capabilities{EnabledTaskDrivers DisabledTaskDrivers EnabledNetworkModes
        DisabledNetworkModes} NodePoolConfiguration{Default Allowed Denied} VaultConfiguration{Default Allowed Denied}
        ConsulConfiguration{Default Allowed Denied} CreateIndex ModifyIndex RequiredExtraClaims OptionalExtraClaims`,
      notOffered: INDEXES,
    },
    "scheduler:Variable": {
      source: "`api.Variable`",
      fields: "Namespace Path CreateIndex ModifyIndex CreateTime ModifyTime Items Lock{ID TTL LockDelay}",
      notOffered: {
        ...INDEXES,
        CreateTime: SERVER,
        ModifyTime: SERVER,
        Lock: "a lock belongs to a running process",
      },
    },
    "scheduler:NodePool": {
      source: "`api.NodePool`",
      fields: `
        Name Description Meta NodeIdentityTTL SchedulerConfiguration{SchedulerAlgorithm MemoryOversubscriptionEnabled}
        CreateIndex ModifyIndex`,
      notOffered: INDEXES,
    },
    "scheduler:AclPolicy": {
      source: "`api.ACLPolicy`",
      fields: "Name Description Rules JobACL{Namespace JobID Group Task} CreateIndex ModifyIndex",
      notOffered: INDEXES,
    },
    "scheduler:AclRole": {
      source: "`api.ACLRole`",
      fields: "ID Name Description Policies{Name} CreateIndex ModifyIndex",
      notOffered: { ID: SERVER, ...INDEXES },
    },
    "scheduler:AclToken": {
      source: "`api.ACLToken`",
      fields: `
        AccessorID SecretID Name Type Policies Roles{ID Name} Global CreateTime ExpirationTime ExpirationTTL CreateIndex
        ModifyIndex`,
      notOffered: {
        ...INDEXES,
        AccessorID: SERVER,
        SecretID: SERVER,
        CreateTime: SERVER,
        ExpirationTime: "given as `ExpirationTTL`",
      },
    },
  },
  without: {},
};
