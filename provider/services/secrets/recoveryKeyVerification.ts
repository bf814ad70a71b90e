import { z } from "zod";
import { define, enumeration, field, place, procedure, writeOnlyFields } from "../../core";
import { restartVerification, submitNewShares, verificationNow } from "./rekey/verification";
import { secrets } from "./service";

const serverField = (schema: z.ZodType, doc: string) => field(schema, { doc, role: "server's" });

/** The verification of a rekey's new shares (specification: A1. Recovery-key rekey, verify). */
export default define({
  token: "secrets:RecoveryKeyVerification",
  product: {
    noun: "recovery key rekey verification",
    docs: "https://openbao.org/api-docs/system/rekey-recovery-key",
  },
  doc: "The verification of a rekey: submits the shares of the new recovery key, which activates it. As a separate resource, the verification runs only after the new shares are in the saved state.",
  section: "A1. Recovery-key rekey",
  service: secrets,
  fields: {
    ...writeOnlyFields,
    adopt: field(z.boolean().optional(), {
      doc: "Treat the rekey as verified if it is no longer in progress. Set this only if you know that the rekey was not canceled.",
      role: "steering",
      default: false,
    }),
    rekeyNonce: field(z.string().min(1), {
      doc: "The nonce of the rekey to verify: `nonce` of the `RecoveryKeyRekey`.",
      role: "identity",
      location: "address",
    }),
    shares: field(z.array(z.string().min(1)).optional(), {
      doc: "Decrypted shares of the new recovery key, in base64 or hex; without PGP keys, `keysBase64` of the `RecoveryKeyRekey`. With too few shares, `pulumi up` with more shares continues the verification.",
      secret: true,
      role: "steering",
    }),
    phase: serverField(
      enumeration({
        verification: "The verification needs more new shares.",
        complete: "The new key is active.",
      }),
      "The phase of the verification: `verification` (it needs more new shares) or `complete`.",
    ),
    nonce: serverField(z.string().optional(), "The nonce of the verification; each restart changes it."),
    progress: serverField(z.number().optional(), "The number of new shares submitted so far."),
    threshold: serverField(z.number().optional(), "The number of new shares that are needed."),
  },
  notes: ({ step }) =>
    step === "create" ? ["after enough new shares are submitted, the old recovery key no longer works"] : [],
  where: place("recovery-key/{rekeyNonce}"),
  life: procedure({
    proceed: submitNewShares,
    refresh: verificationNow,
    end: restartVerification,
    description: {
      proceeds:
        "A create submits the new shares one by one. No share is submitted twice under one nonce: if it is unknown which shares were counted, Quarterdeck restarts the verification, which only discards the shares submitted so far. It is an error if the rekey ends with the last share and the response does not confirm that. The share may have completed the rekey, someone may have canceled the rekey, or the rekey was lost when the active server stopped. The server does not report which key is valid.",
      refreshes:
        "A refresh of an unfinished verification reads the status of its rekey, and removes the resource from the state if the rekey was canceled. A finished verification is never removed.",
      ends: "A delete of an unfinished verification discards the shares submitted so far and does not change the rekey. A finished verification is only removed from the state.",
    },
  }),
});
