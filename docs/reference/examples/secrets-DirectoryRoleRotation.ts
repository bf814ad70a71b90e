import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.DirectoryRoleRotation("after-the-incident", {
  roleName: "reports",
  triggers: ["incident 4711"],
});
