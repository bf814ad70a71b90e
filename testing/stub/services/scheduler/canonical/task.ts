import { posix } from "node:path";
import type { GivenGroup, GivenJob, GivenRestart, GivenTask } from "../shape/job";
import { over } from "./policies";
import { canonicalService } from "./service";

export function canonicalTask(
  task: GivenTask,
  group: GivenGroup,
  job: GivenJob,
  groupsRestart: GivenRestart,
): GivenTask {
  const resources = task.Resources ?? {};
  const { Lifecycle: lifecycle, ...rest } = task;
  return {
    ...rest,
    Resources: { ...resources, CPU: resources.CPU ?? (resources.Cores === undefined ? 100 : 0) },
    RestartPolicy: over(groupsRestart, task.RestartPolicy),
    // An empty lifecycle counts as absent.
    ...(lifecycle?.Hook || lifecycle?.Sidecar ? { Lifecycle: lifecycle } : {}),
    ...(task.Templates === undefined ? {} : { Templates: task.Templates.map(canonicalTemplate) }),
    ...(task.Artifacts === undefined ? {} : { Artifacts: task.Artifacts.map(canonicalArtifact) }),
    ...(task.Services === undefined
      ? {}
      : {
          Services: task.Services.map((service) => ({
            ...canonicalService(service, {
              job: job.Name ?? "",
              group: group.Name ?? "",
              task: task.Name ?? "",
            }),
            TaskName: task.Name ?? "",
          })),
        }),
  };
}

type Template = NonNullable<GivenTask["Templates"]>[number];
type Artifact = NonNullable<GivenTask["Artifacts"]>[number];

function canonicalTemplate(template: Template): Template {
  const isSignaled = template.ChangeMode === "signal";
  return {
    ...template,
    ChangeSignal: template.ChangeSignal?.toUpperCase() ?? (isSignaled ? "SIGHUP" : ""),
  };
}

/** In file mode the destination is the file's own name, else a directory. */
function canonicalArtifact(artifact: Artifact): Artifact {
  const isFile = artifact.GetterMode === "file";
  const destination = isFile ? posix.join("local", posix.basename(artifact.GetterSource ?? "")) : "local/";
  return { RelativeDest: destination, ...artifact };
}
