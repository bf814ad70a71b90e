import { actionFields } from "../../core/language/actionFields";
import { idTemplate } from "../../core/language/id";
import { define } from "../../core/language/resource";
import { secrets } from "./service";

/** The deletion of the recovery keys' backup (specification: A1, recovery-key-backup). */
export default define({
  kind: "action",
  token: "secrets:RecoveryBackupDeletion",
  doc: "One deletion of the backup that holds the PGP-encrypted shares of a rekey.",
  section: "A1. Recovery-key rekey",
  service: secrets,
  fields: actionFields,
  id: idTemplate("recovery-key-backup"),
  act: { method: "DELETE", path: "/sys/rekey/recovery-key-backup" },
  ifUnclear: "read sys/rekey/recovery-key-backup: where it answers 400, the backup is gone",
  notes: ({ step }) =>
    step === "create"
      ? ["the backup cannot be made again: be sure that every share has reached its holder"]
      : [],
});
