import { z } from "zod";
import {
  addressOf,
  defineFunction,
  errorOfRead,
  type FunctionDefinition,
  field,
  functionFields,
  get,
  type HttpResponse,
  isObject,
  isSuccess,
  type Json,
  knownAddress,
  type Route,
  type Specified,
  send,
} from "../../core";
import { engineParts, mountField } from "./mounts";
import { namespaceField } from "./namespaces";
import { AUTHENTICATED, UNAUTHENTICATED } from "./rekey/routes";
import { isUnsupportedPath } from "./rekey/status";
import { documentedMembers } from "./results";
import { secrets, unwrappedAnswer } from "./service";

type Members = { readonly [member: string]: Json };

/** One GET whose response is returned member by member. */
interface Status extends Pick<FunctionDefinition, "token" | "doc" | "section" | "result"> {
  readonly path: string;
  /** The path to try if the server does not return the status at the first one. */
  readonly otherwise?: string;
  readonly fields?: Specified["fields"];
  readonly where?: Specified["where"];
  /** True if a response contains the members that are always present. */
  holds(body: Members): boolean;
  /** Renames the members of a response to those of the result. */
  shown?(body: Members): Members;
}

function status(given: Status): FunctionDefinition {
  const { path, otherwise, holds, shown, fields = {}, where = {}, ...described } = given;
  const route = get(path);
  const shows = (answer: HttpResponse) => isSuccess(answer) && holds(unwrappedAnswer(answer.json ?? null));
  const definition: FunctionDefinition = defineFunction({
    ...described,
    service: secrets,
    where,
    fields: { ...fields, ...functionFields },
    asks: {
      kind: "call",
      async call(context, args) {
        const address = knownAddress(addressOf(definition, context.connection, args));
        const ask = (asked: Route) => send(context, asked, address, { nature: "read" });
        const first = await ask(route);
        const second = shows(first) || otherwise === undefined ? undefined : await ask(get(otherwise));
        // The error of the second path is more useful only if the first path does not exist.
        const isSecond = second !== undefined && (shows(second) || isUnsupportedPath(first));
        const answer = isSecond ? second : first;
        if (!shows(answer))
          throw errorOfRead(context, answer, isSecond ? get(otherwise ?? path) : route, address);
        const body = unwrappedAnswer(answer.json ?? null);
        return documentedMembers(definition, shown?.(body) ?? body);
      },
    },
  });
  return definition;
}

const text = (doc: string) => field(z.string().optional(), { doc });
const number = (doc: string) => field(z.number(), { doc });
const flag = (doc: string) => field(z.boolean(), { doc });

/** Renames the counts: the wire calls them `t` and `n`. */
function withCounts(body: Members): Members {
  return { ...body, threshold: body.t ?? null, shares: body.n ?? null };
}

/** Reads the state of a rekey of the recovery key (specification: Rekey status). */
const getRekeyStatus = status({
  token: "secrets:getRekeyStatus",
  doc: "Reads the status of a rekey of the recovery key: whether one is in progress, and its progress.",
  section: "A1. Recovery-key rekey",
  path: UNAUTHENTICATED.status.path,
  otherwise: AUTHENTICATED.status.path,
  holds: ({ nonce, started }) => typeof nonce === "string" || started === false,
  result: {
    started: flag("True if a rekey is in progress."),
    nonce: text("The nonce that identifies the rekey."),
    threshold: number("The number of new shares that are needed to reconstruct the new recovery key."),
    shares: number("The number of shares of the new recovery key."),
    progress: number("The number of shares of the current recovery key submitted so far."),
    required: number("The number of shares of the current recovery key that are needed."),
    pgpFingerprints: field(z.array(z.string()).optional(), {
      doc: "The fingerprints of the PGP keys that encrypt the new shares.",
    }),
    backup: flag("True if the server backs up the encrypted shares."),
    verificationRequired: flag("True if the new shares must be verified."),
  },
  // Without a rekey, one of the two kinds of paths returns fewer members.
  shown: (body) => withCounts({ progress: 0, backup: false, verification_required: false, ...body }),
});

/** Reads the state of a rekey's verification (specification: Rekey verification status). */
const getRekeyVerificationStatus = status({
  token: "secrets:getRekeyVerificationStatus",
  doc: "Reads the status of the verification of new recovery key shares. Fails if no verification is in progress.",
  section: "A1. Recovery-key rekey",
  path: UNAUTHENTICATED.verification.path,
  otherwise: AUTHENTICATED.verification.path,
  holds: ({ nonce }) => typeof nonce === "string",
  result: {
    nonce: text("The nonce that identifies the verification."),
    threshold: number("The number of new shares that are needed for the verification."),
    shares: number("The number of shares of the new recovery key."),
    progress: number("The number of new shares submitted so far."),
  },
  shown: withCounts,
});

/** Reads the backup of a rekey's encrypted shares (specification: A1, recovery-key-backup). */
const getRecoveryKeyBackup = status({
  token: "secrets:getRecoveryKeyBackup",
  doc: "Reads the server's backup of the PGP-encrypted recovery key shares of a rekey. Fails if there is no backup. `RecoveryBackupDeletion` deletes it.",
  section: "A1. Recovery-key rekey",
  path: UNAUTHENTICATED.backup.path,
  otherwise: AUTHENTICATED.backup.path,
  holds: ({ keys }) => isObject(keys),
  result: {
    nonce: text("The nonce of the rekey that created the backup."),
    // Open: a response with one share, or a list of shares, under each fingerprint.
    keys: field(z.record(z.string(), z.unknown()), {
      doc: "The encrypted shares in hex, by the fingerprint of their PGP key.",
      secret: true,
    }),
  },
});

/** Reads the borrowers of a library set's accounts (specification: A6, library status). */
const getLibraryStatus = status({
  token: "secrets:getLibraryStatus",
  doc: "Reads the status of a library set of the LDAP secrets engine: its accounts and their borrowers.",
  section: "A6. Directory engine",
  path: "/{+mount}/library/{name}/status",
  holds: (body) => Object.values(body).some((entry) => isObject(entry) && "available" in entry),
  fields: {
    namespace: namespaceField,
    mount: mountField("directory"),
    name: field(z.string().min(1), {
      doc: "The name of the library set in the secrets engine.",
      role: "identity",
      location: "address",
    }),
  },
  where: engineParts("directory"),
  result: {
    accounts: field(
      z.array(
        z.object({
          name: field(z.string(), { doc: "The name of the account in LDAP." }),
          available: field(z.boolean(), { doc: "True if the account can be checked out." }),
          borrowerClientToken: field(z.string().optional(), {
            doc: "The borrower's client token, as the server reports it.",
            secret: true,
          }),
          borrowerEntityId: field(z.string().optional(), {
            doc: "The ID of the identity entity that checked the account out.",
          }),
        }),
      ),
      { doc: "The accounts of the set, in the order of the response." },
    ),
  },
  shown: (body) => ({
    accounts: Object.entries(body).flatMap(([name, entry]) =>
      isObject(entry) ? [{ name, ...accountOf(entry) }] : [],
    ),
  }),
});

function accountOf({ available, borrower_client_token: token, borrower_entity_id: entity }: Members) {
  return {
    available: available === true,
    ...(token !== undefined && { borrowerClientToken: token }),
    ...(entity !== undefined && { borrowerEntityId: entity }),
  };
}

/** The functions that read a status. */
export default { getRekeyStatus, getRekeyVerificationStatus, getRecoveryKeyBackup, getLibraryStatus };
