import { action, actionFields, define, del, place } from "../../core";
import { secrets } from "./service";

/** The deletion of the recovery keys' backup (specification: A1, recovery-key-backup). */
export default define({
  token: "secrets:RecoveryBackupDeletion",
  doc: "One deletion of the backup that holds the PGP-encrypted shares of a rekey.",
  section: "A1. Recovery-key rekey",
  service: secrets,
  fields: actionFields,
  where: place("recovery-key-backup"),
  life: action(del("/sys/rekey/recovery-key-backup"), {
    ifUnclear: "read sys/rekey/recovery-key-backup: where it answers 400, the backup is gone",
  }),
  notes: ({ step }) =>
    step === "create"
      ? ["the backup cannot be made again: be sure that every share has reached its holder"]
      : [],
});
