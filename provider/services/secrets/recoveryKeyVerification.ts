import { z } from "zod";
import { define, field, place, procedure, words, writeOnlyFields } from "../../core";
import { restartVerification, submitNewShares, verificationNow } from "./rekey/verification";
import { secrets } from "./service";

const serverField = (schema: z.ZodType, doc: string) => field(schema, { doc, role: "server's" });

/** The verification of a rekey's new shares (specification: A1. Recovery-key rekey, verify). */
export default define({
  token: "secrets:RecoveryKeyVerification",
  doc: "Gives the shares of a new recovery key back, which makes it the recovery key. As a resource of its own it acts only once the new shares are in the saved state.",
  section: "A1. Recovery-key rekey",
  service: secrets,
  fields: {
    ...writeOnlyFields,
    adopt: field(z.boolean().optional(), {
      doc: "Whether the rekey is taken for verified where it is no longer under way: whoever writes this knows that it was not cancelled.",
      role: "steering",
      default: false,
    }),
    rekeyNonce: field(z.string().min(1), {
      doc: "The nonce of the rekey whose shares are given back: `nonce` of the `RecoveryKeyRekey`.",
      role: "identity",
      location: "address",
    }),
    shares: field(z.array(z.string().min(1)).optional(), {
      doc: "Shares of the new key, decrypted, in base64 or hex; `keysBase64` of the `RecoveryKeyRekey`, where there are no PGP keys. With too few the verification goes on at the next up with more.",
      secret: true,
      role: "steering",
    }),
    phase: serverField(
      words({ verification: "The new shares are being given back.", complete: "The new key holds." }),
      "How far it is: `verification`, or `complete`.",
    ),
    nonce: serverField(z.string().optional(), "The verification's nonce; each restart makes another."),
    progress: serverField(z.number().optional(), "The new shares given so far."),
    threshold: serverField(z.number().optional(), "The new shares that are needed."),
  },
  notes: ({ step }) =>
    step === "create" ? ["once enough new shares are given back, the old recovery key no longer works"] : [],
  where: place("recovery-key/{rekeyNonce}"),
  life: procedure({
    proceed: submitNewShares,
    refresh: verificationNow,
    end: restartVerification,
    story: {
      proceeds:
        "A create gives the new shares back one by one. No share is given twice under one nonce: where it cannot be told which were counted, the verification is restarted, which costs nothing but the shares given so far. A rekey that is over after the last share, whose answer did not say so, is an error: that share completed it, or somebody cancelled it, or it was lost with the active server, and which key is in force the service does not show.",
      refreshes:
        "A refresh of one that is under way looks whether its rekey still is: it is gone where that was cancelled. A finished one is never gone.",
      ends: "A delete of one that is under way takes the shares given so far back, and leaves the rekey alone. A finished one leaves the state only.",
    },
  }),
});
