import type { z } from "zod";
import type { Redactor } from "../../../packages/redact";
import type { TokenAdvice } from "../http/describe";
import type { ErrorKind } from "../http/errors";
import type { Runtime } from "../http/options";
import type { HttpRequest, HttpResponse, Label, ServiceWarning } from "../http/request";
import type { Json } from "../value/json";
import type { Pattern } from "../value/path";
import type { Cluster, Leaderless, Replication } from "./cluster";
import type { Login, LoginSettings } from "./login";
import type { Address } from "./object";
import type { ExpectedResponse, PermissionsRow } from "./route";

/** The request behind a response: its label, its address and its connection. */
export interface RequestSource {
  readonly label: Label;
  readonly address: Address;
  readonly connection: { readonly settings: Settings; readonly dialect: Dialect };
}

/** The names that one family of servers uses: its headers, members and path segments. */
export interface Dialect {
  /** Header names by their role (`token`, `namespace`, `index`…). */
  readonly headers: Readonly<Record<string, string>>;
  /** The lower-case names of headers that only responses in this dialect have; unset if no such headers exist. */
  readonly responseHeaders?: RegExp;
  /**
   * Members whose names differ from the specification: the path in the specification, and the name in this dialect. In a
   * path, `*` is an element of a list, and `{}` is a value of a map with user-defined keys.
   */
  readonly members?: Readonly<Record<Pattern, string>>;
  /** The name of the product's command line, for messages with instructions. */
  readonly program?: string;
  /** Query parameters whose names differ from the specification. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Path segments whose names differ from the specification. */
  readonly segments?: Readonly<Record<string, string>>;
  /** Defaults of settings that differ from the specification. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** How its clusters respond; unset if every server shows the latest write. */
  readonly cluster?: Cluster;
  /** How its objects are copied to other places; unset if each place has its own objects. */
  readonly replication?: Replication;
  /** How it issues tokens; unset if it does not. */
  readonly login?: Login;
  /** The environment variables that the product's own programs read. */
  readonly variables?: ProductVariables;
}

/** The environment variables of a product's own programs. */
export interface ProductVariables {
  /** The variables for each setting. The first one present applies. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Converts an address from the form that these programs use to a URL. */
  address?(text: string, env: Readonly<Record<string, string | undefined>>): string;
}

/** A connection's settings from the configuration and the environment, after defaults. */
export type Settings = Readonly<
  Record<string, string | number | boolean | readonly string[] | LoginSettings | undefined>
>;

/** The products that have a service's API. */
export interface Products {
  /** The product's name in sentences about the server: "Vault". */
  readonly server: string;
  /** All products: "Vault and OpenBao". */
  readonly names: string;
}

/** The API of one product: its paths, its requests and the format of its responses. */
export interface Service {
  /** Its name in the configuration: `quarterdeck:<name>`. */
  readonly name: string;
  readonly products: Products;
  readonly naming: "kebab" | "pascal" | "snake";
  /** The prefix of every path, `/v1`. */
  readonly prefix: string;
  /** Further prefixes. A path that starts with one of them is complete, so that `prefix` is not added. */
  readonly otherPrefixes?: readonly string[];
  readonly contentType: string;
  /** The service's own settings, in addition to address, token and transport, with their facts. */
  readonly settings: Readonly<Record<string, z.ZodType>>;
  readonly dialects: Readonly<Record<string, Dialect>>;
  /**
   * How a request selects the realm of its object, if a header does. Otherwise a query parameter does, or the service has no
   * realms.
   */
  readonly realm?: {
    /** The address part with the realm. */
    readonly part: string;
    /** The header, by its role, and its value. */
    header(
      settings: Settings,
      address: Readonly<Record<string, string | undefined>>,
    ): readonly [role: string, value: string | undefined];
  };
  /** The headers of every request. */
  headers(settings: Settings, dialect: Dialect): Readonly<Record<string, string>>;
  /** The service's own message in an error response. */
  errorMessage(answer: HttpResponse): string;
  /**
   * The warnings in a successful response, and the parts of the request that the service reports as not accepted as sent.
   * Unset if its responses contain no warnings.
   */
  warnings?(answer: HttpResponse, request: HttpRequest): readonly ServiceWarning[];
  /** True if a response contains only warnings, for an endpoint that is documented to return nothing. */
  warnsOnly?(answer: HttpResponse): boolean;
  /** The permissions that a token needs for each request. The first matching row applies. */
  readonly permissions: readonly PermissionsRow[];
  /** True if the service also answers 404 when the token lacks the permission to read. */
  readonly hidesAsNotFound?: boolean;
  /** The documented responses to successful writes, by method, unless a route has its own. */
  readonly expectedResponses: Partial<Readonly<Record<HttpRequest["method"], ExpectedResponse>>>;
  /** True if a 5xx response is this service's own error, in the format of all its errors. */
  isOwnError(answer: HttpResponse): boolean;
  /** Advice for an error response, in complete sentences, if the service's own message gives none. */
  advice?(answer: HttpResponse, asked: RequestSource): string | undefined;
  /**
   * True if a response proves that the server did nothing because it is busy with a similar request. Quarterdeck repeats the
   * request for up to 30 seconds. Unset if responses never report that.
   */
  isBusy?(answer: HttpResponse): boolean;
  /** The messages of a cluster without a leader; unset if responses never report that. */
  readonly leaderless?: Leaderless;
  /** The service's request ID in the body of its response. Default: the header `X-Request-Id`, if present. */
  requestId?(answer: Pick<HttpResponse, "json">): unknown;
  /** The meaning of a response, if its status does not determine it. */
  errorKind?(answer: HttpResponse): ErrorKind | undefined;
  /**
   * Why an entire part of the service is missing, according to the message of a rejection; undefined if the message means
   * something else.
   */
  whyMissing?(words: string): string | undefined;
  /** Takes an object out of the envelope of the service's response. */
  unwrap(answer: Json): { readonly [member: string]: Json };
  /** The proof that an object no longer exists, unless its definition has its own. Unset if each definition must have one. */
  readonly absence?: ServiceAbsenceProof;
  /**
   * Content that recurs in the records of this service's objects, as JSON texts of public data. Quarterdeck compresses
   * records with the last dictionary and stores its number, so no dictionary is ever changed or removed.
   */
  dictionaries?(): readonly string[];
}

/** A service whose own responses prove that an object no longer exists. */
export interface ServiceWithAbsenceProof extends Service {
  readonly absence: ServiceAbsenceProof;
}

/** How a service's response to a read proves that an object no longer exists. */
export interface ServiceAbsenceProof {
  /** The evidence, as worded in the documentation. */
  readonly evidence: string;
  proves(answer: HttpResponse, dialect: Dialect): boolean;
}

/** A server's location and access settings from the configuration: enough for checks and comparisons. */
export interface Site {
  readonly service: Service;
  /** The name under `quarterdeck:connections`; unset for the service's own connection. */
  readonly name?: string;
  /** Former names: an object created under one of them is the same object. */
  readonly aliases: readonly string[];
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly runtime: Runtime;
  /** Where the token comes from, and how to set or replace it; undefined for a login and a token file. */
  readonly tokenAdvice?: TokenAdvice;
}

/** One connection to one server. */
export interface Connection extends Site {
  /** Contains the secrets that authenticate its requests: the token, passwords, and the key of its client certificate. */
  readonly redactor: Redactor;
  /** Sends a request. Members have the specification's names in the request and in the response. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * The place that takes the writes of its objects, if other places have copies: its name, or `OWN` for the server's own
   * place. Undefined if it cannot be determined.
   */
  primary?(request: Pick<HttpRequest, "label" | "secrets">): Promise<string | undefined>;
}
