import type { AnyDefinition } from "../../provider/core/language/resource";
import { contractOf } from "./contracts";
import { compareWithContract, reasonFor } from "./contracts/contract";
import { requestFields } from "./contracts/requestFields";
import { shortTable } from "./markdown";

/** The section that compares a resource's fields with the product's own request, if the resource has a contract. */
export function coverageSection(definition: AnyDefinition): string[] {
  const contract = contractOf(definition.token);
  if (contract === undefined) return [];
  const { offered, notOffered } = compareWithContract(contract, requestFields(definition));
  const { product, source } = contract;
  const count = `${offered.length} of ${offered.length + notOffered.length}`;
  const shown = notOffered.filter((path) => !notOffered.some((above) => path.startsWith(`${above}.`)));
  return [
    "## Coverage\n",
    `The resource offers ${count} fields of the request in ${product}: ${source}.\n`,
    ...(shown.length === 0
      ? []
      : [
          shortTable(
            ["Field without an input", "Reason"],
            shown.map((path) => [`\`${path}\``, reasonFor(contract, path) ?? ""]),
          ),
        ]),
  ];
}
