/** Stops the server of this run, and everything that was started for it. */
export default async function stop(): Promise<void> {
  await globalThis.realServer?.stop();
}
