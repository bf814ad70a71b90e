import { z } from "zod";
import { define, enumeration, field, place, procedure, writeOnlyFields } from "../../core";
import { advanceRekey, cancelOwn, rekeyNow } from "./rekey/ceremony";
import { rekeyRules } from "./rekey/rules";
import { secrets } from "./service";

const MOST_SHARES = 255;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Base64 on one line or on several (specification: A1, POST init body, `pgp_keys`). */
const pgpKey = z
  .string()
  .refine((text) => BASE64.test(text.replace(/[\r\n]/g, "")), "must be a binary PGP public key in base64");

const serverField = (schema: z.ZodType, doc: string) => field(schema, { doc, role: "server's" });
const secret = (doc: string) =>
  field(z.array(z.string()).optional(), { doc, role: "server's", secret: true });

/** A rekey of the recovery key (specification: A1. Recovery-key rekey). */
export default define({
  token: "secrets:RecoveryKeyRekey",
  product: { noun: "recovery key rekey", docs: "https://openbao.org/api-docs/system/rekey-recovery-key" },
  doc: "A rekey of the recovery key, for seals with a recovery key (auto-unseal). The resource starts the rekey, submits the shares of the current key one by one, and stores the shares of the new key.",
  section: "A1. Recovery-key rekey",
  service: secrets,
  fields: {
    ...writeOnlyFields,
    secretShares: field(z.int().min(1).max(MOST_SHARES), {
      doc: "The number of shares of the new recovery key.",
      immutable: true,
    }),
    secretThreshold: field(z.int().min(1).max(MOST_SHARES), {
      doc: "The number of shares that are needed to reconstruct the new recovery key.",
      immutable: true,
    }),
    pgpKeys: field(z.array(pgpKey).optional(), {
      doc: "Binary PGP public keys in base64, one per share, in the order of the shares that they encrypt. Default: the shares are not encrypted.",
      immutable: true,
      empty: [],
    }),
    backup: field(z.boolean().optional(), {
      doc: "Back up the PGP-encrypted shares in the server's storage.",
      immutable: true,
      default: false,
    }),
    requireVerification: field(z.boolean().optional(), {
      doc: "Activate the new key only after its shares are submitted for verification (`RecoveryKeyVerification`). The new shares are then in the saved state before the current ones become invalid.",
      immutable: true,
      default: true,
    }),
    shares: field(z.array(z.string().min(1)).optional(), {
      doc: "Shares of the current recovery key, in base64 or hex. If there are too few shares, the rekey is partially created, and `pulumi up` with more shares continues it. The shares are not needed after the rekey is complete.",
      secret: true,
      role: "steering",
    }),
    othersGiveShares: field(z.boolean().optional(), {
      doc: "Accept shares that other holders submit outside this stack, for example with the Vault or OpenBao CLI. After an interrupted `pulumi up`, Quarterdeck may then submit a share twice. The server rejects the repeated share without effect.",
      role: "steering",
      default: false,
    }),
    cancelRunning: field(z.boolean().optional(), {
      doc: "Cancel a rekey in progress that this resource cannot continue: one that was started elsewhere, or that counts unknown shares. If false, such a rekey is an error.",
      role: "steering",
      default: false,
    }),
    // Open: the program may use any values; only a change has an effect.
    triggers: field(z.array(z.unknown()).optional(), {
      doc: "Arbitrary values. Changing them starts a new rekey.",
      role: "steering",
      immutable: true,
    }),
    phase: serverField(
      enumeration({
        started: "The rekey needs more shares of the current key.",
        verification: "The new shares must be verified.",
        complete: "The new key is active.",
        lost: "The rekey may be complete, and its new shares are lost.",
      }),
      "The phase of the rekey: `started`, `verification` (the new shares must be verified), `complete`, or `lost` (it may be complete, and its new shares are lost).",
    ),
    nonce: serverField(z.string(), "The nonce that identifies the rekey on the server."),
    progress: serverField(z.number(), "The number of shares of the current recovery key submitted so far."),
    required: serverField(z.number(), "The number of shares of the current recovery key that are needed."),
    verificationNonce: serverField(z.string().optional(), "The initial nonce of the verification."),
    pgpFingerprints: serverField(
      z.array(z.string()).optional(),
      "The fingerprints of the PGP keys, in the order of `pgpKeys`.",
    ),
    keys: secret("The shares of the new recovery key in hex, encrypted if `pgpKeys` is set."),
    keysBase64: secret("The shares of the new recovery key in base64, encrypted if `pgpKeys` is set."),
  },
  rules: rekeyRules,
  notes: ({ step, inputs }) => [
    ...(step === "create" && inputs.requireVerification === false
      ? [
          "requireVerification is false: the new key takes effect before its shares are in the saved state; if the last response is lost, the new shares are lost" +
            (inputs.backup === true ? ", except in the backup" : ""),
        ]
      : []),
    ...(inputs.cancelRunning === true && step === "create"
      ? ["cancelRunning: a rekey in progress is canceled, even if someone else started it"]
      : []),
  ],
  // A restarted rekey has a different nonce, and an ID never changes.
  where: place("recovery-key"),
  life: procedure({
    proceed: advanceRekey,
    refresh: rekeyNow,
    end: cancelOwn,
    description: {
      proceeds:
        "Quarterdeck uses `sys/rekey-recovery-key` if the server has it. Otherwise it uses `sys/rotate/recovery` with the token, for example on OpenBao 2.5 with its default listener. A rekey continues at the path where it was started. A create starts a rekey and submits the shares one by one. By default, the create fails if the server has a rekey in progress that is not in this state. No share is submitted twice under one nonce: after a lost response, Quarterdeck reads the status to find out whether the share was counted. It is an error if the server counts shares that the state does not contain, from another holder or from an interrupted `pulumi up`. To resolve that error, set `othersGiveShares` or `cancelRunning`. If the server rejects one share, the error names its position in `shares`. If the server discards all shares because they do not form the key, the error names none. If the response with the new shares is lost and verification is required, Quarterdeck cancels the rekey and starts a new one. Without verification, Quarterdeck reads the new shares from the server's backup. If there is no backup, `pulumi up` fails and reports the loss.",
      refreshes:
        "A refresh of a rekey in progress reads its status, and removes the resource from the state if someone canceled the rekey. A rekey whose new shares are in the state is never removed.",
      ends: "A delete cancels an unfinished rekey. A finished rekey is only removed from the state.",
    },
  }),
});
