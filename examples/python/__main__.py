"""A part of the platform example in Python: workspaces, a job, secrets and the mesh in one program."""

import pulumi
import pulumi_quarterdeck as quarterdeck

config = pulumi.Config()
environment = config.get("environment") or "staging"

# HCP Terraform: one workspace per layer of the platform.
layers = [
    quarterdeck.workspaces.Workspace(
        layer,
        name=f"{environment}-{layer}",
        description=f"The {layer} layer of {environment}",
        execution_mode=quarterdeck.workspaces.WorkspaceExecutionMode.REMOTE,
        auto_apply=environment != "production",
        tag_names=["platform", layer],
    )
    for layer in ["network", "data"]
]

# Vault: a RabbitMQ role, and MFA for every login.
consumer = quarterdeck.secrets.QueueRole(
    "orders-consumer",
    name="orders-consumer",
    tags=["monitoring"],
    vhosts={"/orders": {"configure": "", "write": "", "read": "^orders\\."}},
)

staff = quarterdeck.secrets.MfaMethod(
    "staff",
    method_name="staff",
    org_name="acme",
    api_token=config.require_secret("identityProviderToken"),
    username_format="{{identity.entity.name}}@acme.example",
)

quarterdeck.secrets.LoginEnforcement(
    "everybody",
    name="everybody",
    mfa_method_ids=[staff.method_id],
    auth_method_types=["userpass", "ldap"],
)

# Consul: the protocol of the service.
speaks = quarterdeck.mesh.ServiceDefaults(
    "orders",
    name="orders",
    spec={"protocol": "http", "max_inbound_connections": 1024},
)

# Nomad: the job of the service. Documents can be dicts or objects of their classes.
orders = quarterdeck.scheduler.Job(
    "orders",
    spec={
        "id": "orders",
        "datacenters": ["dc1"],
        "task_groups": [
            quarterdeck.scheduler.JobTaskGroupArgs(
                name="api",
                count=config.get_int("replicas") or 2,
                tasks=[
                    {
                        "name": "server",
                        "driver": "docker",
                        "config": {"image": "registry.example.com/orders:1.4.2"},
                        "env": {"QUEUE_ROLE": consumer.name},
                        "kill_timeout": "20s",
                    }
                ],
            )
        ],
    },
    purge=True,
    opts=pulumi.ResourceOptions(depends_on=[speaks]),
)

pulumi.export("workspaceIds", [layer.workspace_id for layer in layers])
pulumi.export("jobIndex", orders.job_modify_index)
