import type { Writer } from "../job-store";

/** The node reports a volume, so that the volume is ready. */
export function makeReady({ world }: Writer, key: string): void {
  const volume = world.volumes.get(key);
  if (volume === undefined || volume.State === "ready") return;
  const index = world.write("host_volumes");
  world.volumes.set(key, { ...volume, State: "ready", ModifyIndex: index });
}
