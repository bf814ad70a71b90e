import { anything, flag, integer, list, map, optional, struct, text } from "./field";
import { volumeMount } from "./network";
import { affinity, constraint } from "./placement";
import { restart, scaling } from "./policy";
import { logConfig, resources } from "./resources";
import { identity, service } from "./service";

const template = struct({
  SourcePath: text(),
  DestPath: text(),
  EmbeddedTmpl: text(),
  ChangeMode: text("restart"),
  ChangeSignal: text(),
  ChangeScript: optional(
    struct({
      Command: text(),
      Args: list(text()),
      Timeout: integer(5_000_000_000),
      FailOnError: flag(),
      RunOnFirstRender: flag(),
    }),
  ),
  Once: flag(),
  Splay: integer(5_000_000_000),
  Perms: text("0644"),
  Uid: optional(integer()),
  Gid: optional(integer()),
  LeftDelim: text("{{"),
  RightDelim: text("}}"),
  Envvars: flag(),
  SecretsGrace: integer(),
  Wait: optional(struct({ Min: optional(integer()), Max: optional(integer()) })),
  ErrMissingKey: flag(),
});

const artifact = struct({
  GetterSource: text(),
  GetterOptions: map(text()),
  GetterHeaders: map(text()),
  GetterMode: text("any"),
  GetterInsecure: flag(),
  RelativeDest: text(),
  Chown: flag(),
});

const secrets = struct({
  Role: text(),
  Policies: list(text()),
  Namespace: text(),
  Cluster: text("default"),
  Env: flag(true),
  DisableFile: flag(),
  ChangeMode: text("restart"),
  ChangeSignal: text("SIGHUP"),
  AllowTokenExpiration: flag(),
});

export const mesh = struct({ Namespace: text(), Cluster: text("default"), Partition: text() });

export const task = struct({
  Name: text(),
  Driver: text(),
  User: text(),
  Config: map(anything()),
  Env: map(text()),
  Services: list(service),
  Secrets: optional(secrets),
  Mesh: optional(mesh),
  Templates: list(template),
  Constraints: list(constraint),
  Affinities: list(affinity),
  Resources: resources,
  RestartPolicy: optional(restart),
  DispatchPayload: optional(struct({ File: text() })),
  Lifecycle: optional(struct({ Hook: text(), Sidecar: flag() })),
  Meta: map(text()),
  KillTimeout: integer(5_000_000_000),
  LogConfig: logConfig,
  Artifacts: list(artifact),
  Leader: flag(),
  ShutdownDelay: integer(),
  VolumeMounts: list(volumeMount),
  ScalingPolicies: list(scaling),
  KillSignal: text(),
  Kind: text(),
  CSIPluginConfig: optional(
    struct({
      ID: text(),
      Type: text(),
      MountDir: text(),
      StagePublishBaseDir: text(),
      HealthTimeout: integer(30_000_000_000),
    }),
  ),
  Identity: optional(identity),
  Identities: list(identity),
  Actions: list(struct({ Name: text(), Command: text(), Args: list(text()) })),
  Schedule: anything(),
});
