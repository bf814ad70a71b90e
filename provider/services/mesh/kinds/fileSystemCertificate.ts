import { text } from "./members";
import { typedEntry } from "./typedEntry";

/** The paths of a certificate and its key (Consul's documentation, `file-system-certificate`). */
export default typedEntry({
  type: "FileSystemCertificate",
  product: {
    noun: "Consul file-system-certificate entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/docs/reference/config-entry/file-system-certificate",
  },
  kind: "file-system-certificate",
  doc: "Consul `file-system-certificate` entry: the paths of a certificate and its private key on the disk of an API gateway. Consul stores only the paths.",
  members: {
    certificate: text("Path of the certificate (PEM) on the gateway's disk."),
    privateKey: text("Path of the private key (PEM) on the gateway's disk."),
  },
});
