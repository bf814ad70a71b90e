import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const rekey = new quarterdeck.secrets.RecoveryKeyRekey("yearly", {
  secretShares: 5,
  secretThreshold: 3,
  shares: config.requireSecretObject<string[]>("recoveryShares"),
  triggers: ["2030"],
});

// By default, the new key takes effect only after its shares are sent back.
new quarterdeck.secrets.RecoveryKeyVerification("yearly", {
  rekeyNonce: rekey.nonce,
  shares: rekey.keysBase64.apply((list) => list ?? []),
});

export const newShares = rekey.keysBase64;
