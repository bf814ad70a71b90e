import { anything, direct, flag, integer, list, map, optional, struct, text } from "./field";
import { identity } from "./identity";
import { volumeMount } from "./network";
import { affinity, constraint } from "./placement";
import { restart, scaling } from "./policy";
import { logConfig, resources } from "./resources";
import { service } from "./service";

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
  Chown: direct(flag()),
});

const secrets = struct({
  Role: direct(text()),
  Policies: list(text()),
  Namespace: text(),
  Cluster: direct(text("default")),
  Env: flag(true),
  DisableFile: flag(),
  ChangeMode: text("restart"),
  ChangeSignal: text("SIGHUP"),
  AllowTokenExpiration: flag(),
});

/** A secret that a provider fetches before the task starts; it has no defaults. */
const secretBlock = struct({
  Name: direct(text()),
  Provider: direct(text()),
  Path: direct(text()),
  Config: map(anything()),
  Env: map(text()),
});

export const mesh = struct({
  Namespace: direct(text()),
  Cluster: direct(text("default")),
  Partition: direct(text()),
});

export const task = struct({
  Name: direct(text()),
  Driver: direct(text()),
  User: direct(text()),
  Config: map(anything()),
  Env: map(text()),
  Services: list(service),
  Secrets: optional(secrets),
  SecretBlocks: list(secretBlock),
  Mesh: optional(mesh),
  Templates: list(template),
  Constraints: list(constraint),
  Affinities: list(affinity),
  Resources: resources,
  RestartPolicy: optional(restart),
  DispatchPayload: optional(struct({ File: direct(text()) })),
  Lifecycle: optional(struct({ Hook: direct(text()), Sidecar: direct(flag()) })),
  Meta: map(text()),
  KillTimeout: integer(5_000_000_000),
  LogConfig: logConfig,
  Artifacts: list(artifact),
  Leader: direct(flag()),
  ShutdownDelay: direct(integer()),
  VolumeMounts: list(volumeMount),
  ScalingPolicies: list(scaling),
  KillSignal: direct(text()),
  Kind: direct(text()),
  CSIPluginConfig: optional(
    struct({
      ID: direct(text()),
      Type: direct(text()),
      MountDir: direct(text()),
      StagePublishBaseDir: direct(text()),
      HealthTimeout: direct(integer(30_000_000_000)),
    }),
  ),
  Identity: optional(identity),
  Identities: list(identity),
  Actions: list(struct({ Name: direct(text()), Command: text(), Args: list(text()) })),
  Schedule: optional(
    struct({
      Cron: optional(struct({ Start: direct(text()), End: direct(text()), Timezone: direct(text()) })),
    }),
  ),
});
