import { appendFileSync, writeFileSync } from "node:fs";
import { ChannelCredentials } from "@grpc/grpc-js";
import { EventsClient } from "@pulumi/pulumi/proto/events_grpc_pb";
import { EventRequest } from "@pulumi/pulumi/proto/events_pb";
import type { EngineEvent } from "../events";

/** A log of an operation's events for other programs. */
export interface EventLog {
  write(event: EngineEvent): void;
  /** Closes the log after everything has been written. */
  close(): Promise<void>;
}

/** Opens the target of `--event-log`: a file, or an `Events` service at `tcp://<address>`. */
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
  // A lost listener does not affect the operation, and receives no further events.
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

/** Returns a function that numbers and timestamps events and formats them as JSON. */
function stamper(): (event: EngineEvent) => string {
  let sequence = 0;
  return (event) =>
    JSON.stringify({ sequence: sequence++, timestamp: Math.floor(Date.now() / 1000), ...event });
}
