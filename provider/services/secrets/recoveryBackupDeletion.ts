import { action, actionFields, define, del, place } from "../../core";
import { secrets } from "./service";

/** The deletion of the recovery keys' backup (specification: A1, recovery-key-backup). */
export default define({
  token: "secrets:RecoveryBackupDeletion",
  product: {
    noun: "recovery key backup deletion",
    docs: "https://openbao.org/api-docs/system/rekey-recovery-key",
  },
  doc: "A deletion of the server's backup of the PGP-encrypted recovery key shares of a rekey.",
  section: "A1. Recovery-key rekey",
  service: secrets,
  fields: actionFields,
  where: place("recovery-key-backup"),
  life: action(del("/sys/rekey/recovery-key-backup"), {
    ifUnclear: "read sys/rekey/recovery-key-backup: if it returns 400, the backup is deleted",
  }),
  notes: ({ step }) =>
    step === "create"
      ? ["the backup cannot be recreated: make sure that every holder has received their share"]
      : [],
});
