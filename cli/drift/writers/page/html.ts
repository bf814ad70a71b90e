import { createHash } from "node:crypto";
import { visible } from "../../../visible";
import {
  type DriftReport,
  inOrder,
  type MovedField,
  PASSED_OVER,
  type ResourceReport,
  stackIn,
  summaryOf,
  timeInWords,
  WORDS,
  type Word,
} from "../../report";
import { differing, type SplitText } from "./differing";
import { SCRIPT } from "./script";
import { STYLE } from "./style";

/** Writes a report as one self-contained page that loads nothing and sends nothing. */
export function htmlOf(report: DriftReport): string {
  const stack = stackIn(report);
  const title = stack === undefined ? "Drift" : `Drift of ${stack}`;
  const resources = inOrder(report);
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}: ${escapeHtml(summaryOf(report))}</title>`,
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    `<header><div><h1>${escapeHtml(title)}</h1><p class="made">${summaryLine(report)}</p></div>`,
    '<button type="button" class="scheme" hidden>Light or dark</button></header>',
    "<main>",
    `<div class="counts" role="group" aria-label="Verdicts to show">${WORDS.map((word) => count(word, report)).join("")}</div>`,
    '<div class="find" hidden><input id="find" type="search" placeholder="Filter by type, name, ID, field or value" aria-label="Filter">',
    '<output id="shown" for="find"></output></div>',
    ...resources.map(resource),
    `<p class="nothing"${resources.length > 0 ? " hidden" : ""}>Nothing to show.</p>`,
    "<footer>Created by quarterdeck drift (read-only). Secrets are masked.</footer>",
    "</main>",
    `<script>${SCRIPT}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function summaryLine({ at, requests, seconds, resources }: DriftReport): string {
  const read = `${resources.length} resources read with ${requests} requests in ${seconds.toFixed(1)} s`;
  return `<time datetime="${escapeHtml(at)}">${escapeHtml(timeInWords(at))}</time> · ${read}`;
}

function count(word: Word, { counts }: DriftReport): string {
  const none = counts[word] === 0 ? " none" : "";
  return `<button type="button" class="count ${classOf(word)}${none}" data-word="${word}" aria-pressed="true"><b>${counts[word]}</b><span>${word}</span></button>`;
}

/** A resource in sync has no details and is a single line; others can be expanded. */
function resource(verdict: ResourceReport): string {
  const { type, name, id, urn } = verdict;
  const line = [
    `<span class="word">${verdict.verdict}</span>`,
    `<span class="type">${escapeHtml(type)}</span>`,
    `<span class="name">${escapeHtml(name)}</span>`,
    id === "" || id === name ? "" : `<span class="id">${escapeHtml(id)}</span>`,
  ].join("");
  const own = `class="${classOf(verdict.verdict)}" data-verdict="${verdict.verdict}" title="${escapeHtml(urn)}"`;
  const details = resourceDetails(verdict);
  if (details === "") return `<div ${own.replace('class="', 'class="plain ')}>${line}</div>`;
  const open = verdict.verdict === "ignored" ? "" : " open";
  return `<details ${own}${open}><summary>${line}</summary><div class="details">${details}</div></details>`;
}

function resourceDetails({ when, why, fields = [], ignored }: ResourceReport): string {
  const known = ignored === undefined ? "" : `Missing, ${PASSED_OVER[ignored]}`;
  const moved = when === undefined ? "" : `Last written ${timeInWords(when)}`;
  return [
    ...[known, moved].map((text) => (text === "" ? "" : `<p class="when">${escapeHtml(text)}</p>`)),
    why === undefined ? "" : `<pre class="why">${escapeHtml(why)}</pre>`,
    fields.length === 0
      ? ""
      : `<table><thead><tr><th scope="col">field</th><th scope="col">was</th><th scope="col">is</th></tr></thead><tbody>${fields.map(row).join("")}</tbody></table>`,
  ].join("");
}

function row({ field, was, is, ignored }: MovedField): string {
  const [before, now] = differing(was, is);
  const by = ignored === undefined ? "" : `<span class="by">${PASSED_OVER[ignored]}</span>`;
  const own = ignored === undefined ? "" : ' class="over"';
  return `<tr${own}><td>${escapeHtml(field)}${by}</td><td class="was">${markChange(before)}</td><td class="is">${markChange(now)}</td></tr>`;
}

function markChange([before, middle, after]: SplitText): string {
  return escapeHtml(before) + (middle === "" ? "" : `<mark>${escapeHtml(middle)}</mark>`) + escapeHtml(after);
}

function classOf(word: Word): string {
  return word.replace(" ", "-");
}

/** The hash of an inline script or style for the Content-Security-Policy: the browser runs no other script. */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\0": "\ufffd",
};

function escapeHtml(text: string): string {
  return visible(text.toWellFormed().replace(/[&<>"'\0]/g, (sign) => ENTITIES[sign] ?? sign));
}
