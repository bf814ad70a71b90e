import { z } from "zod";

/** Why Nomad rejects a path below `nomad`, which it reserves; undefined if it accepts the path. */
function problemOf(path: string): string | undefined {
  const [top, second, third, ...deeper] = path.split("/");
  if (top !== "nomad" || second === "jobs" || second === "sentinel") return undefined;
  const isTemplate = second === "job-templates" && third !== undefined && deeper.length === 0;
  return isTemplate
    ? undefined
    : "must be nomad/jobs, nomad/sentinel, nomad/job-templates/<name>, or below nomad/jobs or nomad/sentinel: Nomad reserves all other paths under nomad";
}

/** The path of a variable, as Nomad accepts it. */
export const variablePath = z
  .string()
  .regex(
    /^[a-zA-Z0-9-_~/]{1,128}$/,
    "must contain only letters, digits, -, _, ~ and /, at most 128 characters",
  )
  .refine((path) => !path.endsWith("/"), "must not end with a slash: Nomad's own clients remove it")
  .superRefine((path, context) => {
    const message = problemOf(path);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
