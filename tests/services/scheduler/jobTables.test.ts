import type { Json } from "../../../provider/core/value/json";
import { JobScene } from "./job-scene";

const script = (port: number) =>
  `#!/bin/sh\n# ${"starts the server and waits for it. ".repeat(4)}\nexec server --port ${port}\n`;

const program = (port = 8080) => ({
  spec: {
    id: "web",
    constraints: [{ lTarget: "kernel", rTarget: "linux", operand: "=" }],
    taskGroups: [
      {
        name: "front",
        tasks: [
          {
            name: "server",
            driver: "docker",
            config: { args: ["-v", "--quiet"] },
            templates: [{ embeddedTmpl: script(port), destPath: "local/start.sh" }],
          },
        ],
      },
    ],
  },
});

const theirs = (constraints: Json[], args: string[], port: number): Json => ({
  ID: "web",
  Constraints: constraints,
  TaskGroups: [
    {
      Name: "front",
      Tasks: [
        {
          Name: "server",
          Driver: "docker",
          Config: { args },
          Templates: [{ EmbeddedTmpl: script(port), DestPath: "local/start.sh" }],
        },
      ],
    },
  ],
});

const linux = { LTarget: "kernel", RTarget: "linux", Operand: "=" };
const west = { LTarget: "dc", RTarget: "west", Operand: "=" };

describe("what somebody changed in a job is told", () => {
  async function scene() {
    const made = new JobScene();
    await made.resource.create(program());
    await made.register(theirs([west, linux], ["-v", "--loud"], 9090));
    return made;
  }

  test("element by element, a long text around what differs in it", async () => {
    const { world, resource } = await scene();
    await resource.refresh();
    const task = 'spec.taskGroups["front"].tasks["server"]';
    const rows = world.logged
      .join("\n")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/ {2,}/));
    expect(rows).toEqual([
      ["field", "was", "is"],
      ["spec.constraints[+0]", "(none)", '{"lTarget":"dc","rTarget":"west","operand":"="}'],
      [`${task}.config.args[1]`, '"--quiet"', '"--loud"'],
      [
        `${task}.templates[0].embeddedTmpl`,
        expect.stringMatching(/^….*--port 8080\\n"$/),
        expect.stringMatching(/^….*--port 9090\\n"$/),
      ],
    ]);
  });

  test("and the update that insists writes the whole list, as before", async () => {
    const made = await scene();
    await expect(made.resource.update(program(7070))).rejects.toThrow(/8080.*7070.*9090/);
    await made.resource.refresh();
    await made.resource.update(program(7070));
    expect((await made.held()).Constraints).toEqual([linux]);
  });
});
