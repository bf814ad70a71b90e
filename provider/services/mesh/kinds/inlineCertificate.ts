import { z } from "zod";
import { field } from "../../../core";
import { requiredText } from "./members";
import { typedEntry } from "./typedEntry";

/** A certificate with its key (specification: part B). */
export default typedEntry({
  type: "InlineCertificate",
  product: {
    noun: "Consul inline-certificate entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/docs/connect/config-entries/inline-certificate",
  },
  kind: "inline-certificate",
  doc: "Consul `inline-certificate` entry: a certificate and its private key for API gateways. Consul returns the key to anyone who may read the entry; Quarterdeck treats it as a secret in inputs and outputs.",
  members: {
    certificate: requiredText("Certificate (PEM)."),
    privateKey: field(z.string().min(1), { doc: "Private key of the certificate (PEM).", secret: true }),
  },
});
