import { scheduler } from "../../../sdk";

/** From an empty cluster to a running job that reads a variable and writes to a volume: namespace, variable, volume, job. */
export function orders() {
  const { name: namespace } = new scheduler.Namespace("shop", { name: "shop", description: "Web shop" });

  const settings = new scheduler.Variable("settings", {
    namespace,
    path: "nomad/jobs/orders",
    items: { greeting: "ahoy" },
  });

  const data = new scheduler.HostVolume("data", {
    namespace,
    name: "orders",
    pluginId: "mkdir",
    capabilities: [{ accessMode: "single-node-writer", attachmentMode: "file-system" }],
  });

  const job = new scheduler.Job(
    "orders",
    {
      namespace,
      purge: true,
      wait: "deployment",
      spec: {
        id: "orders",
        taskGroups: [
          {
            name: "web",
            volumes: {
              data: {
                type: "host",
                source: data.name,
                accessMode: "single-node-writer",
                attachmentMode: "file-system",
              },
            },
            update: { minHealthyTime: "1s" },
            tasks: [
              {
                name: "server",
                driver: "raw_exec",
                // The driver mounts no volumes, because its processes see all files of the node.
                env: { DATA: data.hostPath },
                config: { command: "/bin/sh", args: ["-c", 'cp local/greeting "$DATA"/first && sleep 600'] },
                templates: [
                  {
                    destPath: "local/greeting",
                    embeddedTmpl: '{{ with nomadVar "nomad/jobs/orders" }}{{ .greeting }}{{ end }}',
                  },
                ],
                resources: { cpu: 20, memoryMB: 16 },
              },
            ],
          },
        ],
      },
    },
    { dependsOn: [settings] },
  );
  return { namespace, job: job.jobId, path: data.hostPath };
}
