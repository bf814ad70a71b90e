import { always } from "../shape/field";
import { text } from "../shape/scalars";
import { CLUSTER, defineKind } from "./define";

/** The paths of a certificate and its key on the gateway's own disk. The server does not read the files. */
export const fileSystemCertificate = defineKind({
  kind: "file-system-certificate",
  write: CLUSTER,
  read: CLUSTER,
  fields: { Certificate: always(text), PrivateKey: always(text) },
});
