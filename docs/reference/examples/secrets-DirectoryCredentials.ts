import * as quarterdeck from "pulumi-quarterdeck";

const account = new quarterdeck.secrets.DirectoryCredentials("report", { roleName: "reader" });

export const login = account.username;
export const password = account.password;
