import * as quarterdeck from "pulumi-quarterdeck";

const alice = new quarterdeck.secrets.Entity("alice", {
  name: "alice",
  policies: ["orders"],
  metadata: { team: "web" },
});

export const entityId = alice.entityId;
