import * as quarterdeck from "pulumi-quarterdeck";

// A group that this program does not manage.
const support = quarterdeck.secrets.getGroupOutput({ name: "support" });

new quarterdeck.secrets.Group("everyone", {
  name: "everyone",
  policies: ["read-docs"],
  memberGroupIds: [support.groupId],
});
