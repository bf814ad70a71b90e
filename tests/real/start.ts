import { starters } from "./servers";
import { PROGRAMS, type Program, type Running, setServer } from "./servers/server";

declare global {
  // The teardown of jest is a different module, which reads it from here.
  var realServer: Running | undefined;
}

/** Starts the server of this run. */
export default async function start(): Promise<void> {
  const program = PROGRAMS.find((one): one is Program => one === process.env.QUARTERDECK_REAL);
  if (program === undefined) throw new Error(`QUARTERDECK_REAL must be one of ${PROGRAMS.join(", ")}`);
  const running = await starters[program]();
  globalThis.realServer = running;
  setServer(running.server);
  console.log(`\n${running.server.version} on ${running.server.address}`);
}
