import { questionOf } from "../../provider/core/functions/objects";
import type { CheckedDelete, PlainDelete } from "../../provider/core/language/creation";
import type { DefinitionBase } from "../../provider/core/language/fields";
import type { Action, WriteOnly } from "../../provider/core/language/lifecycles";
import { absenceProofOf } from "../../provider/core/language/reads";
import type { AnyDefinition, Definition, ObjectLifecycle } from "../../provider/core/language/resource";
import { completePath, type Route } from "../../provider/core/language/route";
import { carryingList } from "../../provider/core/requests/shared/inList";
import { canAdopt, conflictSentences } from "./docsConflicts";
import { listInputs } from "./listInputs";
import { shortTable, typeCell } from "./markdown";
import { productPath } from "./productPaths";
import { listed } from "./sentences";
import { partsOf, upper } from "./shape";

/** The sections about a resource's lifecycle: its ID, its actions, conflicts and deletion. */
export function lifeOf(definition: AnyDefinition): string[] {
  const { life } = definition;
  switch (life.kind) {
    case "action":
      return [
        "## ID\n",
        `${unreadIdText(definition)}\n`,
        "## When it runs\n",
        `${actSentences(definition, life).join(" ")}\n`,
      ];
    case "writeOnly":
      return [
        "## ID\n",
        `${unreadIdText(definition)}\n`,
        "## Updates\n",
        `${writeSentences(definition, life).join(" ")}\n`,
        "## Delete\n",
        `${staysSentence(life.remains)}\n`,
      ];
    case "procedure":
      return [
        "## ID\n",
        `${unreadIdText(definition)}\n`,
        "## How it works\n",
        `${life.description.proceeds} ${life.description.refreshes}\n`,
        "## Delete\n",
        `${life.description.ends}\n`,
      ];
    default: {
      const object = { ...definition, life };
      return [
        "## Import\n",
        idText(object),
        ...listText(definition),
        "## Refresh\n",
        `${[...refreshSentences(object), ...DRIFT].join(" ")}\n`,
        ...forecastSentences(object).flatMap((sentence) => ["## Preview\n", `${sentence}\n`]),
        "## Conflicts\n",
        `${conflictSentences(object).join(" ")}\n`,
        "## Delete\n",
        `${deleteSentences(object).join(" ")}\n`,
      ];
    }
  }
}

function actSentences(definition: DefinitionBase, { route, witness }: Action): string[] {
  return [
    `A create sends \`${requestText(definition, route)}\` once.`,
    "If `triggers` change, `pulumi up` replaces the resource and runs the action again.",
    witness
      ? "If the response is lost, Quarterdeck reads from the server whether the action ran."
      : "If the response is lost, `outcome` is `unclear` and a warning reports it. The action is not repeated unless `triggers` change.",
    "A refresh and a delete send no request. The resource has no drift and no conflicts.",
  ];
}

function writeSentences(definition: DefinitionBase, { route }: WriteOnly): string[] {
  return [
    `Every create and every update sends \`${requestText(definition, route)}\` with all inputs of the program.`,
    `${upper(definition.service.products.server)} does not return the object, so Quarterdeck cannot compare it. It does not detect changes by others, and overwrites existing values.`,
    "A refresh sends no request. The resource has no conflicts.",
  ];
}

/** The ID section of a resource that cannot be read. */
function unreadIdText(definition: DefinitionBase): string {
  const { others } = definition.where.id;
  const former = listed(others, "and");
  return [
    idForm(definition),
    ...(others.length > 0 ? [`An earlier ID, ${former}, stays valid.`] : []),
    "The resource cannot be read by its ID, so it cannot be imported.",
  ].join(" ");
}

/** The format of the ID. */
function idForm({ where }: DefinitionBase): string {
  const { template, realm, unset } = where.id;
  const returned = Object.entries(unset).map(
    ([name, value]) => `The ${name} comes from the server; until its first response it is \`${value}\`.`,
  );
  return [
    `The ID is \`${template}\`.`,
    ...(realm === undefined
      ? []
      : [`In a ${realm} other than the connection's, it is \`{${realm}}@${template}\`.`]),
    ...(template.includes("{")
      ? [`Parts are percent-encoded${returned.length > 0 ? "." : "; omitted parts are empty."}`]
      : []),
    ...returned,
    `With a named connection, it is \`<connection>:${template}\`.`,
  ].join(" ");
}

function idText(definition: Definition): string {
  const { service, type } = partsOf(definition);
  const { others } = definition.where.id;
  const reading = [
    `\`quarterdeck.${service}.${type}.get(name, id)\` reads an existing object without managing it.`,
    ...(canAdopt(definition) ? ["To manage an existing object, set `adopt: true` in the program."] : []),
    `\`pulumi import quarterdeck:${definition.token} <name> <id>\` adds it to the state without writing to the server. This command needs the [plugin](../delivery.md).`,
    ...(others.length > 0
      ? [
          `\`get\` and \`pulumi import\` also accept ${listed(others, "and")}. The connection supplies the omitted parts.`,
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
    typeCell(property.shape),
    property.required ? "yes" : "",
    property.doc,
  ]);
  return [
    "## List\n",
    `\`pulumi do quarterdeck:${definition.token} list\` lists existing IDs, which can be read and imported. It sends one request per page: \`${requestText(definition, question.route)}\`.\n`,
    shortTable(["Name", "Type", "Required", "Description"], rows),
  ];
}

/** The requests of a refresh: one per object, or a list. */
function refreshSentences(definition: Definition): string[] {
  const list = carryingList(definition.life.reads);
  if (list?.refreshData === undefined)
    return ["A refresh reads each object separately, because no list contains the complete objects."];
  const { permission, unchangedMembers } = list.refreshData;
  const { check } = definition.life;
  return [
    `A bulk refresh uses the list endpoint \`${requestText(definition, list.route)}\` if that takes fewer requests. It re-reads only objects that differ from the state.`,
    ...(unchangedMembers
      ? [
          `An object is unchanged if its ${listed([...(check ? [check.token] : []), ...unchangedMembers], "and")} in the list equal the values in the state.`,
        ]
      : []),
    permission === undefined
      ? "Without permission to list, Quarterdeck reads each object separately."
      : `The list needs ${permission}. Without permission to list, Quarterdeck reads each object separately.`,
  ];
}

/** The sentences about drift, which are the same for every object. */
const DRIFT = [
  "Outside changes to managed properties show as drift, and the next preview proposes to revert them. `npx quarterdeck drift` reports the same drift and changes nothing.",
  "Deleted objects are removed from the state, and the next `pulumi up` re-creates them.",
];

/** The sentences about the server's plan (dry run), if there is one. */
function forecastSentences(definition: Definition): string[] {
  const { forecast } = definition.life.writes;
  if (forecast === undefined) return [];
  return [
    `A preview requests ${definition.service.products.server}'s plan for each new or changed object: \`${requestText(definition, forecast.request)}\`, which changes nothing. Set \`${forecast.disabledBy}: false\` to disable it. If the request fails, the preview reports that once and continues. Quarterdeck requests no plan while parts of the object are unknown.`,
  ];
}

function deleteSentences(definition: Definition): string[] {
  const { deletion, reads } = definition.life;
  const { evidence } = absenceProofOf(definition.service, reads);
  if (deletion.kind === "stays") {
    return [
      staysSentence(deletion.as),
      `A refresh treats the object as deleted only in this case: ${evidence}. Any other response is an error and keeps the state.`,
    ];
  }
  const { route, doc, leavesBehind } = deletion;
  return [
    `A delete sends \`${requestText(definition, route)}\`.`,
    ...(doc === undefined ? [] : [doc]),
    guardOf(definition.life, deletion),
    ...(leavesBehind === undefined ? [] : [`Remaining objects: ${leavesBehind}.`]),
    `Deletes and refreshes treat the object as deleted only in this case: ${evidence}. Any other response is an error and keeps the state.`,
  ];
}

function guardOf({ check }: ObjectLifecycle, { isChecked }: PlainDelete | CheckedDelete): string {
  return check && isChecked
    ? `The delete uses check-and-set on \`${check.token}\`: an object that changed since it was last read is not deleted.`
    : "Quarterdeck re-reads the object right before the delete. If it changed outside this stack, it is not deleted.";
}

/** The sentence about a delete that sends nothing. */
function staysSentence(as: string): string {
  return `A delete sends no request and prints a warning: ${as}.`;
}

function requestText(definition: DefinitionBase, { method, path }: Route): string {
  return `${method} ${completePath(definition.service, productPath(definition, path))}`;
}
