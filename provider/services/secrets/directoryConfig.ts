import { z } from "zod";
import {
  commonFields,
  define,
  del,
  deletes,
  exclusive,
  field,
  get,
  merges,
  object,
  post,
  type Value,
  words,
} from "../../core";
import { credentialType, NEVER_SENT_BACK, urlList, withoutFilledUserattr } from "./directoryConfigParts";
import { optionalDuration } from "./durations";
import { mountField, placeOfEngine } from "./mounts";
import { namespaceField } from "./namespaces";
import { secrets } from "./service";

const text = (doc: string) => field(z.string().optional(), { doc, empty: "" });
const flag = (doc: string) => field(z.boolean().optional(), { doc, default: false });
const serverField = (schema: z.ZodType, doc: string) => field(schema, { doc, role: "server's" });

const isGivenText = (value: Value | undefined) => value !== undefined && value !== null && value !== "";

const config = "/{+mount}/config";

/** The configuration of the LDAP engine (specification: A6. Directory engine, config). */
export default define({
  token: "secrets:DirectoryConfig",
  doc: "How the directory engine reaches its directory. There is one for each mount.",
  section: "A6. Directory engine",
  service: secrets,
  fields: {
    ...commonFields,
    namespace: namespaceField,
    mount: mountField("directory"),
    binddn: field(z.string().min(1), {
      doc: "The distinguished name that manages entries; it needs the right to search, and to change passwords.",
    }),
    bindpass: field(z.string().min(1), {
      doc: "The password of `binddn`. One that the service has rotated since stays as it is until another is written here.",
      secret: true,
      writeOnly: "when-changed",
    }),
    url: field(z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(), {
      doc: "One URL, or several as a list or separated by commas, tried in order on connection errors.",
      spelling: urlList,
      default: "ldap://127.0.0.1",
    }),
    passwordPolicy: field(z.string().optional(), {
      doc: "The name of the policy by which passwords are generated. The service looks for it when the first one is.",
      // Before Vault 1.15.
      resetsWhenOmitted: true,
      empty: "",
    }),
    schema: field(
      words({
        openldap: "As OpenLDAP has it.",
        ad: "As Active Directory has it.",
        racf: "As RACF has it.",
      }).optional(),
      {
        doc: "The kind of directory, which says how its entries are written.",
        // Before Vault 1.15.
        resetsWhenOmitted: true,
        default: "openldap",
      },
    ),
    userdn: text("The base of the search for users."),
    userattr: text(
      "The attribute of a user's name. Empty, it follows the schema: `cn` (openldap), `userPrincipalName` (ad), `racfid` (racf).",
    ),
    upndomain: text("The domain that makes a user principal name of `binddn`."),
    connectionTimeout: optionalDuration({ doc: "How long connecting to a URL may take.", default: 30 }),
    requestTimeout: optionalDuration({ doc: "How long each request may take.", default: 90 }),
    starttls: flag("Whether StartTLS is issued after connecting unencrypted."),
    insecureTls: flag("Whether the server's certificate goes unverified."),
    certificate: text("The certificate of the authority that signed the server's (x509 PEM)."),
    clientTlsCert: field(z.string().optional(), {
      doc: "The client's certificate (x509 PEM).",
      writeOnly: "when-changed",
      empty: "",
    }),
    clientTlsKey: field(z.string().optional(), {
      doc: "The key of the client's certificate (x509 PEM).",
      secret: true,
      writeOnly: "when-changed",
      empty: "",
    }),
    length: field(z.int().optional(), {
      doc: "The length of generated passwords.",
      toWrite: "Some schemas, such as `racf`, need shorter ones than the default.",
      resetsWhenOmitted: true,
      default: 64,
      deprecated: "Use `passwordPolicy`.",
    }),
    credentialType,
    skipStaticRoleImportRotation: flag(
      "Whether creates of static roles leave the accounts' passwords as they are; a role's own `skipImportRotation` goes first.",
    ),
    caseSensitiveNames: serverField(z.boolean().optional(), "Whether names are compared by case."),
    tlsMinVersion: serverField(z.string().optional(), "The oldest TLS that is spoken."),
    tlsMaxVersion: serverField(z.string().optional(), "The newest TLS that is spoken."),
  },
  rules: [
    // The table Config parameters, length: "mutually exclusive with `password_policy` (POST rejects both)".
    exclusive("length", "passwordPolicy", "the service rejects both; length is deprecated"),
  ],
  notes: ({ step, inputs, changed }) => [
    ...(step === "update" && inputs.userattr === undefined && changed.some(([name]) => name === "schema")
      ? ["userattr stays what it was under the other schema; write it to have another"]
      : []),
    ...(isGivenText(inputs.clientTlsKey) !== isGivenText(inputs.clientTlsCert)
      ? [
          "clientTlsKey and clientTlsCert go together: the service refuses one of them where it does not hold the other",
        ]
      : []),
    ...(inputs.insecureTls === true ? ["insecureTls: the server's certificate is not verified"] : []),
  ],
  where: placeOfEngine("directory", "{mount}"),
  life: object({
    reads: { one: get(config), shows: { always: ["binddn"] }, imports: withoutFilledUserattr },
    writes: merges({ create: post(config), neverSentBack: NEVER_SENT_BACK }),
    deletion: deletes(del(config)),
  }),
});
