import type { Task, TaskGroup } from "../shape/job";
import { durationText, messagesOfBroken, nestErrors } from "./errors";
import { affinityErrors, constraintErrors } from "./policies";

export function taskErrors(task: Task, group: TaskGroup, jobType: string): readonly string[] {
  const deadline = group.Update?.ProgressDeadline ?? 0;
  const isOverdue = jobType === "service" && deadline > 0 && task.KillTimeout > deadline;
  return [
    ...messagesOfBroken([
      [task.Name === "", "Missing task name"],
      [task.Name === "alloc", 'Task cannot be named "alloc"'],
      [/[/\\]/.test(task.Name), "Task name cannot include slashes"],
      [task.Driver === "", "Missing task driver"],
      [task.KillTimeout < 0, "KillTimeout must be a positive value"],
      [
        isOverdue,
        `KillTimout (${durationText(task.KillTimeout)}) longer than the group's ProgressDeadline (${durationText(deadline)})`,
      ],
      [task.ShutdownDelay < 0, "ShutdownDelay must be a positive value"],
    ]),
    ...resourceErrors(task.Resources),
    ...logErrors(task.LogConfig, group.EphemeralDisk.SizeMB),
    ...constraintErrors(task.Constraints),
    ...(task.Constraints ?? []).flatMap(({ Operand }, index) =>
      messagesOfBroken([
        [
          Operand === "distinct_hosts" || Operand === "distinct_property",
          `Constraint ${index + 1} has disallowed Operand at task level: ${Operand}`,
        ],
      ]),
    ),
    ...(jobType === "system"
      ? messagesOfBroken([[task.Affinities !== null, "System jobs may not have an affinity block"]])
      : affinityErrors(task.Affinities)),
    ...templateErrors(task.Templates ?? []),
    ...(task.Artifacts ?? []).flatMap(({ GetterSource }, index) =>
      nestErrors(
        `Artifact ${index + 1} validation failed`,
        messagesOfBroken([[GetterSource === "", "source must be specified"]]),
      ),
    ),
    ...lifecycleErrors(task.Lifecycle),
    ...secretErrors(task),
    ...(task.VolumeMounts ?? []).flatMap(({ Volume }, index) =>
      messagesOfBroken([
        [
          !Object.hasOwn(group.Volumes ?? {}, Volume),
          `Volume Mount (${index}) references undefined volume ${Volume}`,
        ],
      ]),
    ),
  ];
}

function resourceErrors({ CPU, Cores, MemoryMB, MemoryMaxMB }: Task["Resources"]): readonly string[] {
  return messagesOfBroken([
    [CPU < 1 && Cores === 0, `minimum CPU value is 1; got ${CPU}`],
    [MemoryMB < 10, `minimum MemoryMB value is 10; got ${MemoryMB}`],
    [
      MemoryMaxMB > 0 && MemoryMaxMB < MemoryMB,
      `MemoryMaxMB value (${MemoryMaxMB}) should be larger than MemoryMB value (${MemoryMB})`,
    ],
    [CPU > 100 && Cores > 0, "Task can only ask for 'cpu' or 'cores' resource, not both."],
  ]);
}

function logErrors(
  { MaxFiles, MaxFileSizeMB, Disabled }: Task["LogConfig"],
  disk: number,
): readonly string[] {
  if (Disabled) return [];
  const usage = MaxFiles * MaxFileSizeMB;
  return messagesOfBroken([
    [MaxFiles < 1, `minimum number of files is 1; got ${MaxFiles}`],
    [MaxFileSizeMB < 1, `minimum file size is 1MB; got ${MaxFileSizeMB}`],
    [disk <= usage, `log storage (${usage} MB) must be less than requested disk capacity (${disk} MB)`],
  ]);
}

function templateErrors(templates: NonNullable<Task["Templates"]>): readonly string[] {
  return templates.flatMap((template, index) => {
    const first = templates.findIndex(({ DestPath }) => DestPath === template.DestPath);
    return [
      ...nestErrors(
        `Template ${index + 1} validation failed`,
        messagesOfBroken([
          [
            template.SourcePath === "" && template.EmbeddedTmpl === "",
            "Must specify a source path or have an embedded template",
          ],
          [template.DestPath === "", "Must specify a destination for the template"],
          [
            !["noop", "restart", "signal", "script"].includes(template.ChangeMode),
            `Invalid change mode given: "${template.ChangeMode}"`,
          ],
          [template.Splay < 0, "Must specify positive splay value"],
        ]),
      ),
      ...messagesOfBroken([[first < index, `Template ${index + 1} has same destination as ${first + 1}`]]),
    ];
  });
}

const SECRET_NAME = /^[a-zA-Z0-9_]{1,128}$/;
/** The built-in providers; every other provider is a plugin. */
const OWN_PROVIDERS = new Set(["nomad", "vault"]);

function secretErrors({ SecretBlocks: blocks, Secrets: vault }: Task): readonly string[] {
  return (blocks ?? []).flatMap(({ Name, Provider, Path, Config, Env }, index) => {
    const isOwn = OWN_PROVIDERS.has(Provider);
    const first = (blocks ?? []).findIndex((other) => other.Name === Name);
    return [
      ...messagesOfBroken([
        [first < index, `Duplicate secret ${JSON.stringify(Name)} found`],
        [
          Provider === "vault" && vault === null,
          `Secret ${JSON.stringify(Name)} has provider "vault" but no vault block`,
        ],
      ]),
      ...nestErrors(
        `Secret ${JSON.stringify(Name)} is invalid`,
        messagesOfBroken([
          [Name === "", "secret name cannot be empty"],
          [!SECRET_NAME.test(Name), `secret name must match regex ${SECRET_NAME.source}`],
          [Provider === "", "secret provider cannot be empty"],
          [Path === "", "secret path cannot be empty"],
          [isOwn && Env !== null, `${Provider} provider cannot use the env block`],
          [!isOwn && Config !== null, `custom plugin provider ${Provider} cannot use the config block`],
        ]),
      ),
    ];
  });
}

function lifecycleErrors(lifecycle: Task["Lifecycle"]): readonly string[] {
  if (lifecycle === null || ["prestart", "poststart", "poststop"].includes(lifecycle.Hook)) return [];
  const problem = lifecycle.Hook === "" ? "no lifecycle hook provided" : `invalid hook: ${lifecycle.Hook}`;
  return [`Lifecycle validation failed: ${problem}`];
}
