import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { ServiceError } from "@grpc/grpc-js";
import { plugin } from "../../../../provider/plugin";
import { runsOf } from "../../../redact/readable";
import { secret } from "./calls";
import { callsAt } from "./client";

const SCRIPT = resolve(__dirname, "../../../../plugin/pulumi-resource-quarterdeck");
const CANARY = "0815-of-a-secret-in-a-message";
const URN = "urn:pulumi:dev::shop::quarterdeck:secrets:DirectoryConfig::directory";

/** Bytes that are not a valid message of the protocol. */
const bytes: Readonly<Record<string, Buffer>> = {
  "a field that is longer than the message": Buffer.concat([Buffer.from([0x0a, 0x7f]), Buffer.from(CANARY)]),
  "a field number out of range": Buffer.concat([
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from(CANARY),
  ]),
  "a group that never ends": Buffer.concat([Buffer.from([0x0b, 0x0a, CANARY.length]), Buffer.from(CANARY)]),
  text: Buffer.from(CANARY.repeat(50)),
  nothing: Buffer.alloc(0),
};
const METHODS = [
  "Check",
  "Diff",
  "Create",
  "Update",
  "Delete",
  "Read",
  "Configure",
  "CheckConfig",
  "Invoke",
  "Handshake",
];

test("errors about malformed messages contain no part of the messages, and the plugin keeps running", async () => {
  const child = spawn(SCRIPT, ["127.0.0.1:1"], { stdio: ["pipe", "pipe", "pipe"] });
  let messages = "";
  child.stderr.on("data", (text) => {
    messages += text;
  });
  const port = await new Promise<string>((done) =>
    createInterface({ input: child.stdout }).once("line", done),
  );
  const { calls, client, close } = callsAt(port);
  let refused = 0;
  try {
    for (const method of METHODS)
      for (const message of Object.values(bytes)) {
        const error = await new Promise<ServiceError | null>((done) => {
          const path = `/pulumirpc.ResourceProvider/${method}`;
          client.makeUnaryRequest(
            path,
            () => message,
            (answer) => answer,
            undefined,
            done,
          );
        });
        if (error === null) continue;
        refused += 1;
        messages += `${error.message} ${error.details} ${JSON.stringify(error.metadata)}`;
      }
    expect(refused).toBeGreaterThan(METHODS.length);
    // Well-formed messages with secret marks at unexpected places.
    const bags = [
      { bindpass: { ...secret(CANARY), value: { [CANARY]: secret(CANARY) } } },
      { url: secret([CANARY]) },
      { __quarterdeck: CANARY },
    ];
    for (const bag of bags) {
      await calls.configure({
        secrets: JSON.stringify({ address: "http://127.0.0.1:1", token: CANARY, maxRetries: 0 }),
      });
      const tried = [
        calls.check(URN, bag, bag),
        calls.create(URN, bag),
        calls.diff(URN, CANARY, { inputs: bag, outputs: bag }, bag),
      ];
      for (const result of await Promise.allSettled(tried))
        messages += result.status === "rejected" ? String(result.reason.message) : "";
    }
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    await once(socket, "connect");
    await new Promise((done) => socket.write(`PRI * HTTP/2.0\r\n${CANARY}\r\n\r\n${CANARY}`, done));
    expect((await calls.info()).getVersion()).toBe(plugin.version);
    expect(messages).not.toBe("");
    socket.destroy();
    expect(runsOf(CANARY, messages)).toEqual([]);
  } finally {
    close();
    child.kill("SIGKILL");
  }
});
