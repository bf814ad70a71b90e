/** Ends the server of this run, and whatever was started for it. */
export default async function stop(): Promise<void> {
  await globalThis.realServer?.stop();
}
