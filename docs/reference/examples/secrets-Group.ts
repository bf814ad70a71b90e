import * as quarterdeck from "pulumi-quarterdeck";

const alice = new quarterdeck.secrets.Entity("alice", { name: "alice" });

new quarterdeck.secrets.Group("web", {
  name: "web",
  policies: ["orders"],
  memberEntityIds: [alice.entityId],
});
