import { isObject, type Json } from "../../../provider/core/value/json";

type Members = { readonly [member: string]: Json };

const SECOND = 1_000_000_000;

/** A job of this subject in HCL; its priority comes from a variable. */
export function jobAsText(job: Members, comment: string): string {
  const { ID, Priority, Type, Datacenters, Meta, TaskGroups } = job;
  return [
    `# ${comment}`,
    'variable "priority" { default = 50 }',
    "",
    block(`job ${text(ID)}`, [
      ...(Priority === undefined ? [] : ["priority = var.priority"]),
      ...attribute("type", Type),
      ...attribute("datacenters", Datacenters),
      ...attribute("meta", Meta),
      ...list(TaskGroups).map(group),
    ]),
    "",
  ].join("\n");
}

function group({ Name, Count, Meta, Scaling, Tasks }: Members): string {
  const scaling = isObject(Scaling)
    ? [
        block("scaling", [
          ...attribute("min", Scaling.Min),
          ...attribute("max", Scaling.Max),
          ...attribute("enabled", Scaling.Enabled),
        ]),
      ]
    : [];
  return block(`group ${text(Name)}`, [
    ...attribute("count", Count),
    ...attribute("meta", Meta),
    ...scaling,
    ...list(Tasks).map(task),
  ]);
}

function task({ Name, Driver, Config, Env, KillTimeout, Resources }: Members): string {
  const config = isObject(Config)
    ? Object.entries(Config).flatMap(([name, value]) => attribute(name, value))
    : [];
  return block(`task ${text(Name)}`, [
    ...attribute("driver", Driver),
    ...(config.length > 0 ? [block("config", config)] : []),
    ...attribute("env", Env),
    ...(typeof KillTimeout === "number" ? attribute("kill_timeout", `${KillTimeout / SECOND}s`) : []),
    ...(isObject(Resources)
      ? [block("resources", [...attribute("cpu", Resources.CPU), ...attribute("memory", Resources.MemoryMB)])]
      : []),
  ]);
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.map((line) => line.replace(/^/gm, "  ")).join("\n")}\n}`;
}

function attribute(name: string, value: Json | undefined): string[] {
  return value === undefined ? [] : [`${name} = ${text(value)}`];
}

/** Every value of this subject has the same notation in JSON and HCL. */
function text(value: Json | undefined): string {
  return JSON.stringify(value ?? null);
}

function list(value: Json | undefined): Members[] {
  // The lists of this subject contain objects.
  return (value ?? []) as Members[];
}
