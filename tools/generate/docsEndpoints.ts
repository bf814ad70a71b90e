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
 */
export function endpointsPage(rows: readonly EndpointRow[]): string {
  const services = [...new Set(rows.map(({ service }) => service))];
  return [
    headerOf(""),
    "# Endpoints\n",
    "Every endpoint of the specification, all of which the stub serves: what of this package uses it, and the tests that hold the stub to it. Observed while the tests run (`npm run endpoints`), not written by hand.\n",
    "What nothing uses is another way to the same end: by an object's name where its id survives a rename, or a write that would replace what others add.\n",
    ...services.flatMap((service) => [
      `## ${service}\n`,
      table(
        ["Endpoint", "Section", "Used by", "Tests of the stub"],
        rows.filter((row) => row.service === service).map(cellsOf),
      ),
    ]),
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
