import { questionOf } from "../../provider/core/functions/objects";
import type { CheckedDelete, PlainDelete } from "../../provider/core/language/creation";
import type { DefinitionBase } from "../../provider/core/language/fields";
import type { Action, WriteOnly } from "../../provider/core/language/lives";
import { deletionProofOf } from "../../provider/core/language/reads";
import type { AnyDefinition, Definition, ObjectLife } from "../../provider/core/language/resource";
import type { Route } from "../../provider/core/language/route";
import { carryingList } from "../../provider/core/requests/shared/inList";
import { canAdopt, conflictSentences } from "./docsConflicts";
import { listInputs } from "./listInputs";
import { shapeWords, table } from "./markdown";
import { listed } from "./sentences";
import { partsOf } from "./shape";

/** The sections about a resource's lifecycle: its id, its actions, conflicts and deletion. */
export function lifeOf(definition: AnyDefinition): string[] {
  const { life } = definition;
  switch (life.kind) {
    case "action":
      return [
        "## Id\n",
        `${unreadIdText(definition)}\n`,
        "## When it acts\n",
        `${actSentences(definition, life).join(" ")}\n`,
      ];
    case "writeOnly":
      return [
        "## Id\n",
        `${unreadIdText(definition)}\n`,
        "## Writing\n",
        `${writeSentences(definition, life).join(" ")}\n`,
        "## Deleting\n",
        `Nothing is sent, and a warning says so: ${life.staysAs}.\n`,
      ];
    case "procedure":
      return [
        "## Id\n",
        `${unreadIdText(definition)}\n`,
        "## How it goes\n",
        `${life.story.proceeds} ${life.story.refreshes}\n`,
        "## Deleting\n",
        `${life.story.ends}\n`,
      ];
    default: {
      const object = { ...definition, life };
      return [
        "## Id, and reading what exists\n",
        idText(object),
        ...listText(definition),
        "## Refreshing\n",
        `${[...refreshSentences(object), ...DRIFT].join(" ")}\n`,
        ...forecastSentences(object).flatMap((sentence) => ["## In a preview\n", `${sentence}\n`]),
        "## Conflicts\n",
        `${conflictSentences(object).join(" ")}\n`,
        "## Deleting\n",
        `${deleteSentences(object).join(" ")}\n`,
      ];
    }
  }
}

function actSentences(definition: DefinitionBase, { route, witness }: Action): string[] {
  return [
    `A create sends \`${requestText(definition, route)}\`, once.`,
    "The same `triggers` never act again; others replace the resource, and so act once more.",
    witness
      ? "After a lost answer, the service is asked whether it happened."
      : "After a lost answer, `outcome` is `unclear`, with a warning: it is not repeated without a new trigger.",
    "A refresh and a delete send nothing: it holds nothing that could drift, and finds no conflict.",
  ];
}

function writeSentences(definition: DefinitionBase, { route }: WriteOnly): string[] {
  return [
    `Every create and every change sends \`${requestText(definition, route)}\` with everything that the program writes.`,
    "The service shows nothing of it, so nothing can be compared: what others write there is not seen, and what is there already is overwritten.",
    "A refresh sends nothing, and there is no conflict.",
  ];
}

/** The id section of a resource that cannot be read. */
function unreadIdText(definition: DefinitionBase): string {
  const { others } = definition.where.id;
  const former = listed(others, "and");
  return [
    idForm(definition),
    ...(others.length > 0 ? [`One of an earlier version may be ${former}, and stays.`] : []),
    "Nothing can be read by it, so it cannot be imported.",
  ].join(" ");
}

/** The format of the id. */
function idForm({ where }: DefinitionBase): string {
  const { template, realm, unset } = where.id;
  const told = Object.entries(unset).map(
    ([name, value]) => `The ${name} is the one that the service tells, and \`${value}\` until it has.`,
  );
  return [
    `The id is \`${template}\`.`,
    ...(realm === undefined
      ? []
      : [
          `Of an object in another ${realm} than the connection's it is \`{${realm}}@${template}\`; one that was made by an earlier version keeps its id without it.`,
        ]),
    ...(template.includes("{")
      ? [`Each part is percent-encoded${told.length > 0 ? "." : ", and a part that nobody gave is empty."}`]
      : []),
    ...told,
    `The name of a named connection stands in front of it: \`<connection>:${template}\`.`,
  ].join(" ");
}

function idText(definition: Definition): string {
  const { service, type } = partsOf(definition);
  const { template, others } = definition.where.id;
  const reading = [
    `\`quarterdeck.${service}.${type}.get(name, id)\` reads an object that exists, without managing it.`,
    ...(canAdopt(definition)
      ? ["To manage what exists already, write the resource with `adopt: true`."]
      : []),
    `By the plugin, \`pulumi import quarterdeck:${definition.token} <name> <id>\` brings it into the state, with \`${template}\` as the id, and writes nothing.`,
    ...(others.length > 0
      ? [
          `\`get\` and an import also take ${listed(others, "and")}; what that leaves out is the connection's.`,
        ]
      : []),
  ];
  return `${idForm(definition)}\n\n${reading.join(" ")}\n`;
}

/** The section about listing the objects, if the server can list them. */
function listText(definition: AnyDefinition): string[] {
  const [question, inputs] = [questionOf(definition), listInputs(definition)];
  if (question === undefined || inputs === undefined) return [];
  const rows = inputs.map((property) => [
    `\`${property.name}\``,
    shapeWords(property.shape),
    property.required ? "yes" : "",
    property.doc,
  ]);
  return [
    "## Listing\n",
    `\`pulumi do quarterdeck:${definition.token} list\` shows the ids of what is there, whoever made it; each of them can be read, and imported. A page takes one request, \`${requestText(definition, question.route)}\`, and none for each object.\n`,
    table(["List input", "Type", "Required", "Meaning"], rows),
  ];
}

/** The requests of a refresh: one per object, or a list. */
function refreshSentences(definition: Definition): string[] {
  const list = carryingList(definition.life.reads);
  if (list?.carries === undefined)
    return ["A refresh asks for each object by itself: no list of the service shows what a read does."];
  const { right, unmovedBy } = list.carries;
  const { check } = definition.life;
  return [
    `A refresh of several asks for their list, \`${requestText(definition, list.route)}\`, as soon as that takes fewer requests, and for each object that the list does not show just as it is in the state.`,
    ...(unmovedBy
      ? [
          `The list shows that by ${listed([...(check ? [check.token] : []), ...unmovedBy], "and")}, which are all as they were then.`,
        ]
      : []),
    right === undefined
      ? "Where the token may not list, each object is asked for by itself."
      : `The list needs ${right}; where the token may not list, each object is asked for by itself.`,
  ];
}

/** The sentences about drift, which are the same for every object. */
const DRIFT = [
  "What others changed of what the program manages shows in it as a change, and the next preview proposes to undo it; `npx quarterdeck drift` tells the same, and changes nothing.",
  "An object that is gone leaves the state, and the next up makes it anew.",
];

/** The sentences about the server's plan (dry run), if there is one. */
function forecastSentences(definition: Definition): string[] {
  const { forecast } = definition.life.writes;
  if (forecast === undefined) return [];
  return [
    `A preview asks the service what it would make of each one that is new or changed, by one request, \`${requestText(definition, forecast.asks)}\`, which changes nothing; \`${forecast.unless}: false\` asks for none. Where it cannot be asked, the preview says so once, and goes on; where a part is not known yet, it is not asked.`,
  ];
}

function deleteSentences(definition: Definition): string[] {
  const { deletion, reads } = definition.life;
  const { evidence } = deletionProofOf(definition.service, reads);
  if (deletion.kind === "stays") {
    return [
      `Nothing is sent, and a warning says so: ${deletion.as}.`,
      `Proof that the object is gone, for a refresh: ${evidence}. Any other answer is an error, and the state stays.`,
    ];
  }
  const { route, doc, leavesBehind } = deletion;
  return [
    `A delete sends \`${requestText(definition, route)}\`.`,
    ...(doc === undefined ? [] : [doc]),
    guardOf(definition.life, deletion),
    ...(leavesBehind === undefined ? [] : [`What it leaves behind: ${leavesBehind}.`]),
    `Proof that the object is gone, for a delete as for a refresh: ${evidence}. Any other answer is an error, and the state stays.`,
  ];
}

function guardOf({ check }: ObjectLife, { isChecked }: PlainDelete | CheckedDelete): string {
  return check && isChecked
    ? `It is checked against \`${check.token}\` as it was last seen: what moved since is not deleted.`
    : "The object is read just before: where somebody else changed what this resource manages, it is not deleted.";
}

function requestText({ service }: DefinitionBase, { method, path }: Route): string {
  return `${method} ${service.prefix}${path.replaceAll("{+", "{")}`;
}
