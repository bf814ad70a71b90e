import { z } from "zod";
import { define, field, place, procedure, words, writeOnlyFields } from "../../core";
import { advanceRekey, cancelOwn, rekeyNow } from "./rekey/ceremony";
import { rekeyRules } from "./rekey/rules";
import { secrets } from "./service";

const MOST_SHARES = 255;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Base64 on one line or on several (specification: A1, POST init body, `pgp_keys`). */
const pgpKey = z
  .string()
  .refine((text) => BASE64.test(text.replace(/[\r\n]/g, "")), "must be base64 of a binary PGP public key");

const serverField = (schema: z.ZodType, doc: string) => field(schema, { doc, role: "server's" });
const secret = (doc: string) =>
  field(z.array(z.string()).optional(), { doc, role: "server's", secret: true });

/** A rekey of the recovery key (specification: A1. Recovery-key rekey). */
export default define({
  token: "secrets:RecoveryKeyRekey",
  doc: "One rekey of the recovery key, for seals that have one: it is started, given the shares of the current key one by one, and hands out the shares of the new key.",
  section: "A1. Recovery-key rekey",
  service: secrets,
  fields: {
    ...writeOnlyFields,
    secretShares: field(z.int().min(1).max(MOST_SHARES), {
      doc: "The number of shares of the new key.",
      immutable: true,
    }),
    secretThreshold: field(z.int().min(1).max(MOST_SHARES), {
      doc: "How many of them make the new key.",
      immutable: true,
    }),
    pgpKeys: field(z.array(pgpKey).optional(), {
      doc: "Base64 of binary PGP public keys, one for each share, in this order: each share is encrypted with its key. Without them the shares are handed out as they are.",
      immutable: true,
      empty: [],
    }),
    backup: field(z.boolean().optional(), {
      doc: "Whether the PGP-encrypted shares are backed up in the service's storage.",
      immutable: true,
      default: false,
    }),
    requireVerification: field(z.boolean().optional(), {
      doc: "Whether the new key takes effect only when its shares have been given back (`RecoveryKeyVerification`), so that they are in the saved state before they are the only ones.",
      immutable: true,
      default: true,
    }),
    shares: field(z.array(z.string().min(1)).optional(), {
      doc: "Shares of the current key, in base64 or hex, as many as are at hand: with too few the rekey is half made, and goes on at the next up with more. They are not needed any more once it is done.",
      secret: true,
      role: "steering",
    }),
    othersGiveShares: field(z.boolean().optional(), {
      doc: "Whether other holders give their shares elsewhere, as at a console: what the service counts beyond ours is theirs, and is gone on with. After an up that was killed, one of ours may then be sent a second time, which the service refuses without harm.",
      role: "steering",
      default: false,
    }),
    cancelRunning: field(z.boolean().optional(), {
      doc: "Whether a rekey that is under way and cannot be gone on with is cancelled: somebody else's, or one that counts shares of which this resource does not know. Without it that is an error.",
      role: "steering",
      default: false,
    }),
    // Open: the program may use any values; only a change has an effect.
    triggers: field(z.array(z.unknown()).optional(), {
      doc: "Any values, or none. Others than last time start a new rekey.",
      role: "steering",
      immutable: true,
    }),
    phase: serverField(
      words({
        started: "Shares of the current key are being given.",
        verification: "The new shares wait to be given back.",
        complete: "The new key holds.",
        lost: "It was completed, and the new shares are lost.",
      }),
      "How far it is: `started`, `verification` (the new shares wait to be given back), `complete`, or `lost` (it was completed, and the new shares are lost).",
    ),
    nonce: serverField(z.string(), "What tells the rekey from any other, as the service chose it."),
    progress: serverField(z.number(), "The shares of the current key given so far."),
    required: serverField(z.number(), "The shares of the current key that are needed."),
    verificationNonce: serverField(z.string().optional(), "The first nonce of the verification."),
    pgpFingerprints: serverField(
      z.array(z.string()).optional(),
      "The fingerprints of the PGP keys, in their order.",
    ),
    keys: secret("The shares of the new key, in hex; encrypted, where there are PGP keys."),
    keysBase64: secret("The shares of the new key, in base64; encrypted, where there are PGP keys."),
  },
  rules: rekeyRules,
  notes: ({ step, inputs }) => [
    ...(step === "create" && inputs.requireVerification === false
      ? [
          "requireVerification is false: the new key takes effect before its shares are in the saved state; should the last answer be lost, so is the key" +
            (inputs.backup === true ? ", but for the backup" : ""),
        ]
      : []),
    ...(inputs.cancelRunning === true && step === "create"
      ? ["cancelRunning: a rekey that is under way is cancelled, whoever started it"]
      : []),
  ],
  // A restarted rekey has a different nonce, and an id never changes.
  where: place("recovery-key"),
  life: procedure({
    proceed: advanceRekey,
    refresh: rekeyNow,
    end: cancelOwn,
    story: {
      proceeds:
        "Quarterdeck uses `sys/rekey-recovery-key` if the server has it, else `sys/rotate/recovery` with the token, as on an OpenBao 2.5 with its default listener; a rekey goes on where it was started. A create starts a rekey, unless one is under way of which this state knows nothing, and gives the shares one by one. No share is given twice under one nonce: where an answer was lost, the status tells whether it was counted. Where the service counts shares of which the state does not know (somebody else's, or ours of an up that was killed), it is an error that says what to do: `othersGiveShares` or `cancelRunning`. A share that the service refuses by itself is named by its place in `shares`; where it takes all of them back, because together they make no key, none is blamed. New shares whose answer was lost are made again, where verification is required; else the backup is read; else the loss is an error that says so.",
      refreshes:
        "A refresh of a rekey that is under way reads its status: it is gone where somebody cancelled it. One whose new shares are in the state is never gone.",
      ends: "A delete cancels a rekey that is not done. A finished one leaves the state only.",
    },
  }),
});
