import { userInfo } from "node:os";
import { ExitCode, inContext, Refusal, Unserved } from "../../refusal";
import { type Command, type Invocation, printJson } from "../line/invocation";
import { printTable } from "../line/table";
import { Workspace } from "../workspace/workspace";

/** Commands that list, create, select and remove stacks. */
export const stackCommands: readonly Command[] = [
  {
    name: "stack init",
    flags: { stack: ["text", "s"], "secrets-provider": "text", "no-select": "boolean" },
    args: [0, 1],
    run: init,
  },
  {
    name: "stack select",
    flags: { stack: ["text", "s"], create: ["boolean", "c"] },
    args: [0, 1],
    run: select,
  },
  { name: "stack unselect", flags: {}, args: [0, 0], run: unselect },
  {
    name: "stack ls",
    flags: { json: ["boolean", "j"], all: ["boolean", "a"], project: ["text", "p"] },
    args: [0, 0],
    run: list,
  },
  {
    name: "stack rm",
    flags: {
      stack: ["text", "s"],
      yes: ["boolean", "y"],
      force: ["boolean", "f"],
      "preserve-config": "boolean",
      "remove-backups": "boolean",
    },
    args: [0, 1],
    run: remove,
  },
  { name: "whoami", flags: { json: ["boolean", "j"], verbose: ["boolean", "v"] }, args: [0, 0], run: whoAmI },
  { name: "cancel", flags: { stack: ["text", "s"], yes: ["boolean", "y"] }, args: [0, 1], run: cancel },
];

async function init(invocation: Invocation): Promise<void> {
  const { flags, args, console } = invocation;
  const provider = flags.text("secrets-provider") ?? "default";
  if (!["default", "passphrase"].includes(provider)) throw new Unserved(`the secrets provider ${provider}`);
  const name = args[0] ?? flags.text("stack");
  if (name === undefined) throw new Refusal("missing stack name", ExitCode.configuration);
  const workspace = new Workspace(invocation);
  workspace.requireProject();
  const reference = workspace.reference(name);
  workspace.store.refuseExisting(reference);
  const settings = workspace.settings(reference);
  const { salt } = await inContext(
    "could not create secrets manager for new stack",
    workspace.secrets(reference, settings),
  );
  workspace.store.create(reference, {
    secrets_providers: { type: "passphrase", state: { salt } },
    metadata: {},
  });
  console.error(`Created stack '${workspace.nameOf(reference)}'\n`);
  if (!flags.isSet("no-select")) workspace.select(reference);
}

async function select(invocation: Invocation): Promise<void> {
  const { args, flags } = invocation;
  const workspace = new Workspace(invocation);
  const name = args[0] ?? flags.text("stack");
  if (name === undefined) throw new Refusal("missing stack name", ExitCode.configuration);
  const reference = workspace.reference(name);
  if (flags.isSet("create") && !workspace.store.exists(reference)) return init(invocation);
  workspace.select(workspace.stack(name));
}

function unselect(invocation: Invocation): void {
  const workspace = new Workspace(invocation);
  if (workspace.selected === undefined) return;
  workspace.select(undefined);
  invocation.console.out("Stack was unselected\n");
}

function list(invocation: Invocation): void {
  const { flags, console } = invocation;
  const workspace = new Workspace(invocation);
  const project = flags.text("project") ?? workspace.project?.name;
  const { selected } = workspace;
  const stacks = workspace.store
    .list()
    .filter((reference) => flags.isSet("all") || project === undefined || reference.project === project)
    .map((reference) => {
      const { manifest, resources = [] } = workspace.store.read(reference);
      const time = String(manifest.time ?? "");
      return {
        name: workspace.nameOf(reference),
        current:
          selected !== undefined &&
          workspace.nameOf(workspace.reference(selected)) === workspace.nameOf(reference),
        ...(time !== "" && { lastUpdate: new Date(time).toISOString() }),
        resourceCount: resources.length,
      };
    });
  if (flags.isSet("json")) {
    printJson(console, stacks);
    return;
  }
  printTable(
    console,
    ["NAME", "LAST UPDATE", "RESOURCE COUNT"],
    stacks.map(({ name, current, lastUpdate, resourceCount }) => [
      current ? `${name}*` : name,
      lastUpdate ?? "n/a",
      String(resourceCount),
    ]),
  );
}

function remove(invocation: Invocation): void {
  const { args, flags, console } = invocation;
  if (args[0] !== undefined && flags.text("stack") !== undefined) {
    throw new Refusal("only one of --stack or argument stack name may be specified, not both");
  }
  const workspace = new Workspace(invocation);
  const reference = workspace.stack(args[0] ?? flags.text("stack"));
  if (!flags.isSet("yes")) throw new Refusal("non-interactive mode requires --yes flag");
  const name = workspace.nameOf(reference);
  workspace.store.remove(reference, {
    force: flags.isSet("force"),
    backups: flags.isSet("remove-backups"),
    name,
  });
  if (!flags.isSet("preserve-config") && reference.project === workspace.project?.name) {
    workspace.settings(reference).remove();
  }
  console.out(`Stack '${name}' has been removed!\n`);
  workspace.select(undefined);
}

function whoAmI(invocation: Invocation): void {
  const { url } = new Workspace(invocation);
  const user = userInfo().username;
  if (invocation.flags.isSet("json")) printJson(invocation.console, { user, url });
  else if (invocation.flags.isSet("verbose")) invocation.console.out(`User: ${user}\nBackend URL: ${url}\n`);
  else invocation.console.out(`${user}\n`);
}

function cancel(invocation: Invocation): void {
  const { args, flags, console } = invocation;
  const workspace = new Workspace(invocation);
  const reference = workspace.stack(args[0] ?? flags.text("stack"));
  workspace.store.cancel(reference);
  console.out(`The currently running update for '${workspace.nameOf(reference)}' has been canceled!\n`);
}
