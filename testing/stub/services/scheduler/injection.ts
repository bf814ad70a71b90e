import type { Switches } from "./settings";
import type { GivenGroup, GivenJob, GivenTask } from "./shape/job";

/**
 * Adds Nomad's implicit parts to a job before it is stored: constraints that other blocks imply, the proxies of connected
 * services, and each task's default identity.
 */
export function inject(job: GivenJob, { injects, dialect }: Pick<Switches, "injects" | "dialect">): GivenJob {
  const providers = secretProviders(job);
  return {
    ...job,
    TaskGroups: (job.TaskGroups ?? []).map((sent) => {
      const group = injects.includes("sidecars") ? withSidecars(sent) : sent;
      const constrained = injects.includes("constraints")
        ? withConstraints(group, providers, dialect)
        : group;
      return injects.includes("identities") ? withIdentities(constrained) : constrained;
    }),
  };
}

function withSidecars(group: GivenGroup): GivenGroup {
  const connected = (group.Services ?? []).filter((service) => service.Connect?.SidecarService !== undefined);
  const present = new Set((group.Tasks ?? []).map((task) => task.Name));
  const sidecars = connected
    .map(
      (service): GivenTask => ({
        Name: `connect-proxy-${service.Name ?? ""}`,
        Kind: `connect-proxy:${service.Name ?? ""}`,
        Driver: "docker",
        Config: {
          image: variable("meta.connect.sidecar_image"),
          args: ["-c", `${variable("NOMAD_SECRETS_DIR")}/bootstrap.json`],
        },
        ShutdownDelay: 5_000_000_000,
        LogConfig: { MaxFiles: 2, MaxFileSizeMB: 2 },
        Resources: { CPU: 250, MemoryMB: 128 },
        Lifecycle: { Hook: "prestart", Sidecar: true },
      }),
    )
    .filter((sidecar) => !present.has(sidecar.Name));
  return sidecars.length === 0 ? group : { ...group, Tasks: [...(group.Tasks ?? []), ...sidecars] };
}

type Constraint = NonNullable<GivenGroup["Constraints"]>[number];

/** The providers of all groups' `secret` blocks: Nomad adds a constraint for each provider to every group. */
function secretProviders(job: GivenJob): readonly string[] {
  const tasks = (job.TaskGroups ?? []).flatMap((group) => group.Tasks ?? []);
  const blocks = tasks.flatMap((task) => task.SecretBlocks ?? []);
  return [...new Set(blocks.map(({ Provider = "" }) => Provider))];
}

function withConstraints(
  group: GivenGroup,
  providers: readonly string[],
  dialect: Switches["dialect"],
): GivenGroup {
  const tasks = group.Tasks ?? [];
  const services = [...(group.Services ?? []), ...tasks.flatMap((task) => task.Services ?? [])];
  const implied: Constraint[] = [];
  if (tasks.some((task) => task.Secrets !== undefined)) {
    const LTarget = variable(dialect === "real" ? "attr.vault.version" : "attr.secrets.version");
    implied.push({ LTarget, RTarget: ">= 0.6.1", Operand: "semver" });
  }
  for (const provider of providers)
    implied.push({ LTarget: variable(`attr.plugins.secrets.${provider}.version`), Operand: "is_set" });
  if (services.some((service) => service.Provider === "nomad")) {
    implied.push({ LTarget: variable("attr.nomad.service_discovery"), RTarget: "true", Operand: "=" });
  }
  if (services.some((service) => (service.Provider ?? "consul") === "consul")) {
    implied.push({ LTarget: variable("attr.consul.version"), RTarget: ">= 1.8.0", Operand: "semver" });
  }
  const signals = requiredSignals(tasks);
  if (signals.length > 0) {
    implied.push({
      LTarget: variable("attr.os.signals"),
      RTarget: signals.join(","),
      Operand: "set_contains",
    });
  }
  if ((group.Networks ?? []).some((network) => network.Mode === "bridge")) {
    for (const plugin of ["bridge", "firewall", "host-local", "loopback", "portmap"]) {
      const LTarget = variable(`attr.plugins.cni.version.${plugin}`);
      implied.push({ LTarget, RTarget: ">= 0.4.0", Operand: "semver" });
    }
  }
  const own = group.Constraints ?? [];
  const added = implied.filter((constraint) => !own.some((other) => other.LTarget === constraint.LTarget));
  return added.length === 0 ? group : { ...group, Constraints: [...own, ...added] };
}

function requiredSignals(tasks: readonly GivenTask[]): readonly string[] {
  const signals = tasks.flatMap((task) => [
    ...(task.KillSignal === undefined ? [] : [task.KillSignal]),
    ...(task.Secrets?.ChangeMode === "signal" ? [task.Secrets.ChangeSignal ?? "SIGHUP"] : []),
    ...(task.Templates ?? []).flatMap((template) =>
      template.ChangeMode === "signal" ? [template.ChangeSignal ?? "SIGHUP"] : [],
    ),
  ]);
  return [...new Set(signals.filter((signal) => signal !== ""))].sort();
}

function withIdentities(group: GivenGroup): GivenGroup {
  return {
    ...group,
    Tasks: (group.Tasks ?? []).map((task) => ({
      ...task,
      Identity: task.Identity ?? { Name: "default", Audience: ["nomadproject.io"] },
    })),
  };
}

/** An expression that a client node interpolates. */
function variable(name: string): string {
  return `\${${name}}`;
}
