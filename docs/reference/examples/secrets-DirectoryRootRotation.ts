import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.DirectoryRootRotation("taken-over", { mount: "ldap/corp", triggers: ["first"] });
