import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletes,
  enumeration,
  exclusive,
  field,
  get,
  merges,
  object,
  post,
  rule,
  type Value,
} from "../../core";
import { automatedRotation } from "./automatedRotation";
import {
  credentialType,
  isBelow,
  NEVER_SENT_BACK,
  tlsVersion,
  urlList,
  withoutFilledUserattr,
} from "./directoryConfigParts";
import { optionalDuration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

const text = (doc: string) => field(z.string().optional(), { doc, empty: "" });
const flag = (doc: string) => field(z.boolean().optional(), { doc, default: false });
const serverField = (schema: z.ZodType, doc: string) => field(schema, { doc, role: "server's" });

const isGivenText = (value: Value | undefined) => value !== undefined && value !== null && value !== "";

const config = "/{+mount}/config";

const rotation = automatedRotation("`bindpass`");

/** The configuration of the LDAP engine (specification: A6. Directory engine, config). */
export default define({
  token: "secrets:DirectoryConfig",
  product: {
    noun: "LDAP secrets engine configuration",
    terraform: "`vault_ldap_secret_backend`",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/ldap",
  },
  doc: "The configuration of the LDAP secrets engine: its LDAP servers and bind credentials. Each mount has one configuration.",
  section: "A6. Directory engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("directory"),
    binddn: field(z.string().min(1), {
      doc: "The distinguished name (bind DN) that manages entries. The bind DN needs permission to search and to change passwords.",
    }),
    bindpass: field(z.string().min(1), {
      doc: "The password of `binddn`. A password that the server rotated stays in use until you change this property.",
      secret: true,
      writeOnly: "when-changed",
    }),
    url: field(z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(), {
      doc: "The URL of the LDAP server. Several URLs are tried in order on connection errors.",
      spelling: urlList,
      default: "ldap://127.0.0.1",
    }),
    passwordPolicy: field(z.string().optional(), {
      doc: "The name of the password policy for generated passwords. The server checks that it exists only when it generates a password.",
      // Before Vault 1.15.
      resetsWhenOmitted: true,
      empty: "",
    }),
    schema: field(
      enumeration({
        openldap: "OpenLDAP.",
        ad: "Active Directory.",
        racf: "RACF (IBM).",
      }).optional(),
      {
        doc: "The LDAP schema, which determines how the server stores passwords in entries.",
        // Before Vault 1.15.
        resetsWhenOmitted: true,
        default: "openldap",
      },
    ),
    userdn: text("The base DN of user searches."),
    userattr: text(
      "The attribute that contains the user name. If empty, the server uses the default for `schema`: `cn` (openldap), `userPrincipalName` (ad) or `racfid` (racf).",
    ),
    upndomain: text("The domain that is appended to `binddn` to form a user principal name (UPN)."),
    connectionTimeout: optionalDuration({ doc: "The timeout for a connection to one URL.", default: 30 }),
    requestTimeout: optionalDuration({ doc: "The timeout of each LDAP request.", default: 90 }),
    starttls: flag("Issue StartTLS after an unencrypted connection is established."),
    insecureTls: flag("Skip verification of the LDAP server's certificate."),
    certificate: text("The CA certificate that verifies the LDAP server's certificate (x509 PEM)."),
    clientTlsCert: field(z.string().optional(), {
      doc: "The client certificate for the LDAP server (x509 PEM).",
      writeOnly: "when-changed",
      empty: "",
    }),
    clientTlsKey: field(z.string().optional(), {
      doc: "The private key of the client certificate (x509 PEM).",
      secret: true,
      writeOnly: "when-changed",
      empty: "",
    }),
    length: field(z.int().optional(), {
      doc: "The length of generated passwords, in characters.",
      toWrite: "Some schemas, such as `racf`, need shorter passwords than the default.",
      resetsWhenOmitted: true,
      default: 64,
      deprecated: "Use `passwordPolicy`.",
    }),
    credentialType,
    skipStaticRoleImportRotation: flag(
      "Skip the password rotation when a static role is created. A role's own `skipImportRotation` takes precedence.",
    ),
    caseSensitiveNames: serverField(z.boolean().optional(), "True if names are compared case-sensitively."),
    tlsMinVersion: tlsVersion("The minimum TLS version of connections to the LDAP server."),
    tlsMaxVersion: tlsVersion(
      "The maximum TLS version of connections to the LDAP server. Must not be below `tlsMinVersion`.",
    ),
    ...rotation.fields,
  },
  rules: [
    ...rotation.rules,
    rule(["tlsMaxVersion", "tlsMinVersion"], isBelow, "must not be below tlsMinVersion"),
    // The table Config parameters, length: "mutually exclusive with `password_policy` (POST rejects both)".
    exclusive("length", "passwordPolicy", "the server rejects both; length is deprecated"),
  ],
  notes: ({ step, inputs, changed }) => [
    ...(step === "update" && inputs.userattr === undefined && changed.some(([name]) => name === "schema")
      ? ["userattr keeps its value from the previous schema; set userattr to change it"]
      : []),
    ...(isGivenText(inputs.clientTlsKey) !== isGivenText(inputs.clientTlsCert)
      ? [
          "clientTlsKey and clientTlsCert belong together: the server rejects one of them if it has not stored the other",
        ]
      : []),
    ...(inputs.tlsMinVersion === "tls13" && inputs.tlsMaxVersion === undefined
      ? ["tlsMinVersion: the server rejects tls13 unless its tlsMaxVersion, by default tls12, is also tls13"]
      : []),
    ...(inputs.insecureTls === true ? ["insecureTls: the LDAP server's certificate is not verified"] : []),
  ],
  where: placeOfEngine("directory", "{mount}"),
  life: object({
    reads: { one: get(config), expects: { always: ["binddn"] }, importedInputs: withoutFilledUserattr },
    writes: merges({ create: post(config), neverSentBack: NEVER_SENT_BACK }),
    deletion: deletes(del(config)),
  }),
});
