import type { Values } from "../../../provider/core/language/object";
import { isObject, type Json } from "../../../provider/core/value/json";
import recoveryKeyRekey from "../../../provider/services/secrets/recoveryKeyRekey";
import recoveryKeyVerification from "../../../provider/services/secrets/recoveryKeyVerification";
import { unwrappedAnswer } from "../../../provider/services/secrets/service";
import { INITIAL_SHARES } from "../../../testing/stub/services/secrets/rekey/records";
import { Resource } from "../../steps/resource";
import type { Fate, World } from "../../steps/world";
import { scene } from "./scene";

/** Shares of the stub's first recovery key, whose threshold is 2. */
export const [FIRST = "", SECOND = "", THIRD = ""] = INITIAL_SHARES;
/** The kind of endpoints that the server has. The rekey tests run with both kinds (`rotation.test.ts`). */
export const KIND =
  process.env.QUARTERDECK_TEST_REKEY === "authenticated" ? "authenticated" : "unauthenticated";
const PREFIX = KIND === "authenticated" ? "sys/rotate/recovery" : "sys/rekey-recovery-key";
export const INIT = `${PREFIX}/init`;
export const UPDATE = `${PREFIX}/update`;
export const VERIFY = `${PREFIX}/verify`;
/** A program that gives enough shares for a rekey. */
export const program = { secretShares: 3, secretThreshold: 2, shares: [FIRST, SECOND] };
const headers = { "x-secrets-token": "root", "content-type": "application/json" };

/** A rekey on a fresh server, created if a program is given. */
export async function ceremony(program?: Values) {
  const staged = await scene(recoveryKeyRekey);
  const { world } = staged;
  world.stub.configure({ rekey: KIND });
  const ask = async (method: string, path: string, body?: Json) => {
    const { status, json } = await world.send(method, `/v1/${path}`, body, headers);
    return { status, ...unwrappedAnswer(json ?? null) } as { status: number; [member: string]: Json };
  };
  if (program) await staged.resource.create(program);
  return { ...staged, ask, rekey: staged.resource };
}

/** Starts a rekey with these shares only. */
export async function startRekey(shares: readonly string[] = [FIRST], more: Values = {}) {
  const staged = await ceremony();
  await staged.rekey.create({ ...program, ...more, shares: [...shares] }).catch(() => undefined);
  return staged;
}

/** A rekey in the phase `verification`, and the resource that verifies it. */
export async function startVerification() {
  const staged = await ceremony(program);
  const verification = new Resource(staged.world, recoveryKeyVerification);
  const shares = keysOf(staged.rekey);
  const inputs = { rekeyNonce: String(staged.rekey.outputs.nonce), shares };
  return { ...staged, verification, inputs, partialInputs: { ...inputs, shares: shares.slice(0, 1) } };
}

/** A program whose rekey stores the new shares in the server's backup. */
export const pgpKeys = [btoa("first"), btoa("second"), btoa("third")];
export const backedUp = { ...program, pgpKeys, backup: true, requireVerification: false };

/** Loses the response to the update with this number, from 1, and all later requests if `isDownAfter` is set. */
export function loseUpdateResponse(world: World, number: number, { isDownAfter = false } = {}): void {
  let updates = 0;
  let isDown = false;
  world.fate = ({ path }): Fate => {
    if (isDown) return "request lost";
    const isLost = path.endsWith("update") && ++updates === number;
    isDown = isLost && isDownAfter;
    return isLost ? "response lost" : "passes";
  };
}

/** The new shares in the state. */
export const keysOf = ({ outputs }: Resource) => (outputs.keysBase64 ?? []) as string[];

/** Authorizes another rekey with these shares. Returns true if they are the current recovery key. */
export async function authorizeRekey(world: World, shares: readonly string[]): Promise<boolean> {
  const ask = async (path: string, body: Json) => {
    const { json } = await world.send("POST", `/v1/${path}`, body, headers);
    return unwrappedAnswer(json ?? null);
  };
  const { nonce } = await ask(INIT, { secret_shares: 1, secret_threshold: 1 });
  let last: { [member: string]: Json } = {};
  for (const key of shares.slice(0, 2)) last = await ask(UPDATE, { key, nonce: nonce ?? "" });
  return last.complete === true;
}

/** Expects that no share reached the server twice under one nonce. */
export function expectNoShareTwice(reached: readonly { path: string; body?: Json }[]): void {
  const given = reached
    .filter(({ path }) => /(update|verify)$/.test(path))
    .filter(({ body }) => isObject(body) && body.key !== undefined)
    .map(({ body }) => `${Object(body).nonce} ${Object(body).key}`);
  expect(given).toEqual([...new Set(given)]);
}
