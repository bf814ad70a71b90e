import { appendFileSync, writeFileSync } from "node:fs";
import { ChannelCredentials } from "@grpc/grpc-js";
import { EventsClient } from "@pulumi/pulumi/proto/events_grpc_pb";
import { EventRequest } from "@pulumi/pulumi/proto/events_pb";
import type { EngineEvent } from "../events";

/** Where an operation's events are recorded for somebody else. */
export interface EventLog {
  write(event: EngineEvent): void;
  /** Ends the log once everything in it has arrived. */
  close(): Promise<void>;
}

/** Opens what `--event-log` names: a file, or `tcp://<address>` of an `Events` service. */
export function openEventLog(target: string | undefined): EventLog {
  if (target === undefined) return { write: () => {}, close: async () => {} };
  return target.startsWith("tcp://") ? openStream(target.slice("tcp://".length)) : openFile(target);
}

function openFile(path: string): EventLog {
  writeFileSync(path, "");
  const stamp = stamper();
  return { write: (event) => appendFileSync(path, `${stamp(event)}\n`), close: async () => {} };
}

function openStream(address: string): EventLog {
  const client = new EventsClient(address, ChannelCredentials.createInsecure());
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  // A listener that went away takes nothing from the operation, and gets nothing more.
  const call = client.streamEvents(() => resolve());
  call.on("error", () => resolve());
  const stamp = stamper();
  return {
    write: (event) => {
      const request = new EventRequest();
      request.setEvent(`${stamp(event)}\n`);
      call.write(request);
    },
    close: async () => {
      call.end();
      await answered;
      client.close();
    },
  };
}

/** Numbers and dates events, and writes them as JSON. */
function stamper(): (event: EngineEvent) => string {
  let sequence = 0;
  return (event) =>
    JSON.stringify({ sequence: sequence++, timestamp: Math.floor(Date.now() / 1000), ...event });
}
