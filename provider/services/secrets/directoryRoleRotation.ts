import { z } from "zod";
import { action, actionFields, define, errorFrom, field, get, isSuccess, post, send } from "../../core";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

const role = get("/{+mount}/static-role/{roleName}");

/** A rotation of a static role's password in the LDAP engine (specification: A6, rotate-role). */
export default define({
  token: "secrets:DirectoryRoleRotation",
  product: {
    noun: "LDAP static role rotation",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/ldap",
  },
  doc: "A rotation of the password of a static role in the LDAP secrets engine, in addition to its schedule.",
  section: "A6. Directory engine",
  service: secrets,
  fields: {
    ...actionFields,
    namespace: namespaceField,
    mount: mountField("directory"),
    roleName: field(z.string().min(1), {
      doc: "The name of the static role in the LDAP secrets engine.",
      role: "identity",
      location: "address",
    }),
  },
  where: placeOfEngine("directory", "{mount}/{roleName}"),
  life: action(post("/{+mount}/rotate-role/{roleName}"), {
    /** The time of the role's last password rotation. */
    async witness(context, address) {
      const answer = await send(context, role, address, { nature: "read" });
      if (!isSuccess(answer)) throw errorFrom(context, answer, role, address);
      return secrets.unwrap(answer.json ?? null).last_vault_rotation;
    },
  }),
});
