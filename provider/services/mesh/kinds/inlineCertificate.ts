import { z } from "zod";
import { field } from "../../../core";
import { requiredText } from "./members";
import { typedEntry } from "./typedEntry";

/** A certificate with its key (specification: part B). */
export default typedEntry({
  type: "InlineCertificate",
  kind: "inline-certificate",
  doc: "An `inline-certificate` entry: a certificate with its key, for API gateways. The service hands the key out to whoever may read the entry; here it is secret both ways.",
  members: {
    certificate: requiredText("The certificate (PEM)."),
    privateKey: field(z.string().min(1), { doc: "The certificate's private key (PEM).", secret: true }),
  },
});
