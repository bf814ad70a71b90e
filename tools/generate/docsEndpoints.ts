import type { Specified } from "../../provider/core/language/fields";
import { headerOf, table } from "./markdown";

/** An endpoint of the specification, the resources and functions that use it, and the tests of the stub for it. */
export interface EndpointRow {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly section: string;
  readonly users: readonly string[];
  readonly tests: readonly string[];
}

/**
 * Writes the page with every endpoint of the specification. Its contents are recorded during the tests: the requests of the
 * resources and functions, and the tests that query the stub.
 * @param documented the resources and functions, for the sections of the specification that describe them
 */
export function endpointsPage(
  rows: readonly EndpointRow[],
  documented: readonly Pick<Specified, "token" | "section">[] = [],
): string {
  const services = [...new Set(rows.map(({ service }) => service))];
  return [
    headerOf(""),
    "# Endpoints (for contributors)\n",
    "This page lists the endpoints of the specification. For each endpoint, it lists the resources and functions that send requests to the endpoint, and the tests of the mock server's response. Paths are written with the names of the dialect `neutral`. `npm run endpoints` runs the tests, and records the requests that they send.\n",
    "Quarterdeck does not use two kinds of endpoints, because another endpoint does the same more safely: endpoints that find an object by a name that can change, and endpoints whose write would remove the entries of other users.\n",
    ...services.flatMap((service) => [
      `## ${service}\n`,
      table(
        ["Endpoint", "Section", "Used by", "Mock server tests"],
        rows.filter((row) => row.service === service).map(cellsOf),
      ),
    ]),
    "## Sections of the specification\n",
    table(
      ["Resource or function", "Section"],
      documented.map(({ token, section }) => [`\`${token}\``, section]),
    ),
  ].join("\n");
}

const MOST_NAMED = 4;

function cellsOf({ method, path, section, users, tests }: EndpointRow): string[] {
  const files = tests.map((file) => `[${file.split("/").at(-1)?.replace(".test.ts", "")}](../../${file})`);
  return [`\`${method} ${path}\``, section, named(users.map((user) => `\`${user}\``)), named(files)];
}

function named(names: readonly string[]): string {
  if (names.length === 0) return "—";
  if (names.length <= MOST_NAMED) return names.join(", ");
  return `${names.slice(0, MOST_NAMED - 1).join(", ")} and ${names.length - MOST_NAMED + 1} more`;
}
