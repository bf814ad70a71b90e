import * as quarterdeck from "pulumi-quarterdeck";

// An auth method that this program does not manage.
const userpass = quarterdeck.secrets.getAuthMethodOutput({ path: "userpass" });

const bob = new quarterdeck.secrets.Entity("bob", { name: "bob" });

// The userpass user `bob` is this entity.
new quarterdeck.secrets.EntityAlias("bob", {
  name: "bob",
  mountAccessor: userpass.accessor,
  canonicalId: bob.entityId,
});
