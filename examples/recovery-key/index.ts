import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

// The rekey: it is given the shares of the current key, and hands out those of the new one.
const rekey = new quarterdeck.secrets.RecoveryKeyRekey("yearly", {
  secretShares: 5,
  secretThreshold: 3,
  shares: config.requireSecretObject<string[]>("recoveryShares"),
  triggers: [config.require("year")],
});

// The new shares are in the saved state by now. Given back, they become the recovery key.
const verification = new quarterdeck.secrets.RecoveryKeyVerification("yearly", {
  rekeyNonce: rekey.nonce,
  shares: rekey.keysBase64.apply((keys) => keys ?? []),
});

export const phase = verification.phase;
export const newShares = rekey.keysBase64;
