import type { MigrationSource } from "./source";

/** Removes the migrated objects from Terraform's state without deleting them. */
export interface RemovalFiles {
  /** `removed` blocks for a file of the configuration; empty if there are none. */
  readonly blocks: string;
  /** A shell script for the objects for which there can be no block; empty if there are none. */
  readonly script: string;
}

/**
 * Writes a `removed` block for each resource of the root module if all of its instances are migrated, and a script for the others: a
 * block has no instance keys, and a module's resource may be declared in several places.
 */
export function removalOf(source: MigrationSource, migrated: ReadonlySet<string>): RemovalFiles {
  const { tool, objects } = source;
  const managed = objects.filter(({ mode }) => mode === "managed");
  const groups = Map.groupBy(managed, ({ resource }) => resource);
  const blocks: string[] = [];
  const commands: string[] = [];
  for (const [resource, instances] of groups) {
    const leaving = instances.filter(({ address }) => migrated.has(address));
    const isWhole =
      leaving.length === instances.length && instances.every(({ modules }) => modules.length === 0);
    if (isWhole) blocks.push(blockText(resource, source));
    else commands.push(...leaving.map(({ address }) => `remove ${shellText(address)}`));
  }
  return {
    blocks: blocks.join("\n"),
    script: commands.length === 0 ? "" : scriptText(tool === "opentofu" ? "tofu" : "terraform", commands),
  };
}

/** The script skips what an earlier run has removed: the command fails for such an address. */
const scriptText = (program: string, commands: readonly string[]) => `#!/bin/sh
set -e
addresses=$(${program} state list)
remove() {
  if printf '%s\\n' "$addresses" | grep -Fqx -e "$1"; then
    ${program} state rm "$1"
  else
    echo "already removed: $1"
  fi
}
${commands.join("\n")}
`;

function blockText(resource: string, source: MigrationSource): string {
  const lifecycle = hasLifecycle(source) ? ["", "  lifecycle {", "    destroy = false", "  }"] : [];
  return ["removed {", `  from = ${resource}`, ...lifecycle, "}", ""].join("\n");
}

/** OpenTofu before 1.10 accepts no `lifecycle` in a `removed` block, and keeps the object. Later versions warn without it. */
function hasLifecycle({ tool, version = "" }: MigrationSource): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return tool !== "opentofu" || major > 1 || minor >= 10;
}

/** A word of a POSIX shell. */
export const shellText = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
