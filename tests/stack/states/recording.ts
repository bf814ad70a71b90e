import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as auto from "@pulumi/pulumi/automation";
import { openProvider } from "../../../testing/engine/backend/passphrase";
import { replaceSecrets, secretObject, shownText } from "../../../testing/engine/backend/vault";
import { type Stub, StubClock, startStub } from "../../../testing/stub";
import { formatExactly } from "../../../testing/stub/frame/exact-json";
import type { ServiceName } from "../../../testing/stub/service";
import { HEADERS } from "../console";
import { PASSPHRASE, SEEDED, TestStack } from "../stack";

/** A recorded stack, with the requests that created its objects on the servers. */
export interface Recording {
  /** The changes in the preview of the same program, or of the program that completes it. */
  readonly preview: Readonly<Record<string, number>>;
  /** As `stack export` writes it, its secrets encrypted with the passphrase of the tests. */
  readonly export: auto.Deployment;
  readonly requests: readonly Request[];
}

interface Request {
  readonly service: ServiceName;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly type?: string;
  /** The body as it was sent. */
  readonly body?: string;
  /** When it arrived. */
  readonly at: number;
}

/** The time at which recordings begin: earlier than any test that reads them. */
const THEN = Date.UTC(2026, 0, 1);

/** A stack to be recorded, on its own stub whose clock starts in the past. */
export async function stackThen(): Promise<TestStack> {
  const begun = Date.now();
  const stub = await startStub({
    ...SEEDED,
    dialect: "neutral",
    clock: new StubClock(() => THEN + Date.now() - begun),
  });
  const stack = await TestStack.open({}, { stub });
  await stack.setConnection("second");
  return stack;
}

/** The stack of a recording, on a stub with the recorded objects. */
export async function stackOf(story: string): Promise<TestStack> {
  const recording = recorded(story);
  let time: number | undefined = THEN;
  const stub = await startStub({
    ...SEEDED,
    dialect: "neutral",
    clock: new StubClock(() => time ?? Date.now()),
  });
  for (const request of recording.requests) {
    time = request.at;
    await repeat(stub, request);
  }
  time = undefined;
  const stack = await TestStack.open({}, { stub });
  await stack.setConnection("second");
  await stack.stack.importStack(await here(recording.export, stack));
  await stub.clearRequests();
  return stack;
}

/** Replaces the addresses in the state: the engine also stores them there, and a refresh uses them. */
async function here(
  { version, deployment }: auto.Deployment,
  { stack }: TestStack,
): Promise<auto.Deployment> {
  const configuration = await stack.getAllConfig();
  const { crypter } = await openProvider(deployment.secrets_providers.state.salt, PASSPHRASE);
  const settings = Object.entries(configuration).map(([key, { value }]) => [
    key,
    secretObject({ plaintext: JSON.stringify(value) }),
  ]);
  const resources = deployment.resources.map((resource: { type: string; inputs: object; outputs: object }) =>
    resource.type === "pulumi:providers:pulumi-nodejs"
      ? {
          ...resource,
          inputs: { ...resource.inputs, ...Object.fromEntries(settings) },
          outputs: { ...resource.outputs, ...Object.fromEntries(settings) },
        }
      : resource,
  );
  // The engine that recorded it encrypted secrets inside of secrets separately, which the CLI does not do.
  const shown = replaceSecrets(resources, (secret) => {
    const { ciphertext } = secret;
    if (typeof ciphertext !== "string") return secret;
    return secretObject({ plaintext: shownText(crypter.decrypt(ciphertext), crypter) });
  });
  return { version, deployment: { ...deployment, resources: shown } };
}

export async function closeWithServices(stack: TestStack): Promise<void> {
  await stack.close();
  await stack.stub.stop();
}

async function repeat(stub: Stub, { service, method, path, type, body }: Request): Promise<void> {
  const headers = {
    ...HEADERS[service],
    ...(type !== undefined && { "content-type": type }),
    connection: "close",
  };
  const answer = await fetch(stub.addresses[service] + path, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  await answer.arrayBuffer();
}

/** Every request that reached a service, including reads, which may change the next ID that the stub derives. */
async function requestsOf(stub: Stub): Promise<Request[]> {
  const all = await stub.requests();
  return all
    .filter(({ reached }) => reached)
    .map(({ service, method, path, query, headers, body, time }) => {
      const type = headers["content-type"];
      const pairs = Object.entries(query).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      );
      const search = new URLSearchParams(pairs).toString();
      return {
        service,
        method,
        path: search === "" ? path : `${path}?${search}`,
        ...(typeof type === "string" && { type }),
        ...(body !== undefined && { body: typeof body === "string" ? body : formatExactly(body) }),
        at: time,
      };
    });
}

const FIXTURES = join(__dirname, "fixtures");

/** Records a stack. */
export async function record(story: string, stack: TestStack, preview: Recording["preview"]): Promise<void> {
  // The output of `stack export`, with secrets encrypted as in the state file.
  const { version: format, checkpoint } = JSON.parse(stack.state());
  const exported = { version: format, deployment: checkpoint.latest };
  const requests = await requestsOf(stack.stub);
  const recording: Recording = { preview, export: exported, requests };
  const file = fileOf(story);
  writeFileSync(file, `${JSON.stringify(recording)}\n`);
}

export function recorded(story: string): Recording {
  return JSON.parse(readFileSync(fileOf(story), "utf8"));
}

function fileOf(story: string): string {
  return join(FIXTURES, `${story}.json`);
}
