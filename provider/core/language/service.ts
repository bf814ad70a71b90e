import type { z } from "zod";
import type { Redactor } from "../../../packages/redact";
import type { Runtime } from "../http/client";
import type { ErrorKind } from "../http/errors";
import type { HttpAnswer, HttpRequest, Label, ServiceWarning } from "../http/request";
import type { Json } from "../value/json";
import type { Pattern } from "../value/path";
import type { Cluster, Leaderless, Login, LoginSettings, Replication } from "./cluster";
import type { Address } from "./object";
import type { Answers, RightsRow } from "./route";

/** For what, and where, a service was asked. */
export interface AskedOf {
  readonly label: Label;
  readonly address: Address;
  readonly connection: { readonly settings: Settings; readonly dialect: Dialect };
}

/** The names under which one family of servers speaks: its headers, members and path segments. */
export interface Dialect {
  /** Header names by their role (`token`, `namespace`, `index`…). */
  readonly headers: Readonly<Record<string, string>>;
  /** The lower-case names of headers that only answers in this dialect have; none if there are no such headers. */
  readonly answerHeaders?: RegExp;
  /**
   * Members that are called otherwise than in the specification: its path there, and its name here. In a path `*` is an
   * element of a list, and `{}` a value of a map whose keys are the user's.
   */
  readonly members?: Readonly<Record<Pattern, string>>;
  /** The name of the product's own command line, for messages that tell what to do. */
  readonly program?: string;
  /** Query parameters that are called otherwise than in the specification. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Path segments that are called otherwise than in the specification. */
  readonly segments?: Readonly<Record<string, string>>;
  /** What is taken where a setting is not given, and where that is another value than in the specification. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** How its clusters answer; none where every server shows the latest write. */
  readonly cluster?: Cluster;
  /** How its objects are copied to other places; none where each place has objects of its own. */
  readonly replication?: Replication;
  /** How it hands out tokens; none where it does not. */
  readonly login?: Login;
  /** The environment variables that the product's own programs read. */
  readonly variables?: ProductVariables;
}

/** What a product's own programs read of their environment. */
export interface ProductVariables {
  /** The variables by the setting that they say; of several the first that is there. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** An address as these programs write one, as a URL. */
  address?(text: string, env: Readonly<Record<string, string | undefined>>): string;
}

/** A connection's settings after defaults: what the configuration and the environment say. */
export type Settings = Readonly<
  Record<string, string | number | boolean | readonly string[] | LoginSettings | undefined>
>;

/** One control plane: where it is, how it is spoken to, how its answers read. */
export interface Service {
  /** Its name in the configuration: `quarterdeck:<name>`. */
  readonly name: string;
  readonly naming: "kebab" | "pascal" | "snake";
  /** The prefix of every path, `/v1`. */
  readonly prefix: string;
  readonly contentType: string;
  /** The service's own settings beside address, token and transport, with their facts. */
  readonly settings: Readonly<Record<string, z.ZodType>>;
  readonly dialects: Readonly<Record<string, Dialect>>;
  /** How a request goes to the realm of its object, where a header says that; else a query does, or there are none. */
  readonly realm?: {
    /** The part of the address that says the realm. */
    readonly part: string;
    /** The header, by its role, and its value. */
    header(
      settings: Settings,
      address: Readonly<Record<string, string | undefined>>,
    ): readonly [role: string, value: string | undefined];
  };
  /** The headers of every request. */
  headers(settings: Settings, dialect: Dialect): Readonly<Record<string, string>>;
  /** The service's own words in an answer that is an error. */
  words(answer: HttpAnswer): string;
  /**
   * What it warns of in a success, and what of the request it says that it did not take as it was sent; none where its
   * answers hold no warnings.
   */
  warnings?(answer: HttpAnswer, request: HttpRequest): readonly ServiceWarning[];
  /** Whether an answer holds nothing beside warnings, where its page says that it answers nothing. */
  warnsOnly?(answer: HttpAnswer): boolean;
  /** What a token needs for each request: of rows that fit, the first one counts. */
  readonly rights: readonly RightsRow[];
  /** Whether it answers 404 where the token has no right to look, too. */
  readonly hidesByNotFound?: boolean;
  /** What the pages of this service answer where a write was carried out, by its method, unless a route says other. */
  readonly answers: Partial<Readonly<Record<HttpRequest["method"], Answers>>>;
  /** Whether an answer with a 5xx status is this service's own error, in the shape that it gives to all of them. */
  isOwnError(answer: HttpAnswer): boolean;
  /** What to do about an answer that is an error, where the service's own words do not say it: whole sentences. */
  advice?(answer: HttpAnswer, asked: AskedOf): string | undefined;
  /** The words of an answer that a cluster gives while it has no leader; none where its answers never tell. */
  readonly leaderless?: Leaderless;
  /** What the service calls a request in its answer's body; it is the header `X-Request-Id` else, where one comes. */
  requestId?(answer: Pick<HttpAnswer, "json">): unknown;
  /** What an answer means, where its status does not say it. */
  errorKind?(answer: HttpAnswer): ErrorKind | undefined;
  /** Why a whole part of the service is not there, by the words of a refusal; undefined where they say something else. */
  lacks?(words: string): string | undefined;
  /** Takes an object out of the envelope in which the service answers. */
  open(answer: Json): { readonly [member: string]: Json };
  /** What proves that an object is gone, unless its definition says other; none where each must say its own. */
  readonly gone?: ServiceGoneProof;
  /**
   * What records of this service's objects say again and again, as JSON texts of what anybody may read. Records are packed
   * with the last one, and name the one they were packed with by its number: none is ever changed, or taken away.
   */
  dictionaries?(): readonly string[];
}

/** A service whose own answers tell that an object is gone. */
export interface TellingService extends Service {
  readonly gone: ServiceGoneProof;
}

/** By what a service's answer to a read proves that an object is gone. */
export interface ServiceGoneProof {
  /** The evidence, as the documentation says it. */
  readonly evidence: string;
  shows(answer: HttpAnswer, dialect: Dialect): boolean;
}

/** Where a control plane is and how it is spoken to, as the configuration says it: enough to check and to compare. */
export interface Site {
  readonly service: Service;
  /** The name under `quarterdeck:connections`; none for the service's own connection. */
  readonly name?: string;
  /** Former names: an object made under one of them is the same object. */
  readonly aliases: readonly string[];
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly runtime: Runtime;
  /** How another token comes in place of the one that the state holds, where it is that one which is used. */
  readonly renewsToken?: string;
}

/** One way to one control plane. */
export interface Connection extends Site {
  /** Contains the secrets that authenticate its requests: the token, passwords, and the key of its client certificate. */
  readonly redactor: Redactor;
  /** Sends a request, with members named as in the specification on both ways. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /**
   * The place in which its objects are written, where others have copies of them: its name, or `OWN` for the one that the
   * server is in. Undefined where nobody can tell.
   */
  primary?(request: Pick<HttpRequest, "label" | "secrets">): Promise<string | undefined>;
}
