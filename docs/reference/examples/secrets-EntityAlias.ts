import * as quarterdeck from "pulumi-quarterdeck";

const people = new quarterdeck.secrets.AuthMethod("people", { path: "people", type: "userpass" });

const alice = new quarterdeck.secrets.Entity("alice", { name: "alice" });

// The userpass user `alice` is this entity.
new quarterdeck.secrets.EntityAlias("alice", {
  name: "alice",
  mountAccessor: people.accessor,
  canonicalId: alice.entityId,
});
