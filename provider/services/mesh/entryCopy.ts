import {
  ActionableError,
  equalJson,
  errorFrom,
  isObject,
  type Json,
  manualCheck,
  type ObjectHookContext,
  type Observation,
  OWN,
  type Route,
  rerunUp,
  send,
  type Values,
} from "../../core";

/** The maximum duration of a copy, in milliseconds. */
export const COPY_MS = 60_000;

/** The delay between two reads of a copy, in milliseconds: the first and the longest one. */
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 1000;

/** The kind that Consul does not copy to other datacenters. */
const UNCOPIED = "exported-services";

/**
 * Waits after a write until the resource's own datacenter shows the entry that was written in the primary one.
 * @throws ActionableError if it does not within a minute
 */
export async function waitForCopy(
  context: ObjectHookContext,
  one: Route,
  { address, body }: Observation,
): Promise<void> {
  const { connection } = context;
  const { runtime } = connection;
  const { datacenter } = address;
  if (!datacenter || body.Kind === UNCOPIED) return;
  const primary = await connection.primary?.({ label: context.label, secrets: context.redactor });
  if (primary === undefined || primary === datacenter) return;
  const end = Math.min(runtime.now() + COPY_MS, context.deadline);
  let latest: Observation["body"] | undefined = body;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
    const copy = await send(context, one, address, { nature: "read", isOfCopy: true });
    if (copy.status !== 200 && copy.status !== 404) throw errorFrom(context, copy, one, address);
    if (isCopy(context, copy.json, latest)) return;
    if (runtime.now() >= end)
      throw new ActionableError(
        `${context.name(address)} was written in the primary datacenter${primary === OWN ? "" : ` (${primary})`}, but ${datacenter} does not show it after ${COPY_MS / 1000} s.`,
        [
          rerunUp(" to wait for the copy again"),
          manualCheck(
            `Check that ${datacenter} replicates entries from the primary datacenter (primary_datacenter and replication token of its agents).`,
          ),
        ],
        { outcome: "applied" },
      );
    await runtime.sleep(pause);
    // Someone else may have written the entry since. Then the copy will show that version.
    if (pause === LONGEST_LOOK_MS) latest = (await context.observe(address))?.body;
    if (latest === undefined) return;
  }
}

/** True if a copy equals the entry. Each datacenter has its own indexes and its own status. */
function isCopy({ fingerprints }: ObjectHookContext, copy: Json | undefined, entry: Values): boolean {
  if (!isObject(copy)) return false;
  return equalJson(withoutOwn(fingerprints?.hide(copy) ?? copy), withoutOwn(entry));
}

function withoutOwn({
  CreateIndex: _,
  ModifyIndex: __,
  Status: ___,
  ...entry
}: Readonly<Record<string, Json>>): Record<string, Json> {
  return entry;
}
