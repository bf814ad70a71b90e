import { type HttpResponse, type RequestSource, shellWord } from "../../core";
import { namespaceOf } from "./namespaces";
import { isReal } from "./usualMounts";

/** The engine of each definition, by the prefix of its name, and the programs that include the engine (docs/wire.md). */
const ENGINES = [
  { names: /:(get)?Queue/, type: "rabbitmq", programs: ["bao", "vault"] },
  { names: /:(get)?Cloud/, type: "aws", programs: ["vault"] },
  { names: /:(get)?(Directory|Library)/, type: "ldap", programs: ["bao", "vault"] },
  { names: /:(get)?Kv/, type: "-version=2 kv", programs: ["bao", "vault"] },
] as const;

/**
 * The command to run before the first create at a path without an engine. Undefined for other steps, and in the neutral
 * dialect.
 */
export function enablingAdvice({ label, address, connection }: RequestSource): string | undefined {
  const { mount, authMount } = address;
  if (authMount !== undefined)
    return (
      `No auth method is enabled at ${authMount}. Enable it with a resource \`secrets.AuthMethod\`. ` +
      "If it is enabled elsewhere, set `authMount`."
    );
  const engine = ENGINES.find(({ names }) => names.test(label.definition));
  if (label.step !== "create" || engine === undefined || mount === undefined || !isReal(connection.dialect))
    return undefined;
  const namespace = namespaceOf(connection.settings, address);
  const options = [
    ...(namespace === undefined ? [] : [`-namespace=${shellWord(namespace)}`]),
    `-path=${shellWord(mount)}`,
  ];
  const commands = engine.programs.map((program) =>
    [program, "secrets", "enable", ...options, engine.type].join(" "),
  );
  return (
    `No secrets engine is mounted at ${mount}. Enable it: ${commands.join(", or ")}. ` +
    "If it is mounted elsewhere, set `mount`, or the connection's setting for the mount."
  );
}

/** The advice for a write of a KV secret whose empty response only version 1 of the engine sends. */
export function versionAdvice(
  { status }: Pick<HttpResponse, "status">,
  { label, address: { mount, path } }: RequestSource,
): string | undefined {
  return status === 204 && label.definition === "secrets:KvSecret"
    ? `The secrets engine at ${mount} is perhaps version 1 of KV, which stored the request as the secret data/${path}. ` +
        `Delete that secret (\`bao delete ${shellWord(`${mount}/data/${path}`)}\`), and use an engine of version 2.`
    : undefined;
}
