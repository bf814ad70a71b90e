import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.RecoveryBackupDeletion("every-share-is-with-its-holder", {
  triggers: ["ceremony 2030"],
});
