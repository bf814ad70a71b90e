import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

// The rekey takes the shares of the current key and returns the shares of the new key.
const rekey = new quarterdeck.secrets.RecoveryKeyRekey("yearly", {
  secretShares: 5,
  secretThreshold: 3,
  shares: config.requireSecretObject<string[]>("recoveryShares"),
  triggers: [config.require("year")],
});

// The state already contains the new shares. The verification sends them back, and they become the recovery key.
const verification = new quarterdeck.secrets.RecoveryKeyVerification("yearly", {
  rekeyNonce: rekey.nonce,
  shares: rekey.keysBase64.apply((keys) => keys ?? []),
});

export const phase = verification.phase;
export const newShares = rekey.keysBase64;
