import * as quarterdeck from "pulumi-quarterdeck";

const operators = new quarterdeck.secrets.LibrarySet("operators", {
  name: "operators",
  serviceAccountNames: ["svc-operator-1", "svc-operator-2"],
});

const account = new quarterdeck.secrets.LibraryCheckOut("migration", { setName: operators.name, ttl: "1h" });

export const login = account.serviceAccountName;
export const password = account.password;
