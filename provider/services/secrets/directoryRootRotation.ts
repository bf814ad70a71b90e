import { actionFields } from "../../core/language/actionFields";
import { idTemplate } from "../../core/language/id";
import { define } from "../../core/language/resource";
import { mountDefault, mountField } from "./mounts";
import { secrets } from "./service";

/** A rotation of the directory engine's bind password (specification: A6, rotate-root). */
export default define({
  kind: "action",
  token: "secrets:DirectoryRootRotation",
  doc: "One rotation of the bind entry's password: from then on the service alone knows it.",
  section: "A6. Directory engine",
  service: secrets,
  fields: { ...actionFields, mount: mountField("directory") },
  id: idTemplate("{mount}"),
  ...mountDefault("directory"),
  act: { method: "POST", path: "/{+mount}/rotate-root" },
  ifUnclear: "see in the directory when the bind entry's password was changed last",
  notes: ({ step }) =>
    step === "create"
      ? [
          "the new password of the bind entry is known to the service alone: nobody else can bind with it any more",
        ]
      : [],
});
