import { z } from "zod";
import {
  type Dialect,
  field,
  formatJson,
  type HttpResponse,
  isObject,
  type RequestSource,
  type Service,
  type ServiceError,
  stringIn,
  warningsInHeaders,
} from "../../core";
import { flattenDocument } from "./jsonApi";
import { GPG_KEYS, permissions } from "./permissions";

const neutral: Dialect = { headers: {} };

/** HCP Terraform's own names (wire facts, "Names"). */
const real: Dialect = {
  headers: {},
  responseHeaders: /^(?:tfp-api-version|x-tfe-version)$/,
  variables: {
    names: {
      address: ["TFE_ADDRESS", "TFE_HOSTNAME"],
      token: ["TFE_TOKEN"],
      organization: ["TFE_ORGANIZATION"],
    },
    address: (text) => (text.includes("://") ? text : `https://${text}`),
  },
  parameters: { "search[exclude_tags]": "search[exclude-tags]" },
  segments: { "engine.json": "terraform.json" },
  members: {
    "data.attributes.engine-version": "terraform-version",
    "data.*.attributes.engine-version": "terraform-version",
  },
};

/** HCP Terraform: workspaces and the private registry (specification: Workspace and Private Registry API). */
export const workspaces: Service = {
  name: "workspaces",
  products: { server: "HCP Terraform", names: "HCP Terraform and Terraform Enterprise" },
  naming: "kebab",
  prefix: "/api/v2",
  otherPrefixes: [GPG_KEYS],
  permissions,
  contentType: "application/vnd.api+json",
  settings: {
    organization: field(z.string().min(1).optional(), {
      doc: "Default organization of resources and functions that do not set one.",
    }),
  },
  dialects: { neutral, real },
  hidesAsNotFound: true,
  /** HCP Terraform sends no warnings of its own. A proxy in front of it may send HTTP warnings. */
  warnings: warningsInHeaders,
  headers: (settings) =>
    typeof settings.token === "string" ? { authorization: `Bearer ${settings.token}` } : {},
  advice: (answer, asked) => ADVICE.find((advice) => advice.applies(answer, asked))?.text,
  expectedResponses: { POST: ["id"], PATCH: ["id"], DELETE: "nothing" },
  isOwnError: (answer) => errorsIn(answer).length > 0,
  /** The server creates the run triggers of a workspace one after another. */
  isBusy: ({ status, text }) => status === 409 && /Run Trigger creation locked/i.test(text),
  errorMessage: (answer) => errorsIn(answer).join("; ") || answer.text.trim(),
  unwrap: flattenDocument,
  dictionaries: () => (require("./dictionary") as typeof import("./dictionary")).default,
};

/** Advice for errors whose own text does not contain it. */
const ADVICE: readonly {
  readonly text: string;
  applies(answer: HttpResponse, asked: RequestSource): boolean;
}[] = [
  {
    text: "Check the organization, the name or ID, and the address. This API also returns 404 if the token lacks the permission: also check the token's permissions.",
    applies: ({ status }) => status === 404,
  },
  {
    text: "A 403 here means that the curation of public providers is disabled. Enable it in the organization's settings.",
    applies: ({ status, url, text }) =>
      status === 403 && (url?.includes("/registry-providers") === true || /curation/i.test(text)),
  },
  {
    text: "The server sends a test message to the URL of an enabled notification configuration. Check that the URL answers it with a 2xx status, or set enabled: false.",
    applies: ({ status }, { label }) =>
      status === 400 && label.definition === "workspaces:NotificationConfiguration",
  },
  {
    text: "Correct tagNames: a tag has at most 255 letters, numbers, colons, hyphens and underscores, with a letter or a number at both ends.",
    applies: ({ status, text }) => status === 422 && /^.{0,200}\btags? must only contain/is.test(text),
  },
];

/** The messages of a JSON:API error body, in its newer and its older form. */
export function errorsIn(answer: HttpResponse): string[] {
  const errors = isObject(answer.json) && Array.isArray(answer.json.errors) ? answer.json.errors : [];
  return errors.map((error) => {
    if (!isObject(error)) return stringIn(error);
    const [title, detail] = [error.title, error.detail].map((text) => (typeof text === "string" ? text : ""));
    return title && detail && title !== detail ? `${title}: ${detail}` : detail || title || formatJson(error);
  });
}

/** True if the server rejected a create because another object already has the name. */
export function isTaken(answer: HttpResponse): boolean {
  return answer.status === 422 && errorsIn(answer).some((words) => TAKEN.test(words));
}

/** True if the server rejected a write for that reason. OTF answers 409 in place of HCP Terraform's 422. */
export function isTakenName({ status, words }: ServiceError): boolean {
  return (status === 422 && TAKEN.test(words)) || (status === 409 && /already exists/i.test(words));
}

const TAKEN = /already been taken/i;
