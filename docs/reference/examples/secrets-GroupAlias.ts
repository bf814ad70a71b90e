import * as quarterdeck from "pulumi-quarterdeck";

const directory = new quarterdeck.secrets.AuthMethod("directory", { path: "directory", type: "ldap" });

const admins = new quarterdeck.secrets.Group("admins", {
  name: "admins",
  type: "external",
  policies: ["admin"],
});

// Members of the LDAP group `vault-admins` have the policies of this group.
new quarterdeck.secrets.GroupAlias("admins", {
  name: "vault-admins",
  mountAccessor: directory.accessor,
  canonicalId: admins.groupId,
});
