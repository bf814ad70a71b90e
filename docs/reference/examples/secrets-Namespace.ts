import * as quarterdeck from "pulumi-quarterdeck";

const payments = new quarterdeck.secrets.Namespace("payments", {
  name: "payments",
  customMetadata: { owner: "billing" },
});

// An entity in the namespace.
new quarterdeck.secrets.Entity("cashier", {
  namespace: payments.name,
  name: "cashier",
});
