import { action, actionFields, define, post } from "../../core";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

/** A rotation of the LDAP engine's bind password (specification: A6, rotate-root). */
export default define({
  token: "secrets:DirectoryRootRotation",
  doc: "One rotation of the bind entry's password: from then on the service alone knows it.",
  section: "A6. Directory engine",
  service: secrets,
  fields: { ...actionFields, namespace: namespaceField, mount: mountField("directory") },
  where: placeOfEngine("directory", "{mount}"),
  life: action(post("/{+mount}/rotate-root"), {
    ifUnclear: "see in the directory when the bind entry's password was changed last",
  }),
  notes: ({ step }) =>
    step === "create"
      ? [
          "the new password of the bind entry is known to the service alone: nobody else can bind with it any more",
        ]
      : [],
});
