import { ENGINE_VERSION } from "../../version";
import type { Invocation } from "../line/invocation";

/**
 * For these variables the history records whether they are true; for the CLI's other variables it only records that they are
 * set.
 */
const BOOLEAN = [
  "PULUMI_SKIP_UPDATE_CHECK",
  "PULUMI_DEBUG_COMMANDS",
  "PULUMI_SKIP_CONFIRMATIONS",
  "PULUMI_EXPERIMENTAL",
  "PULUMI_DEV",
];

/** The environment of an update for the history. The CLI also records the Git repository; this engine does not. */
export function recordEnvironment({ flags, environment }: Invocation): Record<string, string> {
  const entries: [string, string][] = [
    ["exec.kind", flags.text("exec-kind") ?? "cli"],
    ...flags.list("exec-agent").map((agent): [string, string] => ["exec.agent", agent]),
    ["pulumi.arch", process.arch === "x64" ? "amd64" : process.arch],
    ...Object.entries(environment)
      .filter(([name, value]) => name.startsWith("PULUMI_") && value !== undefined)
      .map(([name, value = ""]): [string, string] => [
        `pulumi.env.${name}`,
        BOOLEAN.includes(name) ? String(/^(1|true)$/i.test(value)) : "set",
      ]),
    ...flags.names.map((name): [string, string] => {
      const value = flags.text(name) ?? "";
      return [`pulumi.flag.${name}`, ["true", "false"].includes(value) ? value : "set"];
    }),
    ["pulumi.os", process.platform === "win32" ? "windows" : process.platform],
    ["pulumi.version", ENGINE_VERSION],
    ["stack.environments", "[]"],
    ["updatePlan", "false"],
  ];
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
