import { action, actionFields, define, post } from "../../core";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

/** A rotation of the LDAP engine's bind password (specification: A6, rotate-root). */
export default define({
  token: "secrets:DirectoryRootRotation",
  product: {
    noun: "LDAP bind password rotation",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/ldap",
  },
  doc: "A rotation of the bind password of the LDAP secrets engine. Afterward, only the server knows the password.",
  section: "A6. Directory engine",
  service: secrets,
  fields: { ...actionFields, namespace: namespaceField, mount: mountField("directory") },
  where: placeOfEngine("directory", "{mount}"),
  life: action(post("/{+mount}/rotate-root"), {
    ifUnclear: "check in LDAP when the password of the bind DN was last changed",
  }),
  notes: ({ step }) =>
    step === "create"
      ? ["only the server knows the new password of the bind DN: no one else can bind with it afterward"]
      : [],
});
